// results.json read back into cells and tables; a field that an earlier version did not write is simply absent.
#include "hannan/report/experiment_results.hpp"

#include <algorithm>

#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

std::optional<MeanAndError> read_mean(const Json* json) {
  const auto mean = json ? json->find_number("mean") : std::nullopt;
  const auto error = json ? json->find_number("error") : std::nullopt;
  return mean && error ? std::optional(MeanAndError{.mean = *mean, .error = *error}) : std::nullopt;
}

void read_tracking(Fields& in, ResultCell& cell) {
  const auto& list = in.list("tracking");
  for (std::size_t i = 0; i < list.size(); ++i) {
    Fields one(list[i], path_of(in.at("tracking"), i));
    Fields regret = one.fields("regret");
    cell.tracked.push_back({.switches = static_cast<std::uint64_t>(one.integer("switches", kNatural)),
                            .best = one.number("best"),
                            .regret = {.mean = regret.number("mean"), .error = regret.number("error")}});
  }
}

ResultCell read_cell(const Json& json, const std::string& at) {
  Fields in(json, at);
  Fields regret = in.fields("regret");
  ResultCell cell{.problem = in.word("problem"),
                  .stream = in.word("stream"),
                  .learner = in.word("learner"),
                  .pair = {},
                  .rounds = in.number("rounds"),
                  .runs = in.number("runs"),
                  .regret = {.mean = regret.number("mean"), .error = regret.number("error")},
                  .difference = {},
                  .low = {},
                  .median = {},
                  .high = {},
                  .total = json.find_number("total"),
                  .best = json.find_number("best"),
                  .bound = json.find_number("bound"),
                  .printed = json.find_number("printed"),
                  .corrected = json.find_number("corrected"),
                  .run = json.find_number("run"),
                  .limit = json.find_number("limit"),
                  .covered = json.find_number("covered"),
                  .excess = {},
                  .beyond = in.number("beyond_bound"),
                  .calls = in.number("calls_a_round"),
                  .nodes = in.number("nodes_a_round", 0.0),
                  .path = in.numbers("path"),
                  .tracked = {}};
  if (const Json* quantiles = json.find("quantiles")) {
    cell.low = quantiles->find_number("0.05");
    cell.median = quantiles->find_number("0.5");
    cell.high = quantiles->find_number("0.95");
  }
  cell.difference = read_mean(json.find("difference"));
  cell.excess = read_mean(json.find("excess"));
  if (in.has("tracking")) read_tracking(in, cell);
  return cell;
}

std::vector<std::string> distinct(const std::vector<ResultCell>& cells, std::string ResultCell::* name) {
  std::vector<std::string> names;
  for (const auto& cell : cells) {
    if (std::find(names.begin(), names.end(), cell.*name) == names.end()) names.push_back(cell.*name);
  }
  return names;
}

void name_pairs(std::vector<ResultCell>& cells) {
  const bool one_problem = distinct(cells, &ResultCell::problem).size() <= 1;
  const bool one_stream = distinct(cells, &ResultCell::stream).size() <= 1;
  for (auto& cell : cells)
    cell.pair = one_problem ? cell.stream : one_stream ? cell.problem : cell.problem + ", " + cell.stream;
}

ResultTable read_table(const Json& json, const std::string& at) {
  Fields in(json, at);
  ResultTable table{.title = in.word("title"),
                    .about = in.word("about", ""),
                    .seeds = in.number("seeds"),
                    .show = in.has("show") ? in.words("show") : std::vector<std::string>{"regret"},
                    .figure = {},
                    .baseline = in.need("baseline").is_null() ? "" : in.word("baseline"),
                    .cells = {}};
  const auto& cells = in.list("cells");
  for (std::size_t i = 0; i < cells.size(); ++i) table.cells.push_back(read_cell(cells[i], path_of(in.at("cells"), i)));
  name_pairs(table.cells);
  table.figure = in.has("figure") ? in.words("figure") : table.learners();
  return table;
}

}  // namespace

std::vector<std::string> ResultTable::pairs() const { return distinct(cells, &ResultCell::pair); }

std::vector<std::string> ResultTable::learners() const { return distinct(cells, &ResultCell::learner); }

const ResultCell* ResultTable::find(const std::string& pair, const std::string& learner) const {
  for (const auto& cell : cells) {
    if (cell.learner == learner && cell.pair == pair) return &cell;
  }
  return nullptr;
}

ExperimentResults read_results(const Json& results) {
  Fields in(results, "");
  ExperimentResults read{.plan = in.word("plan"),
                         .about = in.word("about"),
                         .seed = number_text(in.number("seed")),
                         .tasks = in.number("tasks"),
                         .tables = {}};
  const auto& tables = in.list("tables");
  for (std::size_t t = 0; t < tables.size(); ++t) read.tables.push_back(read_table(tables[t], path_of("tables", t)));
  return read;
}

}  // namespace hannan::detail
