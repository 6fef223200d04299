// Players of a comparison by segment (docs/contexts.md): what a tree of segments is held against.
//
//   one for all       the learner of the root of a tree, which the tree plays anyway
//   finest alone      the learner of the finest open segment of each round: no weighing of levels. Of several orders of
//                     columns here and below that of the first
//   leader per segment     the best past action of the finest segment; its first rounds are those of the segment above
//   a rival per segment    one of the problem's own (game/rivals.hpp), such as the monopoly price of each bidder
//   a pruning in hindsight the best fixed action in each of its leaves
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hannan/game/rivals.hpp"
#include "hannan/play/learner_group.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {

class SegmentPlayer {
 public:
  virtual ~SegmentPlayer() = default;
  // Its loss in the round that the group has just played; then it learns the outcome.
  virtual double round(const LearnerGroup& group) = 0;
};

// A node of a learner of the group: the root, or the last one that is open.
class NodePlayer final : public SegmentPlayer {
 public:
  enum class Node { kRoot, kFinest };
  NodePlayer(std::size_t learner, Node node) : learner_(learner), node_(node) {}
  double round(const LearnerGroup& group) override {
    const Round& seen = group.round(learner_);
    return seen.nodes()[node_ == Node::kRoot ? 0 : seen.finest].loss;
  }

 private:
  std::size_t learner_;
  Node node_;
};

class LeaderPerSegment final : public SegmentPlayer {
 public:
  // `segments`: by, open and most, as for the learners.
  LeaderPerSegment(const AnyProblem& problem, const Json& segments);
  double round(const LearnerGroup& group) override;

 private:
  std::unique_ptr<ContextLearner> learner_;
};

// A rival of the problem's own that decides by the context.
class RivalPerSegment final : public SegmentPlayer {
 public:
  explicit RivalPerSegment(std::unique_ptr<ContextRival> rival) : rival_(std::move(rival)) {}
  double round(const LearnerGroup& group) override { return rival_->play_round(group.context(), group.outcome()); }

 private:
  std::unique_ptr<ContextRival> rival_;
};

// The pruning of least loss + penalty * leaves of a tree that was played.
class PruningInHindsight final : public SegmentPlayer {
 public:
  // Looks for the best action of every segment.
  PruningInHindsight(ContextLearner& tree, double penalty);
  double round(const LearnerGroup& group) override;
  std::size_t leaves() const { return actions_.size(); }

 private:
  const ContextLearner& tree_;
  std::unordered_map<SegmentTree::Id, AnyAction> actions_;  // of the leaves
  SegmentTree::Path path_;
};

}  // namespace hannan::detail
