#include "hannan/compare/comparison.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "hannan/compare/arena.hpp"
#include "hannan/compare/holdout.hpp"
#include "hannan/compare/round_scale.hpp"
#include "hannan/core/error.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

namespace hannan::detail {
namespace {

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
  explicit Contest(const ComparisonPlan& plan)
      : plan_(plan), typed_(reserves_of(*plan.problem)), scale_of_(round_scale(*plan.problem)) {}

  Comparison play() {
    Arena arena(*plan_.problem);
    invite_learners(arena);
    if (plan_.most && !segments()) {
      arena.most = plan_.most;
      arena.judged = plan_.learners.size();
    }
    if (segments()) invite_by_segment(arena);
    if (plan_.as_logged) invite_log(arena);
    if (typed_ && plan_.rivals == Rivals::kAll) invite_rivals(arena);
    // Neither is what is done today: without a log or a fixed action the best in hindsight stays the baseline.
    if (plan_.problem->kind() == Codec<Classification>::kKind && plan_.rivals == Rivals::kAll) invite_labels(arena);
    if (!arena.reserves && !arena.logged && !segments()) result_.baseline = result_.players.size();
    for (const auto& [name, action] : plan_.fixed) {
      arena.join_fixed(action);
      seat(name, "the same action in every round", ComparedPlayer::Role::kRival);
    }
    run(arena, plan_.rounds == 0 ? ~std::uint64_t{0} : plan_.rounds);
    result_.rounds = arena.rounds();
    if (result_.rounds == 0) return result_;
    for (std::size_t i = 0; i < arena.learners.size(); ++i) result_.players[i].report = arena.learners[i].report();
    look_back(arena);
    if (plan_.holdout > 0) result_.held_out = hold_out(plan_, result_.rounds, base_losses_);
    return std::move(result_);
  }

 private:
  void seat(std::string name, std::string about, ComparedPlayer::Role role) {
    result_.players.push_back(
        {.name = std::move(name), .about = std::move(about), .role = role, .path = {}, .report = {}, .against = {}});
  }

  void invite_learners(Arena& arena) {
    auto learners = plan_.learners;
    const auto actions = plan_.problem->describe().at("actions");
    const auto is_hedge = [](const SimulatedLearner& learner) { return learner.kind == "hedge"; };
    const bool unit = plan_.problem->game().loss_range() == LossRange::kUnitInterval;  // hedge needs it
    if (plan_.rivals == Rivals::kAll && unit && actions.is_number() &&
        actions.as_number() <= static_cast<double>(plan_.hedge_most) &&
        std::none_of(learners.begin(), learners.end(), is_hedge)) {
      learners.push_back({.label = "hedge", .kind = "hedge", .params = Json::object()});
    }
    for (std::size_t i = 0; i < learners.size(); ++i) {
      auto& [label, kind, params] = learners[i];
      if (!params.find("seed")) params.set("seed", plan_.seed);
      if (!params.find("track")) params.set("track", plan_.track);
      const bool tree = segments() && i < plan_.learners.size();
      for (const char* name : {"by", "open", "most"}) {
        if (tree) params.set(name, plan_.segments.at(name));
      }
      arena.learners.join(plan_.problem->learner(kind, params, RoundOrder::kWithContexts));
      if (tree) {
        const auto& orders = arena.learners[i].by_context()->tree().limits().depths;
        arena.depths.emplace_back(*std::max_element(orders.begin(), orders.end()) + 1);
      }
      seat(label, "learner " + kind + (tree ? ", a decision for every segment" : ""), ComparedPlayer::Role::kLearner);
    }
  }

  bool segments() const { return !plan_.segments.is_null(); }

  // The first decision for all is the baseline; a learner is held against its own.
  void invite_by_segment(Arena& arena) {
    const auto join = [&](std::unique_ptr<SegmentPlayer> player, std::string name, std::string about) {
      arena.by_segment.push_back({std::move(player), {}, 0});
      seat(std::move(name), std::move(about), ComparedPlayer::Role::kRival);
    };
    result_.baseline = result_.players.size();
    const bool several = plan_.learners.size() > 1;
    for (std::size_t i = 0; i < plan_.learners.size(); ++i) {
      const std::string of = several ? ", " + plan_.learners[i].label : "";
      const std::size_t all = result_.players.size();
      join(std::make_unique<NodePlayer>(i, NodePlayer::Node::kRoot), "one for all" + of, "one decision for all rounds");
      join(std::make_unique<NodePlayer>(i, NodePlayer::Node::kFinest), "finest alone" + of,
           "the learner of the finest segment that is open, no other level");
      for (const std::size_t player : {i, all, all + 1}) result_.players[player].against = all;
    }
    if (plan_.rivals == Rivals::kNone) return;
    join(std::make_unique<LeaderPerSegment>(*plan_.problem, plan_.segments), "leader per segment",
         "the best past action of the finest segment that is open");
    if (!typed_) return;
    join(
        std::make_unique<MonopolyPerSegment>(typed_, static_cast<std::uint64_t>(plan_.segments.at("most").as_number())),
        "monopoly per segment", "per finest segment and bidder the empirical monopoly price of its past bids");
  }

  void invite_log(Arena& arena) {
    arena.logged.emplace(Arena::Logged{plan_.as_logged, {}, 0});
    if (!segments()) result_.baseline = result_.players.size();
    seat(std::string(kAsLogged), "what was done, as the log has it", ComparedPlayer::Role::kRival);
  }

  void invite_rivals(Arena& arena) {
    arena.reserves.emplace(typed_);
    if (!segments() && !arena.logged) result_.baseline = result_.players.size();
    const auto& money = typed_->money();
    arena.reserves->join(std::make_unique<FixedReserves>(VcgReserves::Action(typed_->coordinates(), typed_->lowest())));
    if (money && money->reverse()) {
      seat("no ceiling", "the ceilings that come first in the lists", ComparedPlayer::Role::kRival);
    } else {
      seat("no reserve", money ? "all reserves at 0" : "all reserves at level 1, the lowest there is: 1/m of the cap",
           ComparedPlayer::Role::kRival);
    }
    if (UniformLeader::suits(*typed_)) {
      uniform_ = arena.reserves->size();
      arena.reserves->join(std::make_unique<UniformLeader>(*typed_));
      seat("uniform, learned", "one reserve for all, the best of the past (follow the leader)",
           ComparedPlayer::Role::kRival);
    }
    arena.reserves->join(std::make_unique<MonopolyReserves>(*typed_));
    seat("monopoly price", "per bidder the empirical monopoly price of its past bids", ComparedPlayer::Role::kRival);
  }

  void invite_labels(Arena& arena) {
    arena.labels.emplace(*plan_.problem);
    for (std::size_t i = 0; i < arena.labels->size(); ++i) {
      if (!segments()) result_.over_best.push_back({.player = result_.players.size(), .gains = {}});
      seat(arena.labels->rival(i).name, arena.labels->rival(i).about, ComparedPlayer::Role::kRival);
    }
  }

  // The first pass notes what the rivals lost, the second what the best fixed classifier lost more.
  void note_over_best(const Arena& arena) {
    for (std::size_t i = 0; i < result_.over_best.size(); ++i) {
      std::vector<double>& gains = result_.over_best[i].gains;
      if (arena.labels) {
        gains.push_back(-arena.labels->last_loss(i));
      } else if (arena.rounds() <= gains.size()) {
        gains[arena.rounds() - 1] += arena.fixed.back().last;
      }
    }
  }

  void run(Arena& arena, std::uint64_t most) {
    const auto source = plan_.open();
    Points points;
    const std::size_t first = result_.players.size() - arena.players();
    const bool leads = first == 0;  // the first pass says where the points are
    std::uint64_t noted = 0;
    while (arena.rounds() < most && !(plan_.stop && plan_.stop()) && arena.play_round(*source)) {
      if (leads) note_gains(arena);
      note_over_best(arena);
      if (leads && plan_.progress && std::has_single_bit(arena.rounds())) plan_.progress(arena.rounds());
      if (!points.due(arena.rounds())) continue;
      note(arena, first, leads);
      noted = arena.rounds();
      if (!points.crowded(result_.players[first].path.size())) continue;
      for (std::size_t i = first; i < result_.players.size(); ++i) thin(result_.players[i].path);
      if (leads) thin(result_.at);
      if (leads) thin(result_.best);
      if (leads) thin(result_.times);
    }
    if (arena.rounds() > noted) note(arena, first, leads);
    if (leads) result_.width = points.width();
    if (leads) result_.context_not_numbers = source->context_not_numbers();
  }

  bool is_uncontested(const VcgReserves::Outcome& outcome) const {
    const auto& money = typed_->money();
    std::size_t bids = 0;
    if (money) {
      const ReserveBids round = money->round_of(outcome);
      bids = round.others.size();
      for (const auto& own : round.bids) bids += own.size();
    } else {
      for (const double bid : outcome) bids += bid > 0 ? 1 : 0;
    }
    return bids > 0 && bids <= static_cast<std::size_t>(typed_->units());
  }

  void note_gains(Arena& arena) {
    if (!arena.baseline_loss(0)) return;
    result_.gains.resize(plan_.learners.size());
    for (std::size_t i = 0; i < plan_.learners.size(); ++i)
      result_.gains[i].push_back(*arena.baseline_loss(i) - arena.learners.view(i).loss);
    if (scale_of_) {
      result_.scales.of.push_back(scale_of_(arena.learners.outcome()));
      result_.scales.base.push_back(*arena.baseline_loss(0));
    }
    if (typed_ && is_uncontested(arena.learners.outcome().get<VcgReserves::Outcome>())) {
      ++result_.uncontested.rounds;
      result_.uncontested.gains.resize(plan_.learners.size(), 0);
      for (std::size_t i = 0; i < plan_.learners.size(); ++i) result_.uncontested.gains[i] += result_.gains[i].back();
    }
    if (plan_.holdout > 0) base_losses_.push_back(*arena.baseline_loss(0));
    if (!arena.most) return;
    result_.most_gains.resize(plan_.learners.size());
    for (std::size_t i = 0; i < plan_.learners.size(); ++i)
      result_.most_gains[i].push_back(*arena.baseline_loss(i) - arena.least_losses[i]);
  }

  void note(Arena& arena, std::size_t at, bool leads) {
    std::optional<double> best;
    for (std::size_t i = 0; i < arena.learners.size(); ++i, ++at) {
      AnyLearner& learner = arena.learners[i];
      const ObserveView& seen = arena.learners.view(i);
      if (!best) best = seen.best;
      if (i < arena.depths.size()) {  // there is no one action: it depends on the context
        ComparedPoint point{.loss = seen.total, .action = {}, .calls = seen.oracle_calls, .depths = {}};
        for (const Sum& depth : arena.depths[i]) point.depths.push_back(depth.value());
        result_.players[at].path.push_back(std::move(point));
        continue;
      }
      const ActView act = learner.act();
      result_.players[at].path.push_back({.loss = seen.total,
                                          .action = learner.action(),
                                          .bound = seen.best ? learner.bound() : std::nullopt,
                                          .rate = learner.adapts_multiplier() ? act.multiplier : act.eta,
                                          .regime = std::string(act.regime),
                                          .calls = seen.oracle_calls,
                                          .depths = {}});
    }
    for (const auto& player : arena.by_segment)
      result_.players[at++].path.push_back({.loss = player.total.value(), .action = {}});
    if (arena.logged) result_.players[at++].path.push_back({.loss = arena.logged->total.value(), .action = {}});
    for (std::size_t i = 0; arena.reserves && i < arena.reserves->size(); ++i, ++at) {
      result_.players[at].path.push_back({.loss = arena.reserves->total(i), .action = Json(arena.reserves->action(i))});
    }
    for (std::size_t i = 0; arena.labels && i < arena.labels->size(); ++i)
      result_.players[at++].path.push_back({.loss = arena.labels->total(i), .action = {}});
    for (const auto& player : arena.fixed)
      result_.players[at++].path.push_back({.loss = player.total.value(), .action = arena.action(player)});
    if (!leads) return;
    result_.at.push_back(arena.rounds());
    result_.best.push_back(best);
    if (plan_.time) result_.times.push_back(plan_.time());
  }

  void look_back_by_segment(Arena& arena, ContextLearner& tree) {
    const auto join = [&](std::unique_ptr<PruningInHindsight> player, const char* name, const std::string& what) {
      arena.by_segment.push_back({std::move(player), {}, 0});
      seat(name, what + "; in hindsight: overfits small segments", ComparedPlayer::Role::kHindsight);
    };
    // Without a penalty nothing is coarser than the finest segments, but for ties.
    join(std::make_unique<PruningInHindsight>(tree, 0), "best per segment",
         "the best action of each of the finest segments");
    auto pruning = std::make_unique<PruningInHindsight>(tree, 1);
    const std::string leaves = std::to_string(pruning->leaves());
    join(std::move(pruning), "best pruning",
         "the best action of each of " + leaves + " segments, the best pruning where each costs a loss of 1");
  }

  // The second pass: what is known only at the end.
  void look_back(Arena& played) {
    Arena arena(*plan_.problem);
    if (segments()) look_back_by_segment(arena, *played.learners[0].by_context());
    result_.best_fixed = result_.players.size();
    const Json best = result_.players[0].report.at("best_action");
    if (typed_) {
      arena.reserves.emplace(typed_);
      arena.reserves->join(
          std::make_unique<FixedReserves>(Codec<VcgReserves>::parse_action(*typed_, best, "best_action")));
    } else {
      arena.join_fixed(best);
    }
    seat("best fixed", "the best fixed action in hindsight", ComparedPlayer::Role::kHindsight);
    if (played.reserves && uniform_) {
      arena.reserves->join(
          std::make_unique<FixedReserves>(played.reserves->action(*uniform_)));  // the leader after the last round
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
  RoundScale scale_of_;                 // empty: gains are judged in money
  std::vector<double> base_losses_;     // of every round, where some are held out
  std::optional<std::size_t> uniform_;  // which rival is the best uniform reserve so far
  Comparison result_;
};

}  // namespace

Comparison compare(const ComparisonPlan& plan) { return Contest(plan).play(); }

}  // namespace hannan::detail
