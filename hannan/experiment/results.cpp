// Results as CSV, one row a run, and as JSON, one object a cell. Columns and fields are documented in
// docs/experiments.md.
#include "hannan/experiment/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hannan/experiment/experiment_summary.hpp"
#include "hannan/io/text_cell.hpp"

namespace hannan::detail {
namespace {

Json cell_json(const ExperimentCells& cells, const CellSummary& summary) {
  const ExperimentPlan& plan = cells.plan();
  const ExperimentCell& cell = cells.cells()[summary.cell];
  const auto pair = [](const MeanAndError& value) {
    return Json::object({{"mean", value.mean}, {"error", value.error}});
  };
  Json quantiles = Json::object();
  for (std::size_t q = 0; q < kQuantiles.size(); ++q) quantiles.set(number_text(kQuantiles[q]), summary.quantiles[q]);
  Json json = Json::object({{"problem", plan.problems[cell.problem].name},
                            {"stream", plan.streams[cell.stream].name},
                            {"learner", plan.learners[cell.learner].name},
                            {"kind", plan.learners[cell.learner].kind},
                            {"set", cell.params},
                            {"rounds", cell.scene->rounds()},
                            {"runs", summary.runs},
                            {"regret", pair(summary.regret)},
                            {"quantiles", std::move(quantiles)},
                            {"difference", summary.difference ? pair(*summary.difference) : Json()},
                            {"total", summary.total},
                            {"best", summary.best},
                            {"bound", summary.bound},
                            {"ratio", summary.ratio},
                            {"printed", summary.printed},
                            {"corrected", summary.corrected},
                            {"run", summary.run},
                            {"limit", summary.limit},
                            {"covered", summary.covered},
                            {"excess", summary.excess ? pair(*summary.excess) : Json()},
                            {"beyond_bound", summary.beyond},
                            {"calls_a_round", summary.calls_a_round},
                            {"nodes_a_round", summary.nodes_a_round},
                            {"gap", summary.gap},
                            {"path", Json(summary.path)}});
  if (summary.tracked.empty()) return json;
  Json tracking = Json::array();
  for (const auto& [switches, best, regret] : summary.tracked)
    tracking.push_back(Json::object({{"switches", switches}, {"best", best}, {"regret", pair(regret)}}));
  return json.set("tracking", std::move(tracking));
}

// Every number of switches that a table asks for, in order: a column each.
std::vector<std::uint64_t> all_switches(const ExperimentPlan& plan) {
  std::set<std::uint64_t> all;
  for (const auto& table : plan.tables) all.insert(table.switches.begin(), table.switches.end());
  return {all.begin(), all.end()};
}

}  // namespace

// A run that two tables show stands in both, with the number of the table in front.
std::string results_csv(const ExperimentCells& cells, const std::vector<SimulatedRun>& results) {
  const ExperimentPlan& plan = cells.plan();
  const auto maybe = [](const std::optional<double>& value) { return value ? number_text(*value) : ""; };
  const auto flag = [](const std::optional<bool>& value) { return value ? (*value ? "1" : "0") : ""; };
  std::string text =
      "table,problem,stream,learner,seed,run,rounds,total,best,regret,bound,printed,corrected,run_bound,limit,"
      "covered,within,"
      "holds,calls,nodes,gap";
  const auto switches = all_switches(plan);
  for (const std::uint64_t n : switches) text += ",tracking_" + std::to_string(n);
  text += "\n";
  for (std::size_t t = 0; t < plan.tables.size(); ++t) {
    for (const auto& summary : summarise(cells, plan.tables[t], results)) {
      const ExperimentCell& cell = cells.cells()[summary.cell];
      for (std::uint64_t run = 0; run < summary.runs; ++run) {
        const SimulatedRun& r = results[cells.first_task(summary.cell) + run];
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", t + 1,
                            text_cell(plan.problems[cell.problem].name), text_cell(plan.streams[cell.stream].name),
                            text_cell(plan.learners[cell.learner].name), plan.seed, run, cell.scene->rounds(),
                            number_text(r.total), number_text(r.best), number_text(r.regret), maybe(r.bound),
                            maybe(r.printed), maybe(r.corrected), maybe(r.run), maybe(r.limit), flag(r.covered),
                            flag(r.within), r.holds ? 1 : 0, r.oracle_calls, r.search_nodes, number_text(r.gap));
        for (const std::uint64_t n : switches) {
          const bool asked = std::ranges::count(plan.tables[t].switches, n) > 0;
          text += "," + (asked ? number_text(r.total - tracked_best(cell, r, n)) : "");
        }
        text += "\n";
      }
    }
  }
  return text;
}

Json results_json(const ExperimentCells& cells, const std::vector<SimulatedRun>& results) {
  const ExperimentPlan& plan = cells.plan();
  Json tables = Json::array();
  for (const auto& table : plan.tables) {
    Json list = Json::array(), show = Json::array(), figure = Json::array();
    for (const auto& summary : summarise(cells, table, results)) list.push_back(cell_json(cells, summary));
    for (const Measure measure : table.show) show.push_back(std::string(measure_name(measure)));
    for (const std::size_t l : table.figure) figure.push_back(plan.learners[l].name);
    tables.push_back(Json::object({{"title", table.title},
                                   {"about", table.about},
                                   {"seeds", table.seeds},
                                   {"show", std::move(show)},
                                   {"figure", std::move(figure)},
                                   {"baseline", table.baseline ? Json(plan.learners[*table.baseline].name) : Json()},
                                   {"cells", std::move(list)}}));
  }
  return Json::object({{"plan", plan.name},
                       {"about", plan.about},
                       {"seed", plan.seed},
                       {"tasks", cells.tasks().size()},
                       {"tables", std::move(tables)}});
}

}  // namespace hannan::detail
