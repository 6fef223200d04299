// One sort by bid, best first, and then passes in that order, each O(n): units to the best rows where the log does not
// say who won, the best losing bid for each winner, and the sums. Every comparison goes through is_better, so that
// purchases are the same code with the order turned round.
#include "hannan/bidlog/auction_facts.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "hannan/core/sum.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

// What was paid and what the bids say may differ by an increment of bids, which is a few percent.
constexpr double kPaidDiffers = 0.1;

// A millionth: more than rounding of a product does, and less than any increment of bids.
bool same_amount(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b)); }

// Units that the row asks for: what it says, else what it won, else one.
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

bool says_won(std::span<const LoggedRow> rows) {
  return std::any_of(rows.begin(), rows.end(), [](const LoggedRow& row) { return row.won.has_value(); });
}

// What was left of the demand of a row; beyond rounding of sums of units.
bool is_unserved(const LoggedRow& row) { return demand_of(row) > row.won.value_or(0) * (1 + 1e-12); }

bool same_bidder(const LoggedRow& a, const LoggedRow& b) { return &a == &b || (!a.who.empty() && a.who == b.who); }

// The units go to the rows in order, the best first; a bidder that states no quantity wants one and wins once.
void let_best_win(std::vector<LoggedRow>& sorted, std::uint64_t units) {
  auto left = static_cast<double>(units);
  std::unordered_set<std::string> served;
  for (LoggedRow& row : sorted) {
    const bool again = !row.who.empty() && !served.insert(row.who).second;
    row.won = again && !row.demand ? 0 : std::min(left, demand_of(row));
    left -= *row.won;
  }
}

// The rows that were not served in full, best first, and for each the next one of another bidder: the best rival of a
// winner is the first of them that is not better than its bid, or the one of another bidder behind it.
class UnservedRivals {
 public:
  explicit UnservedRivals(std::span<const LoggedRow> sorted) {
    for (const LoggedRow& row : sorted) {
      if (is_unserved(row)) rows_.push_back(&row);
    }
    // other_[k] is the first place behind k with another bidder, rows_.size() where there is none. From the back: if k
    // - 1 and k are of one bidder, what is other to k is other to k - 1.
    other_.assign(rows_.size(), rows_.size());
    for (std::size_t k = rows_.size(); k-- > 1;) other_[k - 1] = same_bidder(*rows_[k - 1], *rows_[k]) ? other_[k] : k;
  }
  // Winners are asked about in order, best first: the place of the first that is not better never goes back.
  std::optional<double> best(const LoggedRow& winner, Direction direction) {
    while (first_ < rows_.size() && is_better(rows_[first_]->bid, winner.bid, direction)) ++first_;
    if (first_ == rows_.size()) return std::nullopt;
    const std::size_t place = same_bidder(*rows_[first_], winner) ? other_[first_] : first_;
    if (place == rows_.size()) return std::nullopt;
    return rows_[place]->bid;
  }

 private:
  std::vector<const LoggedRow*> rows_;
  std::vector<std::size_t> other_;
  std::size_t first_ = 0;
};

// The best bid with some demand left that is not better than the worst that won.
std::optional<double> clearing_price(std::span<const LoggedRow> sorted, Direction direction) {
  std::optional<double> worst;
  for (const LoggedRow& row : sorted) {
    if (row.won.value_or(0) > 0) worst = row.bid;  // best first: the last one is the worst
  }
  for (const LoggedRow& row : sorted) {
    if (worst && is_unserved(row) && !is_better(row.bid, *worst, direction)) return row.bid;
  }
  return std::nullopt;
}

// The rows that won, as far as they say it; none where they do not.
std::vector<const LoggedRow*> winners_of(std::span<const LoggedRow> rows) {
  std::vector<const LoggedRow*> winners;
  const auto pays = [](const LoggedRow& row) { return row.paid.value_or(0) > 0; };
  const bool all_pay = std::all_of(rows.begin(), rows.end(), pays);  // then it is what the auction brought
  for (const LoggedRow& row : rows) {
    if (says_won(rows) ? row.won.value_or(0) > 0 : !all_pay && pays(row)) winners.push_back(&row);
  }
  return winners;
}

// "the column winner", "the columns winner and price".
std::string columns_text(std::span<const std::string> columns) {
  constexpr std::size_t kShown = 3;
  std::string text = columns.size() == 1 ? "the column " : "the columns ";
  const std::size_t shown = std::min(columns.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == columns.size() ? " and " : ", ") + dump(Json(columns[i]));
  return columns.size() > kShown ? text + " and others" : text;
}

}  // namespace

// `factor` is what was paid for a unit of money bid (a fee, a tax): the second prices are taken in the same proportion.
// Where rows state demands the winners share one price (clearing_price); else each pays its own best rival.
PaidAsBid paid_as_bid(std::span<const LoggedRow> rows, const PayAsBidRule& rule) {
  std::vector<LoggedRow> sorted = best_first(rows, rule);
  if (!says_won(sorted)) let_best_win(sorted, rule.units);
  Sum own, said;
  bool says_paid = false;
  for (const LoggedRow& row : sorted) {
    own.add(row.bid * row.won.value_or(0));
    says_paid = says_paid || row.paid.has_value();
    said.add(row.paid.value_or(0));
  }
  PaidAsBid result;
  result.paid = says_paid ? said.value() : own.value();
  const double factor = says_paid && own.value() > 0 ? said.value() / own.value() : 1;
  const bool shares =
      std::any_of(sorted.begin(), sorted.end(), [](const LoggedRow& row) { return row.demand.has_value(); });
  const auto common = shares ? clearing_price(sorted, rule.direction) : std::nullopt;
  Sum second;
  UnservedRivals rivals(sorted);
  std::size_t winners = 0;
  for (const LoggedRow& row : sorted) {
    if (!(row.won.value_or(0) > 0)) continue;
    ++winners;
    const auto rival = shares ? common : rivals.best(row, rule.direction);
    result.alone = result.alone || !rival;
    double price = 0;
    if (rival) price = *rival;
    if (!rival && rule.direction == Direction::kReverse) price = row.bid;
    if (rule.direction == Direction::kForward) price = std::max(price, rule.opening);
    second.add(price * *row.won);
  }
  result.alone = result.alone || winners == 0;
  result.second = second.value() * factor;
  return result;
}

// A sign that something else than the bid decided: quality, a rule, or a column read the wrong way round.
bool better_bid_lost(std::span<const LoggedRow> rows, Direction direction) {
  const LoggedRow* worst = nullptr;  // of those that won
  for (const LoggedRow& row : rows) {
    if (row.won.value_or(0) > 0 && (!worst || is_better(worst->bid, row.bid, direction))) worst = &row;
  }
  return worst && std::any_of(rows.begin(), rows.end(), [&](const LoggedRow& row) {
           return !(row.won.value_or(0) > 0) && is_better(row.bid, worst->bid, direction);
         });
}

// Counts by auction what the log shows of its own rule; asks() turns the counts into questions. An auction with one bid
// says nothing, since its bid is the highest and the lowest.
void LogSigns::add(std::span<const LoggedRow> rows, Direction direction) {
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
    if (same_amount(*rows.front().paid, direction == Direction::kReverse ? low->bid : high->bid)) ++own_;
  } else if (!winners.empty() && winners.front()->paid) {
    const LoggedRow& row = *winners.front();
    ++priced_;
    if (same_amount(*row.paid, row.bid * std::max(1.0, row.won.value_or(1)))) ++own_;
  }
}

// At most one question: the direction first, as the rule of payment is read by it. An answer on the command line ends
// the question.
std::vector<std::string> LogSigns::asks(const Said& said) const {
  const bool reverse = said.direction == Direction::kReverse;
  if (lowest_wins() && !reverse && said.payment != Payment::kSecondPrice) {
    return {fmt::format(
        "in {} of {} auctions with two bids the lowest bid won: say --reverse if it is a purchase, and --payment "
        "pay-as-bid or second-price",
        lowest_, decided_)};
  }
  if (said.payment != Payment::kUnsaid || said.top_hidden) return {};
  const std::string pays = reverse ? "suppliers are paid" : "winners pay",
                    best = reverse ? "second lowest" : "best losing";
  if (pays_own()) {
    return {fmt::format(
        "in {} of {} auctions with two bids what was paid is the winner's own bid: say --payment pay-as-bid if {} "
        "their bids, {}else --payment second-price",
        own_, priced_, pays, reverse ? "" : "--top-hidden if the log shows of the winner's bid only what was paid, ")};
  }
  const std::string answers =
      fmt::format("say --payment pay-as-bid if {} their own bids{}, or --payment second-price if {} the {} bid", pays,
                  reverse ? " (most tenders)" : "", pays, best);
  if (said.paid) {
    if (std::abs(*said.paid - said.rule) <= kPaidDiffers * said.rule) return {};
    return {fmt::format("what was paid, {} in all, is neither the winners' own bids nor the {} bids, {}: {}",
                        number_text(*said.paid), best, number_text(said.rule), answers)};
  }
  std::string signs = said.won ? "--won names winners" : "";
  if (!said.columns.empty())
    signs += fmt::format("{}the log has {}", signs.empty() ? "" : " and ", columns_text(said.columns));
  if (signs.empty() && !reverse) return {};
  return {fmt::format("nothing says what {}{}: {}, or --paid COLUMN with what was paid", pays,
                      signs.empty() ? "" : ", and " + signs, answers)};
}

}  // namespace hannan::detail
