// The run of a comparison: one pass in which everyone plays, and a second one for what is known only at the end (the
// best fixed action, prunings in hindsight). Players are numbered in the order in which they are added, learners first;
// note() fills their paths in the same order, so add_* and note() must agree. Paths keep at most kMostPoints points.
#include "hannan/compare/comparison.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "hannan/compare/compared_players.hpp"
#include "hannan/compare/holdout.hpp"
#include "hannan/compare/path_points.hpp"
#include "hannan/core/error.hpp"
#include "hannan/game/money.hpp"
#include "hannan/runtime/best_known.hpp"

namespace hannan::detail {
namespace {

// Everything of one comparison; used once. The plan outlives it.
class ComparisonRun {
 public:
  explicit ComparisonRun(const ComparisonPlan& plan) : plan_(plan), money_(plan.problem->game().money()) {}

  Comparison play() {
    ComparedPlayers playing(*plan_.problem);
    add_learners(playing);
    if (plan_.most && !segments()) {
      playing.most = plan_.most;
      playing.judged = plan_.learners.size();
      // A leader on the kindest reading of what the log leaves open: its L* bounds what any fixed action could have
      // gained.
      playing.most_leader = plan_.problem->learner("leader", Json::object({{"seed", plan_.seed}, {"track", "end"}}));
    }
    const bool knows_best = !playing.portfolio || playing.learners.size() > 1;
    if ((plan_.rehearsed > 0 || !knows_best) && !playing.learners.turn(0).as<SleepingLearner>())
      playing.played_leader = plan_.problem->learner("leader", Json::object({{"seed", plan_.seed}, {"track", "end"}}));
    if (segments()) add_by_segment(playing);
    if (plan_.as_logged) add_log(playing);
    if (plan_.rivals == Rivals::kAll) add_rivals(playing);
    // The baseline is the first that exists of: what was logged, a rival that is done today, a fixed action.
    // Rivals without a class are not what is done today: without a log or a fixed action the best in hindsight stays
    // the baseline.
    const bool done_today = playing.rivals && playing.rivals->place() == RivalGroup::Place::kToday;
    if (!done_today && !playing.logged && !segments()) result_.baseline = result_.players.size();
    for (const auto& [name, action] : plan_.fixed) {
      playing.add_fixed(action);
      add_player(name, "the same action in every round", ComparedPlayer::Role::kRival);
    }
    run(playing, plan_.rounds == 0 ? ~std::uint64_t{0} : plan_.rounds);
    result_.rounds = playing.rounds();
    if (result_.rounds == 0) return result_;
    for (std::size_t i = 0; i < playing.learners.size(); ++i) result_.players[i].report = playing.learners[i].report();
    if (result_.rehearsed > 0) note_rehearsed(playing, 0);
    if (playing.portfolio) {
      auto& learner = *playing.learners.turn(playing.portfolio->player()).as<PortfolioLearner>();
      result_.portfolio = std::move(*playing.portfolio).end(learner);
    }
    look_back(playing);
    if (playing.most_leader && !result_.gains.empty()) {
      const double today = result_.players[result_.baseline].path.back().loss;
      const Json most = playing.most_leader->report();
      result_.most_fixed = today - best_known(most).value().found + best_known(most)->unproven();
    }
    if (plan_.holdout > 0) result_.held_out = hold_out(plan_, result_.rounds, base_losses_);
    return std::move(result_);
  }

 private:
  void add_player(std::string name, std::string about, ComparedPlayer::Role role) {
    result_.players.push_back(
        {.name = std::move(name), .about = std::move(about), .role = role, .path = {}, .report = {}, .against = {}});
  }

  // The learners of the plan first, so that player i is learner i; hedge is added as an exact reference where its
  // actions can be listed.
  void add_learners(ComparedPlayers& playing) {
    auto learners = plan_.learners;
    const std::optional<double> actions = plan_.problem->game().action_count();
    const auto is_hedge = [](const SimulatedLearner& learner) { return learner.kind == "hedge"; };
    const bool unit = plan_.problem->game().loss_range() == LossRange::kUnitInterval;  // hedge needs it
    if (plan_.rivals == Rivals::kAll && unit && actions && *actions <= static_cast<double>(plan_.hedge_most) &&
        std::none_of(learners.begin(), learners.end(), is_hedge)) {
      learners.push_back({.label = "hedge", .kind = "hedge", .params = Json::object()});
    }
    for (std::size_t i = 0; i < learners.size(); ++i) {
      auto& [label, kind, params] = learners[i];
      if (!params.find("seed")) params.set("seed", plan_.seed);
      if (kind == "portfolio") {
        params = portfolio_params(plan_, std::move(params));
      } else if (!params.find("track")) {
        params.set("track", plan_.track);
      }
      const bool tree = segments() && i < plan_.learners.size();
      for (const char* name : {"by", "open", "most"}) {
        if (tree) params.set(name, plan_.segments.at(name));
      }
      if (plan_.rehearsed > 0 && takes(kind, "warm")) params.set("warm", plan_.rehearsed);  // to be known beforehand
      playing.learners.join({plan_.problem->turn<PromptTurn>(kind, params), "params"});
      if (auto* portfolio = playing.learners.turn(i).as<PortfolioLearner>(); portfolio && !playing.portfolio)
        playing.portfolio.emplace(i, *portfolio);
      if (tree) {
        const auto& orders = playing.learners.turn(i).as<ContextLearner>()->tree().limits().depths;
        playing.depths.emplace_back(*std::max_element(orders.begin(), orders.end()) + 1);
      }
      add_player(label, "learner " + kind + (tree ? ", a decision for every segment" : ""),
                 ComparedPlayer::Role::kLearner);
    }
  }

  // Whether the plan asks for a decision for every segment of contexts.
  bool segments() const { return !plan_.segments.is_null(); }

  // The first decision for all is the baseline; a learner is held against its own.
  void add_by_segment(ComparedPlayers& playing) {
    const auto join = [&](std::unique_ptr<SegmentPlayer> player, std::string name, std::string about) {
      playing.by_segment.push_back({std::move(player), {}, 0});
      add_player(std::move(name), std::move(about), ComparedPlayer::Role::kRival);
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
    const auto rivals = plan_.problem->game().rivals();
    if (!rivals) return;
    auto own = rivals->by_context(static_cast<std::uint64_t>(plan_.segments.at("most").as_number()));
    if (own.rival) join(std::make_unique<RivalPerSegment>(std::move(own.rival)), own.name.name, own.name.about);
  }

  void add_log(ComparedPlayers& playing) {
    playing.logged.emplace(ComparedPlayers::Logged{plan_.as_logged, {}, 0});
    if (!segments()) result_.baseline = result_.players.size();
    add_player(std::string(kAsLogged), "what was done, as the log has it", ComparedPlayer::Role::kRival);
  }

  void add_rivals(ComparedPlayers& playing) {
    playing.rivals = plan_.problem->game().rivals();
    if (!playing.rivals) return;
    if (plan_.rehearsed > 0) playing.played_rivals = plan_.problem->game().rivals();
    const bool today = playing.rivals->place() == RivalGroup::Place::kToday;
    if (today) playing.slot_bids = plan_.slot_bids;
    if (today && !segments() && !playing.logged) result_.baseline = result_.players.size();
    if (!today) result_.action_class = playing.rivals->action_class();
    for (const RivalName& rival : playing.rivals->names()) {
      if (!today && !segments()) result_.over_best.push_back({.player = result_.players.size(), .gains = {}});
      add_player(rival.name, rival.about, ComparedPlayer::Role::kRival);
    }
  }

  // The first pass notes what rivals without a class lost, the second what the best fixed action lost more.
  void note_over_best(const ComparedPlayers& playing) {
    for (std::size_t i = 0; i < result_.over_best.size(); ++i) {
      std::vector<double>& gains = result_.over_best[i].gains;
      if (playing.rivals) {
        gains.push_back(-playing.rivals->last_loss(i));
      } else if (playing.rounds() <= gains.size()) {
        gains[playing.rounds() - 1] += playing.fixed.back().last;
      }
    }
  }

  // `first` is the place of the first player of this pass. The second pass has the same rounds and the same rule of
  // points, so that its paths have their points at the same rounds. The last round is noted even if it is not due.
  void run(ComparedPlayers& playing, std::uint64_t most) {
    // Opened anew for each pass: a comparison needs data that can be read twice. A portfolio that has no use for what
    // was logged is not told it.
    const auto* portfolio =
        playing.portfolio ? playing.learners.turn(playing.portfolio->player()).as<PortfolioLearner>() : nullptr;
    const auto source = plan_.open_with_today(portfolio && portfolio->takes_today() ? plan_.as_logged : LossAsLogged());
    PathPoints points;
    const std::size_t first = result_.players.size() - playing.players();
    const bool leads = first == 0;  // the first pass says where the points are
    std::uint64_t noted = 0;
    rehearse(playing, *source);
    while (playing.rounds() < most && !(plan_.stop && plan_.stop()) && playing.play_round(*source)) {
      if (leads) note_gains(playing);
      note_over_best(playing);
      if (leads && plan_.progress && std::has_single_bit(playing.rounds())) plan_.progress(playing.rounds());
      if (!points.due(playing.rounds())) continue;
      note(playing, first, leads);
      noted = playing.rounds();
      if (!points.full(result_.players[first].path.size())) continue;
      for (std::size_t i = first; i < result_.players.size(); ++i) thin(result_.players[i].path);
      if (leads) thin(result_.at);
      if (leads) thin(result_.best);
      if (leads) thin(result_.times);
    }
    if (playing.rounds() > noted) note(playing, first, leads);
    if (leads) result_.width = points.width();
    if (leads) result_.context_not_numbers = source->context_not_numbers();
  }

  // Before the first round that is played, in each pass.
  void rehearse(ComparedPlayers& playing, Source& source) {
    std::uint64_t t = 0;
    while (t < plan_.rehearsed && !(plan_.stop && plan_.stop()) && playing.rehearse_round(source)) ++t;
    result_.rehearsed = t;
  }

  // What players lost in the rehearsal, in their order; `at` is the place of the first of this pass.
  void note_rehearsed(const ComparedPlayers& playing, std::size_t at) {
    std::vector<ComparedPlayer>& all = result_.players;
    for (std::size_t i = 0; i < playing.learners.size(); ++i)
      all[at++].rehearsed = playing.learners.turn(i)->rehearsed().total;
    for (const auto& one : playing.by_segment) all[at++].rehearsed = one.rehearsed;
    if (playing.logged) all[at++].rehearsed = playing.logged->rehearsed;
    for (const double lost : playing.rivals_rehearsed) all[at++].rehearsed = lost;
    for (const auto& one : playing.fixed) all[at++].rehearsed = one.rehearsed;
  }

  // Per round and learner: the baseline's loss less the learner's, so that positive is better. Kept for all rounds, 8
  // bytes each: the judgement needs them in order.
  void note_gains(ComparedPlayers& playing) {
    if (!playing.baseline_loss(0)) return;
    result_.gains.resize(plan_.learners.size());
    for (std::size_t i = 0; i < plan_.learners.size(); ++i)
      result_.gains[i].push_back(*playing.baseline_loss(i) - judged_loss(playing, i));
    if (money_ && money_->shares) {
      result_.scales.of.push_back(money_->shares->of(playing.learners.outcome()));
      result_.scales.base.push_back(*playing.baseline_loss(0));
    }
    if (money_ && money_->uncontested && money_->uncontested(playing.learners.outcome())) {
      ++result_.uncontested.rounds;
      result_.uncontested.gains.resize(plan_.learners.size(), 0);
      for (std::size_t i = 0; i < plan_.learners.size(); ++i) result_.uncontested.gains[i] += result_.gains[i].back();
    }
    if (plan_.holdout > 0) base_losses_.push_back(*playing.baseline_loss(0));
    if (!playing.most) return;
    result_.most_gains.resize(plan_.learners.size());
    for (std::size_t i = 0; i < plan_.learners.size(); ++i)
      result_.most_gains[i].push_back(*playing.baseline_loss(i) - playing.least_losses[i]);
  }

  // A portfolio with a hard limit is judged by what was drawn: its play depends on it.
  static double judged_loss(const ComparedPlayers& playing, std::size_t i) {
    const Round& round = playing.learners.round(i);
    const Json* hard = playing.learners.turn(i)->params().find("hard");
    return hard && hard->is_number() ? round.realised.value_or(round.loss) : round.loss;
  }

  // After a round: its figures, and what is decided for the next one.
  static ComparedPoint next_point(AnyLearner& learner, const Round& next) {
    return {.loss = next.total - learner.rehearsed().total,
            .action = next.action_json(),
            .bound = next.best ? learner.bound() : std::nullopt,
            .rate = next.rate(),
            .regime = std::string(next.regime),
            .calls = next.oracle_calls,
            .depths = {}};
  }

  // In the order in which players were added: learners, by segment, as logged, rivals, fixed ones.
  void note(ComparedPlayers& playing, std::size_t at, bool leads) {
    std::optional<double> best;
    for (std::size_t i = 0; i < playing.learners.size(); ++i, ++at) {
      if (!best) best = playing.learners.round(i).best;
      const auto next = [](auto& learner) { return next_point(learner, learner.act()); };
      result_.players[at].path.push_back(playing.learners.turn(i).visit(
          [&](PlainLearner& learner) { return next(learner); }, [&](SleepingLearner& learner) { return next(learner); },
          [&](PartLearner& learner) { return next(learner); },
          [&](PortfolioLearner& learner) {  // what it plays next depends on what is proposed then
            ComparedPoint point{
                .loss = learner.round().total, .action = {}, .calls = learner.round().oracle_calls, .depths = {}};
            if (playing.portfolio && playing.portfolio->player() == i)
              point.portfolio = playing.portfolio->point(learner);
            return point;
          },
          [&](ContextLearner& learner) {  // there is no one action: it depends on the context
            ComparedPoint point{.loss = learner.round().total - learner.rehearsed().total,
                                .action = {},
                                .calls = learner.round().oracle_calls,
                                .depths = {}};
            for (const Sum& depth : playing.depths[i]) point.depths.push_back(depth.value());
            return point;
          }));
    }
    for (const auto& player : playing.by_segment)
      result_.players[at++].path.push_back({.loss = player.total.value(), .action = {}});
    if (playing.logged) result_.players[at++].path.push_back({.loss = playing.logged->total.value(), .action = {}});
    for (std::size_t i = 0; playing.rivals && i < playing.rivals->names().size(); ++i) {
      const auto action = playing.rivals->action(i);
      result_.players[at++].path.push_back({.loss = playing.rivals->total(i) - playing.rival_rehearsed(i),
                                            .action = action ? plan_.problem->game().action_json(*action) : Json()});
    }
    for (const auto& player : playing.fixed)
      result_.players[at++].path.push_back({.loss = player.total.value(), .action = playing.action(player)});
    if (!leads) return;
    result_.at.push_back(playing.rounds());
    result_.best.push_back(best);
    if (plan_.time) result_.times.push_back(plan_.time());
  }

  void look_back_by_segment(ComparedPlayers& playing, ContextLearner& tree) {
    const auto join = [&](std::unique_ptr<PruningInHindsight> player, const char* name, const std::string& what) {
      playing.by_segment.push_back({std::move(player), {}, 0});
      add_player(name, what + "; in hindsight: overfits small segments", ComparedPlayer::Role::kHindsight);
    };
    // Without a penalty nothing is coarser than the finest segments, but for ties.
    join(std::make_unique<PruningInHindsight>(tree, 0), "best per segment",
         "the best action of each of the finest segments");
    auto pruning = std::make_unique<PruningInHindsight>(tree, 1);
    const std::string leaves = std::to_string(pruning->leaves());
    join(std::move(pruning), "best pruning",
         "the best action of each of " + leaves + " segments, the best pruning where each costs a loss of 1");
  }

  // The best action that a learner knows, and how far it is proven: every learner's floor holds for all of them. With a
  // rehearsal learners know that of all rounds; that of the played ones has a leader of its own.
  Json best_found(const ComparedPlayers& played) {
    Json best = best_of_reports();
    if (!played.played_leader) return best;
    const auto of_all = best_of_all_;
    if (of_all && result_.rehearsed > 0) result_.best_of_all = {.found = of_all->found, .gap = of_all->unproven()};
    const Json report = played.played_leader->report();
    const auto known = best_known(report);
    result_.best_gap = known ? known->unproven() : 0;
    return report.at("best_action");
  }
  Json best_of_reports() {
    // A portfolio, and experts that sleep, know none.
    const Json* best = &result_.players[0].report;
    std::optional<BestKnown> least = best_known(*best);
    for (const ComparedPlayer& player : result_.players) {
      const auto known = player.report.is_null() ? std::nullopt : best_known(player.report);
      if (!known) continue;
      if (!least) {
        best = &player.report;
        least = known;
      }
      const double floor = std::max(least->floor, known->floor);
      if (known->found < least->found - std::max(known->unit, least->unit) * 1e-9) {
        best = &player.report;
        least = known;
      }
      least->floor = floor;
    }
    result_.best_gap = least ? least->unproven() : 0;
    best_of_all_ = least;
    return best->at("best_action");
  }

  // The second pass: what is known only at the end.
  void look_back(ComparedPlayers& played) {
    ComparedPlayers playing(*plan_.problem);
    if (segments()) look_back_by_segment(playing, *played.learners.turn(0).as<ContextLearner>());
    result_.best_fixed = result_.players.size();
    const Json best = best_found(played);
    playing.add_fixed(best);
    add_player("best fixed",
               result_.best_gap > 0 ? "the best fixed action in hindsight that was found; a better one is not ruled out"
                                    : "the best fixed action in hindsight",
               ComparedPlayer::Role::kHindsight);
    const auto& rivals = played.played_rivals ? played.played_rivals : played.rivals;
    if (const auto own = rivals ? rivals->in_hindsight() : std::nullopt) {
      playing.add_fixed(own->action);
      add_player(own->name.name, own->name.about, ComparedPlayer::Role::kHindsight);
    }
    const std::size_t first = result_.players.size() - playing.players();
    run(playing, result_.rounds);
    if (result_.rehearsed > 0) note_rehearsed(playing, first);
    if (playing.rounds() == result_.rounds) return;
    throw Error(Code::kTruncated,
                "found " + std::to_string(playing.rounds()) + " outcomes in the second pass, expected " +
                    std::to_string(result_.rounds) + " as in the first",
                "-d");
  }

  const ComparisonPlan& plan_;
  std::shared_ptr<const Money> money_;    // null: the problem says nothing of it
  std::vector<double> base_losses_;       // of every round, where some are held out
  std::optional<BestKnown> best_of_all_;  // that learners know
  Comparison result_;
};

}  // namespace

Comparison compare(const ComparisonPlan& plan) { return ComparisonRun(plan).play(); }

}  // namespace hannan::detail
