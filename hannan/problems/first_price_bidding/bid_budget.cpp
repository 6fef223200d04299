// Combinations of bids within a budget, counted backwards:
//   ways(item, left) = sum over affordable z of ways(item + 1, left - cost(z)),   ways(last + 1, .) = 1.
// Money is counted in the greatest common divisor of all bids, so `left` is an index in 0..most_. Counts are doubles:
// exact below 2^53, and finite for 64 items of at most 4096 bids each.
#include "hannan/problems/first_price_bidding/bid_budget.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/core/text.hpp"

namespace hannan::detail {
namespace {

constexpr double kMostWhole = 0x1p53;

// States of the budget are sums of bids, so bids must be whole for the number of states to be finite and sums exact.
std::uint64_t whole_bid(double bid, const std::string& part) {
  if (bid == std::floor(bid) && bid <= kMostWhole) return static_cast<std::uint64_t>(bid);
  throw Error(
      Code::kOutOfRange,
      "found the bid " + number_text(bid) +
          ", expected a whole number: with a budget, bids are given in the smallest unit of money, such as cents",
      part);
}

[[noreturn]] void refuse_budget(const std::string& what) {
  throw Error(Code::kOutOfRange, what + "; use coarser bids, such as multiples of 100, or fewer items", "budget");
}

}  // namespace

// Without a budget all costs stay 0 and there is one state: the same code counts the whole product.
BidBudget::BidBudget(const std::vector<PriceList>& bids, std::optional<double> budget) {
  for (const auto& list : bids) costs_.emplace_back(list.size(), 0);
  if (budget) {
    if (!(*budget >= 0 && *budget <= kMostWhole)) {
      throw Error(Code::kOutOfRange, "found " + number_text(*budget) + ", expected a number in [0,2^53]", "budget");
    }
    if (bids.size() > kMaxItems) {
      refuse_budget("found " + std::to_string(bids.size()) + " items, expected at most " + std::to_string(kMaxItems) +
                    " with a budget");
    }
    std::uint64_t unit = 0, sum = 0, steps = 0;
    for (std::size_t j = 0; j < bids.size(); ++j) {
      for (std::size_t z = 0; z < bids[j].size(); ++z)
        unit = std::gcd(unit, whole_bid(bids[j][z], path_of(path_of("grids", j), z)));
      steps += bids[j].size();
    }
    unit = std::max<std::uint64_t>(unit, 1);
    for (std::size_t j = 0; j < bids.size(); ++j) {
      for (std::size_t z = 0; z < bids[j].size(); ++z)
        costs_[j][z] = static_cast<std::size_t>(static_cast<std::uint64_t>(bids[j][z]) / unit);
      sum += costs_[j].back();
    }
    // A budget above the sum of the largest bids binds nothing, and states beyond that sum are never reached.
    const auto units = static_cast<std::uint64_t>(std::floor(*budget / static_cast<double>(unit)));
    all_ = sum <= units;
    most_ = static_cast<std::size_t>(std::min(sum, units));
    const double work = static_cast<double>(steps) * (static_cast<double>(most_) + 1);
    if (work > kMaxSteps ||
        static_cast<double>(bids.size() + 1) * (static_cast<double>(most_) + 1) > static_cast<double>(kMaxCounts)) {
      refuse_budget("found a budget of " + std::to_string(most_) + " units of " + std::to_string(unit) +
                    ", whose search would take " + number_text(work) + " steps, expected at most " +
                    number_text(kMaxSteps));
    }
  }
  ways_.assign((stages() + 1) * states(), 1.0);
  for (std::size_t item = stages(); item-- > 0;) {
    for (std::size_t left = 0; left < states(); ++left) {
      double sum = 0;
      for (std::size_t z = 0; z < domain(item); ++z) {
        const std::size_t to = next(item, left, z);
        if (to == kNotAllowed) break;  // bids increase
        sum += ways(item + 1, to);
      }
      ways_[item * states() + left] = sum;
    }
  }
}

// Lexicographic unranking: the combinations that begin with a smaller z come first.
void BidBudget::positions(std::uint64_t k, std::vector<int>& into) const {
  into.resize(stages());
  std::size_t left = most_;
  for (std::size_t item = 0; item < stages(); ++item) {
    // Invariant: k is below the number of combinations of the items from here on with `left`, so the loop ends at an
    // affordable z.
    std::size_t z = 0;
    while (true) {
      const std::size_t to = next(item, left, z);
      const auto behind = static_cast<std::uint64_t>(ways(item + 1, to));
      if (k < behind) {
        left = to;
        break;
      }
      k -= behind;
      ++z;
    }
    into[item] = static_cast<int>(z);
  }
}

}  // namespace hannan::detail
