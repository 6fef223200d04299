// The learners of a comparison and the rivals that are no learners, given the same outcomes in step.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hannan/compare/as_logged.hpp"
#include "hannan/compare/segment_players.hpp"
#include "hannan/compare/unsure.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/play/learner_group.hpp"
#include "hannan/problems/classification/classification_codec.hpp"
#include "hannan/problems/classification/label_rivals.hpp"
#include "hannan/problems/vcg_reserves/reserve_rivals.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {

// All bids of the round that was just played, by bidder.
using SlotBids = std::function<std::span<const std::vector<double>>()>;

// The rivals of one auction, its bids ranked once for all of them.
class ReserveRivalGroup {
 public:
  explicit ReserveRivalGroup(std::shared_ptr<const VcgReserves> problem) : problem_(std::move(problem)) {}

  void join(std::unique_ptr<ReserveRival> rival) { members_.push_back({std::move(rival), {}, 0}); }
  // all_bids: of each bidder, for prices in money; empty: the outcome has all.
  void observe(const std::vector<double>& outcome, std::span<const std::vector<double>> all_bids) {
    const auto ranked = problem_->prepare(outcome);
    const auto alone = profiles_of(outcome, all_bids);
    for (auto& [rival, total, last] : members_) {
      last = problem_->loss_prepared(rival->act(), ranked);
      total.add(last);
      if (all_bids.empty() || !rival->counts_every_bid()) {
        rival->observe(ranked);
        continue;
      }
      for (const RankedBids& bid : alone) rival->observe(bid);
    }
  }
  double last_loss(std::size_t i) const { return members_[i].last; }
  std::size_t size() const { return members_.size(); }
  double total(std::size_t i) const { return members_[i].total.value(); }
  const VcgReserves::Action& action(std::size_t i) const { return members_[i].rival->act(); }

 private:
  struct Member {
    std::unique_ptr<ReserveRival> rival;
    Sum total;
    double last;  // loss of the last round
  };
  // Each bid as the only one of its round, with the opening bid or the price of not buying of the outcome.
  std::vector<RankedBids> profiles_of(const std::vector<double>& outcome,
                                      std::span<const std::vector<double>> all_bids) const {
    std::vector<RankedBids> profiles;
    if (all_bids.empty()) return profiles;
    ReserveBids lone = problem_->money()->round_of(outcome);
    lone.others.clear();
    for (auto& own : lone.bids) own.clear();
    for (std::size_t i = 0; i < all_bids.size(); ++i) {
      for (const double bid : all_bids[i]) {
        lone.bids[i].assign(1, bid);
        profiles.push_back(problem_->prepare(problem_->money()->outcome(lone)));
      }
      lone.bids[i].clear();
    }
    return profiles;
  }

  std::shared_ptr<const VcgReserves> problem_;
  std::vector<Member> members_;
};

// Null for other problems.
inline std::shared_ptr<const VcgReserves> reserves_of(const AnyProblem& problem) {
  if (problem.kind() != Codec<VcgReserves>::kKind) return nullptr;
  const Json params = problem.params();
  Fields fields(params, "params");
  return Codec<VcgReserves>::parse(fields);
}

// The rivals of a classifier, on the same labelled points.
class LabelRivalGroup {
 public:
  // Of a classification problem.
  explicit LabelRivalGroup(const AnyProblem& problem) {
    const Json params = problem.params();
    Fields fields(params, "params");
    if (fields.has("points")) points_ = parse_points(fields);
    for (auto& rival : label_rivals(points_)) members_.push_back({std::move(rival), {}, 0});
  }
  LabelRivalGroup(const LabelRivalGroup&) = delete;  // the rivals look at the points
  LabelRivalGroup& operator=(const LabelRivalGroup&) = delete;

  void play_round(const LabelledPoint& y) {
    for (auto& [named, total, last] : members_) {
      last = named.rival->decide(y.point) == y.label ? 0 : 1;
      total.add(last);
      named.rival->observe(y);
    }
  }
  std::size_t size() const { return members_.size(); }
  const NamedLabelRival& rival(std::size_t i) const { return members_[i].named; }
  double total(std::size_t i) const { return members_[i].total.value(); }
  double last_loss(std::size_t i) const { return members_[i].last; }

 private:
  struct Member {
    NamedLabelRival named;
    Sum total;
    double last;  // loss of the last round
  };
  PointTable points_;
  std::vector<Member> members_;
};

// The learners, and the rivals that are no learners, given the same outcomes.
class ComparedPlayers {
 public:
  explicit ComparedPlayers(const AnyProblem& problem) : game_(problem.game()) {}

  LearnerGroup learners;
  std::optional<ReserveRivalGroup> reserves;
  std::optional<LabelRivalGroup> labels;
  struct Fixed {
    AnyAction action;
    Sum total;
    double last;  // loss of the last round
  };
  std::vector<Fixed> fixed;  // actions that never change, for any problem
  struct BySegment {
    std::unique_ptr<SegmentPlayer> player;
    Sum total;
    double last;  // loss of the last round
  };
  std::vector<BySegment> by_segment;
  struct Logged {
    LossAsLogged loss;
    Sum total;
    double last;  // loss of the last round
  };
  std::optional<Logged> logged;
  std::optional<Logged> unreserved;  // no reserve or ceiling at all, where that is no action (no_reserve.hpp)
  // What the log leaves open, and the losses of the first learners where it is decided most kindly.
  MostOutcome most;
  std::size_t judged = 0;
  std::vector<double> least_losses;
  std::unique_ptr<PlainLearner> most_leader;  // given those outcomes alone: it knows the best fixed action of them
  SlotBids slot_bids;                         // empty: outcomes have all bids
  std::vector<std::vector<Sum>> depths;       // of each learner with segments, which are the first: the weights so far

  void add_fixed(const Json& action) { fixed.push_back({game_.parse_action(action, "action"), {}, 0}); }
  Json action(const Fixed& player) const { return game_.action_json(player.action); }
  std::uint64_t rounds() const { return learners.rounds(); }
  std::size_t players() const {
    return learners.size() + by_segment.size() + (logged ? 1 : 0) + (unreserved ? 1 : 0) +
           (reserves ? reserves->size() : 0) + (labels ? labels->size() : 0) + fixed.size();
  }

  // Order: decisions, then the outcome, then everyone is charged with it. Rivals observe after they are charged, so
  // that none sees the outcome of its own round.
  bool play_round(Source& source) {
    std::vector<AnyAction> actions;  // of the round to come, where they are needed
    for (std::size_t i = 0; most && i < judged; ++i) {
      actions.push_back(learners.turn(i).visit(
          [](PlainLearner& learner) { return *learner.act().action; },
          [](SleepingLearner& learner) { return *learner.act().action; },
          [](ContextLearner&) -> AnyAction { throw Error(Code::kInternal, "it has no one action for all contexts"); }));
    }
    if (!learners.play_round(source)) return false;
    const AnyOutcome& y = learners.outcome();
    least_losses.clear();
    if (most) {
      const AnyOutcome kindest = most(y);
      for (const AnyAction& action : actions) least_losses.push_back(game_.loss(action, kindest));
      most_leader->act();
      most_leader->observe(kindest);
    }
    for (auto& [player, total, last] : by_segment) {
      last = player->round(learners);
      total.add(last);
    }
    for (auto* without : {&logged, &unreserved}) {
      if (!*without) continue;
      (*without)->last = (*without)->loss(y);
      (*without)->total.add((*without)->last);
    }
    for (std::size_t i = 0; i < depths.size(); ++i) {
      const Round& round = learners.round(i);
      for (const Round& node : round.nodes()) depths[i][round.of->tree->at(*node.segment).depth].add(node.weight);
    }
    if (reserves)
      reserves->observe(y.get<VcgReserves::Outcome>(),
                        slot_bids ? slot_bids() : std::span<const std::vector<double>>());
    if (labels) labels->play_round(y.get<LabelledPoint>());
    for (auto& [action, total, last] : fixed) {
      last = game_.loss(action, y);
      total.add(last);
    }
    return true;
  }
  // What learner i is held against in the last round: its own decision for all, else what was logged, else the first
  // rival among the reserves, else the first fixed action.
  std::optional<double> baseline_loss(std::size_t i) const {
    if (i < depths.size()) return learners.round(i).nodes().front().loss;
    if (logged) return logged->last;
    if (unreserved) return unreserved->last;
    if (reserves) return reserves->last_loss(0);
    if (!fixed.empty()) return fixed.front().last;
    return std::nullopt;
  }

 private:
  const Game& game_;
};

}  // namespace hannan::detail
