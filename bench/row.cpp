// Rows of the table as JSON, text and Markdown, and the list of races. "met" compares the ratio with its goal; a row
// without a rival says "not measured".
#include "bench/row.hpp"

#include <fmt/format.h>

namespace hannan::detail::bench {
namespace {

std::string figure(const std::optional<double>& value) { return value ? fmt::format("{:.4g}", *value) : "-"; }

std::string goal_text(const std::optional<Goal>& goal) {
  if (!goal) return "-";
  return fmt::format("{} {:g}", goal->sense == Goal::Sense::kAtLeast ? ">=" : "<=", goal->ratio);
}

// What is compared with a goal is the ratio of ours to the rival.
std::string verdict(const Row& row) {
  const auto ratio = row.ratio();
  if (!row.goal) return "-";
  if (!ratio) return "not measured";
  return row.goal->met_by(*ratio) ? "met" : "NOT MET";
}

}  // namespace

// A row of `hannan bench --json`.
Json row_json(const Row& row) {
  const auto ratio = row.ratio();
  Json json = Json::object(
      {{"name", row.name}, {"unit", row.unit}, {"ours", row.ours}, {"rival", row.rival}, {"ratio", ratio}});
  json.set("goal", row.goal ? Json(row.goal->ratio) : Json());
  json.set("sense", row.goal ? Json(row.goal->sense == Goal::Sense::kAtLeast ? "at least" : "at most") : Json());
  json.set("met", row.goal && ratio ? Json(row.goal->met_by(*ratio)) : Json());
  json.set("note", row.note);
  return json;
}

std::string table_text(std::span<const Row> rows) {
  std::string text = fmt::format("{:<44} {:>11} {:>11} {:>10} {:>9} {:<12} {}\n", "name", "ours", "rival", "ratio",
                                 "goal", "", "unit; note");
  for (const Row& row : rows) {
    text += fmt::format("{:<44} {:>11} {:>11} {:>10} {:>9} {:<12} {}; {}\n", row.name, figure(row.ours),
                        figure(row.rival), figure(row.ratio()), goal_text(row.goal), verdict(row), row.unit, row.note);
  }
  return text;
}

std::string table_markdown(std::span<const Row> rows) {
  std::string text = "| name | ours | rival | ratio | goal | | unit; note |\n|---|---:|---:|---:|---:|---|---|\n";
  for (const Row& row : rows) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {}; {} |\n", row.name, figure(row.ours), figure(row.rival),
                        figure(row.ratio()), goal_text(row.goal), verdict(row), row.unit, row.note);
  }
  return text;
}

#define HANNAN_RACE(name, about) {#name, about, name##_race},
// One line each of cli/bench_parts.hpp, which the flag --only reads too: a race is added there and nowhere else.
std::span<const Race> races() {
  static constexpr Race kAll[] = {
#include "cli/bench_parts.hpp"
  };
  return kAll;
}
#undef HANNAN_RACE

}  // namespace hannan::detail::bench
