// The perturbations of a level auction and the fake outcomes that make them.
//
// The profile (i, j, k), k = 1..m-s+1: bidder i bids h = k+j-1, the phantom j-1, no other bidder bids. Its
// reward, from the rule (the printed formula is wrong where the phantom wins below level j-1):
//   j = 1   (1/m) a_i1 [a_i1 <= h]
//   j >= 2  (1/m) { 1 + sum_{l=2..j-1} [a_il <= h] + (a_ij - j + 1) [a_ij <= h] }
// It is a sum over bidder i's thresholds, so noise pours as one table per threshold.
//
// Data sets. For any target functions phi_l of bidder i's thresholds, from the last to the first: put
// W(z) = m (phi_j(z) + c) / (z - j + 1), W = 0 beyond the last value, weight W(h) - W(h+1) on profile
// (i, j, h-j+1). That makes phi_j(a_ij) + c and adds (1/m) W(max(a_il, j)) for l = 2..j-1, which is taken
// off phi_l before its turn. Weights are non-negative iff W never rises: c large enough.
#pragma once

#include <memory>
#include <vector>

#include "hannan/core/perturbation.hpp"
#include "hannan/problems/level_auction/level_auction.hpp"

namespace hannan::detail {

// direct, one-hot, thermometer, bits.
std::vector<std::shared_ptr<const Perturbation<LevelAuction>>> level_columns(std::shared_ptr<const LevelAuction> p);

// Weighted outcomes whose rewards add up to sum_l targets[l](position of a_il) + constant.
struct ThresholdTargets {
  std::size_t bidder;
  std::vector<std::vector<double>> targets;  // s tables of m-s+1; empty: zero
  Weights weights = Weights::kAnySign;
};
Dataset<BidReach> threshold_data(const LevelRule& rule, ThresholdTargets wanted);

}  // namespace hannan::detail
