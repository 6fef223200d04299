// A learner of a given problem behind the run-time interface: the learner, its ledger and its certificate.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/credit.hpp"
#include "hannan/certify/run_account.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/ledger.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/runtime/action_row.hpp"
#include "hannan/runtime/any_learner.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

template <class P>
class LearnerOf final : public AnyLearner {
 public:
  LearnerOf(std::shared_ptr<const GameOf<P>> game, LearnerParams params)
      : game_(std::move(game)),
        problem_(game_->problem()),
        maker_(game_, std::move(params)),
        learner_(maker_.make()),
        kind_(maker_.params().kind->name),
        params_(learner_json(maker_.params())),
        ledger_(make_ledger()),
        account_(account_setting()),
        base_(path_constants(0), {.rule = bounds::Growth::Rule::kHalfStability}),
        slope_(path_constants(1), {.rule = bounds::Growth::Rule::kHalfStability}) {}

  const Game& game() const override { return *game_; }
  const std::string& kind() const override { return kind_; }
  const Json& params() const override { return params_; }
  bool adapts_multiplier() const override { return row().adapts_multiplier; }
  bool switches() const override { return row().switches; }

  std::uint64_t rounds() const override { return learner_->rounds(); }

  void share(const AnyLearner& other) override {
    const auto* same = dynamic_cast<const LearnerOf*>(&other);
    if (same && same->problem_ == problem_) learner_->share(*same->learner_);
  }
  ActView act() override {
    decide();
    ledger_.ready(*learner_);
    const auto& decision = learner_->act();
    return {.round = learner_->rounds() + 1,
            .eta = decision.eta,
            .multiplier = decision.multiplier,
            .regime = decision.regime,
            .weights = learner_->weights()};
  }
  Json action() override {
    decide();
    return Codec<P>::action_json(*problem_, learner_->act().action);
  }
  bool action_row(std::vector<std::int32_t>& into) override {
    decide();
    return write_action_row<P>(learner_->act().action, into);
  }
  using AnyLearner::observe;
  // What can be refused is refused in decide(), before anything changes.
  ObserveView observe(const AnyOutcome& outcome) override {
    const auto& y = outcome.get<typename P::Outcome>();
    decide();
    if (maker_.oracle()->claims().empty()) return settle(y);
    // An oracle of the user's own can fail after the outcome was added to the history: then the round is taken back.
    // The snapshot costs about what sending the outcomes costs, and is taken for such oracles alone.
    const Json before = snapshot();
    try {
      return settle(y);
    } catch (const Error&) {
      restore(before, "state");
      throw;
    }
  }
  Json after() override { return Codec<P>::action_json(*problem_, *after_); }
  bool certifies_run() const override { return row().certifies_run; }
  bool records_gap() const override {
    return row().certifies_run && row().proof != Proof::kLeader && !maker_.params().earlier;
  }

  RunFacts facts() override {
    if (!ledger_.best()) ledger_.look(*learner_);
    const LearnerParams& p = maker_.params();
    RunFacts run;
    run.proof = row().proof;
    p.own->state(run);
    run.ln_size = problem_->ln_size();
    if (const auto& matrix = maker_.matrix()) {
      run.columns = static_cast<double>(matrix->columns());
      run.unit_entries = matrix->unit_entries();
      run.noise = maker_.noise().facts();
      run.noise_size = noise_size();
      run.own_size = p.noise_size;
      run.claimed = matrix->gamma();
      if (row().certifies_run) {
        run.rho2_proven = noise_square();
        run.rho2 = p.rho2 ? p.rho2 : run.rho2_proven;
      }
    }
    run.gamma = p.gamma;
    run.c = p.c;
    run.noise_given = p.alpha.has_value();
    run.fresh = p.draw == Freshness::kFresh;
    run.rounds = learner_->rounds();
    run.oracle_calls = learner_->oracle_calls();
    run.search_nodes = learner_->search_nodes();
    run.total = ledger_.total();
    run.best = *ledger_.best();
    run.floor = ledger_.floor();
    if (game_->loss_range() == LossRange::kUnknown) {
      const auto& ranges = ledger_.ranges();
      run.ranges = {.largest = ranges.largest, .squares = ranges.squares, .least = ranges.least.value()};
    }
    run.discount = p.discount;
    if (const auto* discounted = ledger_.discounted()) {
      run.discounted_total = discounted->total;
      run.discounted_best = discounted->best;
      run.discounted_floor = discounted->floor;
    }
    run.gap = learner_->oracle_gap();
    run.leader_regret = ledger_.leader_regret();
    if (row().certifies_run && account_.sums().rounds == run.rounds) run.sums = account_.sums();
    run.rule = p.gap;
    run.pivot = p.pivot;
    run.gaps_measured = !measures_no_gaps();
    run.stability = stability_.value[0] + stability_.value[1];
    run.multiplier = account_.multiplier();
    run.delta = p.delta;
    if (run.sums) run.gap = std::max(run.gap, run.sums->left);
    if (follows_path() && ledger_.track() == Track::kEvery) {
      run.trajectory_base = base_.value();
      run.trajectory_slope = slope_.value() - base_.value();
    }
    run.off_leader = estimates_.leader;
    run.off_gftpl = estimates_.gftpl;
    run.mixability = stability_.value[0];
    return run;
  }

  std::optional<NoiseSize> known_noise_size() const override { return maker_.known_noise_size(); }
  void take_noise_size(const NoiseSize& size) override { maker_.take_noise_size(size); }

  // The mean over fresh draws of L* + z n(leader) - min (L + z n), z the multiplier of the last round.
  std::optional<double> credit() override {
    const LearnerParams& p = maker_.params();
    if (p.discount != 1) return std::nullopt;  // there is no theorem for it
    if (!row().certifies_run || !maker_.matrix() || !draws_credits() || learner_->rounds() == 0) return std::nullopt;
    if (learner_->rounds() > kMostCreditRounds) return std::nullopt;
    const bool quiet = account_.multiplier() == 0 || regime_left_;
    return quiet ? 0.0 : mean_credit({0, p.credit_draws}, account_.multiplier());
  }

 protected:
  ReportFacts report_facts() override {
    return {.best_action = Codec<P>::action_json(*problem_, ledger_.lead(*learner_).action),
            .certificate_calls = maker_.params().certified ? learner_->rounds() : 0,
            .claims = maker_.oracle()->claims(),
            .perturbs = maker_.matrix() != nullptr,
            .draw = maker_.params().draw};
  }
  void archive(Archive& a) override {
    learner_->archive(a);
    a.open("ledger");
    ledger_.archive(a, game_->loss_range());
    a.close();
    for (auto* bound : {&base_, &slope_}) {
      a.open(bound == &base_ ? "path" : "path_unit");
      bound->archive(a);
      a.close();
    }
    a.field("off_leader", estimates_.leader);
    a.field("off_gftpl", estimates_.gftpl);
    a.field("stability", stability_.value[0], kSavedNonnegative);
    if (a.reading()) best_before_ = ledger_.best().value_or(0.0);
    if (!row().certifies_run) return;
    a.later_field("stability_flop", stability_.value[1]);
    account_.archive(a, *problem_);
    a.later_count("noise_left", regime_left_, 1);
  }

 private:
  const LearnerKind& row() const { return *maker_.params().kind; }
  bool follows_path() const { return row().proof == Proof::kGftpl; }  // for its trajectory bound

  // An attempt that failed leaves no trace in the counts.
  void decide() {
    try {
      learner_->act();
    } catch (const Error&) {
      restore(snapshot(), "state");
      throw;
    }
  }

  ObserveView settle(const typename P::Outcome& y) {
    ledger_.before(*learner_, y);
    if (row().certifies_run) account_.before(*learner_, y);
    const auto& played = learner_->act();
    const auto& step = learner_->observe(y);
    ledger_.after(*learner_, step.loss);
    if (row().certifies_run) certify(played, step);
    if (follows_path() && ledger_.best()) {
      base_.observe(*ledger_.best());
      slope_.observe(*ledger_.best());
    }
    after_ = step.after;
    stability_ = step.stability;
    if (step.estimates) estimates_ = *step.estimates;
    return {.loss = step.loss,
            .total = ledger_.total(),
            .best = ledger_.best(),
            .regret = ledger_.regret(),
            .oracle_calls = learner_->oracle_calls(),
            .switched = step.switched,
            .has_after = step.after.has_value(),
            .stability = step.stability,
            .estimates = step.estimates,
            .discounted = discounted_view(),
            .gap = gap_};
  }

  Ledger<P> make_ledger() const {
    const LearnerParams& p = maker_.params();
    if (p.discount == 1) return Ledger<P>(p.track);
    return Ledger<P>(p.track, p.discount, SeenOutcomes<P>(maker_.oracle()));
  }
  std::optional<ObserveView::Discounted> discounted_view() const {
    const auto* discounted = ledger_.discounted();
    if (!discounted) return std::nullopt;
    return ObserveView::Discounted{discounted->total, ledger_.best() ? std::optional(discounted->best) : std::nullopt};
  }

  // The account of the round. A leader's gap is what it lost beyond the growth of L*.
  void certify(const Decision<typename P::Action>& played, const Step<typename P::Action>& step) {
    account_.after(played, step);
    gap_ = step.gap;
    if (row().proof == Proof::kLeader) {
      gap_.reset();
      if (ledger_.track() == Track::kEvery) gap_ = std::max(0.0, step.loss - (*ledger_.best() - best_before_));
      best_before_ = ledger_.best().value_or(0.0);
      return;
    }
    // flipflop leaves flop: the credit of its noise, by draws made for that alone.
    regime_left_ = step.switched && played.noise_scale() > 0;
    if (regime_left_ && draws_credits() && learner_->rounds() <= kMostCreditRounds)
      account_.credit(mean_credit(kSwitchDraws, played.noise_scale()));
  }

  // Draws first, first + 1, ... of those that belong to the last round.
  struct CreditDraws {
    std::uint64_t first;
    std::uint64_t count;
  };
  static constexpr std::uint64_t kMostCreditDraws = 1 << 20;  // of either use
  static constexpr std::uint64_t kMostCreditRounds = std::uint64_t{1}
                                                     << 34;  // beyond, draws have no place of their own
  static constexpr CreditDraws kSwitchDraws{kMostCreditDraws, 16};

  // A program of the user's own is asked for decisions alone: each of its answers may cost, or fail.
  // One draw for all rounds has no certificate of the run.
  bool draws_credits() const {
    const LearnerParams& p = maker_.params();
    return p.credit_draws > 0 && p.draw == Freshness::kFresh && maker_.oracle()->claims().empty();
  }

  double mean_credit(CreditDraws draws, double z) {
    if (maker_.params().alpha) return 0;  // given noise has no law to draw from
    if (!credit_noise_) credit_noise_.emplace(maker_.oracle(), maker_.matrix(), Draw{});
    const auto signs = column_signs(*maker_.matrix());
    std::vector<double> alpha(maker_.matrix()->columns());
    Answer<typename P::Action> found;
    double sum = 0;
    for (std::uint64_t i = 0; i < draws.count; ++i) {
      const std::uint64_t place = learner_->rounds() * 2 * kMostCreditDraws + draws.first + i;
      maker_.noise().draw(KeyedRandom(maker_.params().key, Purpose::kCredit, place), alpha, signs);
      sum += credit_of(learner_->seen(), credit_noise_->with(alpha), z, found);
    }
    return sum / static_cast<double>(draws.count);
  }

  typename RunAccount<P>::Setting account_setting() const {
    return {.pivot = maker_.params().pivot,
            .gamma = measures_no_gaps() ? maker_.params().gamma : std::nullopt,
            .discount = maker_.params().discount,
            .leaderless = row().proof == Proof::kAda && maker_.params().pivot == Pivot::kLast};
  }
  bool measures_no_gaps() const { return row().proof == Proof::kGftpl && !maker_.params().certified; }

  bounds::TrajectoryBound::Constants path_constants(double size) const {
    return {.M = size, .gamma = maker_.params().gamma.value_or(0.0), .c = maker_.params().c};
  }

  // M, exact or the upper end of its interval. Asked for once, and only when a certificate needs it: it may cost oracle
  // calls. Where noise is given there is no law, and M is what the user says.
  std::optional<double> noise_size() {
    if (noise_size_ || !maker_.params().takes("M")) return noise_size_;
    noise_size_ = maker_.params().alpha && maker_.params().noise_size ? *maker_.params().noise_size
                                                                      : maker_.measured_noise_size().high;
    return noise_size_;
  }
  std::optional<double> noise_square() {
    if (!square_known_) noise_square_ = maker_.noise_square();
    square_known_ = true;
    return noise_square_;
  }

  std::shared_ptr<const GameOf<P>> game_;
  std::shared_ptr<const P> problem_;
  LearnerMaker<P> maker_;
  std::unique_ptr<Learner<P>> learner_;
  std::string kind_;
  Json params_;
  Ledger<P> ledger_;
  RunAccount<P> account_;
  // The trajectory bound is linear in M: followed at M = 0 and M = 1, known at any.
  bounds::TrajectoryBound base_;
  bounds::TrajectoryBound slope_;
  std::optional<Perturber<P>> credit_noise_;
  std::optional<double> gap_;  // of the last round
  double best_before_ = 0;     // L* before the round, for a leader's gap
  bool regime_left_ = false;   // the last round was one of noise, and the next will not be
  bool square_known_ = false;
  std::optional<double> noise_square_;  // rho2
  std::optional<double> noise_size_;
  std::optional<typename P::Action> after_;
  Stability stability_;
  Estimates estimates_;
};

}  // namespace hannan::detail
