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

  const Game& game() const override { return *game_; }
  const std::string& kind() const override { return kind_; }
  const Json& params() const override { return params_json_; }
  bool adapts_multiplier() const override { return params_.kind->adapts_multiplier; }
  bool switches() const override { return params_.kind->switches; }
  std::uint64_t rounds() const override { return tree_.rounds(); }
  ContextLearner* by_context() override { return this; }

  ActView act() override { refuse_without(); }
  Json action() override { refuse_without(); }
  ObserveView observe(const AnyOutcome&) override { refuse_without(); }
  using AnyLearner::observe;
  Json after() override { refuse_without(); }

  const std::vector<std::string>& by() const { return params_.segments.by; }  // a value of a context each
  const ColumnOrders& orders() const { return params_.segments.orders; }
  const SegmentTree& tree() const { return tree_; }

  // What would be played for this context. Its nodes are the open segments of the path, root first; with several orders
  // of columns those of each tree in turn. All spans and nodes are valid until the next act or observe.
  struct Asked {
    std::uint64_t round = 1;
    std::span<const double> weights;  // p_d, one per node
    std::size_t pick = 0;             // the node whose action is played
  };
  Asked act(Context context);
  ActView node(std::size_t d) { return learners_.act(path_.nodes[d]); }
  Json node_action(std::size_t d) { return learners_.action(path_.nodes[d]); }
  SegmentTree::Id node_segment(std::size_t d) const { return path_.nodes[d]; }

  // The nodes are those that were played.
  struct Observed {
    double loss = 0;      // g_0: of the mixture
    double realised = 0;  // of the action that was played
    double total = 0;     // of `loss`
    std::optional<double> best;
    std::optional<double> regret;
    std::uint64_t oracle_calls = 0;
    std::span<const SegmentLearners::Settled> nodes;
    std::span<const double> gaps;  // Delta after the round, per node
    std::size_t pick = 0;
    std::size_t finest = 0;  // the finest node of the first order of columns; 0: none of its segments is open
    std::span<const SegmentTree::Id> opened;  // segments of the path
  };
  Observed observe(Context context, const AnyOutcome& outcome);
  Json node_after(std::size_t d) { return learners_.after(path_.nodes[d]); }

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
  ReportFacts report_facts() override { return {}; }  // of a report of its own
  void archive(Archive& a) override;

 private:
  using Id = SegmentTree::Id;
  [[noreturn]] static void refuse_without();
  void open_learner(Id id);
  void settle_learners(const AnyOutcome& outcome);
  void open_segments(const AnyOutcome& outcome);
  std::vector<LeastLoss> least_losses();
  Json pruning_json(const Pruning& pruning, double penalty);
  Json certificate_json(const std::vector<LeastLoss>& least, double open_gap);
  void archive_watched(Archive& a);

  std::shared_ptr<const Game> game_;
  LearnerParams params_;
  std::string kind_;
  SegmentLearners learners_;
  Json params_json_;
  SegmentTree tree_;
  // Of closed segments, until they open; `open` 1 needs none.
  std::unordered_map<Id, std::vector<AnyOutcome>> watched_;
  CarriedSum total_, realised_;
  std::uint64_t oracle_calls_ = 0;
  // Buffers of a round.
  SegmentTree::Path path_;  // its nodes are those that were played
  SegmentTree::Counted counted_;
  std::vector<double> weights_, own_, gaps_;
  std::vector<SegmentLearners::Settled> settled_;
};

}  // namespace hannan::detail
