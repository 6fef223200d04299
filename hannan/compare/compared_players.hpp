// The learners of a comparison and the rivals that are no learners, given the same outcomes in step.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hannan/compare/as_logged.hpp"
#include "hannan/compare/portfolio_notes.hpp"
#include "hannan/compare/segment_players.hpp"
#include "hannan/compare/unsure.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/game/rivals.hpp"
#include "hannan/play/learner_group.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {

// All bids of the round that was just played, by bidder.
using SlotBids = std::function<std::span<const std::vector<double>>()>;

// The learners, and the rivals that are no learners, given the same outcomes.
class ComparedPlayers {
 public:
  explicit ComparedPlayers(const AnyProblem& problem) : game_(problem.game()) {}

  LearnerGroup learners;
  std::unique_ptr<RivalGroup> rivals;  // of the problem's own; null: none
  struct Fixed {
    AnyAction action;
    Sum total;
    double last;  // loss of the last round
    double rehearsed = 0;
  };
  std::vector<Fixed> fixed;  // actions that never change, for any problem
  struct BySegment {
    std::unique_ptr<SegmentPlayer> player;
    Sum total;
    double last;  // loss of the last round
    double rehearsed = 0;
  };
  std::vector<BySegment> by_segment;
  struct Logged {
    LossAsLogged of;
    Sum total;
    double last;  // loss of the last round
    double rehearsed = 0;
    // A source that says it is asked alone: it is known once a round.
    double loss(const AnyOutcome& y, const Source& source) const {
      const auto told = source.today_loss();
      return told ? *told : of(y);
    }
  };
  std::optional<Logged> logged;
  // What the log leaves open, and the losses of the first learners where it is decided most kindly.
  MostOutcome most;
  std::size_t judged = 0;
  std::vector<double> least_losses;
  std::unique_ptr<PlainLearner> most_leader;  // given those outcomes alone: it knows the best fixed action of them
  // With a rehearsal: the best fixed action of the played rounds alone, and rivals that know no others.
  std::unique_ptr<PlainLearner> played_leader;
  std::unique_ptr<RivalGroup> played_rivals;
  std::vector<double> rivals_rehearsed;     // what each rival lost in the rehearsal; empty: there was none
  std::optional<PortfolioNotes> portfolio;  // of the first learner that is one
  SlotBids slot_bids;                       // empty: outcomes have all bids
  std::vector<std::vector<Sum>> depths;     // of each learner with segments, which are the first: the weights so far

  void add_fixed(AnyAction action) { fixed.push_back({std::move(action), {}, 0}); }
  void add_fixed(const Json& action) { add_fixed(game_.parse_action(action, "action")); }
  Json action(const Fixed& player) const { return game_.action_json(player.action); }
  std::uint64_t rounds() const { return learners.rounds() - rehearsed_; }  // played
  std::size_t players() const {
    return learners.size() + by_segment.size() + (logged ? 1 : 0) + (rivals ? rivals->names().size() : 0) +
           fixed.size();
  }

  // Order: decisions, then the outcome, then everyone is charged with it. Rivals observe after they are charged, so
  // that none sees the outcome of its own round.
  bool play_round(Source& source) {
    std::vector<AnyAction> actions;  // of the round to come, where they are needed
    for (std::size_t i = 0; most && i < judged; ++i) {
      actions.push_back(learners.turn(i).visit(
          [](PlainLearner& learner) { return *learner.act().action; },
          [](SleepingLearner& learner) { return *learner.act().action; },
          [](PortfolioLearner&) -> AnyAction { throw Error(Code::kInternal, "it is judged by all of its strategies"); },
          [](PartLearner& learner) { return *learner.act().action; },
          [](ContextLearner&) -> AnyAction { throw Error(Code::kInternal, "it has no one action for all contexts"); }));
    }
    if (!learners.play_round(source)) return false;
    const AnyOutcome& y = learners.outcome();
    if (played_leader) played_leader->observe(y);
    if (portfolio) portfolio->round(learners.round(portfolio->player()));
    least_losses.clear();
    if (most) {
      const AnyOutcome kindest = most(y);
      for (const AnyAction& action : actions) least_losses.push_back(game_.loss(action, kindest));
      most_leader->act();
      most_leader->observe(kindest);
    }
    for (BySegment& one : by_segment) {
      one.last = one.player->round(learners);
      one.total.add(one.last);
    }
    if (logged) {
      logged->last = logged->loss(y, source);
      logged->total.add(logged->last);
    }
    for (std::size_t i = 0; i < depths.size(); ++i) {
      const Round& round = learners.round(i);
      for (const Round& node : round.nodes()) depths[i][round.of->tree->at(*node.segment).depth].add(node.weight);
    }
    const auto all_bids = slot_bids ? slot_bids() : std::span<const std::vector<double>>();
    if (rivals) rivals->play_round(y, all_bids);
    if (played_rivals) played_rivals->play_round(y, all_bids);
    for (Fixed& one : fixed) {
      one.last = game_.loss(one.action, y);
      one.total.add(one.last);
    }
    return true;
  }

  // The same without charges, before the first round that is played: everyone decides and is told.
  bool rehearse_round(Source& source) {
    if (!learners.play_round(source)) return false;
    ++rehearsed_;
    const AnyOutcome& y = learners.outcome();
    for (std::size_t i = 0; i < learners.size(); ++i) learners[i].count_as_rehearsed();
    for (BySegment& one : by_segment) one.rehearsed += one.player->round(learners);
    if (logged) logged->rehearsed += logged->loss(y, source);
    if (rivals) rivals->play_round(y, slot_bids ? slot_bids() : std::span<const std::vector<double>>());
    for (Fixed& one : fixed) one.rehearsed += game_.loss(one.action, y);
    rivals_rehearsed.clear();
    for (std::size_t i = 0; rivals && i < rivals->names().size(); ++i) rivals_rehearsed.push_back(rivals->total(i));
    return true;
  }
  double rival_rehearsed(std::size_t i) const { return rivals_rehearsed.empty() ? 0 : rivals_rehearsed[i]; }
  // What learner i is held against in the last round: its own decision for all, else what was logged, else the first
  // rival where that is what is done today, else the first fixed action.
  std::optional<double> baseline_loss(std::size_t i) const {
    if (i < depths.size()) return learners.round(i).nodes().front().loss;
    if (logged) return logged->last;
    if (rivals && rivals->place() == RivalGroup::Place::kToday) return rivals->last_loss(0);
    if (!fixed.empty()) return fixed.front().last;
    return std::nullopt;
  }

 private:
  const Game& game_;
  std::uint64_t rehearsed_ = 0;  // rounds
};

}  // namespace hannan::detail
