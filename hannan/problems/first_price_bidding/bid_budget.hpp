// Which bids can be placed together: all combinations, or those whose sum is within a budget.
//
// As an automaton (oracles/chain_program.hpp): one stage an item, a state is what is left of the budget, in the
// greatest unit of which every bid is a multiple. Without a budget there is one state and every letter is allowed.
// Combinations are counted by one backward pass, O(sum of positions * states), and combination k is found from the
// counts in O(sum of positions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "hannan/problems/price_list.hpp"

namespace hannan::detail {

class BidBudget {
 public:
  static constexpr std::size_t kNotAllowed = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kMaxItems = 64;            // with a budget: counts stay below 10^308
  static constexpr double kMaxSteps = 0x1p28;             // of one pass, below a second
  static constexpr std::size_t kMaxCounts = 1ULL << 23U;  // 64 MB

  // One list of bids an item. With a budget every bid is a whole number; kOutOfRange otherwise.
  BidBudget(const std::vector<PriceList>& bids, std::optional<double> budget);

  std::size_t stages() const { return costs_.size(); }
  std::size_t states() const { return most_ + 1; }
  std::size_t domain(std::size_t item) const { return costs_[item].size(); }
  std::size_t start() const { return most_; }
  bool accepts(std::size_t) const { return true; }
  std::size_t next(std::size_t item, std::size_t left, std::size_t position) const {
    const std::size_t cost = costs_[item][position];
    return cost <= left ? left - cost : kNotAllowed;
  }

  double count() const { return ways(0, most_); }  // of all combinations, rounded beyond 2^53
  bool all() const { return all_; }                // none is excluded
  // Combination k in lexicographic order. Requires k < count() <= 2^53.
  void positions(std::uint64_t k, std::vector<int>& into) const;

 private:
  // Of the items from this one on, with so much left.
  double ways(std::size_t item, std::size_t left) const { return ways_[item * states() + left]; }

  std::vector<std::vector<std::size_t>> costs_;  // by item and position, in the unit
  std::size_t most_ = 0;                         // the budget in the unit, or the sum of the largest bids
  bool all_ = true;
  std::vector<double> ways_;
};

}  // namespace hannan::detail
