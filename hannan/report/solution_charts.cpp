// Points of the frontier stand in the order of their averages; rounds on a logarithmic axis.
#include "hannan/report/solution_charts.hpp"

#include <algorithm>
#include <vector>

namespace hannan::detail {
namespace {

struct Point {
  double average, worst;
};

}  // namespace

// Worst case over average, from the most careful to the best on average.
std::optional<PageChart> frontier_chart(const Json& solution, const SolutionAmounts& amounts) {
  const auto& points = solution.at("frontier").as_array();
  if (points.size() < 2 || !(points.front().at("average").as_number() > points.back().at("average").as_number() + 1e-9))
    return std::nullopt;
  const std::string noun = scenario_noun(solution);
  const Json& gain = solution.at("gain");
  const Json* held = gain.is_null() || gain.at("held").is_null() ? nullptr : gain.at("held").find("frontier");
  PageChart chart{.title = "What caution costs",
                  .about = "Worst " + noun + " (up) against average (right), in " + amounts.unit() +
                           ", from the most careful to the best on average.",
                  .alt = "Worst case and average of five mixtures.",
                  .x_name = "average",
                  .y_name = "worst " + noun,
                  .axis_start = PageChart::AxisStart::kData,
                  .at = {},
                  .series = {}};
  const auto series = [&](const std::string& name, auto pair_of) {
    std::vector<Point> pairs;
    for (std::size_t i = 0; i < points.size(); ++i) pairs.push_back(pair_of(i));
    std::sort(pairs.begin(), pairs.end(), [](const Point& a, const Point& b) {
      return a.average != b.average ? a.average < b.average : a.worst < b.worst;
    });
    PageSeries made{.name = name, .at = {}, .values = {}};
    for (const auto& [average, worst] : pairs) {
      if (!made.at.empty() && !(average > made.at.back())) continue;
      made.at.push_back(rounded(average));
      made.values.emplace_back(rounded(worst));
    }
    chart.series.push_back(std::move(made));
  };
  if (held && held->size() == points.size())
    series("held rows", [&](std::size_t i) {
      return Point{amounts.amount((*held)[i][1].as_number()), amounts.amount((*held)[i][0].as_number())};
    });
  series(held ? "deciding rows" : "mixtures", [&](std::size_t i) {
    return Point{amounts.amount(points[i].at("average").as_number()),
                 amounts.amount(points[i].at("worst").as_number())};
  });
  return chart;
}

PageChart bounds_chart(const Json& solution, const SolutionAmounts& amounts) {
  const auto& trace = solution.at("trace").as_array();
  const std::string answer = solution.at("open").as_bool()
                                 ? "The two lines have not met."
                                 : "No: the two lines met after " +
                                       counted(static_cast<std::uint64_t>(trace.back()[0].as_number()), "round") + ".";
  PageChart chart{.title = "Is there a better one?",
                  .about = "Worst case on what decided, in " + amounts.unit() + ". " + answer,
                  .alt = "The bound and the best mixture found, over rounds.",
                  .x_name = "round",
                  .y_name = amounts.unit(),
                  .x_axis = PageChart::Axis::kLogarithmic,
                  .axis_start = PageChart::AxisStart::kData,
                  .at = {},
                  .series = {}};
  PageSeries best{.name = "the best found", .at = {}, .values = {}};
  PageSeries bound{.name = amounts.earns() ? "no mixture keeps more" : "no mixture keeps less", .at = {}, .values = {}};
  for (const Json& round : trace) {
    if (!round[1].is_number() || !round[2].is_number()) continue;
    best.at.push_back(round[0].as_number());
    bound.at.push_back(round[0].as_number());
    best.values.emplace_back(rounded(amounts.amount(round[2].as_number())));
    bound.values.emplace_back(rounded(amounts.amount(round[1].as_number())));
  }
  chart.series = {std::move(best), std::move(bound)};
  return chart;
}

}  // namespace hannan::detail
