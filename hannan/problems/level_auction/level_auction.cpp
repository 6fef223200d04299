// The game: number of actions, their order, losses of all actions for one outcome. Actions are ordered as their
// thresholds read from left to right; the lists of one bidder are C(m,s) and action k has, in base C(m,s), the digits
// of its bidders, the first bidder's the highest.
#include "hannan/problems/level_auction/level_auction.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/problems/extreme_rows.hpp"
#include "hannan/problems/level_auction/level_columns.hpp"
#include "hannan/problems/level_auction/level_search.hpp"

namespace hannan::detail {
namespace {

// The next increasing list of values up to m, in lexicographic order; false after the last.
bool next_list(std::span<int> list, int m) {
  const std::size_t s = list.size();
  for (std::size_t j = s; j-- > 0;) {
    // Threshold j is at its top if all behind it just fit: m - (s-1-j).
    if (list[j] == m - static_cast<int>(s - 1 - j)) continue;
    std::iota(list.begin() + static_cast<std::ptrdiff_t>(j), list.end(), list[j] + 1);
    return true;
  }
  return false;
}

}  // namespace

void archive(Archive& a, BidReach& reach) {
  a.wholes("units", reach.units, {0, LevelAuction::kMaxLevels}, {2, LevelAuction::kMaxBidders + 1});
}

LevelAuction::LevelAuction(LevelRule rule) : rule_(rule) {
  expect_whole(rule.bidders, {1, kMaxBidders}, "bidders");
  expect_whole(rule.levels, {1, kMaxLevels}, "levels");
  expect_whole(rule.thresholds, {1, rule.levels}, "thresholds");
  const std::int64_t columns = std::int64_t{rule.bidders} * rule.thresholds * (rule.levels - rule.thresholds + 1);
  if (columns > kMaxColumns) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(columns) + " values of all thresholds together, expected at most " +
                    std::to_string(kMaxColumns),
                "thresholds");
  }
}

// C(m, s): increasing lists of s thresholds among 1..m.
double LevelAuction::per_bidder() const {
  double product = 1;  // exact while below 2^53: the partial products are binomial coefficients
  for (int i = 1; i <= rule_.thresholds; ++i) product = product * (rule_.levels - rule_.thresholds + i) / i;
  return product;
}

// n ln C(m, s), as a sum of logarithms: C(m, s) itself may be beyond the doubles.
double LevelAuction::ln_size() const {
  double sum = 0;
  for (int i = 1; i <= rule_.thresholds; ++i) {
    sum += std::log(static_cast<double>(rule_.levels - rule_.thresholds + i) / i);
  }
  return rule_.bidders * sum;
}

std::optional<double> LevelAuction::action_count() const {
  double count = 1;
  for (int i = 0; i < rule_.bidders && count <= 0x1p53; ++i) count *= per_bidder();
  return count <= 0x1p53 ? std::optional(count) : std::nullopt;
}

// Counts on like an odometer whose digits are lists: a bidder at its last list starts again at 1, 2, .., s, and the one
// before it moves on.
std::vector<LevelAuction::Action> LevelAuction::first_actions(std::uint64_t limit) const {
  std::vector<Action> some;
  Action x(coordinates());
  const auto bidder = [&](std::size_t i) { return std::span<int>(x).subspan(i * rule_.s(), rule_.s()); };
  for (std::size_t i = 0; i < rule_.n(); ++i) std::iota(bidder(i).begin(), bidder(i).end(), 1);
  while (some.size() < limit) {
    some.push_back(x);
    std::size_t i = rule_.n();
    while (i > 0 && !next_list(bidder(i - 1), rule_.levels)) {
      --i;
      std::iota(bidder(i).begin(), bidder(i).end(), 1);
    }
    if (i == 0) break;
  }
  return some;
}

// Made once, on the first call of any thread.
const std::vector<std::vector<int>>& LevelAuction::lists() const {
  std::call_once(once_, [&] {
    std::vector<int> list(rule_.s());
    std::iota(list.begin(), list.end(), 1);
    do lists_.push_back(list);
    while (next_list(list, rule_.levels));
  });
  return lists_;
}

std::uint64_t LevelAuction::size() const { return static_cast<std::uint64_t>(action_count().value_or(0)); }

// The digits of k in base C(m, s), the last bidder's first. Called only where all actions can be listed.
LevelAuction::Action LevelAuction::action(std::uint64_t k) const {
  Action x(coordinates());
  for (std::size_t i = rule_.n(); i-- > 0;) {
    const auto& list = lists()[k % lists().size()];
    std::copy(list.begin(), list.end(), x.begin() + static_cast<std::ptrdiff_t>(i * rule_.s()));
    k /= lists().size();
  }
  return x;
}

// The digit of its bidder alone, which changes when those of all bidders behind it have been through.
std::size_t LevelAuction::position_at(std::uint64_t k, std::size_t c) const {
  const auto& one = lists();
  const std::size_t j = c % rule_.s();
  return static_cast<std::size_t>(one[k / run_length(c) % one.size()][j]) - 1 - j;
}
std::size_t LevelAuction::run_length(std::size_t c) const {
  std::size_t run = 1;
  for (std::size_t behind = rule_.n() - 1 - c / rule_.s(); behind > 0; --behind) run *= lists().size();
  return run;
}

void LevelAuction::accumulate(const Outcome& y, double weight, std::span<double> totals) const {
  // The level of every bidder under every list once, then only sales: O(K n).
  const auto& one = lists();
  std::vector<std::vector<int>> level(rule_.n(), std::vector<int>(one.size(), 0));
  for (std::size_t i = 0; i < rule_.n(); ++i) {
    for (std::size_t c = 0; c < one.size(); ++c) {
      for (const int threshold : one[c]) level[i][c] += threshold <= y.units[i] ? 1 : 0;
    }
  }
  std::vector<std::size_t> at(rule_.n(), 0);
  std::vector<int> now(rule_.n() + 1);
  now.back() = rule_.phantom_level(y.units.back());
  for (double& total : totals) {
    for (std::size_t i = 0; i < at.size(); ++i) now[i] = level[i][at[i]];
    const auto [winner, number] = LevelRule::sale(now);
    const int price = winner < 0 ? 0
                      : winner == rule_.bidders
                          ? LevelRule::phantom(number)
                          : one[at[static_cast<std::size_t>(winner)]][static_cast<std::size_t>(number) - 1];
    total += weight * (1 - static_cast<double>(price) / rule_.levels);
    // Counts on in base C(m,s), the last bidder fastest: the order of action().
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] < one.size()) break;
      at[i] = 0;
    }
  }
}

// Bids in [0,1] become the highest grid value they reach. The phantom, the last of the units, bids 0 in rows: it exists
// in the fake outcomes of perturbations alone.
void LevelAuction::outcome_from_row(std::span<const double> row, Outcome& y) const {
  y.units.assign(rule_.n() + 1, 0);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!(row[i] >= 0 && row[i] <= 1)) {
      throw Error(Code::kBadOutcome, "found a bid of " + number_text(row[i]) + ", expected one in [0,1]",
                  path_of("outcome", i));
    }
    y.units[i] = static_cast<int>(std::floor(rule_.levels * row[i] + kGridSlack));
  }
}

// One value for each bidder, read as a row.
LevelAuction::Outcome LevelAuction::simulated(const MarketDraws& draws) const {
  Outcome y;
  outcome_from_row(drawn_values(draws, rule_.n()), y);
  return y;
}

// Bids on the grid are all that a reach can be, so the extreme rows are those with bids at grid values.
void LevelAuction::extreme_outcomes(ExtremeOutcomes<Outcome>& into) const {
  class Reached final : public ExtremeRows {
   public:
    Reached(const LevelAuction& auction, ExtremeOutcomes<Outcome>& into) : auction_(auction), into_(into) {}
    std::uint64_t left() const override { return into_.left(); }
    void add(const std::vector<double>& bids) override {
      Outcome y;
      auction_.outcome_from_row(bids, y);
      into_.add(y);
    }
    void describe(const std::string& words) override { into_.describe(words); }

   private:
    const LevelAuction& auction_;
    ExtremeOutcomes<Outcome>& into_;
  };
  Reached reached(*this, into);
  add_level_rows(static_cast<std::uint64_t>(rule_.levels), rule_.n(), reached);
}

std::vector<std::shared_ptr<const Perturbation<LevelAuction>>> LevelAuction::perturbations(
    std::shared_ptr<const LevelAuction> p) {
  return level_columns(std::move(p));
}

std::vector<std::shared_ptr<const AnyOracle<LevelAuction>>> LevelAuction::oracles(
    std::shared_ptr<const LevelAuction> p) {
  std::vector<std::shared_ptr<const AnyOracle<LevelAuction>>> all;
  const auto count = p->action_count();
  if (count && *count <= kMaxTable) all.push_back(make_oracle("tabulate", p, Tabulate<LevelAuction>{}));
  // 2000: chosen, small enough for a table to be walked through in every round.
  // Listing wins while it is short; beyond, the search is the default.
  constexpr double kShortList = 2000;
  const auto at = count && *count <= kShortList ? all.end() : all.begin();
  all.insert(at, make_oracle("branch_bound", p, LevelOracle{}));
  return all;
}

}  // namespace hannan::detail
