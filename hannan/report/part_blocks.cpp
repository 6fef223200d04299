// First the intervals against named actions, then counts, what looks cost, the estimate and the limit.
#include "hannan/report/part_blocks.hpp"

#include <string>
#include <utility>
#include <vector>

#include "hannan/core/bound_words.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/play/quoted_bound.hpp"
#include "hannan/report/blocks.hpp"

namespace hannan::detail {
namespace {

std::string text_of(const Json& of, const char* name) {
  const auto value = of.find_number(name);
  return value ? brief(*value) : "not known";
}

void write_against(Json& blocks, const Json& report) {
  const Json* list = report.find("against");
  if (!list || !list->is_array() || list->size() == 0) return;
  PageTable table{
      .title = "Against named actions",
      .about = "The own loss less that of the action: below 0 the learner lost less. Each interval holds with " +
               certainty_text(report) + " by itself, not all together.",
      .header = {"action", "estimated", "low", "high"},
      .rows = {}};
  for (const Json& row : list->as_array()) {
    const Json* action = row.find("action");
    table.rows.push_back(
        {action ? shown(*action) : "-", text_of(row, "estimate"), text_of(row, "low"), text_of(row, "high")});
  }
  blocks.push_back(table_block(table));
}

}  // namespace

bool is_in_part(const Json& report) { return report.is_object() && report.find("feedback"); }

void write_part_blocks(Json& blocks, const Json& report) {
  write_against(blocks, report);
  std::vector<std::pair<std::string, std::string>> facts{{"rounds", text_of(report, "rounds")}};
  const std::string limit = "regret at most, with " + certainty_text(report) + " at every round";
  const Json* over = report.find("over_normaliser");
  if (over) {
    facts.emplace_back("seen", "the own elements of every round");
    facts.emplace_back("loss", text_of(*over, "total"));
    const auto found = over->find_number("limit"), total = over->find_number("total");
    const bool says = found && total && *found < *total;
    facts.emplace_back(limit, says ? brief(*found) : "nothing is certain beyond what was lost");
  } else {
    facts.emplace_back("seen in full", text_of(report, "looks"));
    facts.emplace_back("expected by the coins", text_of(report, "looks_expected"));
    facts.emplace_back("looks that were lost", text_of(report, "lost"));
    facts.emplace_back("what looks cost, seen and exact", text_of(report, "look_cost"));
    facts.emplace_back("estimated regret", text_of(report, "estimate"));
    facts.emplace_back(limit, text_of(report, "limit"));
  }
  blocks.push_back(facts_block("What was seen", facts));
  if (const Json* warnings = report.find("warnings"); warnings && warnings->is_array()) {
    for (const Json& warning : warnings->as_array()) blocks.push_back(text_block("Warning: " + shown(warning)));
  }
}

}  // namespace hannan::detail
