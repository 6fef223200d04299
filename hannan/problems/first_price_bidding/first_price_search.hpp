// Exact oracle for first-price-bidding: one curve per item, least by scanning, or by a knapsack where there is a
// budget.
//
// An outcome changes the curve of an item from its first winning position z0 on: by w v (1 - k_z) or w (v - b_z). So
// the history is two difference arrays per item, the sums of w v and of w by z0, and a table for noise: O(log m) a
// round, any sign, whatever the number of rounds. A call makes the curves by prefix sums, O(sum of positions), and
//   separable   takes the least of each (oracles/curve_sums.hpp)
//   knapsack    takes the least combination within the budget (oracles/chain_program.hpp),
//               O(sum of positions * units of the budget)
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/evidence.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/oracles/chain_program.hpp"
#include "hannan/problems/first_price_bidding/first_price_bidding.hpp"

namespace hannan::detail {

class FirstPriceSearch {
 public:
  static constexpr bool kSigned = true;
  using Action = FirstPriceBidding::Action;

  struct History {
    LongSums values;             // sum of w v by first winning position, item after item
    LongSums weights;            // sum of w, likewise
    std::vector<double> tables;  // of noise, likewise
    // Buffers of a search within a budget.
    struct Search {
      ChainProgram<BidBudget> program;
      std::vector<int> choice;
    };
    mutable std::optional<Search> search;

    void scale(double factor);
    void clear();
    void archive(Archive& a);
  };

  History empty(const FirstPriceBidding& p) const;
  void add(const FirstPriceBidding& p, History& h, const FirstPriceBidding::Outcome& y, double weight) const;
  void add_table(const FirstPriceBidding& p, History& h, std::size_t coordinate, std::span<const double> values) const;
  Answer<Action> best(const FirstPriceBidding& p, Evidence<History> e, std::size_t keep) const;
  void choose(const FirstPriceBidding& p, Evidence<History> e, Answer<Action>& answer) const;
};

}  // namespace hannan::detail
