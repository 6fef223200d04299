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
    return "5% and 95% are quantiles over the runs; bound: the closed form of the expected "
           "regret; beyond: runs that broke what is said of a single run.";
  return "";
}

std::string rounds_of(const ResultTable& table) {
  if (table.cells.empty()) return "-";
  const auto [least, most] = std::minmax_element(table.cells.begin(), table.cells.end(),
                                                 [](const auto& a, const auto& b) { return a.rounds < b.rounds; });
  return least->rounds == most->rounds ? shown(least->rounds) : shown(least->rounds) + " to " + shown(most->rounds);
}

// How the learners of a table did in its settings, by their mean regrets.
struct LearnerRanking {
  std::vector<std::string> learners;
  std::vector<std::size_t> firsts;  // of each learner: settings in which it had the least
  std::size_t settings = 0;
  std::size_t apart = 0;  // settings whose first and second differ by more than two standard errors
  std::size_t leader = 0;
  std::string worst;  // the setting in which that one was furthest behind
  double behind = 0, its = 0, least = 0;
};

LearnerRanking ranking_of(const ResultTable& table) {
  LearnerRanking found{.learners = table.learners()};
  found.firsts.resize(found.learners.size());
  struct Setting {
    std::string name;
    const ResultCell* best;
  };
  std::vector<Setting> settings;
  for (const auto& pair : table.pairs()) {
    std::vector<std::pair<const ResultCell*, std::size_t>> cells;
    for (std::size_t i = 0; i < found.learners.size(); ++i) {
      if (const ResultCell* cell = table.find(pair, found.learners[i])) cells.emplace_back(cell, i);
    }
    if (cells.size() < 2) continue;
    std::sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) {
      const double one = a.first->regret.mean, other = b.first->regret.mean;
      return one != other ? one < other : a.second < b.second;  // of equal ones the first of the table
    });
    ++found.firsts[cells[0].second];
    const auto &first = cells[0].first->regret, &second = cells[1].first->regret;
    if (second.mean - first.mean > 2 * std::hypot(first.error, second.error)) ++found.apart;
    settings.push_back({pair, cells[0].first});
  }
  found.settings = settings.size();
  found.leader =
      static_cast<std::size_t>(std::max_element(found.firsts.begin(), found.firsts.end()) - found.firsts.begin());
  for (const auto& [name, best] : settings) {
    const ResultCell* own = table.find(name, found.learners[found.leader]);
    if (!own || own->regret.mean - best->regret.mean <= found.behind) continue;
    found.worst = name;
    found.behind = own->regret.mean - best->regret.mean;
    found.its = own->regret.mean;
    found.least = best->regret.mean;
  }
  return found;
}

// Which learner had the least regret in how many settings of the first table, and where it was worst.
Json plan_headline(const ExperimentResults& read) {
  const std::string runs = counted(static_cast<std::uint64_t>(read.tasks), "run");
  const auto piece = [](const std::string& text) { return Json::object({{"text", text}}); };
  const auto strong = [](const std::string& text) { return Json::object({{"text", text}, {"strong", true}}); };
  Json says = Json::array();
  std::string lede;
  const LearnerRanking found = read.tables.empty() ? LearnerRanking{} : ranking_of(read.tables.front());
  if (found.settings == 0) {
    says.push_back(piece("Played: "));
    says.push_back(strong(runs));
  } else {
    says.push_back(strong(found.learners[found.leader]));
    says.push_back(piece(" had the least regret in "));
    says.push_back(strong(std::to_string(found.firsts[found.leader]) + " of " + counted(found.settings, "setting")));
    if (!found.worst.empty())
      lede = "It was furthest behind in " + found.worst + ": " + shown(rounded(found.its)) + " where the best had " +
             shown(rounded(found.least)) + ". ";
    lede += (found.apart == 0 ? std::string("In none") : "In " + std::to_string(found.apart)) + " of the " +
            counted(found.settings, "setting") + " the first is apart from the second by two standard errors. ";
  }
  lede += "Regret is the loss above that of the best fixed choice, known only afterwards; less is better.";
  return Json::object({{"block", "headline"},
                       {"state", "unsure"},
                       {"advice", runs + " of a plan"},
                       {"says", std::move(says)},
                       {"lede", lede},
                       {"short", ""}});
}

}  // namespace

Section experiment_section(const Json& results, const std::string& name) {
  const ExperimentResults read = read_results(results);
  Json blocks = Json::array();
  blocks.push_back(plan_headline(read));
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
