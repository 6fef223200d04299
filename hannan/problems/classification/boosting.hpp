// A weighted vote of stumps fitted to labelled points (AdaBoost).
//
// Weights of the rounds begin equal. Each step takes the stump h of least weighted error e, exactly (column_sums.hpp),
// ties to the first in order: the constants 1 and 0, then per cut the one that says 1 where it holds and the one that
// says 0 there. Its vote counts 1/2 ln((1 - e) / e), and the rounds in which it errs are multiplied by 1 / (2 e), the
// others by 1 / (2 (1 - e)), so that they sum to 1. e is held at 1 / (2 rounds) from below. It stops after `stumps`
// steps, where e is 0 (one vote then decides all) and where e is not below 1/2. The vote says 1 where the weights of
// the stumps that say 1 exceed those that say 0.
//
// No exact search over all weighted votes is known: the vote of least error over all weights is a halfspace of least
// error, which is NP-hard to find and to come near (docs/problems/classification.md). So a vote is learned from a past,
// and what is learned is fixed.
//
// Cost: O(stumps (rounds + points d + bins)). The same bits on every machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/problems/classification/classification.hpp"
#include "hannan/problems/classification/column_sums.hpp"
#include "hannan/problems/classification/feature_cuts.hpp"

namespace hannan::detail {

inline constexpr std::size_t kUsualStumps = 50;  // of a vote, a usual number; not fitted to any data

struct WeightedStump {
  Cut cut{};        // reach 0 of a number holds everywhere
  bool one = true;  // what it says where the cut holds
  double weight = 0;
};

struct BoostedOn {
  const FeatureCuts& cuts;
  const ColumnSums& columns;
};
std::vector<WeightedStump> boosted_stumps(const BoostedOn& points, std::span<const LabelledPoint> rounds,
                                          std::size_t stumps);

// What the vote says; none says 0. Weights are added in the order of the votes.
bool votes_say_one(std::span<const WeightedStump> votes, const FeatureCuts& cuts, std::size_t point);

}  // namespace hannan::detail
