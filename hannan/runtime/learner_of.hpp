// A learner of a given problem behind the run-time face: the learner, its ledger and its certificate.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "hannan/certify/bounds.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/make_learner.hpp"
#include "hannan/runtime/state_digest.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan {

template <class P>
class LearnerOf final : public AnyLearner {
 public:
  LearnerOf(std::shared_ptr<const P> problem, LearnerParams params)
      : problem_(std::move(problem)),
        maker_(problem_, std::move(params)),
        learner_(maker_.make()),
        kind_(maker_.params().kind),
        params_(learner_json(maker_.params())),
        ledger_(maker_.params().track),
        base_(path_constants(0)),
        slope_(path_constants(1)) {}

  const std::string& kind() const override { return kind_; }
  const Json& params() const override { return params_; }
  bool adapts_multiplier() const override { return kind_ == "ada" || kind_ == "flipflop"; }
  bool switches() const override { return kind_ == "off" || kind_ == "flipflop" || kind_ == "flipflop-hedge"; }

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
  std::size_t row_width() const override { return hannan::row_width(*problem_); }

  ObserveView observe(const Json& outcome, std::string_view path) override {
    return observe(Codec<P>::parse_outcome(*problem_, outcome, path));
  }
  ObserveView observe_row(std::span<const double> row) override {
    outcome_from_row(*problem_, row, outcome_);
    return observe(outcome_);
  }
  Json after() override { return Codec<P>::action_json(*problem_, *after_); }
  Json last_outcome() override { return Codec<P>::outcome_json(*problem_, outcome_); }

  RunFacts facts() override {
    if (!ledger_.best()) ledger_.look(*learner_);
    const LearnerParams& p = maker_.params();
    RunFacts run;
    run.learner = kind_;
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
    if (kind_ == "gftpl" && ledger_.track() == Track::kEvery) {
      run.trajectory_base = base_.value();
      run.trajectory_slope = slope_.value() - base_.value();
    }
    run.estimator = estimator_name(p.estimator);
    run.off_leader = estimates_.leader;
    run.off_gftpl = estimates_.gftpl;
    run.off_as_proven = p.feed == Feed::kPlayed && p.switching.a == 1 && p.switching.b == 1;
    run.rate = p.rate;
    run.eta = p.eta;
    run.mixability = stability_.value[0];
    return run;
  }
  std::optional<double> bound() override { return sharpest(certificate(facts())); }

  Json report() override {
    const RunFacts run = facts();
    const auto rounds = static_cast<double>(run.rounds);
    Json json = Json::object({{"problem", Codec<P>::kKind},
                              {"learner", kind_},
                              {"params", params_},
                              {"rounds", run.rounds},
                              {"total", run.total},
                              {"best", run.best},
                              {"floor", run.floor},
                              {"regret", run.total - run.best},
                              {"best_action", Codec<P>::action_json(*problem_, learner_->seen().peek().action)},
                              {"oracle_calls", learner_->oracle_calls()},
                              {"search_nodes", learner_->search_nodes()},
                              {"oracle_gap", run.gap}});
    json.set("leader_regret", run.leader_regret ? Json(*run.leader_regret) : Json());
    const bool reward = problem_->form() == Form::kReward;
    const auto raw = [&](double loss) { return problem_->normaliser() * (reward ? rounds - loss : loss); };
    json.set("raw",
             Json::object({{"unit", reward ? "reward" : "loss"}, {"total", raw(run.total)}, {"best", raw(run.best)}}));
    Json bounds = Json::array();
    for (const auto& check : certificate(run)) {
      bounds.push_back(Json::object({{"name", check.name},
                                     {"value", check.value},
                                     {"side", check.side == BoundCheck::Side::kUpper ? "upper" : "lower"},
                                     {"holds", check.holds}}));
    }
    Json assumptions = Json::object();
    if (maker_.matrix()) {
      assumptions.set("columns", run.columns);
      assumptions.set("gamma", run.gamma ? Json(*run.gamma) : Json());
      assumptions.set("M", run.noise_size ? Json(*run.noise_size) : Json());
      assumptions.set("data", maker_.params().draw == Freshness::kOnce ? "oblivious data only" : "any");
    }
    if (!maker_.oracle()->claims().empty()) assumptions.set("oracle", maker_.oracle()->claims());
    json.set("certificate", Json::object({{"bounds", std::move(bounds)}, {"assumptions", std::move(assumptions)}}));
    return json;
  }

  Json save() override {
    return sealed(
        Json::object({{"version", kStateVersion},
                      {"problem", Json::object({{"kind", Codec<P>::kKind}, {"params", Codec<P>::params(*problem_)}})},
                      {"learner", Json::object({{"kind", kind_}, {"params", params_}})},
                      {"state", snapshot()}}));
  }
  void archive(Archive& a) {
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
  // What can be refused is refused here, before anything changes; an attempt that failed leaves no trace in the counts.
  void decide() {
    try {
      learner_->act();
    } catch (const Error&) {
      restore(snapshot());
      throw;
    }
  }

  // An oracle from outside can fail after the outcome went into the books: then the round is taken back. The
  // snapshot costs about what sending the outcomes costs, and is taken for such oracles alone.
  ObserveView observe(const typename P::Outcome& y) {
    decide();
    if (maker_.oracle()->claims().empty()) return settle(y);
    const Json before = snapshot();
    try {
      return settle(y);
    } catch (const Error&) {
      restore(before);
      throw;
    }
  }
  Json snapshot() {
    JsonWriter writer;
    archive(writer);
    return writer.take();
  }
  void restore(const Json& state) {
    JsonReader reader(state, "state");
    archive(reader);
  }

  ObserveView settle(const typename P::Outcome& y) {
    ledger_.before(*learner_, y);
    const auto& step = learner_->observe(y);
    ledger_.after(*learner_, step.loss);
    if (kind_ == "gftpl" && ledger_.best()) {
      base_.observe(*ledger_.best());
      slope_.observe(*ledger_.best());
    }
    after_ = step.after;
    stability_ = step.stability;
    if (step.estimates) estimates_ = *step.estimates;
    if (&y != &outcome_) outcome_ = y;
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
    if (!noise_size_ && takes(kind_, "M")) noise_size_ = maker_.measured_noise_size();
    return noise_size_;
  }

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
  typename P::Outcome outcome_{};
};

}  // namespace hannan
