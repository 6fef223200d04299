// Rivals by segment (segment_players.hpp). Every player takes its loss of a round before it learns the outcome.
#include "hannan/compare/segment_players.hpp"

#include "hannan/core/error.hpp"

namespace hannan::detail {

LeaderPerSegment::LeaderPerSegment(const AnyProblem& problem, const Json& segments) {
  Json params = segments;
  params.set("track", "end");
  learner_ = problem.learner<ContextLearner>("leader", params);
}

double LeaderPerSegment::round(const LearnerGroup& group) {
  const Round& seen = learner_->observe(group.context(), group.outcome());
  return seen.nodes()[seen.finest].loss;
}

PruningInHindsight::PruningInHindsight(ContextLearner& tree, double penalty) : tree_(tree) {
  for (const SegmentTree::Id leaf : tree.hindsight(penalty).leaves)
    actions_.emplace(leaf, tree.game().parse_action(tree.best_action(leaf), "action"));
}

double PruningInHindsight::round(const LearnerGroup& group) {
  tree_.tree().find(group.context(), path_);
  // Of several orders of columns the leaves are segments of one.
  if (const auto root = actions_.find(SegmentTree::kRoot); root != actions_.end())
    return tree_.game().loss(root->second, group.outcome());
  for (const SegmentTree::Path::Branch& branch : path_.branches) {
    for (const SegmentTree::Id id : branch.segments) {
      if (const auto leaf = actions_.find(id); leaf != actions_.end())
        return tree_.game().loss(leaf->second, group.outcome());
    }
  }
  throw Error(Code::kTruncated, "found a context that is not among those of the first pass, expected the same rounds",
              "-d");
}

}  // namespace hannan::detail
