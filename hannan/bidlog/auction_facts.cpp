#include "hannan/bidlog/auction_facts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "hannan/core/sum.hpp"

namespace hannan::detail {
namespace {

bool same_amount(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b)); }

double demand_of(const LoggedRow& row) {
  const double won = row.won.value_or(0);
  return row.demand.value_or(won > 0 ? won : 1);
}

bool is_better(double a, double b, Direction direction) { return direction == Direction::kReverse ? a < b : a > b; }

// Rows in order of their bids, the best first, in full: those below the opening bid are none.
std::vector<LoggedRow> best_first(std::span<const LoggedRow> rows, const PayAsBidRule& rule) {
  std::vector<const LoggedRow*> order;
  for (const LoggedRow& row : rows) {
    if (rule.direction == Direction::kReverse || row.bid >= rule.opening || row.won.value_or(0) > 0)
      order.push_back(&row);
  }
  std::sort(order.begin(), order.end(), [&](const LoggedRow* a, const LoggedRow* b) {
    return a->bid == b->bid ? a < b : is_better(a->bid, b->bid, rule.direction);  // equal ones as they came
  });
  std::vector<LoggedRow> sorted;
  for (const LoggedRow* row : order) sorted.push_back(*row);
  return sorted;
}

// The rows that won, as far as they say it; none where they do not.
std::vector<const LoggedRow*> winners_of(std::span<const LoggedRow> rows) {
  std::vector<const LoggedRow*> winners;
  const bool says_won = std::any_of(rows.begin(), rows.end(), [](const LoggedRow& row) { return row.won.has_value(); });
  const auto pays = [](const LoggedRow& row) { return row.paid.value_or(0) > 0; };
  const bool all_pay = std::all_of(rows.begin(), rows.end(), pays);  // then it is what the auction brought
  for (const LoggedRow& row : rows) {
    if (says_won ? row.won.value_or(0) > 0 : !all_pay && pays(row)) winners.push_back(&row);
  }
  return winners;
}

}  // namespace

PaidAsBid paid_as_bid(std::span<const LoggedRow> rows, const PayAsBidRule& rule) {
  std::vector<LoggedRow> sorted = best_first(rows, rule);
  const bool says_won =
      std::any_of(sorted.begin(), sorted.end(), [](const LoggedRow& row) { return row.won.has_value(); });
  if (!says_won) {
    auto left = static_cast<double>(rule.units);
    for (LoggedRow& row : sorted) {
      row.won = std::min(left, demand_of(row));
      left -= *row.won;
    }
  }
  Sum own, said;
  double sold = 0;
  bool says_paid = false;
  for (const LoggedRow& row : sorted) {
    own.add(row.bid * row.won.value_or(0));
    sold += row.won.value_or(0);
    says_paid = says_paid || row.paid.has_value();
    said.add(row.paid.value_or(0));
  }
  PaidAsBid result;
  result.paid = says_paid ? said.value() : own.value();
  double taken = 0, price = 0;
  const auto losing = std::find_if(sorted.begin(), sorted.end(), [&](const LoggedRow& row) {
    taken += demand_of(row);
    return taken > sold * (1 + 1e-12);
  });
  result.alone = losing == sorted.end();
  if (!result.alone) {
    price = losing->bid;
  } else if (rule.direction == Direction::kReverse) {
    result.second = result.paid;
    return result;
  }
  if (rule.direction == Direction::kForward) price = std::max(price, rule.opening);
  const double factor = says_paid && own.value() > 0 ? said.value() / own.value() : 1;
  result.second = price * sold * factor;
  return result;
}

void LogSigns::add(std::span<const LoggedRow> rows) {
  if (rows.size() < 2) return;
  const auto lower = [](const LoggedRow& a, const LoggedRow& b) { return a.bid < b.bid; };
  const auto [low, high] = std::minmax_element(rows.begin(), rows.end(), lower);
  const auto winners = winners_of(rows);
  if (!winners.empty() && low->bid < high->bid) {
    ++decided_;
    if (std::any_of(winners.begin(), winners.end(), [&](const LoggedRow* row) { return row->bid <= low->bid; }))
      ++lowest_;
  }
  if (winners.empty() && rows.front().paid) {  // what the auction brought; with two bids either may be the price
    ++priced_;
    if (same_amount(*rows.front().paid, high->bid)) ++own_;
  } else if (!winners.empty() && winners.front()->paid) {
    const LoggedRow& row = *winners.front();
    ++priced_;
    if (same_amount(*row.paid, row.bid * std::max(1.0, row.won.value_or(1)))) ++own_;
  }
}

std::vector<std::string> LogSigns::asks(const Said& said) const {
  std::vector<std::string> questions;
  if (lowest_wins() && said.direction == Direction::kForward && said.payment != Payment::kSecondPrice) {
    questions.push_back(fmt::format(
        "in {} of {} auctions with two bids the lowest bid won: say --reverse if it is a purchase, and --payment "
        "pay-as-bid or second-price",
        lowest_, decided_));
  } else if (pays_own() && said.payment == Payment::kUnsaid && !said.top_hidden) {
    questions.push_back(fmt::format(
        "in {} of {} auctions with two bids what was paid is the winner's own bid: say --payment pay-as-bid if winners "
        "pay their bids, --top-hidden if the log shows of the winner's bid only what was paid, else --payment "
        "second-price",
        own_, priced_));
  }
  return questions;
}

}  // namespace hannan::detail
