// The axis-parallel box of least weighted error on ranked points in the plane.
//
// For every left side the right side sweeps to the right; its points enter a tree over the y ranks that
// knows the least sum of a run of neighbouring ranks (the maximum-subarray recurrence as a tree), so a
// point costs O(log m) and a call O(m^2 log m). Weights of any sign.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/problems/classification/feature_ranks.hpp"

namespace hannan::detail {

// Ranks, both ends included.
struct RankBox {
  int left = 0, right = 0, bottom = 0, top = 0;
};

struct BoxFound {
  RankBox box;   // the smallest, in the order (left, right, bottom, top), up to tie_window
  double value;  // constant + the gains inside it
  double floor;  // the least of all boxes
};

// Over all boxes of at least one rank each way; O(m^2 log m).
BoxFound least_box(const FeatureRanks& ranks, std::span<const double> gain, double constant);

struct RankedBox {
  RankBox box;
  double value;
};

// The `keep` boxes of least value (fewer if there are fewer), by value, then order. Strips (left, right) are opened by
// increasing least value, and each opened one holds a box that is not above any in the strips behind it: at
// most `keep` of them are opened. O(m^2 log m + keep m^2).
std::vector<RankedBox> best_boxes(const FeatureRanks& ranks, std::span<const double> gain, double constant,
                                  std::size_t keep);

}  // namespace hannan::detail
