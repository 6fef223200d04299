#include "hannan/compare/comparison.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/play/learner_group.hpp"
#include "hannan/problems/vcg_reserves/reserve_rivals.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

namespace hannan::detail {
namespace {

// The rivals of one auction, its bids ranked once for all of them.
class ReservePanel {
 public:
  explicit ReservePanel(std::shared_ptr<const VcgReserves> problem) : problem_(std::move(problem)) {}

  void join(std::unique_ptr<ReserveRival> rival) { seats_.push_back({std::move(rival), {}, 0}); }
  void observe(const std::vector<double>& bids) {
    const auto ranked = problem_->prepare(bids);
    for (auto& [rival, total, last] : seats_) {
      last = problem_->loss_prepared(rival->act(), ranked);
      total.add(last);
      rival->observe(ranked);
    }
  }
  double last_loss(std::size_t i) const { return seats_[i].last; }
  std::size_t size() const { return seats_.size(); }
  double total(std::size_t i) const { return seats_[i].total.value(); }
  const VcgReserves::Action& action(std::size_t i) const { return seats_[i].rival->act(); }

 private:
  struct Seat {
    std::unique_ptr<ReserveRival> rival;
    Sum total;
    double last;  // loss of the last round
  };
  std::shared_ptr<const VcgReserves> problem_;
  std::vector<Seat> seats_;
};

std::shared_ptr<const VcgReserves> reserves_of(const AnyProblem& problem) {
  if (problem.kind() != Codec<VcgReserves>::kKind) return nullptr;
  const Json params = problem.params();
  Fields fields(params, "params");
  return Codec<VcgReserves>::parse(fields);
}

// The learners, and the rivals that are no learners, given the same outcomes.
class Arena {
 public:
  explicit Arena(const AnyProblem& problem) : game_(problem.game()) {}

  LearnerGroup learners;
  std::optional<ReservePanel> reserves;
  struct Fixed {
    AnyAction action;
    Sum total;
    double last;  // loss of the last round
  };
  std::vector<Fixed> fixed;  // actions that never change, for any problem

  void join_fixed(const Json& action) { fixed.push_back({game_.parse_action(action, "action"), {}, 0}); }
  Json action(const Fixed& player) const { return game_.action_json(player.action); }
  std::uint64_t rounds() const { return learners.rounds(); }

  bool play_round(Source& source) {
    if (!learners.play_round(source)) return false;
    const AnyOutcome& y = learners.outcome();
    if (reserves) reserves->observe(y.get<VcgReserves::Outcome>());
    for (auto& [action, total, last] : fixed) {
      last = game_.loss(action, y);
      total.add(last);
    }
    return true;
  }
  // Of the baseline in the last round: the first rival among the reserves, else the first fixed action.
  std::optional<double> baseline_loss() const {
    if (reserves) return reserves->last_loss(0);
    if (!fixed.empty()) return fixed.front().last;
    return std::nullopt;
  }

 private:
  const Game& game_;
};

// Which rounds become points; all paths are thinned alike.
class Points {
 public:
  bool due(std::uint64_t round) const { return round % width_ == 0; }
  // After a point was noted: whether every other one is to go, the ones at odd multiples of the width.
  bool crowded(std::size_t points) {
    if (points < Comparison::kMostPoints) return false;
    width_ *= 2;
    return true;
  }
  std::uint64_t width() const { return width_; }

 private:
  std::uint64_t width_ = 1;
};

template <class T>
void thin(std::vector<T>& path) {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < path.size(); i += 2) path[kept++] = std::move(path[i]);
  path.resize(kept);
}

class Contest {
 public:
  explicit Contest(const ComparisonPlan& plan) : plan_(plan), typed_(reserves_of(*plan.problem)) {}

  Comparison play() {
    Arena arena(*plan_.problem);
    invite_learners(arena);
    if (typed_ && plan_.rivals == Rivals::kAll) invite_rivals(arena);
    if (!arena.reserves) result_.baseline = result_.players.size();
    for (const auto& [name, action] : plan_.fixed) {
      arena.join_fixed(action);
      seat(name, "the same action in every round", ComparedPlayer::Role::kRival);
    }
    run(arena, plan_.rounds == 0 ? ~std::uint64_t{0} : plan_.rounds);
    result_.rounds = arena.rounds();
    if (result_.rounds == 0) return result_;
    for (std::size_t i = 0; i < arena.learners.size(); ++i) result_.players[i].report = arena.learners[i].report();
    look_back(arena);
    return std::move(result_);
  }

 private:
  void seat(std::string name, std::string about, ComparedPlayer::Role role) {
    result_.players.push_back(
        {.name = std::move(name), .about = std::move(about), .role = role, .path = {}, .report = {}});
  }

  void invite_learners(Arena& arena) {
    auto learners = plan_.learners;
    const auto actions = plan_.problem->describe().at("actions");
    const auto is_hedge = [](const SimulatedLearner& learner) { return learner.kind == "hedge"; };
    if (plan_.rivals == Rivals::kAll && actions.is_number() &&
        actions.as_number() <= static_cast<double>(plan_.hedge_most) &&
        std::none_of(learners.begin(), learners.end(), is_hedge)) {
      learners.push_back({.label = "hedge", .kind = "hedge", .params = Json::object()});
    }
    for (auto& [label, kind, params] : learners) {
      if (!params.find("seed")) params.set("seed", plan_.seed);
      if (!params.find("track")) params.set("track", plan_.track);
      arena.learners.join(plan_.problem->learner(kind, params));
      seat(label, "learner " + kind, ComparedPlayer::Role::kLearner);
    }
  }

  void invite_rivals(Arena& arena) {
    arena.reserves.emplace(typed_);
    result_.baseline = result_.players.size();
    arena.reserves->join(std::make_unique<FixedReserves>(VcgReserves::Action(typed_->coordinates(), 1)));
    seat("no reserve", "all reserves at level 1, the lowest there is: 1/m of the cap", ComparedPlayer::Role::kRival);
    arena.reserves->join(std::make_unique<UniformLeader>(*typed_));
    seat("uniform, learned", "one reserve for all, the best of the past (follow the leader)",
         ComparedPlayer::Role::kRival);
    arena.reserves->join(std::make_unique<MonopolyReserves>(*typed_));
    seat("monopoly price", "per bidder the empirical monopoly price of its past bids", ComparedPlayer::Role::kRival);
  }

  void run(Arena& arena, std::uint64_t most) {
    const auto source = plan_.open();
    Points points;
    const std::size_t first = result_.players.size() - arena.learners.size() -
                              (arena.reserves ? arena.reserves->size() : 0) - arena.fixed.size();
    const bool leads = first == 0;  // the first pass says where the points are
    std::uint64_t noted = 0;
    while (arena.rounds() < most && !(plan_.stop && plan_.stop()) && arena.play_round(*source)) {
      if (leads) note_gains(arena);
      if (leads && plan_.progress && std::has_single_bit(arena.rounds())) plan_.progress(arena.rounds());
      if (!points.due(arena.rounds())) continue;
      note(arena, first, leads);
      noted = arena.rounds();
      if (!points.crowded(result_.players[first].path.size())) continue;
      for (std::size_t i = first; i < result_.players.size(); ++i) thin(result_.players[i].path);
      if (leads) thin(result_.at);
      if (leads) thin(result_.best);
    }
    if (arena.rounds() > noted) note(arena, first, leads);
    if (leads) result_.width = points.width();
  }

  void note_gains(Arena& arena) {
    const auto baseline = arena.baseline_loss();
    if (!baseline) return;
    result_.gains.resize(plan_.learners.size());
    for (std::size_t i = 0; i < plan_.learners.size(); ++i)
      result_.gains[i].push_back(*baseline - arena.learners.view(i).loss);
  }

  void note(Arena& arena, std::size_t at, bool leads) {
    std::optional<double> best;
    for (std::size_t i = 0; i < arena.learners.size(); ++i, ++at) {
      AnyLearner& learner = arena.learners[i];
      const ObserveView& seen = arena.learners.view(i);
      const ActView act = learner.act();
      if (!best) best = seen.best;
      result_.players[at].path.push_back({.loss = seen.total,
                                          .action = learner.action(),
                                          .bound = seen.best ? learner.bound() : std::nullopt,
                                          .rate = learner.adapts_multiplier() ? act.multiplier : act.eta,
                                          .regime = std::string(act.regime),
                                          .calls = seen.oracle_calls});
    }
    for (std::size_t i = 0; arena.reserves && i < arena.reserves->size(); ++i, ++at) {
      result_.players[at].path.push_back({.loss = arena.reserves->total(i), .action = Json(arena.reserves->action(i))});
    }
    for (const auto& player : arena.fixed)
      result_.players[at++].path.push_back({.loss = player.total.value(), .action = arena.action(player)});
    if (!leads) return;
    result_.at.push_back(arena.rounds());
    result_.best.push_back(best);
  }

  // The second pass: what is known only at the end.
  void look_back(const Arena& played) {
    Arena arena(*plan_.problem);
    const Json best = result_.players[0].report.at("best_action");
    if (typed_) {
      arena.reserves.emplace(typed_);
      arena.reserves->join(
          std::make_unique<FixedReserves>(Codec<VcgReserves>::parse_action(*typed_, best, "best_action")));
    } else {
      arena.join_fixed(best);
    }
    seat("best fixed", "the best fixed action in hindsight", ComparedPlayer::Role::kHindsight);
    if (played.reserves) {
      arena.reserves->join(
          std::make_unique<FixedReserves>(played.reserves->action(1)));  // the leader after the last round
      seat("uniform, best", "the best uniform reserve in hindsight", ComparedPlayer::Role::kHindsight);
    }
    run(arena, result_.rounds);
    if (arena.rounds() == result_.rounds) return;
    throw Error(Code::kTruncated,
                "found " + std::to_string(arena.rounds()) + " outcomes in the second pass, expected " +
                    std::to_string(result_.rounds) + " as in the first",
                "-d");
  }

  const ComparisonPlan& plan_;
  std::shared_ptr<const VcgReserves> typed_;
  Comparison result_;
};

}  // namespace

Comparison compare(const ComparisonPlan& plan) { return Contest(plan).play(); }

}  // namespace hannan::detail
