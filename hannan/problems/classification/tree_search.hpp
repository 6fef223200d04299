// The best depth-2 trees, given two questions about the gains: how good a root can be, and how much lies on
// its right side at every value of every feature.
//
// With the root fixed the two sides do not depend on each other, so the least error of a root is the least
// of the stumps on its left plus the least on its right. Stump 0 says 1 and stump 1 says 0; then per cut the
// one that says 1 where it holds and the one that says 0 there.
//
// The k best trees lie under the k best roots, and under a root the tree of the i-th best left and the j-th
// best right has (i+1)(j+1) - 1 trees before it: so k roots and k ln k pairs for each are looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hannan/core/evidence.hpp"
#include "hannan/problems/classification/column_sums.hpp"
#include "hannan/problems/classification/feature_cuts.hpp"

namespace hannan::detail {

// One call's gains, summed as trees need them.
class TreeSums {
 public:
  virtual ~TreeSums() = default;
  // Per bin, the gain of all points; not cumulated.
  virtual std::span<const double> marginal() const = 0;
  // Per bin, the gain of the points where the root holds; not cumulated. A null root holds everywhere.
  virtual void joint(const Cut* root, std::span<double> out) = 0;
  // Per cut, the least error of a tree with this root, without the constant.
  virtual void least_of_roots(std::span<double> out) = 0;
};

struct TreeQuestion {
  const FeatureCuts& cuts;
  const ColumnSums& columns;
  double constant;
  std::size_t keep;
};

// Codes are (root * stumps + left) * stumps + right. Shows at most kMostShown trees.
inline constexpr std::size_t kMostShown = 1000;
Answer<std::uint64_t> best_trees(const TreeQuestion& question, TreeSums& sums);

// The smallest code whose error is at most `limit`. Sums in another order may differ by rounding, so that the limit is
// raised to the least error as it is found here.
Ranked<std::uint64_t> first_tree_within(const TreeQuestion& question, TreeSums& sums, double limit);
// The least error.
double least_tree(const TreeQuestion& question, TreeSums& sums);

using Ranking = std::vector<Ranked<std::uint64_t>>;
// By value, ties by place.
bool ranked_before(const Ranked<std::uint64_t>& a, const Ranked<std::uint64_t>& b);
// The `count` least of the values, by value and place.
Ranking least_of(std::span<const double> values, std::size_t count);

// The error of every stump on either side of a root: lefts and rights have 2 + 2 cuts entries.
struct StumpErrors {
  std::vector<double> lefts, rights;
  double least() const;
};
void weigh_stumps(const TreeQuestion& question, TreeSums& sums, const Cut* root, StumpErrors& out);

}  // namespace hannan::detail
