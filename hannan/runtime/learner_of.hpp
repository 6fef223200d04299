// A learner of a given problem behind the run-time interface: the learner, its ledger and its certificate.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "hannan/certify/bounds.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/ledger.hpp"
#include "hannan/io/codec.hpp"
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
        ledger_(maker_.params().track),
        base_(path_constants(0)),
        slope_(path_constants(1)) {}

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
    }
    run.gamma = p.gamma;
    run.c = p.c;
    run.noise_given = p.alpha.has_value();
    run.rounds = learner_->rounds();
    run.total = ledger_.total();
    run.best = *ledger_.best();
    run.floor = ledger_.floor();
    run.gap = learner_->oracle_gap();
    run.leader_regret = ledger_.leader_regret();
    if (follows_path() && ledger_.track() == Track::kEvery) {
      run.trajectory_base = base_.value();
      run.trajectory_slope = slope_.value() - base_.value();
    }
    run.off_leader = estimates_.leader;
    run.off_gftpl = estimates_.gftpl;
    run.mixability = stability_.value[0];
    return run;
  }

 protected:
  ReportFacts report_facts() override {
    return {.best_action = Codec<P>::action_json(*problem_, learner_->seen().peek().action),
            .oracle_calls = learner_->oracle_calls(),
            .search_nodes = learner_->search_nodes(),
            .claims = maker_.oracle()->claims(),
            .perturbs = maker_.matrix() != nullptr,
            .draw = maker_.params().draw};
  }
  void archive(Archive& a) override {
    learner_->archive(a);
    a.open("ledger");
    ledger_.archive(a);
    a.close();
    for (auto* bound : {&base_, &slope_}) {
      a.open(bound == &base_ ? "path" : "path_unit");
      bound->archive(a);
      a.close();
    }
    a.field("off_leader", estimates_.leader);
    a.field("off_gftpl", estimates_.gftpl);
    a.field("stability", stability_.value[0], kSavedNonnegative);
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
    const auto& step = learner_->observe(y);
    ledger_.after(*learner_, step.loss);
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
            .estimates = step.estimates};
  }

  bounds::TrajectoryBound::Constants path_constants(double size) const {
    return {.M = size, .gamma = maker_.params().gamma.value_or(0.0), .c = maker_.params().c};
  }

  // Asked for once, and only when a certificate needs it: it may cost oracle calls.
  std::optional<double> noise_size() {
    if (!noise_size_ && maker_.params().noise_size) noise_size_ = maker_.params().noise_size;
    if (!noise_size_ && maker_.params().takes("M")) noise_size_ = maker_.measured_noise_size();
    return noise_size_;
  }

  std::shared_ptr<const GameOf<P>> game_;
  std::shared_ptr<const P> problem_;
  LearnerMaker<P> maker_;
  std::unique_ptr<Learner<P>> learner_;
  std::string kind_;
  Json params_;
  Ledger<P> ledger_;
  // The trajectory bound is linear in M: followed at M = 0 and M = 1, known at any.
  bounds::TrajectoryBound base_;
  bounds::TrajectoryBound slope_;
  std::optional<double> noise_size_;
  std::optional<typename P::Action> after_;
  Stability stability_;
  Estimates estimates_;
};

}  // namespace hannan::detail
