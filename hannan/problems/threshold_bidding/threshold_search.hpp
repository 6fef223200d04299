// Exact oracle for threshold-bidding beyond tables: branch and bound over the bids that differ.
//
// History: one weight per price vector, whatever the number of rounds. A bid matters only through the
// thresholds need_j it reaches, so item j has as many positions as distinct thresholds, 0 included; a
// position stands for all bids up to the next threshold, and its own bid is the smallest of them. The
// smallest choice is therefore found among positions; a pool is filled up with the equal bids behind them.
//
// Bound. Fixed positions win a known bundle W at each price vector. Further wins add marginals,
//   v(W + A) - v(W) <= sum_{j in A} max over S, W <= S <= W + F - j, of v(S + j) - v(S),
// F the free items; with min it is a lower bound, for negative weights. So every free item adds steps at
// its thresholds: one table per item by prefix sums, exact when one item is free. A node costs
// O(price vectors * h + positions); marginals are made once for each set F met, in O(h 2^h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/evidence.hpp"
#include "hannan/oracles/branch_bound.hpp"
#include "hannan/oracles/warm_start.hpp"
#include "hannan/problems/threshold_bidding/threshold_bidding.hpp"

namespace hannan::detail {

class ThresholdSearch {
 public:
  static constexpr bool kSigned = true;

  struct History {
    std::vector<double> weights;  // per price vector
    mutable WarmStart warm;       // a search remembers what it found
    void scale(double factor);
    void clear();
    void archive(Archive& a);
  };

  std::uint64_t nodes = SearchLimits{}.nodes;  // the work limit of a call

  History empty(const ThresholdBidding& p) const {
    return {.weights = std::vector<double>(p.price_vectors(), 0.0), .warm = {}};
  }
  void add(const ThresholdBidding&, History& h, ThresholdBidding::Outcome y, double weight) const {
    h.weights[y] += weight;
    h.warm.advance();
  }
  Answer<ThresholdBidding::Action> best(const ThresholdBidding& p, Evidence<History> e, std::size_t keep) const;
};

class ThresholdModel {
 public:
  ThresholdModel(const ThresholdBidding& p, const Evidence<ThresholdSearch::History>& e);
  std::size_t coordinates() const { return bids_.size(); }
  std::size_t domain(std::size_t c) const { return bids_[c].size(); }
  void bound(const std::vector<int>& partial, BoundTable& bounds);
  double value(const std::vector<int>& full) const;
  void line(const std::vector<int>& full, std::size_t c, std::span<double> out) const;
  // The bids a position stands for, from the least on to the last.
  struct Bids {
    int least;
    int last;
  };
  Bids bids(std::size_t item, int position) const;

 private:
  using Bundle = ThresholdBidding::Bundle;
  struct Gain {
    double most;
    double least;
  };
  struct Row {
    ThresholdBidding::Outcome y;
    double weight;
  };

  int needed(std::size_t row, std::size_t item) const { return needs_[row * bids_.size() + item]; }
  // Marginals of the free items, in the order of `free`, for every bundle of fixed items.
  const std::vector<Gain>& gains(const std::vector<std::size_t>& free);

  const ThresholdBidding& p_;
  std::vector<std::vector<int>> bids_;         // per item, the bids that differ, from 0 on
  std::vector<Row> rows_;                      // price vectors of non-zero weight
  std::vector<int> needs_;                     // by row, item: the position that wins, or the number of positions
  std::map<Bundle, std::vector<Gain>> known_;  // by set of free items; entry W * |F| + place in F
};

}  // namespace hannan::detail
