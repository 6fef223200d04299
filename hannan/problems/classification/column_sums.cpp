// Which bin each point falls into, for all features at once (column_sums.hpp): bin first_[f] + rank of the point's
// value among the distinct values of feature f. Built once per data set, O(points x features).
#include "hannan/problems/classification/column_sums.hpp"

namespace hannan::detail {

ColumnSums::ColumnSums(const FeatureCuts& cuts) {
  const FeatureRanks& ranks = cuts.ranks();
  first_.push_back(0);
  for (std::size_t f = 0; f < cuts.features(); ++f) {
    first_.push_back(first_.back() + static_cast<std::size_t>(ranks.distinct(f)));
    categorical_.push_back(cuts.categorical(f) ? 1 : 0);
  }
  bin_.reserve(cuts.points() * cuts.features());
  for (std::size_t i = 0; i < cuts.points(); ++i) {
    for (std::size_t f = 0; f < cuts.features(); ++f) {
      bin_.push_back(static_cast<std::uint32_t>(first_[f] + static_cast<std::size_t>(ranks.rank[f][i])));
    }
  }
}

}  // namespace hannan::detail
