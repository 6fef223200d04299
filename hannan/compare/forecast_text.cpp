// The first lines that `hannan compare forecasts` prints, from its result alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"

namespace hannan::detail {
namespace {

// Decimals that tell the errors of one table apart: four significant digits of the least.
int places_for(double least) {
  if (!(least > 0)) return 0;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(least))), 0, 9);
}

struct Words {
  const Json& result;
  int places;
  std::string unit, kind;

  std::string amount(double value) const { return with_unit(shown(value, places), unit, {}); }
  std::string bare(double value) const { return shown(value, places); }
};

Words words_of(const Json& result) {
  const std::string& loss = result.at("loss").as_string();
  double least = std::numeric_limits<double>::infinity();
  for (const Json& player : result.at("players").as_array()) {
    if (const auto error = player.find_number("error"); error && *error > 0) least = std::min(least, *error);
  }
  std::string kind = "mean " + loss + " loss", unit = result.at("unit").as_string();
  if (loss == "squared") kind = "root mean squared error";
  if (loss == "absolute") kind = "mean absolute error";
  if (loss == "percentage") kind = "mean error as a share of the actual";
  if (loss == "brier") kind = "Brier score";
  if (loss == "log") kind = "mean log loss";
  if (loss == "quantiles") kind = "weighted interval score";
  if (loss == "percentage" || loss == "log" || loss == "brier") unit.clear();
  return {result, places_for(least), unit, kind};
}

std::string mixture_words(const Json& weights) {
  std::vector<std::pair<double, std::string>> parts;
  for (const auto& [name, weight] : weights.as_object()) {
    if (weight.as_number() >= 0.005) parts.emplace_back(weight.as_number(), name);
  }
  std::ranges::sort(parts, std::greater<>());
  std::string text;
  for (std::size_t i = 0; i < parts.size() && i < 5; ++i)
    text += fmt::format("{}{:.2f} {}", i ? " + " : "", parts[i].first, printable(parts[i].second));
  return text + (parts.size() > 5 ? " + ..." : "");
}

}  // namespace

std::string forecast_text(const Json& result, const std::string& predictions) {
  const Words words = words_of(result);
  const auto& players = result.at("players").as_array();
  const double ours = players[0].at("error").as_number(), today = players[0].at("today_error").as_number();
  const Json& hindsight = result.at("hindsight");
  const double rounds = result.at("rounds").as_number();
  std::string text;  // warnings first: they say what the figures below may be worth
  for (const Json& one : result.at("warnings").as_array()) text += "WARNING: " + printable(one.as_string()) + "\n";
  text += fmt::format(
      "combined forecast: {} {} over {} rounds; {} {} ({:.1f} % {}), best model {} {}, known only afterwards\n",
      words.amount(ours), words.kind, shown(rounds, 0), printable(result.at("today").as_string()), words.bare(today),
      ours > 0 ? 100 * std::abs(today / ours - 1) : 0, today >= ours ? "more" : "less",
      printable(hindsight.at("best_model").as_string()), words.bare(hindsight.at("best_model_error").as_number()));
  const Json& streams = hindsight.at("streams");
  const std::string which = streams.size() == 1 ? mixture_words(streams[0].at("weights")) + ": " : std::string();
  const Json& floor = hindsight.at("floor_error");
  text += fmt::format("best fixed mixture, known only afterwards: {}{}{}\n", which,
                      words.amount(hindsight.at("error").as_number()),
                      floor.is_number() ? " (proven: no other is below " + words.bare(floor.as_number()) + ")"
                                        : std::string(" (found on a part of the rows; no floor)"));
  const Json& convex = result.at("convex");
  if (convex.at("least").is_number() && convex.at("proven").as_number() > 0) {
    const double least = convex.at("least").as_number();
    text += least > 0
                ? fmt::format(
                      "certified by the run alone, without a search: no fixed mixture of the {} models is below {}\n",
                      result.at("models").size(), words.amount(least))
                : fmt::format(
                      "certified by the run alone, without a search: nothing yet, with so few rounds for {} "
                      "models\n",
                      result.at("models").size());
  }
  const Json& judged = result.at("judgement");
  const std::string& verdict = judged.at("verdict").as_string();
  text += fmt::format("against the {}: {}\n", printable(result.at("today").as_string()),
                      verdict == "deploy" ? "use the combined forecast: " + judged.at("reason").as_string()
                      : verdict == "keep" ? "keep it: " + judged.at("reason").as_string()
                                          : fmt::format("this table cannot tell ({} rounds)", shown(rounds, 0)));
  const double future = result.at("rows").at("future").as_number();
  if (future > 0)
    text += fmt::format(
        "next: {} {} without an actual {} {}\n", shown(future, 0), future == 1 ? "row" : "rows",
        future == 1 ? "is" : "are",
        predictions.empty() ? std::string("forecast; --predictions FILE writes them") : "in " + printable(predictions));
  for (const Json& one : result.at("notes").as_array()) text += "note: " + printable(one.as_string()) + "\n";
  text += fmt::format("\n  {:<24} {:>14} {:>16} {:>10}\n", "", words.kind.size() > 14 ? "error" : words.kind,
                      "error avoided", "rows");
  for (const Json& player : players) {
    const auto error = player.find_number("error");
    if (!error) continue;
    const std::string range = player.find("range")
                                  ? fmt::format("   95 % range {} to {}", words.bare(player.at("range")[0].as_number()),
                                                words.bare(player.at("range")[1].as_number()))
                                  : "";
    text +=
        fmt::format("  {:<24} {:>14} {:>16} {:>10}{}\n", printable(player.at("name").as_string()), words.bare(*error),
                    words.bare(player.at("avoided").as_number()), shown(player.at("rows").as_number(), 0), range);
  }
  return text;
}

}  // namespace hannan::detail
