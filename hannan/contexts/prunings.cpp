#include "hannan/contexts/prunings.hpp"

#include <algorithm>
#include <cstdint>

#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace {

using Id = SegmentTree::Id;

// In order of their paths: the segments where a descent from the root by `goes_below` stops, and those on the way.
struct Descent {
  std::vector<Id> leaves;
  std::vector<Id> inner;
};
// Of the children those that `takes_part` says.
Descent descend(const SegmentTree& tree, const std::vector<bool>& goes_below, const std::vector<bool>& takes_part) {
  Descent found;
  std::vector<Id> waiting{SegmentTree::kRoot};
  while (!waiting.empty()) {
    const Id id = waiting.back();
    waiting.pop_back();
    if (!goes_below[id]) {
      found.leaves.push_back(id);
      continue;
    }
    found.inner.push_back(id);
    const std::vector<Id> children = tree.children(id);
    for (auto c = children.rbegin(); c != children.rend(); ++c) {
      if (takes_part[*c]) waiting.push_back(*c);
    }
  }
  return found;
}

std::vector<bool> open_segments(const SegmentTree& tree) {
  std::vector<bool> open(tree.size());
  for (Id id = 0; id < tree.size(); ++id) open[id] = tree.at(id).open;
  return open;
}

Pruning pruning_of(const SegmentTree& tree, std::span<const LeastLoss> least, const std::vector<bool>& goes_below,
                   const std::vector<bool>& takes_part) {
  Descent descent = descend(tree, goes_below, takes_part);
  Pruning made;
  std::uint64_t depths = 0;  // a bit each
  const auto count = [&](Id id) {
    if (!tree.at(id).mixes) return;
    ++made.mixing;
    depths |= std::uint64_t{1} << tree.at(id).depth;
  };
  for (const Id id : descent.leaves) {
    made.loss += least[id].value;
    made.floor += least[id].floor;
    made.open = made.open && tree.at(id).open;
    count(id);
  }
  for (const Id id : descent.inner) count(id);
  for (; depths != 0; depths &= depths - 1) ++made.levels;
  made.leaves = std::move(descent.leaves);
  return made;
}

// By segment: every round of it belongs to a child that takes part.
std::vector<bool> complete_segments(const SegmentTree& tree, const std::vector<bool>& takes_part) {
  std::vector<std::uint64_t> covered(tree.size(), 0);
  for (Id id = 1; id < tree.size(); ++id) {
    if (takes_part[id]) covered[tree.at(id).parent] += tree.at(id).seen;
  }
  std::vector<bool> complete(tree.size());
  for (Id id = 0; id < tree.size(); ++id) complete[id] = tree.at(id).seen > 0 && covered[id] == tree.at(id).seen;
  return complete;
}

}  // namespace

MixingBound mixing_bound(const SegmentTree& tree) {
  std::vector<double> below(tree.size(), 0.0);  // waited and the bounds of the children so far
  std::vector<bool> goes_below(tree.size(), false);
  double value = 0;
  for (Id id = static_cast<Id>(tree.size()); id-- > 0;) {
    const auto& segment = tree.at(id);
    if (!segment.open) continue;
    const double own = segment.own.value(), under = segment.waited.value() + below[id];
    goes_below[id] = segment.mixes && under < own - tie_window(own);
    value = segment.mixes ? 2 * segment.hedge.gap() + std::min(own, under) : own;
    if (id != SegmentTree::kRoot) below[segment.parent] += value;
  }
  return {.value = value, .leaves = descend(tree, goes_below, open_segments(tree)).leaves};
}

Pruning best_pruning(const SegmentTree& tree, std::span<const LeastLoss> least, double penalty) {
  std::vector<bool> known(tree.size());
  for (Id id = 0; id < tree.size(); ++id) known[id] = least[id].known;
  const std::vector<bool> complete = complete_segments(tree, known);
  std::vector<double> below(tree.size(), 0.0);
  std::vector<bool> goes_below(tree.size(), false);
  for (Id id = static_cast<Id>(tree.size()); id-- > 0;) {
    if (!known[id]) continue;
    const double own = least[id].value + penalty;
    goes_below[id] = complete[id] && below[id] < own - tie_window(own);
    if (id != SegmentTree::kRoot) below[tree.at(id).parent] += goes_below[id] ? below[id] : own;
  }
  return pruning_of(tree, least, goes_below, known);
}

Pruning finest_pruning(const SegmentTree& tree, std::span<const LeastLoss> least) {
  const std::vector<bool> open = open_segments(tree);
  return pruning_of(tree, least, complete_segments(tree, open), open);
}

Pruning root_pruning(const SegmentTree& tree, std::span<const LeastLoss> least) {
  const std::vector<bool> none(tree.size(), false);
  return pruning_of(tree, least, none, none);
}

std::vector<Id> visited(const SegmentTree& tree) {
  std::vector<Id> found, waiting{SegmentTree::kRoot};
  while (!waiting.empty()) {
    const Id id = waiting.back();
    waiting.pop_back();
    found.push_back(id);
    if (!tree.at(id).mixes || !tree.at(id).hedge.prefers_below()) continue;
    const std::vector<Id> children = tree.children(id);
    for (auto c = children.rbegin(); c != children.rend(); ++c) {
      if (tree.at(*c).open) waiting.push_back(*c);
    }
  }
  return found;
}

}  // namespace hannan::detail
