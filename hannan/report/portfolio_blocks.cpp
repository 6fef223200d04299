// From the figures of a result to blocks of the page. Invariant: a mean is called one, and what was drawn stands beside
// it; today's way stands last among those that play. Cost: at most 400 points a line.
#include "hannan/report/portfolio_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/core/order_few.hpp"
#include "hannan/report/action_panels.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/verdict_blocks.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostWayPoints = 400;  // about one a pixel of a phone
constexpr std::size_t kMostWayBands = 8;

const ResultPortfolio& portfolio_of(const ComparedPage& page) { return *page.portfolio; }

// A way as the page calls it.
PlayerWords way_words(const ComparedPage& page, const ResultStrategy& way) {
  const auto as = [&](const char* name) {
    return player_words({.name = name, .about = {}, .role = "rival"}, page.words);
  };
  if (way.kind == "logged") return as("as logged");
  if (way.kind == "monopoly") return as("monopoly price");
  if (way.kind == "leader" && way.name == "one for all") return as("uniform, learned");
  if (way.kind == "majority") return as("majority label");
  if (way.kind == "last") return as("repeat last label");
  if (way.kind == "fixed" && way.name == "today") return as("no reserve");
  if (way.kind == "flipflop" && way.name == "flipflop")
    return {.name = capital(page.words.beside),
            .about = fmt::format("set anew after every {}", page.words.round),
            .inside = page.words.beside};
  return player_words({.name = way.name,
                       .about = way.kind == "given" ? "what was proposed for each " + page.words.round : std::string(),
                       .role = "rival"},
                      page.words);
}

std::string way_share(double share) {
  if (share > 0 && share < 0.001) return "under 0.1\u00a0%";
  return fmt::format("{:.0f}\u00a0%", 100 * share);
}

// "0.5 %", "1 %": without a sign.
std::string percent_of(double share) { return fmt::format("{:.2g}\u00a0%", 100 * share); }

// The ways that are played, the likeliest at the end first, today's decision last.
std::vector<const ResultStrategy*> ways_by_share(const ResultPortfolio& of) {
  std::vector<const ResultStrategy*> ways;
  for (std::size_t k = 1; k < of.strategies.size(); ++k) {
    if (of.strategies[k].weight) ways.push_back(&of.strategies[k]);
  }
  order_few(ways, [](const auto* a, const auto* b) { return *a->weight > *b->weight; });
  ways.push_back(&of.strategies.front());
  return ways;
}

std::vector<std::size_t> way_points(std::size_t points) {
  const std::size_t step = (points + kMostWayPoints - 1) / kMostWayPoints;
  std::vector<std::size_t> places;
  for (std::size_t i = (points - 1) % step; i < points; i += step) places.push_back(i);
  return places;
}

Json way_values(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  Json list = Json::array();
  for (const std::size_t place : places) list.push_back(rounded(values[place]));
  return list;
}

std::string today_words(const ComparedPage& page) {
  return page.own_baseline() ? std::string("as logged") : page.baseline_words();
}

// Of the largest difference that is not known beforehand.
std::string at_risk_words(const ComparedPage& page) {
  const ResultPortfolio& of = portfolio_of(page);
  return page.sum(of.risk) +
         (of.largest ? "" : fmt::format(" and twice the largest difference of one {}", page.words.round));
}

}  // namespace

std::string drawn_words(const ComparedPage& page) {
  return fmt::format("{} ways, one drawn each {}", ways_by_share(portfolio_of(page)).size(), page.words.round);
}

std::string ended_on_words(const ComparedPage& page) {
  const auto ways = ways_by_share(portfolio_of(page));
  const auto* likeliest =
      *std::ranges::max_element(ways, [](const auto* a, const auto* b) { return *a->weight < *b->weight; });
  return way_words(page, *likeliest).inside;
}

Json portfolio_numbers(const ComparedPage& page) {
  const ResultPortfolio& of = portfolio_of(page);
  auto ways = ways_by_share(of);
  order_few(ways, [](const auto* a, const auto* b) { return *a->weight > *b->weight; });
  std::string others = way_share(*ways[0]->weight);
  if (ways.size() > 1) others += fmt::format("; {} {}", way_words(page, *ways[1]).inside, way_share(*ways[1]->weight));
  const double today = std::abs(of.strategies.front().money);
  const std::string share =
      today > 0 ? fmt::format("{} of what today {}; ", percent_of(of.risk / today), page.reward ? "brings" : "costs")
                : "";
  const auto behind = [&](double low) { return low < 0 ? page.difference(low) : std::string("never behind"); };
  Json figures = Json::array();
  const auto add = [&](std::string name, std::string amount, std::string note) {
    figures.push_back(Json::array({Json(std::move(name)), Json(std::move(amount)), Json(std::move(note))}));
  };
  add("Gained over " + today_words(page), page.difference(of.gain),
      fmt::format("on average; {} in the drawn run", page.difference(of.drawn_gain)));
  add("Furthest behind, ever", behind(of.low), fmt::format("on average; {} in the drawn run", behind(of.drawn_low)));
  add("At risk, stated beforehand", page.sum(of.risk),
      (of.largest ? "" : fmt::format("and twice the largest difference of one {}; ", page.words.round)) + share +
          "holds on average over the draws");
  add("It ended on", way_words(page, *ways[0]).name, others);
  return Json::object({{"block", "four"}, {"figures", std::move(figures)}});
}

Json portfolio_chart(const ComparedPage& page) {
  const ResultPortfolio& of = portfolio_of(page);
  const auto places = way_points(page.at.size());
  Json at = Json::array();
  for (const std::size_t place : places) at.push_back(page.x()[place]);
  const auto line = [&](const char* name, std::size_t ink, Json values, std::string end) {
    return Json::object({{"name", name}, {"ink", ink}, {"values", std::move(values)}, {"end", std::move(end)}});
  };
  Json average = Json::array();
  double low = -of.risk, high = 0;
  const auto gains = page.gains(page.ours());
  for (const std::size_t place : places) {
    const double gain = gains[place].value_or(0);
    average.push_back(rounded(gain));
    low = std::min({low, gain, of.drawn_path[place], of.certain_path[place]});
    high = std::max({high, gain, of.drawn_path[place], of.certain_path[place]});
  }
  Json series =
      Json::array({line("On average", 0, std::move(average), page.difference(of.gain)),
                   line("As drawn", 2, way_values(of.drawn_path, places), page.difference(of.drawn_gain)),
                   line("Certain: at least", 3, way_values(of.certain_path, places), page.difference(of.certain)),
                   line("At risk, stated beforehand", 1,
                        way_values(std::vector<double>(page.at.size(), -of.risk), places), page.difference(-of.risk))});
  const std::string promise =
      of.largest ? std::string("On average it can never fall below the line of what was at risk.")
                 : fmt::format(
                       "On average it can fall below the line of what was at risk by no more than twice the "
                       "largest difference of one {}.",
                       page.words.round);
  Json json = Json::object({{"block", "gains"},
                            {"unit", page.unit()},
                            {"currency", page.currency},
                            {"round", page.words.round},
                            {"zero", "0 = " + today_words(page)},
                            {"at", std::move(at)}});
  json.set("places", page.form({}).places);
  if (!page.reward) json.set("sides", Json::array({Json(page.side(1)), Json(page.side(-1))}));
  if (!page.times.empty()) {
    Json rounds = Json::array();
    for (const std::size_t place : places) rounds.push_back(page.at[place]);
    json.set("time", true).set("rounds", std::move(rounds));
  }
  return json
      .set("title", fmt::format("Gained over {}, {} by {}", today_words(page), page.words.round, page.words.round))
      .set("about", capital(page.unit()) + ", summed. " + promise)
      .set("alt", fmt::format("Four lines. On average it ends at {}, as drawn at {}; certain is at least {}; {} was at "
                              "risk.",
                              page.difference(of.gain), page.difference(of.drawn_gain), page.difference(of.certain),
                              page.sum(of.risk)))
      .set("state", state_name(state_of(page)))
      .set("scale", Json::array({Json(low), Json(high)}))
      .set("series", std::move(series))
      .set("off", Json::array());
}

Json who_played_chart(const ComparedPage& page) {
  const auto ways = ways_by_share(portfolio_of(page));
  const auto places = way_points(page.at.size());
  struct Band {
    std::string name;
    std::vector<double> values;
    double end = 0;
  };
  std::vector<Band> shown;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const bool last = i + 1 == ways.size();
    // Of more than fit those in the middle are one band.
    const bool rest = ways.size() > kMostWayBands && i >= kMostWayBands - 2 && !last;
    if (!rest || shown.back().name != "Others")
      shown.push_back(
          {rest ? std::string("Others") : way_words(page, *ways[i]).name, std::vector<double>(page.at.size(), 0.0)});
    Band& band = shown.back();
    for (std::size_t p = 0; p < page.at.size(); ++p) band.values[p] += ways[i]->share[p];
    band.end += *ways[i]->weight;
  }
  Json at = Json::array(), series = Json::array();
  for (const std::size_t place : places) at.push_back(page.x()[place]);
  std::string alt = "Share of each way at the end: ";
  for (std::size_t i = 0; i < shown.size(); ++i) {
    series.push_back(Json::object({{"name", shown[i].name},
                                   {"ink", i + 1 == shown.size() ? std::size_t{5} : i},
                                   {"values", way_values(shown[i].values, places)}}));
    alt += (i == 0 ? "" : ", ") + shown[i].name + " " + way_share(shown[i].end);
  }
  Json json = Json::object(
      {{"block", "bands"},
       {"title", "Who played, over time"},
       {"about", fmt::format("Share of each way, in percent. One of them is drawn in every {}.", page.words.round)},
       {"alt", alt + "."},
       {"x_name", page.words.round},
       {"at", std::move(at)},
       {"series", std::move(series)}});
  if (!page.times.empty()) json.set("time", true);
  return json;
}

Json ways_table(const ComparedPage& page) {
  const ResultPortfolio& of = portfolio_of(page);
  std::vector<const ResultStrategy*> ways;
  for (const ResultStrategy& way : of.strategies) ways.push_back(&way);
  order_few(ways, [](const auto* a, const auto* b) { return a->gain > b->gain; });
  PageTable table;
  table.title = "The ways it draws from";
  table.about = fmt::format(
      "What each would have {} alone, its share at the end, and how the portfolio stands against it.", page.had());
  table.header = {"way", capital(page.had()), "against " + today_words(page), "share at the end",
                  "against the portfolio"};
  for (const ResultStrategy* way : ways) {
    std::string against = "never played";
    if (way->behind && *way->behind > 0)
      against =
          fmt::format("{} ahead, certified at most {}", page.bare_sum(*way->behind), page.bare_sum(*way->certified));
    if (way->behind && *way->behind <= 0) against = page.bare_sum(-*way->behind) + " behind";
    table.rows.push_back({way_words(page, *way).name, page.bare_sum(way->money), page.bare_difference(way->gain),
                          way->weight ? way_share(*way->weight) : "-", against});
  }
  return table_block(table);
}

namespace {

// "dsp1 3.60 USD, dsp2 2.10 USD", the first few; of one number, or of no numbers, the action as tables have it.
std::string next_words(const ActionWords& words, const ResultStrategy& way) {
  constexpr std::size_t kMostShown = 12;
  if (!way.final_action_name.empty()) return way.final_action_name;
  const auto numbers = coordinates_of(way.final_action);
  if (!words.drawn || numbers.empty() || !words.choices.empty()) return words.action_text(dump(way.final_action));
  std::string text;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMostShown); ++i) {
    const std::string value = words.text(words.value(i, numbers[i]));
    text += (text.empty() ? "" : ", ") + (numbers.size() > 1 ? words.name(i) + " " : std::string()) + value;
  }
  return numbers.size() > kMostShown ? text + fmt::format(" and {} more", numbers.size() - kMostShown) : text;
}

}  // namespace

// What is offered is a way with its own verdict; where none is, the portfolio itself may be tried.
Json next_block(const ComparedPage& page) {
  const ResultPortfolio& of = portfolio_of(page);
  const std::size_t place = of.handed_on();
  std::vector<std::pair<std::string, std::string>> points;
  if (place < of.strategies.size()) {
    const ResultStrategy& way = of.strategies[place];
    const ActionWords words = action_words(page.problem, page.params, page.log);
    const bool offered = way.judgement && way.judgement->recommendation == "deploy";
    const std::string name = capital(way_words(page, way).inside);
    points.emplace_back(name + " would play next:", next_words(words, way) + ".");
    points.emplace_back(
        offered ? "Its file is offered:" : "Its file is not offered:",
        offered ? fmt::format("by its own gains it is better than {}; --decisions FILE writes it.", today_words(page))
                : fmt::format("this log does not show that it is better than {} by itself.", today_words(page)));
  }
  points.emplace_back(
      "The portfolio itself goes on:",
      fmt::format(
          "--save FILE keeps it as it is now. What may be lost while it is tried is yours to state, with --risk; "
          "the promise is of playing it {} by {}, not of {} that stand still.",
          page.words.round, page.words.round, page.words.thing));
  return points_block("What to put to use", points);
}

Json portfolio_certainty(const ComparedPage& page) {
  const ResultPortfolio& of = portfolio_of(page);
  std::vector<std::pair<std::string, std::string>> points;
  points.emplace_back(
      "Certain beforehand, whatever others do:",
      fmt::format("on average over its own draws the portfolio is at most {} behind {} after every {}. {}",
                  at_risk_words(page), today_words(page), page.words.round,
                  of.largest ? fmt::format("One {} can differ by {} at most.", page.words.round, page.sum(*of.largest))
                             : fmt::format("How much one {} can differ was not known beforehand.", page.words.round)));
  points.emplace_back(
      "Certain now:",
      fmt::format("on this log the average is {} {} {}, and at most {} behind the best of its ways, {} "
                  "(it is {}).",
                  page.sum(std::abs(of.certain)), of.certain >= 0 ? "or more ahead of" : "or less behind",
                  today_words(page), page.sum(of.certified),
                  way_words(page, *std::ranges::find(of.strategies, of.best, &ResultStrategy::name)).inside,
                  page.sum(of.behind)));
  std::string drawn = "A single drawn run may fall further behind than the average";
  if (of.limit)
    drawn +=
        fmt::format(": with 95\u00a0% certainty this one ends {} {} {}", page.sum(std::abs(*of.limit)),
                    *of.limit >= 0 ? "behind at most," : "or more ahead of", *of.limit >= 0 ? "" : today_words(page));
  points.emplace_back("One drawn run.", drawn + ". A limit that holds for it is set with --hard.");
  if (const auto& judged = page.ours().judged; judged && !judged->doubts.empty()) {
    std::string why;
    for (const auto& doubt : judged->doubts) why += (why.empty() ? "" : " ") + capital(doubt.says) + ".";
    points.emplace_back("Why it cannot tell.", why);
  }
  points.emplace_back(
      "Not certain:",
      fmt::format("that the next {} bring the same. That is what the 95\u00a0% range is about. And others may "
                  "act differently once decisions change: that is outside all of this.",
                  page.words.rounds(page.rounds)));
  return fold_block("How sure is this?", "What was certain beforehand, what is certain now, what is not",
                    Json::array({points_block("", points)}));
}

}  // namespace hannan::detail
