// A finished plan: hannan/experiment/results.cpp writes its results.json.
#include <algorithm>
#include <cmath>

#include "hannan/report/blocks.hpp"
#include "hannan/report/experiment_tables.hpp"
#include "hannan/report/section.hpp"

namespace hannan::detail {
namespace {

PageChart chart_of(const ResultTable& table, const std::string& pair) {
  PageChart chart{.title = pair,
                  .about = {},
                  .alt = "Mean regret at the end on " + pair + ": ",
                  .x_name = "rounds",
                  .y_name = "regret",
                  .x_axis = PageChart::Axis::kLogarithmic,
                  .at = {},
                  .series = {}};
  for (const auto& learner : table.figure) {
    const ResultCell* cell = table.find(pair, learner);
    if (!cell || cell->path.empty()) continue;
    PageSeries series{.name = learner, .at = {}, .values = {}};
    for (std::size_t p = 0; p < cell->path.size(); ++p) {
      series.at.push_back(std::min(cell->rounds, std::exp2(static_cast<double>(p))));
      series.values.emplace_back(cell->path[p]);
    }
    const double mean = cleared(cell->regret.mean, std::max(1.0, std::abs(cell->best.value_or(0))));
    chart.alt += (chart.series.empty() ? "" : ", ") + learner + " " + shown(rounded(mean));
    chart.series.push_back(std::move(series));
  }
  chart.alt += ".";
  return chart;
}

void write_charts(Json& blocks, const ResultTable& table) {
  std::vector<PageChart> charts;
  for (const auto& pair : table.pairs()) {
    PageChart chart = chart_of(table, pair);
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  }
  if (charts.empty()) return;
  blocks.push_back(charts_block(table.title + ": regret over the rounds",
                                "Mean over the runs, at powers of two and at the end; rounds on a logarithmic axis.",
                                charts));
}

// What the plan's measures and columns mean, for readers who see them for the first time.
std::string explained(const std::string& title) {
  if (title == "Regret") return "Mean over the runs ± its standard error.";
  if (title == "Tracking regret")
    return "Loss less that of the best sequence of actions with at most so many switches in hindsight; mean over the "
           "runs ± its standard error.";
  if (title == "Details")
    return "5% and 95% are quantiles over the runs; beyond: runs whose regret was above the bound, which holds in "
           "expectation.";
  return "";
}

std::string rounds_of(const ResultTable& table) {
  if (table.cells.empty()) return "-";
  const auto [least, most] = std::minmax_element(table.cells.begin(), table.cells.end(),
                                                 [](const auto& a, const auto& b) { return a.rounds < b.rounds; });
  return least->rounds == most->rounds ? shown(least->rounds) : shown(least->rounds) + " to " + shown(most->rounds);
}

}  // namespace

Section experiment_section(const Json& results, const std::string& name) {
  const ExperimentResults read = read_results(results);
  Json blocks = Json::array();
  if (!read.about.empty()) blocks.push_back(text_block(read.about));
  blocks.push_back(facts_block("Plan", {{"name", read.plan}, {"seed", read.seed}, {"runs played", shown(read.tasks)}}));
  for (const auto& table : read.tables) {
    blocks.push_back(facts_block(table.title, {{"runs of every cell", shown(table.seeds)},
                                               {"rounds", rounds_of(table)},
                                               {"baseline", table.baseline.empty() ? "-" : table.baseline}}));
    if (!table.about.empty()) blocks.push_back(text_block(table.about));
    auto tables = tables_of(table);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (i + 1 == tables.size()) write_charts(blocks, table);  // before the details
      tables[i].about = explained(tables[i].title);
      tables[i].title = table.title + ": " + tables[i].title;
      blocks.push_back(table_block(tables[i]));
    }
  }
  return {.json = Json::object({{"title", "Experiment " + read.plan}, {"source", name}, {"blocks", std::move(blocks)}}),
          .failed = {}};
}

}  // namespace hannan::detail
