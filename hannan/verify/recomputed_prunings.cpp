// Programmes over the tree from the leaves up: at each segment the value of stopping there against the sum of the
// values of its children. A segment is visited once for each order at the root, and once below it, so O(segments) each.
#include "hannan/verify/recomputed_prunings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "hannan/verify/choice_scan.hpp"

namespace hannan::detail {
namespace {

// A pruning as it is found, from the root down: where to go on, and at the root in which order of columns.
struct Cut {
  std::vector<bool> below;
  std::size_t order = 0;
};

const std::map<std::string, std::size_t>& children_in(const RecomputedTree& tree, std::size_t id, std::size_t order) {
  return tree.at(id).children[id == 0 ? order : 0];
}

struct Walk {
  const RecomputedTree& tree;
  const Cut& cut;
  const std::vector<bool>& part;  // segments that take part
};
// Every segment of the pruning and above it, leaves being those where the walk does not go on.
template <class Visit>
void walk(const Walk& in, std::size_t id, const Visit& visit) {
  visit(id);
  if (!in.cut.below[id]) return;
  for (const auto& [value, child] : children_in(in.tree, id, in.cut.order)) {
    if (in.part[child]) walk(in, child, visit);
  }
}

RecomputedPruning pruning_by(const Walk& in, std::span<const SegmentLoss> least) {
  RecomputedPruning made;
  std::set<std::size_t> depths;
  walk(in, 0, [&](std::size_t id) {
    const RecomputedSegment& segment = in.tree.at(id);
    if (segment.mixes) {
      ++made.mixing;
      depths.insert(segment.depth);
    }
    if (in.cut.below[id]) return;
    made.leaves.push_back(id);
    made.open = made.open && segment.open;
    made.loss += least[id].value;
    made.floor += least[id].floor;
  });
  made.levels = depths.size();
  return made;
}

// The loss of the best pruning below a segment of one order; none where not all of its rounds are in children.
class BestCut {
 public:
  BestCut(const RecomputedTree& tree, std::span<const SegmentLoss> least, double penalty)
      : tree_(tree), least_(least), penalty_(penalty), cut_{std::vector<bool>(tree.size(), false), 0} {}

  // min{L*(id) + penalty, sum over children}. A tie keeps the segment whole: the coarser pruning is the one to name.
  double at(std::size_t id) {
    double value = least_[id].value + penalty_;
    const std::size_t orders = id == 0 ? tree_.orders() : 1;
    for (std::size_t j = 0; j < orders; ++j) {
      const auto finer = below(id, j);
      if (!finer || !(*finer < value - tie_slack(value))) continue;
      value = *finer;
      cut_.below[id] = true;
      if (id == 0) cut_.order = j;
    }
    return value;
  }
  const Cut& cut() const { return cut_; }

 private:
  // Going below is allowed only where the children's rounds are all of the segment's own: a pruning must have a leaf
  // for every round that was played.
  std::optional<double> below(std::size_t id, std::size_t order) {
    std::uint64_t rounds = 0;
    double sum = 0;
    for (const auto& [value, child] : children_in(tree_, id, order)) {
      if (!least_[child].known) continue;
      rounds += tree_.at(child).seen;
      sum += at(child);
    }
    return rounds > 0 && rounds == tree_.at(id).seen ? std::optional(sum) : std::nullopt;
  }

  const RecomputedTree& tree_;
  std::span<const SegmentLoss> least_;
  double penalty_;
  Cut cut_;
};

std::vector<bool> open_ones(const RecomputedTree& tree) {
  std::vector<bool> open;
  for (std::size_t id = 0; id < tree.size(); ++id) open.push_back(tree.at(id).open);
  return open;
}

// C(v) = 2 Delta_v + min{H_v, W_v + sum of C below} (docs/contexts.md, mixing); at the root the least over orders. A
// segment that never mixed has C = H.
double mixing_at(const RecomputedTree& tree, std::size_t id, Cut& cut) {
  const RecomputedSegment& segment = tree.at(id);
  const double own = segment.own.value();
  if (!segment.mixes) return own;
  std::optional<double> least;
  for (std::size_t j = 0; j < segment.waited.size(); ++j) {
    double below = 0;
    for (const auto& [value, child] : children_in(tree, id, j)) {
      if (tree.at(child).open) below += mixing_at(tree, child, cut);
    }
    below += segment.waited[j].value();
    if (least && below >= *least - tie_slack(*least)) continue;
    least = below;
    if (id == 0) cut.order = j;
  }
  cut.below[id] = *least < own - tie_slack(own);
  return 2 * segment.hedge.gap() + std::min(own, *least);
}

}  // namespace

RecomputedMixing mixing_again(const RecomputedTree& tree) {
  Cut cut{std::vector<bool>(tree.size(), false), 0};
  RecomputedMixing found{.value = mixing_at(tree, 0, cut)};
  walk({tree, cut, open_ones(tree)}, 0, [&](std::size_t id) { found.leaves += cut.below[id] ? 0 : 1; });
  return found;
}

RecomputedPruning best_pruning_again(const RecomputedTree& tree, std::span<const SegmentLoss> least, double penalty) {
  BestCut search(tree, least, penalty);
  search.at(0);
  std::vector<bool> known;
  for (const SegmentLoss& loss : least) known.push_back(loss.known);
  return pruning_by({tree, search.cut(), known}, least);
}

RecomputedPruning finest_again(const RecomputedTree& tree, std::span<const SegmentLoss> least, std::size_t order) {
  const std::vector<bool> open = open_ones(tree);
  Cut cut{std::vector<bool>(tree.size(), false), order};
  for (std::size_t id = 0; id < tree.size(); ++id) {
    std::uint64_t rounds = 0;
    for (const auto& [value, child] : children_in(tree, id, order)) rounds += open[child] ? tree.at(child).seen : 0;
    cut.below[id] = rounds > 0 && rounds == tree.at(id).seen;
  }
  return pruning_by({tree, cut, open}, least);
}

RecomputedPruning root_again(const RecomputedTree& tree, std::span<const SegmentLoss> least) {
  const std::vector<bool> none(tree.size(), false);
  return pruning_by({tree, {none, 0}, none}, least);
}

// docs/contexts.md, segments: rho_B of the learners, and with k segments that mix the root of rho <= b_0 + sqrt(a (B +
// rho)), a = 4 ln(1+J) k lambda, which is b_0 + a/2 + sqrt(a^2/4 + a (B + b_0)).
double segments_again(const SegmentsTerms& t) {
  const double noise = t.gamma * t.M;
  const double learners = (t.flips ? 5.64 * std::sqrt(2 * noise * t.n * (t.best + t.n)) + t.n * (64 * noise + 7)
                                   : 2 * std::sqrt(2 * noise * t.n * t.best) + t.n * (8 * noise + 2)) +
                          t.gap;
  if (t.k == 0) return learners + t.wait;
  const double log_experts = std::log(1 + t.orders), a = 4 * log_experts * t.k * t.levels;
  const double b0 = t.k * (4 * log_experts / 3 + 2), lost = t.best + learners + t.wait;
  return learners + t.wait + b0 + a / 2 + std::sqrt(a * a / 4 + a * (lost + b0));
}

}  // namespace hannan::detail
