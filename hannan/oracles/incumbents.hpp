// What an exact search has found so far, and which part of the rest it still has to look at.
//
// Two things are kept: the `keep` best assignments by value (the pool), and the staircase of
// assignments within tie_window of the least value of which none is both more expensive and larger than
// another; its smallest member is the choice. A region with proven lower bound b is needed if
//   b is below the worst of a full pool (or the pool is not full), or
//   b is within the window of the least value and the region may hold a smaller assignment than
//   every staircase member of value b or less.
// The second rule makes plateaus free: with no data all actions tie, and the smallest one prunes
// everything. Rounding is forgiven up to a quarter of tie_window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A full assignment of positions, one per coordinate, and its evidence.
struct Found {
  std::vector<int> positions;
  double value;
};

// A quarter of the tie window: what rounding may do to two sums that should be equal.
inline double rounding_slack(double value) { return tie_window(value) / 4; }

class Incumbents {
 public:
  explicit Incumbents(std::size_t keep) : keep_(keep > 0 ? keep : 1) {}

  // Takes an assignment into pool and staircase where it belongs; what the pool turns away counts
  // for rest. An infinite value is infeasible and ignored.
  void offer(const std::vector<int>& positions, double value);
  // Some assignments will not be offered; none of them is below `bound`.
  void prove_rest(double bound) { rest_ = bound < rest_ ? bound : rest_; }

  bool empty() const { return pool_.empty(); }
  double least() const { return pool_.empty() ? kInfinity : pool_.begin()->value; }
  double rest() const { return rest_; }
  // A value above this can enter neither pool nor staircase.
  double cut() const;
  // Must a region be searched whose assignments are not below `bound` in value nor below `smallest`
  // in order?
  bool needed(double bound, const std::vector<int>& smallest) const;
  // How often pool or staircase changed: as long as it stays the same, so do the answers of cut and needed.
  std::uint64_t changes() const { return changes_; }

  // Pool and staircase revalued by `value` (so that numbers do not depend on the way of the search),
  // best first, the choice in front, at most `keep`; rest() then covers all others.
  // The incumbents are used up.
  template <class Value>
  std::vector<Found> settle(Value&& value) {
    std::vector<Found> pool(pool_.begin(), pool_.end());
    known_.clear();
    pool_.clear();
    for (auto& found : pool) found.value = value(found.positions);
    for (auto& found : stairs_) found.value = value(found.positions);
    return settled(std::move(pool));
  }

 private:
  struct Before {
    bool operator()(const Found& a, const Found& b) const {
      return a.value != b.value ? a.value < b.value : a.positions < b.positions;
    }
  };
  struct BeforeInOrder {
    bool operator()(const std::vector<int>* a, const std::vector<int>* b) const { return *a < *b; }
  };

  void climb(const std::vector<int>& positions, double value);
  std::vector<Found> settled(std::vector<Found> pool);

  std::size_t keep_;
  std::set<Found, Before> pool_;                            // at most keep_; an offer costs O(log keep)
  std::set<const std::vector<int>*, BeforeInOrder> known_;  // the assignments in the pool
  std::vector<Found> stairs_;                               // by positions; values fall
  double rest_ = kInfinity;
  std::uint64_t changes_ = 0;
};

}  // namespace hannan::detail
