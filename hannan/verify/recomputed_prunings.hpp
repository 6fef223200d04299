// The prunings that a run with contexts is held against, by the verifier's own programme (docs/contexts.md, "What is
// proven"). Ties of a segment and what is below it stay at the segment; O(segments) each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/verify/recomputed_tree.hpp"

namespace hannan::detail {

// C of the root, and how many leaves the pruning has that it stops at.
struct RecomputedMixing {
  double value = 0;
  std::size_t leaves = 0;
};
RecomputedMixing mixing_again(const RecomputedTree& tree);

struct SegmentLoss {
  double value = 0;
  double floor = 0;
  bool known = false;  // of segments that are open, or whose outcomes are kept
};

struct RecomputedPruning {
  std::vector<std::size_t> leaves;  // in order of their paths
  bool open = true;                 // all of them are
  double loss = 0, floor = 0;
  std::size_t mixing = 0, levels = 0;  // of leaves and segments above them: how many mix, on how many depths
};
// Of least loss and penalty a leaf.
RecomputedPruning best_pruning_again(const RecomputedTree& tree, std::span<const SegmentLoss> least, double penalty);
// As fine as open segments of one order allow.
RecomputedPruning finest_again(const RecomputedTree& tree, std::span<const SegmentLoss> least, std::size_t order);
RecomputedPruning root_again(const RecomputedTree& tree, std::span<const SegmentLoss> least);

// Of a pruning with n leaves that loses `best`, on the total loss less `best`.
struct SegmentsTerms {
  bool flips = false;  // flipflop; otherwise ada
  double n = 1, k = 0, levels = 0, orders = 1;
  double gamma = 0, M = 0, best = 0, wait = 0, gap = 0;
};
double segments_again(const SegmentsTerms& t);

}  // namespace hannan::detail
