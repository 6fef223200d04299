// What a tree of segments is held against: prunings, one fixed action in each of their leaves.
//
// A pruning is a set of segments such that every context has exactly one of them on its path; where there are several
// trees, of one tree. All passes are bottom up, O(segments); a tie of stopping and going below stops, one of two trees
// goes to the first.
#pragma once

#include <span>
#include <vector>

#include "hannan/contexts/segment_tree.hpp"

namespace hannan::detail {

// C(root) with C(v) = 2 Delta_v + min{H_v, waited_v + the sum of C over its children}, C(v) = H_v where nothing was
// mixed; at the root of several trees the least over them: the total loss is at most this on every path of outcomes and
// coins (docs/contexts.md, mixing).
struct MixingBound {
  double value = 0;
  std::vector<SegmentTree::Id> leaves;  // where the minimum stops, in order of their paths
};
MixingBound mixing_bound(const SegmentTree& tree);

// The least loss of a segment over its rounds, as far as its search has proven it. Not known of segments whose outcomes
// are not kept.
struct LeastLoss {
  double value = 0;
  double floor = 0;
  bool known = false;
};

struct Pruning {
  std::vector<SegmentTree::Id> leaves;  // in order of their paths
  std::size_t tree = 0;                 // whose segments they are, unless the root is the leaf
  bool open = true;                     // all of them are
  double loss = 0;                      // the sum of the least losses of the leaves
  double floor = 0;
  std::size_t mixing = 0;  // leaves and inner segments that have mixed: k
  std::size_t levels = 0;  // their different depths
};
// The one of least loss + penalty * leaves. Below a segment it goes only if every round of the segment belongs to a
// child whose least loss is known. `least` is by segment; that of the root is known.
Pruning best_pruning(const SegmentTree& tree, std::span<const LeastLoss> least, double penalty);
// The one of a tree whose leaves are as fine as open segments allow.
Pruning finest_pruning(const SegmentTree& tree, std::span<const LeastLoss> least, std::size_t of = 0);
// The root alone.
Pruning root_pruning(const SegmentTree& tree, std::span<const LeastLoss> least);

// The map that is exported: from the root, go below while "below" has more weight. All segments on the way, in order
// of their paths.
std::vector<SegmentTree::Id> visited(const SegmentTree& tree);

// The open and watched segments at or below one, in order of their paths, as long as visit(id) says to go on.
template <class Visit>
bool visit_in_order(const SegmentTree& tree, SegmentTree::Id from, Visit&& visit) {
  if (!visit(from)) return false;
  for (const SegmentTree::Id c : tree.children(from)) {
    if (!visit_in_order(tree, c, visit)) return false;
  }
  return true;
}

}  // namespace hannan::detail
