// Sums of gains per pair of values of two features, and the least error of every root from them.
//
// Row a is a value u of feature f, its entries the bins of all later features: the gain of the points with
// rank u on f and rank v on g. With b bins in all these are about b^2 / 2 numbers, whatever the points.
//   one point   O(features^2), so a new label is cheap
//   all points  O(points x features^2 / 2), once for fresh noise
//   a call      O(b^2 / 2)
// For a root cut c of f and a cut v of g let G(c, v) be the gain of the points where both hold (rows summed
// from c on for numbers, row c alone for categories, and the same along v), A_f, A_g the gains where one
// holds. Right of the root the stump on v has error G or A_f(c) - G, left of it A_g(v) - G or the
// rest; so a root needs the least and greatest G and A_g - G over all stumps, and one pass over the pairs
// serves f as a root for g and g as a root for f.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hannan/problems/classification/hypotheses.hpp"
#include "hannan/problems/classification/tree_search.hpp"

namespace hannan::detail {

// Where the sums stand: first the bins of ColumnSums, then the rows.
class PairTable {
 public:
  PairTable(const ColumnSums& columns, const FeatureRanks& ranks);

  std::size_t size() const { return size_; }
  const ColumnSums& columns() const { return columns_; }
  std::size_t row_start(std::size_t bin) const { return row_start_[bin]; }
  void add_point(std::size_t point, double gain, std::span<double> sums) const;
  void add_points(std::span<const double> gain, std::span<double> sums) const;

  // How many numbers it would keep.
  static double cells(const ColumnSums& columns);

 private:
  const ColumnSums& columns_;
  const FeatureRanks& ranks_;
  std::vector<std::size_t> row_start_;  // per bin
  std::size_t size_;
};

class PairSums final : public TreeSums {
 public:
  PairSums(const TreeQuestion& question, const PairTable& table, const Hypotheses::Errors& errors);

  std::span<const double> marginal() const override { return marginal_; }
  void joint(const Cut* root, std::span<double> out) override;
  void least_of_roots(std::span<double> out) override;

 private:
  struct Extremes {  // per bin as a root, of the stumps on one side; the one that holds nowhere has 0
    std::vector<double> low, high;
    explicit Extremes(std::size_t bins) : low(bins, 0.0), high(bins, 0.0) {}
    void see(std::size_t bin, double value) {
      low[bin] = value < low[bin] ? value : low[bin];
      high[bin] = value > high[bin] ? value : high[bin];
    }
  };
  void see_own_feature(std::size_t feature);
  void see_later_features(std::size_t feature);
  void see_row(std::size_t bin, std::size_t first);

  const TreeQuestion& q_;
  const PairTable& table_;
  const Hypotheses::Errors& errors_;
  std::vector<double> marginal_;
  std::vector<double> held_;  // the marginal, cumulated: A
  Extremes left_, right_;
  std::vector<double> rows_, g_;  // rows summed so far, and G of the cut at hand
};

}  // namespace hannan::detail
