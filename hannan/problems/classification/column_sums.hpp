// Sums of gains per feature and rank: how much lies at every value of every feature.
//
// The bins of all features stand in one row, feature by feature; a gain at a point goes to one bin of each.
// cumulate() turns them into the sums over the points where a cut holds: from the rank on for numbers, at the
// rank for categories. O(features) for a point, O(points x features) for all, O(bins) to cumulate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hannan/problems/classification/feature_cuts.hpp"

namespace hannan::detail {

class ColumnSums {
 public:
  explicit ColumnSums(const FeatureCuts& cuts);

  std::size_t bins() const { return first_.back(); }
  std::size_t features() const { return categorical_.size(); }
  std::size_t points() const { return bin_.size() / features(); }
  std::size_t first_of(std::size_t feature) const { return first_[feature]; }  // bins(), beyond the last
  bool categorical(std::size_t feature) const { return categorical_[feature] != 0; }
  std::size_t bin_of(Cut cut) const { return first_[cut.feature] + static_cast<std::size_t>(cut.reach); }
  // The bins of a point, a feature each.
  std::span<const std::uint32_t> bins_of(std::size_t point) const {
    return std::span(bin_).subspan(point * features(), features());
  }

  void add_point(std::size_t point, double gain, std::span<double> sums) const {
    for (const auto bin : bins_of(point)) sums[bin] += gain;
  }
  void add_points(std::span<const double> gain, std::span<double> sums) const {
    for (std::size_t i = 0; i < gain.size(); ++i) add_point(i, gain[i], sums);
  }
  // `sums` begins with the bins of feature `from`.
  void cumulate(std::span<double> sums, std::size_t from = 0) const {
    for (std::size_t f = from; f < features(); ++f) {
      if (categorical(f)) continue;
      double* const first = sums.data() + (first_[f] - first_[from]);
      for (std::size_t v = first_[f + 1] - first_[f] - 1; v-- > 0;) first[v] += first[v + 1];
    }
  }

 private:
  std::vector<std::size_t> first_;  // per feature and one more, its first bin
  std::vector<char> categorical_;   // per feature
  std::vector<std::uint32_t> bin_;  // per point and feature
};

}  // namespace hannan::detail
