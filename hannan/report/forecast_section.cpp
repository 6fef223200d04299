// The page of a combined forecast (docs/forecasts.md): the verdict with its unit, what was avoided over time,
// everybody's error, combined against actual, weights over time, errors by stretches, quantiles, how sure it is,
// technical details.
#include <algorithm>
#include <cmath>

#include "hannan/report/blocks.hpp"
#include "hannan/report/forecast_charts.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/section.hpp"

namespace hannan::detail {
namespace {

Json plain_piece(const std::string& text) { return Json::object({{"text", text}}); }
Json strong_piece(const std::string& text) { return Json::object({{"text", text}, {"strong", true}}); }
double number_at(const Json& of, const char* name) { return of.at(name).as_number(); }

Json forecast_headline(const ForecastWords& words) {
  const std::string state = forecast_state(words);
  const Json& judged = words.result.at("judgement");
  const std::string advice = state == "better"   ? "Recommended: use the combined forecast"
                             : state == "unsure" ? "Recommended: keep what you do; this table cannot tell"
                                                 : "Recommended: keep what you do";
  Json says = Json::array();
  says.push_back(plain_piece("The combined forecast was off by "));
  says.push_back(strong_piece(words.side(words.avoided)));
  says.push_back(plain_piece(" than " + words.today));
  if (const std::string share = words.share(words.avoided); !share.empty()) {
    says.push_back(plain_piece(" ("));
    says.push_back(strong_piece(share));
    says.push_back(plain_piece(state == "unsure" ? "), may be chance" : ")"));
  }
  std::string lede = words.amount(words.ours) + " instead of " + words.bare(words.theirs) + ", as " + words.kind + ".";
  Json json = Json::object({{"block", "headline"}, {"state", state}, {"advice", advice}, {"says", std::move(says)}});
  if (const Json* range = judged.find("range")) {
    const double low = (*range)[0].as_number(), high = (*range)[1].as_number();
    lede += " With 95 % certainty the difference lies between " + words.side(low) + " and " + words.side(high) + ".";
    json.set("strip", Json::object({{"gain", words.avoided},
                                    {"low", low},
                                    {"high", high},
                                    {"gain_text", words.side(words.avoided) + " error"},
                                    {"low_text", words.side(low)},
                                    {"high_text", words.side(high)},
                                    {"zero_text", "0 as " + words.today},
                                    {"alt", words.side(words.avoided) + " error. 95 % range " + words.side(low) +
                                                " to " + words.side(high) + ". Better is to the right."}}));
  } else {
    lede += " Too few rounds for a range: " + judged.at("reason").as_string() + ".";
  }
  const double missing = number_at(words.result, "missing");
  lede += " " + words.rounds(number_at(words.result, "rounds")) + ", " + page_count(words.result.at("models").size()) +
          " models, missing " + shown(100 * missing, missing > 0 && missing < 0.1 ? 1 : 0, kPageLetters) + "\u00a0%.";
  return json.set("lede", lede).set("short", "Combined forecast: " + words.side(words.avoided) + " error");
}

Json sources(const ForecastWords& words) {
  const Json& hindsight = words.result.at("hindsight");
  const double best = number_at(hindsight, "error"), all = words.theirs - best;
  std::vector<std::pair<std::string, std::string>> points;
  if (all > 0)
    points.emplace_back(
        shown(std::max(0.0, 100 * words.avoided / all), 0, kPageLetters) + "\u00a0% of what could be won",
        "The best fixed mixture, known only afterwards, was off by " + words.amount(best) + ": " + words.amount(all) +
            " less than " + words.today + ".");
  const double future = number_at(words.result.at("rows"), "future");
  if (future > 0)
    points.emplace_back(
        page_count(static_cast<std::uint64_t>(future)) + (future == 1 ? " row" : " rows") + " of future",
        "They have no actual yet and are forecast in the file of predictions.");
  return points_block("Where the difference comes from", points);
}

Json warnings_of(const ForecastWords& words) {
  Json items = Json::array();
  const auto add = [&](const std::string& what, const std::string& text) {
    items.push_back(Json::object({{"what", what}, {"text", text}}));
  };
  for (const Json& warning : words.result.at("warnings").as_array()) add("", warning.as_string());
  if (words.result.at("today_named") != Json(true))
    add("No forecast of yours was named.",
        "The plain mean of the models stands for what you do today; name your own column to compare with it.");
  if (words.result.at("has_times") != Json(true))
    add("There are no dates in the file.", "Rounds are numbered in the order of the rows.");
  if (number_at(words.result, "rounds") < 400 && forecast_state(words) == "unsure")
    add(words.rounds(number_at(words.result, "rounds")) + " are few,", "hence the wide range.");
  const Json& rows = words.result.at("rows");
  for (const auto& [name, text] : {std::pair("no_actual", "have no actual and do not count."),
                                   std::pair("no_forecast", "have an actual and no forecast."),
                                   std::pair("zero_actual", "have the actual 0 and no percentage: they are left out."),
                                   std::pair("too_late", "came after the run had stopped waiting for them.")}) {
    if (const double count = number_at(rows, name); count > 0)
      add(page_count(static_cast<std::uint64_t>(count)) + (count == 1 ? " row" : " rows"), text);
  }
  const std::string title = items.size() == 1 ? "One thing to know about the data"
                                              : std::to_string(items.size()) + " things to know about the data";
  return Json::object({{"block", "warnings"}, {"title", title}, {"items", std::move(items)}});
}

// "0.72 gam + 0.20 ar + 0.08 gbm": the three largest parts, and how many more there are.
std::string mixture_words(const Json& weights) {
  std::vector<std::pair<double, std::string>> parts;
  for (const auto& [name, weight] : weights.as_object()) {
    if (weight.as_number() >= 0.005) parts.emplace_back(-weight.as_number(), name);
  }
  std::ranges::sort(parts);
  constexpr std::size_t kMostParts = 3;
  std::string text;
  for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i)
    text += (i ? " + " : "") + shown(-parts[i].first, 2, kPageLetters) + "\u00a0" + parts[i].second;
  if (parts.size() > kMostParts) text += " + " + std::to_string(parts.size() - kMostParts) + " more";
  return text;
}

Json forecast_ranking(const ForecastWords& words) {
  struct Row {
    double avoided;
    Json json;
  };
  std::vector<Row> rows;
  double low = 0, high = 0;
  const bool unsure = forecast_state(words) == "unsure";
  for (const Json& player : words.result.at("players").as_array()) {
    const auto error = player.find_number("error");
    if (!error) continue;
    const std::string& role = player.at("role").as_string();
    const ForecastPlayerWords named = forecast_player_words(player.at("name").as_string(), role);
    const double avoided = number_at(player, "avoided");
    const Json* range = player.find("range");
    const bool base =
        (words.result.at("today_named") == Json(true) ? player.at("name").as_string().starts_with("today: ")
                                                      : player.at("name") == Json("plain mean"));
    const double lo = range ? (*range)[0].as_number() : avoided, hi = range ? (*range)[1].as_number() : avoided;
    const bool mine = role == "combined";
    const char* kind = mine && unsure ? "unsure" : lo > 0 ? "better" : hi < 0 ? "worse" : "unsure";
    low = std::min(low, mine ? lo : avoided);
    high = std::max(high, mine ? hi : avoided);
    rows.push_back(
        {avoided,
         Json::object({{"name", named.name},
                       {"about", named.about},
                       {"mine", mine},
                       {"after", false},
                       {"base", base},
                       {"kind", kind},
                       {"gain", rounded(avoided)},
                       {"low", rounded(lo)},
                       {"high", rounded(hi)},
                       {"money", words.bare(*error)},
                       {"more", base ? std::string("0") : words.signed_bare(avoided)},
                       {"share", base ? std::string() : words.share(avoided)},
                       {"range", range ? words.signed_bare(lo) + " to " + words.signed_bare(hi) : std::string("–")},
                       {"tenths", page_count(static_cast<std::uint64_t>(number_at(player, "rows")))}})});
  }
  const Json& hindsight = words.result.at("hindsight");
  const auto afterwards = [&](const std::string& name, double error, const std::string& more) {
    rows.push_back({words.theirs - error, Json::object({{"name", name},
                                                        {"about", "known only afterwards" + more},
                                                        {"mine", false},
                                                        {"after", true},
                                                        {"base", false},
                                                        {"kind", "unsure"},
                                                        {"gain", rounded(words.theirs - error)},
                                                        {"low", 0},
                                                        {"high", 0},
                                                        {"money", words.bare(error)},
                                                        {"more", words.signed_bare(words.theirs - error)},
                                                        {"share", words.share(words.theirs - error)},
                                                        {"range", "–"},
                                                        {"tenths", "–"}})});
    high = std::max(high, words.theirs - error);
  };
  // The combined forecast is the first of the players.
  std::ranges::sort(rows.begin() + 1, rows.end(), [](const Row& a, const Row& b) { return a.avoided > b.avoided; });
  afterwards("Best model: " + hindsight.at("best_model").as_string(), number_at(hindsight, "best_model_error"), "");
  std::string parts;
  if (hindsight.at("streams").size() == 1) parts = mixture_words(hindsight.at("streams")[0].at("weights"));
  afterwards("Best fixed mixture", number_at(hindsight, "error"), parts.empty() ? "" : ": " + parts);
  Json list = Json::array();
  for (Row& row : rows) list.push_back(std::move(row.json));
  const double reach = std::max(high, 1e-300);
  return Json::object(
      {{"block", "ranking"},
       {"title", "How far off each would have been"},
       {"about", "Each on the rows that it has a forecast for, beside " + words.today + " on the same rows."},
       {"note", "What is known only afterwards could not have been used."},
       {"header", Json::array({Json(""), Json("Error" + words.in_unit()), Json("Error avoided" + words.in_unit()),
                               Json("95 % range"), Json("Rows")})},
       {"scale", Json::array({std::max(low, -3 * reach), high})},
       {"rows", std::move(list)}});
}

// The certificate in words.
Json how_sure(const ForecastWords& words) {
  const Json& convex = words.result.at("convex");
  const Json& hindsight = words.result.at("hindsight");
  const Json& floor = hindsight.at("floor_error");
  std::string text;
  if (floor.is_number())
    text = "On this table no fixed mixture of the " + page_count(words.result.at("models").size()) +
           " models, chosen afterwards, would have been off by less than " + words.amount(floor.as_number()) +
           "; the combined forecast was off by " + words.amount(words.ours) + ". ";
  if (convex.at("closed_error").is_number() && number_at(convex, "proven") > 0) {
    const bool weak = number_at(convex, "closed") > number_at(hindsight, "value");
    text += "It was certain beforehand, whatever came, that errors of this size leave it at most " +
            words.amount(number_at(convex, "closed_error")) +
            (weak ? ", a weak promise for " + words.rounds(number_at(words.result, "rounds")) : std::string()) +
            "; the run itself proves " + words.amount(number_at(convex, "measured_error")) + ".";
  }
  Json inside = Json::array();
  inside.push_back(text_block(text));
  return fold_block("How sure this is", "What is proven for this very run: nothing was drawn at random.",
                    std::move(inside));
}

Json technical(const ForecastWords& words) {
  Json inside = Json::array();
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [name, value] : words.result.at("rows").as_object())
    facts.emplace_back("rows, " + name, shown(value));
  facts.emplace_back("loss", words.result.at("loss").as_string());
  facts.emplace_back("members", dump(words.result.at("members")));
  inside.push_back(facts_block("Counts", facts));
  for (const Json& stream : words.result.at("streams").as_array()) {
    const std::string at = stream.find("level")     ? "level " + shown(stream.at("level"))
                           : stream.find("horizon") ? "horizon " + shown(stream.at("horizon"))
                                                    : "Certificates, sums over the rows";
    inside.push_back(object_block(at, stream.at("certificate")));
  }
  const Json& hindsight = words.result.at("hindsight");
  if (hindsight.at("streams").size() == 1)
    inside.push_back(object_block("Best fixed mixture", hindsight.at("streams")[0]));
  return fold_block("Technical details", "Certificates, counts, solver.", std::move(inside));
}

}  // namespace

Section forecast_section(const Json& result, const std::string& name) {
  const ForecastWords words(result);
  Json blocks = Json::array();
  blocks.push_back(forecast_headline(words));
  Json main = Json::array(), aside = Json::array();
  main.push_back(avoided_chart(words));
  main.push_back(sources(words));
  aside.push_back(warnings_of(words));
  blocks.push_back(Json::object({{"block", "beside"}, {"main", std::move(main)}, {"aside", std::move(aside)}}));
  blocks.push_back(forecast_ranking(words));
  write_actuals(blocks, words);
  blocks.push_back(weights_bands(words));
  write_groups(blocks, words);
  write_coverage(blocks, words);
  blocks.push_back(how_sure(words));
  blocks.push_back(technical(words));
  const std::string& source = result.at("source").as_string();
  const std::string file = source.substr(source.find_last_of('/') + 1);
  Section section;
  section.json = Json::object({{"title", "Forecasts" + (file.empty() ? "" : " of " + file)},
                               {"about", words.rounds(number_at(result, "rounds")) + " · " +
                                             page_count(result.at("models").size()) + " models"},
                               {"source", name},
                               {"blocks", std::move(blocks)}});
  return section;
}

}  // namespace hannan::detail
