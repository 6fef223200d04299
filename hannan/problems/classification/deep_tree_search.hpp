// The best trees of depth 3: a root cut and a tree of depth 2 on either side.
//
// With the root fixed the two sides do not depend on each other, so the least error of a root is the least of the trees
// of depth 2 on its left plus the least on its right, each found exactly from sums over pairs of values (pair_sums.hpp)
// of the points of that side. Going through the cuts of a feature from the greatest value down adds each point once to
// the sums of the right; those of the left are the sums of all less these.
//   m points, d features, R cuts, b values in all: O(m d^3 / 2 + R b^2) a call
// Codes are (root * T + left) * T + right with T trees of depth 2 (tree_codes.hpp).
//
// Where that is more than `work`, roots are opened in order of the least error of their trees of depth 2, as many as
// the work allows, at O(m d^2 / 2 + b^2) each. The answer is then the best tree found, never worse than the best of
// depth 2, and its floor is that of a tree which errs nowhere it need not: constant + the sum of min(0, gain). It
// counts work and not seconds, so that it is the same on every machine.
#pragma once

#include <cstdint>
#include <span>

#include "hannan/core/evidence.hpp"
#include "hannan/problems/classification/pair_sums.hpp"

namespace hannan::detail {

struct DeepTreeQuestion {
  const FeatureCuts& cuts;
  const PairTable& pairs;
  std::span<const double> gain;  // per point
  double constant;
  std::size_t keep;
  double work;
};

// Shows at most kMostDeepShown trees; where roots are left unopened the choice alone.
inline constexpr std::size_t kMostDeepShown = 16;
Answer<std::uint64_t> best_deep_trees(const DeepTreeQuestion& question);

// The steps of an exact call.
double deep_tree_steps(const ColumnSums& columns, std::size_t cuts);
// The steps of a root that is opened by itself.
double steps_of_a_root(const ColumnSums& columns);

}  // namespace hannan::detail
