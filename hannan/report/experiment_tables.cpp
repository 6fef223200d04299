// The tables of an experiment as rows of text: overview, bounds, certificates, tracking, details. A mean is written
// with the digits that its standard error allows.
#include "hannan/report/experiment_tables.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hannan::detail {
namespace {

// One digit after the point, two significant ones below 0.95; a number that rounds to zero has no sign.
std::string digits(double value) {
  const double size = std::abs(value);
  std::string text = size >= 1e7                 ? fmt::format("{:.3g}", value)
                     : size >= 0.95 || size == 0 ? fmt::format("{:.1f}", value)
                                                 : fmt::format("{:.2g}", value);
  return text == "-0.0" ? "0.0" : text;
}
std::string digits(const std::optional<double>& value) { return value ? digits(*value) : "-"; }

// The error says how exact the mean is: both get its digits.
std::string digits(const MeanAndError& value) {
  if (value.error <= 1e-9 * std::abs(value.mean)) return digits(value.mean);  // rounding, not chance
  const int places = value.error >= 0.095 ? 1 : value.error >= 0.0095 ? 2 : 3;
  return fmt::format("{:.{}f} ± {:.{}f}", value.mean + 0.0, places, value.error, places);
}

std::string ratio(const ResultCell& cell, const std::optional<double>& bound) {
  if (!bound || !(*bound > 0)) return "-";
  const double value = cell.regret.mean / *bound;
  return std::abs(value) < 0.0095 ? fmt::format("{:.1g}", value) : fmt::format("{:.3f}", value);
}

std::string calls_of(const ResultCell& cell) { return fmt::format("{:.3f}", cell.calls); }
std::string difference_of(const ResultCell& cell) { return cell.difference ? digits(*cell.difference) : "-"; }

struct ShownMeasure {
  const char* name;  // in a plan
  const char* title;
  std::string (*text)(const ResultCell& cell);
};
constexpr ShownMeasure kShown[] = {
    {"regret", "Regret", [](const ResultCell& cell) { return digits(cell.regret); }},
    {"difference", "Regret less the baseline's, run by run", difference_of},
    {"ratio", "Regret / bound", [](const ResultCell& cell) { return ratio(cell, cell.bound); }},
    {"bound", "Bound", [](const ResultCell& cell) { return digits(cell.bound); }},
    {"best", "Loss of the best action, L*", [](const ResultCell& cell) { return digits(cell.best); }},
    {"calls", "Oracle calls a round", calls_of},
    {"nodes", "Search nodes a round", [](const ResultCell& cell) { return digits(cell.nodes); }}};

// An adversary that reacts to the learner gives each learner an L* of its own: then there is no shared one.
std::string shared_best(const ResultTable& table, const std::string& pair) {
  std::optional<double> best;
  for (const auto& cell : table.cells) {
    if (cell.pair != pair) continue;
    if (!cell.best || (best && std::abs(*cell.best - *best) > 1e-6 * (1 + std::abs(*best)))) return "-";
    if (!best) best = cell.best;
  }
  return digits(best);
}

// Learners by pairs of problem and stream.
PageTable overview(const ResultTable& table, const std::string& name) {
  const ShownMeasure* measure = nullptr;
  for (const auto& known : kShown) measure = name == known.name ? &known : measure;
  if (!measure) return {.title = name, .about = {}, .header = {"measure"}, .rows = {{"unavailable"}}};
  PageTable shown{.title = measure->title, .about = {}, .header = {"learner"}, .rows = {}};
  const auto pairs = table.pairs();
  shown.header.insert(shown.header.end(), pairs.begin(), pairs.end());
  if (name == "regret") {
    PageRow row{"mean L*"};
    for (const auto& pair : pairs) row.push_back(shared_best(table, pair));
    shown.rows.push_back(std::move(row));
  }
  for (const auto& learner : table.learners()) {
    PageRow row{learner};
    for (const auto& pair : pairs) {
      const ResultCell* cell = table.find(pair, learner);
      row.push_back(cell ? measure->text(*cell) : "-");
    }
    shown.rows.push_back(std::move(row));
  }
  return shown;
}

// Regret beside Theorem 1 as printed and as corrected, where a learner has either.
PageTable bounds_table(const ResultTable& table) {
  PageTable shown{.title = "Regret and bounds",
                  .about = {},
                  .header = {"stream", "learner", "regret", "printed bound", "ratio", "corrected bound", "ratio"},
                  .rows = {}};
  for (const auto& cell : table.cells) {
    if (!cell.printed && !cell.corrected) continue;
    shown.rows.push_back({cell.pair, cell.learner, digits(cell.regret), digits(cell.printed), ratio(cell, cell.printed),
                          digits(cell.corrected), ratio(cell, cell.corrected)});
  }
  return shown;
}

// Regret beside the certificates of the run. The limit is held against the conditional regret in every round, where
// that has a closed form.
PageTable certificates_table(const ResultTable& table) {
  PageTable shown{.title = "Regret and certificates",
                  .about = {},
                  .header = {"stream", "learner", "regret", "run", "run / regret", "limit", "runs within it",
                             "closed form", "closed / regret", "regret less run", "by chance"},
                  .rows = {}};
  std::size_t bounded = 0;
  for (const auto& cell : table.cells) bounded += cell.excess ? 1 : 0;
  const double most = chance_limit(bounded);
  const auto over = [](const ResultCell& cell, const std::optional<double>& bound) {
    return bound && cell.regret.mean > 0 ? fmt::format("{:.2f}", *bound / cell.regret.mean) : "-";
  };
  for (const auto& cell : table.cells) {
    if (!cell.run && !cell.bound) continue;
    const bool beyond = cell.excess && cell.excess->mean > most * cell.excess->error + 1e-9;
    shown.rows.push_back({cell.pair, cell.learner, digits(cell.regret), digits(cell.run), over(cell, cell.run),
                          digits(cell.limit), cell.covered ? fmt::format("{:.1f} %", 100 * *cell.covered) : "-",
                          digits(cell.bound), over(cell, cell.bound), cell.excess ? digits(*cell.excess) : "-",
                          !cell.excess ? "-"
                          : beyond     ? "NO"
                                       : "yes"});
  }
  return shown;
}

// Regret beside that against the best sequences of actions with so many switches, and what these lose.
PageTable tracking_table(const ResultTable& table) {
  PageTable shown{
      .title = "Tracking regret", .about = {}, .header = {"stream", "learner", "loss", "regret"}, .rows = {}};
  for (const auto& cell : table.cells) {
    const bool first = shown.rows.empty();
    shown.rows.push_back({cell.pair, cell.learner, digits(cell.total), digits(cell.regret)});
    for (const auto& tracked : cell.tracked) {
      const std::string count = std::to_string(tracked.switches) + (tracked.switches == 1 ? " switch" : " switches");
      if (first) {
        shown.header.push_back("best, " + count);
        shown.header.push_back("regret, " + count);
      }
      shown.rows.back().push_back(digits(tracked.best));
      shown.rows.back().push_back(digits(tracked.regret));
    }
  }
  return shown;
}

PageTable details(const ResultTable& table) {
  PageTable shown{.title = "Details",
                  .about = {},
                  .header = {"stream", "learner", "runs", "regret", "5%", "median", "95%", "bound", "ratio", "beyond",
                             "calls/round"},
                  .rows = {}};
  if (!table.baseline.empty()) shown.header.push_back("less " + table.baseline);
  for (const auto& cell : table.cells) {
    shown.rows.push_back({cell.pair, cell.learner, number_text(cell.runs), digits(cell.regret), digits(cell.low),
                          digits(cell.median), digits(cell.high), digits(cell.bound), ratio(cell, cell.bound),
                          number_text(cell.beyond), calls_of(cell)});
    if (!table.baseline.empty()) shown.rows.back().push_back(difference_of(cell));
  }
  return shown;
}

std::string markdown(const PageTable& table) {
  const auto line = [](const PageRow& cells) {
    std::string text = "|";
    for (const auto& cell : cells) text += " " + cell + " |";
    return text + "\n";
  };
  std::string text = line(table.header) + "|---|";
  for (std::size_t i = 1; i < table.header.size(); ++i) text += "---:|";
  text += "\n";
  for (const auto& row : table.rows) text += line(row);
  return text;
}

}  // namespace

std::vector<PageTable> tables_of(const ResultTable& table) {
  std::vector<PageTable> all;
  for (const auto& measure : table.show)
    all.push_back(measure == "bounds"         ? bounds_table(table)
                  : measure == "certificates" ? certificates_table(table)
                  : measure == "tracking"     ? tracking_table(table)
                                              : overview(table, measure));
  all.push_back(details(table));
  return all;
}

std::string tables_markdown(const ExperimentResults& results) {
  const auto paragraph = [](const std::string& text) { return text.empty() ? "" : "\n" + text + "\n"; };
  std::string text = "# " + results.plan + "\n" + paragraph(results.about);
  for (const auto& table : results.tables) {
    text += "\n## " + table.title + "\n" + paragraph(table.about);
    text += "\nSeed " + results.seed + ", runs " + number_text(table.seeds) + ".\n";
    for (const auto& one : tables_of(table)) text += "\n### " + one.title + "\n\n" + markdown(one);
  }
  return text;
}

}  // namespace hannan::detail
