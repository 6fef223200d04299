// Words and numbers of a page about forecasts. Rounds are called days, weeks, months or hours where the usual distance
// of their times says so; errors have the digits that tell the least of them to four figures, and a unit where there is
// one.
#include "hannan/report/forecast_words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/report/page_text.hpp"

namespace hannan::detail {
namespace {

// What the rounds are, from the usual distance between their times.
std::string round_word(const Json& result) {
  std::vector<double> at;
  for (const Json& point : result.at("curve").as_array()) {
    if (const auto seconds = point.find_number("seconds")) at.push_back(*seconds);
  }
  if (at.size() < 3 || at.size() != result.at("curve").size() ||
      result.at("rounds").as_number() > 2.5 * static_cast<double>(at.size()))
    return "round";
  std::vector<double> steps;
  for (std::size_t i = 1; i < at.size(); ++i) steps.push_back((at[i] - at[i - 1]) / 86'400);
  std::ranges::nth_element(steps, steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2));
  const double days = steps[steps.size() / 2];
  if (std::abs(days - 1) < 0.01) return "day";
  if (std::abs(days - 7) < 0.01) return "week";
  if (days > 27 && days < 32) return "month";
  if (std::abs(days - 1.0 / 24) < 0.001) return "hour";
  return "round";
}

}  // namespace

ForecastWords::ForecastWords(const Json& of) : result(of), unit(of.at("unit").as_string()), round(round_word(of)) {
  const std::string& loss = of.at("loss").as_string();
  kind = loss == "squared"      ? "root mean squared error"
         : loss == "absolute"   ? "mean absolute error"
         : loss == "percentage" ? "mean error as a share of the actual"
         : loss == "brier"      ? "Brier score, the mean squared error of probabilities"
         : loss == "log"        ? "logarithmic score"
         : loss == "quantiles"  ? "weighted interval score"
                                : "pinball score";
  percent = loss == "percentage";
  if (percent || loss == "brier" || loss == "log") unit.clear();
  const std::string& name = of.at("today").as_string();
  today = of.at("today_named") == Json(true) ? "your forecast (" + name + ")" : "the plain mean";
  double least = std::numeric_limits<double>::infinity();
  for (const Json& player : of.at("players").as_array()) {
    if (const auto error = player.find_number("error"); error && *error > 0) least = std::min(least, *error);
  }
  if (std::isfinite(least))
    places = std::clamp(3 - static_cast<int>(std::floor(std::log10(percent ? 100 * least : least))), 0, 9);
  const Json& combined = of.at("players")[0];
  ours = combined.at("error").as_number();
  theirs = combined.at("today_error").as_number();
  avoided = theirs - ours;
}

std::string ForecastWords::bare(double error) const {
  return shown(percent ? 100 * error : error, places, kPageLetters);
}
std::string ForecastWords::amount(double error) const {
  return percent ? bare(error) + "\u00a0%" : with_unit(bare(error), unit, kPageLetters);
}
std::string ForecastWords::signed_bare(double error) const {
  const std::string text = bare(error);
  return error > 0 && !reads_as_zero(text) ? "+" + text : text;
}
std::string ForecastWords::side(double error) const {
  return amount(std::abs(error)) + (error >= 0 ? " less" : " more");
}
std::string ForecastWords::share(double error) const {
  return theirs > 0 ? shown(100 * std::abs(error) / theirs, 1, kPageLetters) + "\u00a0%" : std::string();
}
std::string ForecastWords::rounds(double count) const {
  return page_count(static_cast<std::uint64_t>(count)) + " " + round + (count == 1 ? "" : "s");
}

ForecastPlayerWords forecast_player_words(const std::string& name, const std::string& role) {
  if (role == "combined") return {"Combined forecast", "made anew every round"};
  if (name == "plain mean") return {"Plain mean of the models", "the same weight for each"};
  if (role == "member" && name == "median") return {"Median of the models", ""};
  if (role == "member" && name == "single") return {"Leaning to the best model", "so far"};
  if (role == "member" && name == "mixture") return {"Mixture of the models", "weights that follow the errors"};
  if (role == "member" && name.starts_with("mixture by "))
    return {"Mixture by " + name.substr(11), "weights of their own for each value"};
  if (role == "member" && name.starts_with("today: ")) return {"Your forecast", name.substr(7)};
  if (name == "trimmed") return {"Mean without both ends", "for comparison"};
  if (name == "last best") return {"Best model so far", "for comparison"};
  if (name == "inverse error") return {"Weights by past error", "for comparison"};
  if (role == "hindsight") return {name, "known only afterwards"};
  return {name, role == "model" ? "a model" : "a forecast of your own"};
}

}  // namespace hannan::detail
