// `ada` with `delayed` behind the run-time interface: the learner, the account of its settled rounds and its
// certificate. Its rounds are played by their numbers (runtime/delayed_rounds.hpp), never in turn.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/ledger.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/learners/delayed_ada.hpp"
#include "hannan/runtime/any_learner.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

template <class P>
class DelayedLearnerOf final : public AnyLearner, public DelayedRounds {
 public:
  DelayedLearnerOf(std::shared_ptr<const GameOf<P>> game, LearnerParams params)
      : game_(std::move(game)),
        problem_(game_->problem()),
        maker_(game_, std::move(params)),
        learner_({maker_.problem(), maker_.oracle(), maker_.perturber(), maker_.noise_size()}),
        kind_(maker_.params().kind->name),
        params_(learner_json(maker_.params())) {}

  const Game& game() const override { return *game_; }
  const std::string& kind() const override { return kind_; }
  const Json& params() const override { return params_; }
  bool adapts_multiplier() const override { return true; }
  bool switches() const override { return false; }
  bool certifies_run() const override { return true; }
  std::uint64_t rounds() const override { return learner_.played(); }
  DelayedRounds* delayed_rounds() override { return this; }

  ActView act(std::uint64_t round) override {
    return {.round = round, .eta = {}, .multiplier = learner_.act(round).multiplier, .regime = {}, .weights = {}};
  }
  Json action(std::uint64_t round) override { return Codec<P>::action_json(*problem_, learner_.act(round).action); }
  ArrivalView observe(std::uint64_t round, const AnyOutcome& outcome) override {
    const auto& y = outcome.get<typename P::Outcome>();
    learner_.expect_outcome(round);
    if (maker_.oracle()->claims().empty()) return take(round, y);
    // An oracle of the user's own can fail after the outcome was added to a history: then it is taken back.
    const Json before = snapshot();
    try {
      return take(round, y);
    } catch (const Error&) {
      restore(before, "state");
      throw;
    }
  }

  ActView act() override { refuse_turns(); }
  Json action() override { refuse_turns(); }
  ObserveView observe(const AnyOutcome&) override { refuse_turns(); }
  using AnyLearner::observe;
  Json after() override { refuse_turns(); }

  RunFacts facts() override {
    const LearnerParams& p = maker_.params();
    const auto& delays = learner_.delays();
    const auto& matrix = maker_.matrix();
    RunFacts run;
    run.proof = p.kind->proof;
    run.ln_size = problem_->ln_size();
    run.columns = static_cast<double>(matrix->columns());
    run.unit_entries = matrix->unit_entries();
    run.gamma = p.gamma;
    run.noise = maker_.noise().facts();
    run.noise_size = noise_size();
    run.own_size = p.noise_size;
    run.noise_given = p.alpha.has_value();
    run.fresh = p.draw == Freshness::kFresh;
    run.rounds = learner_.settled();
    run.oracle_calls = learner_.oracle_calls();
    run.search_nodes = learner_.search_nodes();
    run.total = learner_.total();
    run.best = best();
    run.floor = learner_.settled() == 0 ? 0.0 : learner_.prefix().peek().floor;
    run.gap = learner_.oracle_gap();
    run.stability = learner_.stability();
    run.multiplier = learner_.settled_multiplier();
    run.delta = p.delta;
    run.delays = {.played = learner_.played(),
                  .missing = delays.missing_most,
                  .missing_total = delays.missing_total,
                  .open = delays.open_most,
                  .left = learner_.left(),
                  .single_out = matrix->single_out()};
    return run;
  }

 protected:
  ReportFacts report_facts() override {
    return {.best_action = Codec<P>::action_json(*problem_, learner_.prefix().peek().action),
            .certificate_calls = 0,
            .claims = maker_.oracle()->claims(),
            .perturbs = true,
            .draw = maker_.params().draw};
  }
  // Outcomes are saved as the text of their JSON, which every problem can read.
  void archive(Archive& a) override {
    learner_.archive(a, [this](Archive& into, typename P::Outcome& y) {
      std::string text = into.reading() ? std::string() : dump(Codec<P>::outcome_json(*problem_, y));
      into.field("json", text);
      if (!into.reading()) return;
      try {
        y = Codec<P>::parse_outcome(*problem_, parse_json(text), "outcome");
      } catch (const Error& e) {
        into.refuse("json", e.message());
      }
    });
  }

 private:
  ArrivalView take(std::uint64_t round, const typename P::Outcome& y) {
    const auto arrival = learner_.observe(round, y);
    gaps_.clear();
    for (const auto& settled : arrival.rounds) gaps_.push_back(settled.gap);
    ArrivalView view{.loss = arrival.loss,
                     .settled = learner_.settled(),
                     .gaps = gaps_,
                     .stability = learner_.stability(),
                     .total = learner_.total(),
                     .best = {},
                     .regret = {},
                     .oracle_calls = learner_.oracle_calls()};
    const Track track = maker_.params().track;
    if (track == Track::kEvery || (track == Track::kPowers && std::has_single_bit(view.settled))) {
      view.best = best();
      view.regret = view.total - *view.best;
    }
    return view;
  }

  // L* of the settled rounds. Its search is not the learner's.
  double best() const { return learner_.settled() == 0 ? 0.0 : learner_.prefix().peek().value; }

  // M, exact or the upper end of its interval; what the user says where noise is given.
  double noise_size() {
    const LearnerParams& p = maker_.params();
    return p.alpha && p.noise_size ? *p.noise_size : maker_.measured_noise_size().high;
  }

  [[noreturn]] static void refuse_turns() {
    throw Error(Code::kUnavailable, "a learner with delayed outcomes needs the number of the round", "round");
  }

  std::shared_ptr<const GameOf<P>> game_;
  std::shared_ptr<const P> problem_;
  LearnerMaker<P> maker_;
  DelayedAda<P> learner_;
  std::string kind_;
  Json params_;
  std::vector<double> gaps_;  // of the last outcome
};

}  // namespace hannan::detail
