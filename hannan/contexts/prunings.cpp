// Prunings of a tree of segments by one pass from the last id to the first: a parent has a smaller id than its
// children, so all children are done before it (prunings.hpp; docs/contexts.md). BelowSums has an entry per segment,
// and one per tree for the root at size() + tree. Cost: O(segments), and the sorting of children where leaves are
// listed in order.
#include "hannan/contexts/prunings.hpp"

#include <algorithm>
#include <cstdint>

#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace {

using Id = SegmentTree::Id;

// Where a descent from the root goes on: by segment, and at the root into one of the trees.
struct Descent {
  std::vector<bool> goes_below;
  std::size_t tree = 0;
};
// In order of their paths: the segments where a descent stops, and those on the way.
struct Reached {
  std::vector<Id> leaves;
  std::vector<Id> inner;
};
// Of the children those that `takes_part` says.
Reached descend(const SegmentTree& tree, const Descent& descent, const std::vector<bool>& takes_part) {
  Reached found;
  std::vector<Id> waiting{SegmentTree::kRoot};
  while (!waiting.empty()) {
    const Id id = waiting.back();
    waiting.pop_back();
    if (!descent.goes_below[id]) {
      found.leaves.push_back(id);
      continue;
    }
    found.inner.push_back(id);
    const std::vector<Id> children = tree.children(id);
    for (auto c = children.rbegin(); c != children.rend(); ++c) {
      if (takes_part[*c] && tree.at(*c).tree == descent.tree) waiting.push_back(*c);
    }
  }
  return found;
}

std::vector<bool> open_segments(const SegmentTree& tree) {
  std::vector<bool> open(tree.size());
  for (Id id = 0; id < tree.size(); ++id) open[id] = tree.at(id).open;
  return open;
}

// Sums over the leaves, and how many segments mix on the way and at how many depths: the terms of the bound `segments`.
Pruning pruning_of(const SegmentTree& tree, std::span<const LeastLoss> least, const Descent& descent,
                   const std::vector<bool>& takes_part) {
  Reached reached = descend(tree, descent, takes_part);
  Pruning made;
  made.tree = descent.tree;
  // A depth is at most kMostColumns = 16, so 64 bits are enough.
  std::uint64_t depths = 0;  // a bit each
  const auto count = [&](Id id) {
    if (!tree.at(id).mixes) return;
    ++made.mixing;
    depths |= std::uint64_t{1} << tree.at(id).depth;
  };
  for (const Id id : reached.leaves) {
    made.loss += least[id].value;
    made.floor += least[id].floor;
    made.open = made.open && tree.at(id).open;
    count(id);
  }
  for (const Id id : reached.inner) count(id);
  for (; depths != 0; depths &= depths - 1) ++made.levels;
  made.leaves = std::move(reached.leaves);
  return made;
}

// Sums over the children of a segment, of the root by tree.
class BelowSums {
 public:
  explicit BelowSums(const SegmentTree& tree) : tree_(tree), sums_(tree.size() + tree.trees(), 0.0) {}
  void add_child(Id id, double value) {
    const SegmentTree::Segment& segment = tree_.at(id);
    sums_[segment.parent == SegmentTree::kRoot ? tree_.size() + segment.tree : segment.parent] += value;
  }
  double of(Id id, std::size_t tree) const { return sums_[id == SegmentTree::kRoot ? tree_.size() + tree : id]; }

 private:
  const SegmentTree& tree_;
  std::vector<double> sums_;
};

// Says whether every round of a segment, of the root in a tree, belongs to a child that takes part. Rounds are counted
// in doubles, which are exact.
class Complete {
 public:
  Complete(const SegmentTree& tree, const std::vector<bool>& takes_part) : tree_(tree), covered_(tree) {
    for (Id id = 1; id < tree.size(); ++id) {
      if (takes_part[id]) covered_.add_child(id, static_cast<double>(tree.at(id).seen));
    }
  }
  bool operator()(Id id, std::size_t tree) const {
    return tree_.at(id).seen > 0 && covered_.of(id, tree) == static_cast<double>(tree_.at(id).seen);
  }

 private:
  const SegmentTree& tree_;
  BelowSums covered_;
};

}  // namespace

// C(v) = 2 Delta_v + min{H_v, W_v + sum of C below} from the last id to the first (docs/contexts.md, mixing).
MixingBound mixing_bound(const SegmentTree& tree) {
  BelowSums below(tree);
  Descent descent{.goes_below = std::vector<bool>(tree.size(), false)};
  double value = 0;
  for (Id id = static_cast<Id>(tree.size()); id-- > 0;) {
    const auto& segment = tree.at(id);
    if (!segment.open) continue;
    const double own = segment.own.value();
    double under = tree.waited(id, segment.tree) + below.of(id, segment.tree);
    for (std::size_t j = 1; id == SegmentTree::kRoot && j < tree.trees(); ++j) {
      const double other = tree.waited(id, j) + below.of(id, j);
      if (other >= under - tie_window(under)) continue;
      under = other;
      descent.tree = j;
    }
    descent.goes_below[id] = segment.mixes && under < own - tie_window(own);
    value = segment.mixes ? 2 * tree.gap(id) + std::min(own, under) : own;
    if (id != SegmentTree::kRoot) below.add_child(id, value);
  }
  return {.value = value, .leaves = descend(tree, descent, open_segments(tree)).leaves};
}

// min{L*(v) + penalty, sum below} at every segment; ties stay at the coarser one. Where not every round of a segment
// belongs to a known child, it cannot be divided.
Pruning best_pruning(const SegmentTree& tree, std::span<const LeastLoss> least, double penalty) {
  std::vector<bool> known(tree.size());
  for (Id id = 0; id < tree.size(); ++id) known[id] = least[id].known;
  const Complete complete(tree, known);
  BelowSums below(tree);
  Descent descent{.goes_below = std::vector<bool>(tree.size(), false)};
  for (Id id = static_cast<Id>(tree.size()); id-- > 0;) {
    if (!known[id]) continue;
    double value = least[id].value + penalty;
    const std::size_t first = tree.at(id).tree, last = id == SegmentTree::kRoot ? tree.trees() - 1 : first;
    for (std::size_t j = first; j <= last; ++j) {
      if (!complete(id, j) || !(below.of(id, j) < value - tie_window(value))) continue;
      value = below.of(id, j);
      descent.goes_below[id] = true;
      if (id == SegmentTree::kRoot) descent.tree = j;
    }
    if (id != SegmentTree::kRoot) below.add_child(id, value);
  }
  return pruning_of(tree, least, descent, known);
}

// Goes below wherever all rounds of a segment belong to open children, whatever it costs.
Pruning finest_pruning(const SegmentTree& tree, std::span<const LeastLoss> least, std::size_t of) {
  const std::vector<bool> open = open_segments(tree);
  const Complete complete(tree, open);
  Descent descent{.goes_below = std::vector<bool>(tree.size()), .tree = of};
  for (Id id = 0; id < tree.size(); ++id)
    descent.goes_below[id] = complete(id, id == SegmentTree::kRoot ? of : tree.at(id).tree);
  return pruning_of(tree, least, descent, open);
}

Pruning root_pruning(const SegmentTree& tree, std::span<const LeastLoss> least) {
  const std::vector<bool> none(tree.size(), false);
  return pruning_of(tree, least, {.goes_below = none}, none);
}

// In order of their paths, parents first: the segments whose decision would be asked for now, following at each open
// segment what AdaHedge prefers.
std::vector<Id> visited(const SegmentTree& tree) {
  std::vector<Id> found, waiting{SegmentTree::kRoot};
  const std::size_t into = tree.preferred_tree();
  while (!waiting.empty()) {
    const Id id = waiting.back();
    waiting.pop_back();
    found.push_back(id);
    if (!tree.prefers_below(id)) continue;
    const std::vector<Id> children = tree.children(id);
    for (auto c = children.rbegin(); c != children.rend(); ++c) {
      if (tree.at(*c).open && tree.at(*c).tree == into) waiting.push_back(*c);
    }
  }
  return found;
}

}  // namespace hannan::detail
