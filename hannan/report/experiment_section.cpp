// A finished plan: cli/experiment_output.cpp says what its results.json holds.
#include <algorithm>
#include <cmath>

#include "hannan/io/fields.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/section.hpp"

namespace hannan {
namespace {

struct Cell {
  std::string pair, learner;
  double rounds, runs, mean, error, beyond, calls;
  std::optional<double> bound, ratio, best, low, high;
  std::optional<std::pair<double, double>> difference;
  std::vector<double> path;  // mean regret after 1, 2, 4, ... rounds and at the end
};

std::optional<double> maybe(const Json* value) {
  return value && value->is_number() ? std::optional(value->as_number()) : std::nullopt;
}

Cell read_cell(const Json& json, const std::string& at) {
  Fields in(json, at);
  Fields regret = in.fields("regret");
  Cell cell{.pair = in.word("problem") + ", " + in.word("stream"),
            .learner = in.word("learner"),
            .rounds = in.number("rounds"),
            .runs = in.number("runs"),
            .mean = regret.number("mean"),
            .error = regret.number("error"),
            .beyond = in.number("beyond_bound"),
            .calls = in.number("calls_a_round"),
            .bound = maybe(json.find("bound")),
            .ratio = maybe(json.find("ratio")),
            .best = maybe(json.find("best")),
            .low = {},
            .high = {},
            .difference = {},
            .path = in.numbers("path")};
  if (const Json* quantiles = json.find("quantiles")) {
    cell.low = maybe(quantiles->find("0.05"));
    cell.high = maybe(quantiles->find("0.95"));
  }
  if (const Json* difference = json.find("difference"); difference && difference->is_object()) {
    const auto mean = maybe(difference->find("mean")), error = maybe(difference->find("error"));
    if (mean && error) cell.difference = {*mean, *error};
  }
  // Regrets are differences of sums as large as the loss of the best.
  const double scale = std::max(1.0, std::abs(cell.best.value_or(0)));
  if (cell.ratio && cleared(cell.mean, scale) == 0) cell.ratio = 0;
  for (double* value : {&cell.mean, &cell.error}) *value = cleared(*value, scale);
  for (auto* value : {&cell.low, &cell.high}) *value = *value ? std::optional(cleared(**value, scale)) : std::nullopt;
  if (cell.difference)
    cell.difference = {cleared(cell.difference->first, scale), cleared(cell.difference->second, scale)};
  return cell;
}

// Names in the order in which they first come.
std::vector<std::string> distinct(const std::vector<Cell>& cells, std::string Cell::* field) {
  std::vector<std::string> names;
  for (const auto& cell : cells) {
    if (std::find(names.begin(), names.end(), cell.*field) == names.end()) names.push_back(cell.*field);
  }
  return names;
}

Json overview(const std::vector<Cell>& cells, const std::string& title) {
  const auto pairs = distinct(cells, &Cell::pair);
  PageTable table{.title = title + ": regret",
                  .about = "Mean over the runs ± its standard error.",
                  .header = {"learner"},
                  .rows = {}};
  table.header.insert(table.header.end(), pairs.begin(), pairs.end());
  for (const auto& learner : distinct(cells, &Cell::learner)) {
    PageRow row{learner};
    for (const auto& pair : pairs) {
      const auto found = std::find_if(cells.begin(), cells.end(),
                                      [&](const Cell& c) { return c.learner == learner && c.pair == pair; });
      row.push_back(found == cells.end() ? "-" : give_or_take(found->mean, found->error));
    }
    table.rows.push_back(std::move(row));
  }
  return table_block(table);
}

Json details(const std::vector<Cell>& cells, const std::string& title, const std::string& baseline) {
  PageTable table{
      .title = title + ": details",
      .about =
          "5 % and 95 % are quantiles over the runs; beyond: runs whose regret was above the bound, which holds in "
          "expectation.",
      .rows = {},
  };
  table.header = {"problem, stream", "learner",        "rounds", "runs",          "regret", "5 %", "95 %",
                  "bound",           "regret / bound", "beyond", "calls a round", "L*"};
  if (!baseline.empty()) table.header.push_back("less " + baseline + ", run by run");
  for (const auto& c : cells) {
    table.rows.push_back({c.pair, c.learner, shown(c.rounds), shown(c.runs), give_or_take(c.mean, c.error),
                          shown(c.low), shown(c.high), shown(c.bound), shown(c.ratio), shown(c.beyond),
                          shown(rounded(c.calls)), shown(c.best)});
    if (!baseline.empty())
      table.rows.back().push_back(c.difference ? give_or_take(c.difference->first, c.difference->second) : "-");
  }
  return table_block(table);
}

void write_charts(Json& blocks, const std::vector<Cell>& cells, const std::string& title) {
  std::vector<PageChart> charts;
  for (const auto& pair : distinct(cells, &Cell::pair)) {
    PageChart chart{.title = pair,
                    .about = {},
                    .alt = "Mean regret at the end on " + pair + ": ",
                    .x_name = "rounds",
                    .y_name = "regret",
                    .x_axis = PageChart::Axis::kLogarithmic,
                    .at = {},
                    .series = {}};
    for (const auto& cell : cells) {
      if (cell.pair != pair || cell.path.empty()) continue;
      PageSeries series{.name = cell.learner, .at = {}, .values = {}};
      for (std::size_t p = 0; p < cell.path.size(); ++p) {
        series.at.push_back(std::min(cell.rounds, std::exp2(static_cast<double>(p))));
        series.values.emplace_back(cell.path[p]);
      }
      chart.alt += (chart.series.empty() ? "" : ", ") + cell.learner + " " + shown(rounded(cell.mean));
      chart.series.push_back(std::move(series));
    }
    chart.alt += ".";
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  }
  if (!charts.empty())
    blocks.push_back(charts_block(title + ": regret over the rounds",
                                  "Mean over the runs, at powers of two and at the end; rounds on a logarithmic axis.",
                                  charts));
}

}  // namespace

Section experiment_section(const Json& results, const std::string& name) {
  Fields in(results, "");
  Json blocks = Json::array();
  const std::string plan = in.word("plan"), about = in.word("about");
  if (!about.empty()) blocks.push_back(text_block(about));
  blocks.push_back(facts_block(
      "Plan", {{"name", plan}, {"seed", shown(in.need("seed"))}, {"runs played", shown(in.need("tasks"))}}));
  const auto& tables = in.list("tables");
  for (std::size_t t = 0; t < tables.size(); ++t) {
    Fields table(tables[t], path_of("tables", t));
    const std::string title = table.word("title");
    const Json& baseline = table.need("baseline");
    std::vector<Cell> cells;
    const auto& list = table.list("cells");
    for (std::size_t i = 0; i < list.size(); ++i)
      cells.push_back(read_cell(list[i], path_of(path_of("tables", t) + ".cells", i)));
    blocks.push_back(
        facts_block(title, {{"runs of every cell", shown(table.need("seeds"))}, {"baseline", shown(baseline)}}));
    blocks.push_back(overview(cells, title));
    write_charts(blocks, cells, title);
    blocks.push_back(details(cells, title, baseline.is_string() ? baseline.as_string() : ""));
  }
  return {.json = Json::object({{"title", "Experiment " + plan}, {"source", name}, {"blocks", std::move(blocks)}}),
          .failed = {}};
}

}  // namespace hannan
