// The game: which bids are allowed, how many there are, and their losses. Bids are feasible if b(S) <= v(S) for all 2^h
// bundles S; a walk item by item keeps the sums of all bundles of earlier items, so that the next bid has an exact
// upper end. Cost: loss O(h), feasibility O(2^h), listing O(2^h) an action at most, accumulate O(h) a listed action.
#include "hannan/problems/second_price_bidding/second_price_bidding.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/problems/bundle_values.hpp"
#include "hannan/problems/extreme_rows.hpp"

namespace hannan::detail {

// Goes through the feasible bids item by item, in lexicographic order. sums_[S] = b(S) for the bundles
// of items already given a bid; giving item c its bid touches the 2^c bundles in which c is the last.
class SecondPriceBidding::Walk {
 public:
  explicit Walk(const SecondPriceBidding& p) : p_(p), sums_(p.valuation_.size(), 0), x_(p.coordinates(), 0) {}

  // Number of actions, or none once it takes more than so many steps.
  std::optional<double> count(std::uint64_t steps) {
    steps_left_ = steps;
    total_ = 0;
    return add_up(0) ? std::optional(total_) : std::nullopt;
  }

  // Visits actions until `visit` says false.
  template <class Visit>
  bool list(std::size_t c, Visit&& visit) {
    if (c == x_.size()) return visit(std::as_const(x_));
    const int most = highest(c);
    for (int bid = 0; bid <= most; ++bid) {
      place(c, bid);
      if (!list(c + 1, visit)) return false;
    }
    return true;
  }

 private:
  // The most that item c may bid beside the bids of earlier items: v(S + c) - b(S) over all bundles S of those. Never
  // below 0, because b(S) <= v(S) <= v(S + c) for a monotone valuation.
  int highest(std::size_t c) const {
    const Bundle own = Bundle{1} << c;
    int most = p_.levels_;
    for (Bundle s = 0; s < own; ++s) most = std::min(most, p_.valuation_[s | own] - sums_[s]);
    return most;
  }
  void place(std::size_t c, int bid) {
    const Bundle own = Bundle{1} << c;
    for (Bundle s = 0; s < own; ++s) sums_[s | own] = sums_[s] + bid;
    x_[c] = bid;
  }
  bool add_up(std::size_t c) {
    // highest(c) and place(c) look at the 2^c bundles of earlier items: that many steps are paid for.
    const std::uint64_t work = std::uint64_t{1} << c;
    if (steps_left_ < work) return false;
    steps_left_ -= work;
    const int most = highest(c);
    if (c + 1 == x_.size()) {
      total_ += most + 1;
      return true;
    }
    for (int bid = 0; bid <= most; ++bid) {
      place(c, bid);
      if (!add_up(c + 1)) return false;
    }
    return true;
  }

  const SecondPriceBidding& p_;
  std::vector<int> sums_;
  Action x_;
  std::uint64_t steps_left_ = 0;
  double total_ = 0;
};

SecondPriceBidding::SecondPriceBidding(int items, int levels, std::vector<int> valuation)
    : items_(items), levels_(levels), valuation_(std::move(valuation)) {
  expect_whole(items, {1, kMaxItems}, "items");
  expect_whole(levels, {1, kMaxLevels}, "levels");
  expect_bundle_values(valuation_, items, levels, "valuation");
  // Monotone if no bundle gains by leaving one item out: comparing with one item less is enough, by induction.
  for (Bundle s = 1; s < valuation_.size(); ++s) {
    for (Bundle left = s; left != 0; left &= left - 1) {
      // left & (~left + 1) is the lowest bit of left, written without a sign.
      const Bundle less = s & ~(left & (~left + 1));
      if (valuation_[less] <= valuation_[s]) continue;
      throw Error(Code::kOutOfRange,
                  "found bundle " + list_items(s) + " worth " + std::to_string(valuation_[s]) +
                      ", expected at least the " + std::to_string(valuation_[less]) + " of " + list_items(less) +
                      ": more items are never worth less",
                  "valuation");
    }
  }
  count_ = Walk(*this).count(kCountingWork);
}

// The greatest whole bid that does not exceed the price: bids above it win.
int SecondPriceBidding::level(double price) const { return static_cast<int>(std::floor(levels_ * price + kGridSlack)); }

SecondPriceBidding::Bundle SecondPriceBidding::won(const Action& x, const Outcome& y) const {
  Bundle bundle = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (x[j] > level(y[j])) bundle |= Bundle{1} << j;
  }
  return bundle;
}

// All 2^h bundles, each from the one without its lowest item.
bool SecondPriceBidding::overbids(const Action& x) const {
  std::vector<int> sums(valuation_.size(), 0);
  for (Bundle s = 1; s < sums.size(); ++s) {
    const auto lowest = static_cast<std::size_t>(std::countr_zero(s));
    sums[s] = sums[s & (s - 1)] + x[lowest];
    if (sums[s] > valuation_[s]) return true;
  }
  return false;
}

double SecondPriceBidding::raw(const Action& x, const Outcome& y) const {
  const Bundle bundle = won(x, y);
  double utility = static_cast<double>(valuation_[bundle]) / levels_;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if ((bundle >> j & 1U) != 0) utility -= y[j];
  }
  return std::max(utility, 0.0);  // below 0 by rounding alone: prices won are below bids, bids within v
}

// Over all bundles at their prices, won by allowed bids or not: no allowed bids earn more.
double SecondPriceBidding::least_loss(const Outcome& y) const {
  double most = 0;
  for (Bundle bundle = 0; bundle < valuation_.size(); ++bundle) {
    double utility = static_cast<double>(valuation_[bundle]) / levels_;
    for (std::size_t j = 0; j < y.size(); ++j) {
      if ((bundle >> j & 1U) != 0) utility -= y[j];
    }
    most = std::max(most, utility);
  }
  return 1 - most;
}

// Where counting took too long, the logarithm of the whole product of bids, which is an upper bound: a bound on regret
// that uses it stays true.
double SecondPriceBidding::ln_size() const {
  if (count_) return std::log(*count_);
  double sum = 0;
  for (std::size_t c = 0; c < coordinates(); ++c) sum += std::log(static_cast<double>(domain(c)));
  return sum;
}

// The walk stops by itself after `limit` visits.
std::vector<SecondPriceBidding::Action> SecondPriceBidding::first_actions(std::uint64_t limit) const {
  std::vector<Action> some;
  if (limit == 0) return some;
  Walk(*this).list(0, [&](const Action& x) {
    some.push_back(x);
    return some.size() < limit;
  });
  return some;
}

// Bids of all actions one behind another, h each; a bid is at most kMaxLevels, which fits 16 bits.
const std::vector<std::uint16_t>& SecondPriceBidding::listed() const {
  std::call_once(listing_, [&] {
    list_.reserve(size() * coordinates());
    Walk(*this).list(0, [&](const Action& x) {
      for (const int bid : x) list_.push_back(static_cast<std::uint16_t>(bid));
      return true;
    });
  });
  return list_;
}

std::uint64_t SecondPriceBidding::size() const {
  assert(count_ && *count_ <= kMaxListed);
  return static_cast<std::uint64_t>(*count_);
}

SecondPriceBidding::Action SecondPriceBidding::action(std::uint64_t k) const {
  const auto from = listed().begin() + static_cast<std::ptrdiff_t>(k * coordinates());
  return {from, from + items_};
}

void SecondPriceBidding::accumulate(const Outcome& y, double weight, std::span<double> totals) const {
  // 2^h losses first, then one look-up an action.
  std::vector<double> losses(valuation_.size(), 1.0);  // by bundle won
  std::vector<double> paid(valuation_.size(), 0.0);
  std::vector<int> bars(coordinates());
  for (std::size_t j = 0; j < bars.size(); ++j) bars[j] = level(y[j]);
  for (Bundle s = 1; s < losses.size(); ++s) {
    paid[s] = paid[s & (s - 1)] + y[static_cast<std::size_t>(std::countr_zero(s))];
    losses[s] = 1 - static_cast<double>(valuation_[s]) / levels_ + paid[s];
  }
  const std::uint16_t* bid = listed().data();
  for (double& total : totals) {
    Bundle bundle = 0;
    for (std::size_t j = 0; j < bars.size(); ++j) bundle |= Bundle{*bid++ > bars[j]} << j;
    total += weight * losses[bundle];
  }
}

void SecondPriceBidding::extreme_outcomes(ExtremeOutcomes<Outcome>& into) const {
  add_level_rows(static_cast<std::uint64_t>(levels_), coordinates(), into);
}

}  // namespace hannan::detail
