// Actions as amounts of money, and decisions as files. Which parameter holds the amounts (a list of prices, shares,
// ceilings or grids, or levels of a cap) follows from the problem; an action's entry is a position in that list or a
// number of levels. Files have a row for each segment and owner (bidder or item); where no money is known, the action
// in words and as JSON. Cost: O(segments * owners).
#include "hannan/bidlog/action_money.hpp"

#include <utility>

#include "hannan/core/printable.hpp"
#include "hannan/io/text_cell.hpp"

namespace hannan::detail {
namespace {

std::string owner_name(const LogFacts& log, std::size_t i) {
  return i < log.slots.size() ? log.slots[i] : std::to_string(i + 1);
}

// Deeper segments have more values; the others are "" and stand for all.
std::string value_at(const ExportedDecision::Segment& segment, std::size_t column) {
  return column < segment.values.size() ? segment.values[column] : std::string();
}

// The columns of a segment, null where the segment is coarser.
Json segment_row(const ExportedDecision& decision, const ExportedDecision::Segment& segment) {
  Json row = Json::object();
  for (std::size_t c = 0; c < decision.columns.size(); ++c)
    row.set(decision.columns[c], c < segment.values.size() ? Json(segment.values[c]) : Json());
  return row;
}

}  // namespace

ActionMoney::ActionMoney(const Money* money, std::optional<double> cap) {
  if (!money) return;
  amounts_ = money->amounts;
  if (!amounts_.lists.empty()) {
    known_ = true;
  } else if (amounts_.levels > 0 && cap) {
    known_ = true;
    level_ = *cap / amounts_.levels;
  }
}

std::vector<double> ActionMoney::of(const Json& action) const {
  // An action of one number is not always a list.
  const auto& numbers = action.is_array() ? action.as_array() : Json::Array{action};
  std::vector<double> amounts;
  // Levels: the amount is the number times the money of one level. Lists: one for each owner.
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers[i].as_number();
    amounts.push_back(amounts_.lists.empty() ? number * level_ : amounts_.lists[i][static_cast<std::size_t>(number)]);
  }
  return amounts;
}

Json decision_json(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log) {
  Json rows = Json::array();
  for (const auto& segment : decision.segments) {
    if (money.what().empty()) {
      rows.push_back(segment_row(decision, segment).set("action", segment.words).set("json", segment.action));
      continue;
    }
    const auto amounts = money.of(segment.action);
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      rows.push_back(
          segment_row(decision, segment).set(money.owner(), owner_name(log, i)).set(money.what(), amounts[i]));
    }
  }
  Json json = Json::object({{"decision", decision.which}});
  if (!decision.strategy.empty()) json.set("strategy", decision.strategy);
  json.set("verdict", decision.verdict).set("says", decision.says);
  json.set("doubts", decision.doubts);
  json.set("gain", decision.gain).set("range", decision.range);
  json.set("rounds", decision.rounds);
  json.set("currency", money.in_currency() ? log.currency : std::string())
      .set("what", money.what().empty() ? std::string_view("action") : money.what());
  return json.set("decisions", std::move(rows));
}

std::string decision_csv(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log) {
  std::string text;
  for (const std::string& column : decision.columns) text += text_cell(printable(column)) + ",";
  const bool amounts_known = !money.what().empty();
  text += (amounts_known ? std::string(money.owner()) + "," + std::string(money.what()) + ",currency" : "action,json") +
          ",decision,verdict\n";
  for (const auto& segment : decision.segments) {
    if (!amounts_known) {
      for (std::size_t c = 0; c < decision.columns.size(); ++c)
        text += text_cell(printable(value_at(segment, c))) + ",";
      text += text_cell(printable(segment.words)) + "," + text_cell(dump(segment.action)) + "," + decision.which + "," +
              decision.verdict + "\n";
      continue;
    }
    const auto amounts = money.of(segment.action);
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      for (std::size_t c = 0; c < decision.columns.size(); ++c)
        text += text_cell(printable(value_at(segment, c))) + ",";
      text += text_cell(printable(owner_name(log, i))) + "," + number_text(amounts[i]) + "," +
              (money.in_currency() ? text_cell(log.currency) : "") + "," + text_cell(decision.which) + "," +
              text_cell(decision.verdict) + "\n";
    }
  }
  return text;
}

}  // namespace hannan::detail
