// A learner per segment, mixed along the path of each context (contexts/segment_tree.hpp), behind the run-time
// interface.
//
// act changes nothing and may be asked for any context; observe plays the round for its context as the state is then.
// Cost: at most two oracle calls for each open segment on the path, whatever the number of segments.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "hannan/contexts/prunings.hpp"
#include "hannan/contexts/segment_tree.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/runtime/any_learner.hpp"
#include "hannan/runtime/segment_learners.hpp"

namespace hannan::detail {

class ContextLearner final : public AnyLearner {
 public:
  using Context = std::span<const std::string>;

  ContextLearner(std::shared_ptr<const Game> game, LearnerParams params);

  // For callers that play other kinds of turn.
  [[noreturn]] static void refuse(std::string_view path);

  std::uint64_t rounds() const override { return tree_.rounds(); }
  bool can_fail() const override { return !learners_.claims().empty(); }

  const std::vector<std::string>& by() const { return asked_.segments.by; }  // a value of a context each
  const ColumnOrders& orders() const { return asked_.segments.orders; }
  const SegmentTree& tree() const { return tree_; }

  // What would be played for this context.
  const Round& act(Context context);
  const Round& observe(Context context, const AnyOutcome& outcome);

  // Bytes of all segments, estimated; and at most, after one round of each of these contexts. What a history takes more
  // as it grows is not in it.
  double segment_bytes() const;
  double segment_bytes_after(std::span<const Context> contexts) const;

  double realised() const { return realised_.value(); }  // in all
  // {segment, rounds, open} and of an open one own, best, hedge_gap, waited, weight, action. Costs a search.
  Json segment_json(SegmentTree::Id id);
  struct Listing {
    Json list = Json::array();
    bool complete = true;
  };
  // At or below a segment, or in a tree, in order of their paths; none where it is not known.
  Listing segments(Context under, std::uint64_t limit);
  // The exported map: {segment, action} of each visited segment, all of them of one order of columns.
  Json map();
  // The pruning of least loss in hindsight with a penalty for each leaf, and the best action of a leaf. Both search.
  Pruning hindsight(double penalty) { return best_pruning(tree_, least_losses(), penalty); }
  Json best_action(SegmentTree::Id leaf);
  std::size_t map_order() const { return tree_.preferred_tree(); }

  RunFacts facts() override;
  std::optional<StatedBound> bound() override { return std::nullopt; }  // those of a tree are on the total: see report
  Json report() override;

 protected:
  void archive(Archive& a) override;

 private:
  using Id = SegmentTree::Id;
  void open_learner(Id id);
  void settle_learners(const AnyOutcome& outcome);
  void open_segments(const AnyOutcome& outcome);
  std::vector<LeastLoss> least_losses();
  Json pruning_json(const Pruning& pruning, double penalty);
  Json certificate_json(const std::vector<LeastLoss>& least, double open_gap);
  void archive_watched(Archive& a);

  LearnerParams asked_;
  SegmentLearners learners_;
  SegmentTree tree_;
  // Of closed segments, until they open; `open` 1 needs none.
  std::unordered_map<Id, std::vector<AnyOutcome>> watched_;
  CarriedSum total_, realised_;
  std::uint64_t oracle_calls_ = 0;
  double bytes_of_one_ = 0;  // open segment, estimated
  // Buffers of a round.
  SegmentTree::Path path_;  // its nodes are those that were played
  SegmentTree::Counted counted_;
  std::vector<double> weights_, own_, gaps_;
  std::vector<Round> nodes_;
};

}  // namespace hannan::detail
