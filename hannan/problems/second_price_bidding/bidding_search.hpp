// Exact oracle for second-price-bidding: branch and bound (oracles/branch_bound.hpp) with
// marginal-value bounds.
//
// History: prices matter to wins through their levels only and to payments through sums, so rounds are
// merged by level vector, each with its weight w and its weighted prices w * p_j. A level that no bid
// may exceed is the same as any other.
//
// Bound. Fixed bids win a known bundle W in a row. The value of further wins is a chain of marginals,
//   v(W + A) - v(W) <= sum_{j in A} max over S, W <= S <= W + F - j, of v(S + j) - v(S),
// F the free items (for submodular v the maximum is at S = W); with min instead of max it is a lower
// bound, for rows of negative weight. So a free item j adds (gain_j(W) - p_j) 1[b_j > level_j], a step
// at the level: one table per free item by prefix sums, noise included, exact when one item is free.
// Bids above min over S of fixed items of v(S + j) - b(S) overbid and are cut off.
// A node costs O(rows * h + h m + 2^h); gains are made once for each set F met, in O(h 2^h).
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
#include "hannan/problems/second_price_bidding/second_price_bidding.hpp"

namespace hannan::detail {

class BiddingSearch {
 public:
  static constexpr bool kSigned = true;

  struct History {
    double rounds = 0;                                     // summed weights
    std::map<std::vector<int>, std::vector<double>> rows;  // levels -> weight, then weighted prices
    std::vector<std::vector<double>> tables;               // noise, one per item
    mutable WarmStart warm;                                // a search remembers what it found
    void scale(double factor);
    void clear();
    void archive(Archive& a);
  };

  std::uint64_t nodes = SearchLimits{}.nodes;  // the work limit of a call

  History empty(const SecondPriceBidding& p) const;
  void add(const SecondPriceBidding& p, History& h, const SecondPriceBidding::Outcome& y, double weight) const;
  void add_table(const SecondPriceBidding&, History& h, std::size_t item, std::span<const double> values) const;
  Answer<SecondPriceBidding::Action> best(const SecondPriceBidding& p, Evidence<History> e, std::size_t keep) const;
};

class BiddingModel {
 public:
  BiddingModel(const SecondPriceBidding& p, const Evidence<BiddingSearch::History>& e);
  std::size_t coordinates() const { return items_; }
  std::size_t domain(std::size_t c) const { return p_.domain(c); }
  void bound(const std::vector<int>& partial, BoundTable& bounds);
  double value(const std::vector<int>& full) const;
  void line(const std::vector<int>& full, std::size_t c, std::span<double> out) const;

 private:
  using Bundle = SecondPriceBidding::Bundle;
  // Marginals of a free item over a won bundle, in units of 1/m.
  struct Gain {
    double most;
    double least;
  };
  // Which items are fixed and which free, and the highest bid left to each free one.
  struct Split {
    std::vector<std::size_t> fixed;
    std::vector<std::size_t> free;
    std::vector<int> highest;  // per free item; below 0: the fixed bids overbid already
  };

  void take(const std::vector<int>& levels, const std::vector<double>& sums, double scale);
  Split split(const std::vector<int>& partial) const;
  // By (number of the won bundle among those of the fixed items) * free + place of the free item.
  const std::vector<Gain>& gains(const Split& s);

  const SecondPriceBidding& p_;
  std::size_t items_;
  double rounds_;
  double unit_;  // 1/m
  std::vector<std::vector<double>> tables_;
  std::vector<int> levels_;                    // row by row
  std::vector<double> weights_;                // per row
  std::vector<double> paid_;                   // row by row, weighted prices
  std::map<Bundle, std::vector<Gain>> known_;  // gains by set of free items
};

}  // namespace hannan::detail
