// Points by rank: on every feature, which of its distinct values a point has.
//
// A rule "x_f >= c" depends on c only through the first distinct value that reaches it, so rules over
// real numbers are rules over ranks.
#pragma once

#include <cstddef>
#include <vector>

namespace hannan::detail {

struct FeatureRanks {
  std::vector<std::vector<double>> values;  // per feature, ascending, distinct
  std::vector<std::vector<int>> rank;       // per feature and point
  std::vector<std::vector<int>> order;      // per feature, the points by rank, then index

  explicit FeatureRanks(const std::vector<std::vector<double>>& points);
  std::size_t features() const { return values.size(); }
  std::size_t points() const { return rank[0].size(); }
  int distinct(std::size_t feature) const { return static_cast<int>(values[feature].size()); }
  // The first rank at or above a cut, distinct(feature) if none.
  int reach(std::size_t feature, double cut) const;
  // The cut that a rank stands for: its value, or infinity beyond the last.
  double cut(std::size_t feature, int rank) const;
};

}  // namespace hannan::detail
