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
#include "hannan/game/ledger.hpp"
#include "hannan/learners/delayed_ada.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/runtime/any_learner.hpp"

namespace hannan::detail {

class DelayedLearner final : public AnyLearner, public DelayedRounds {
 public:
  DelayedLearner(std::shared_ptr<const Game> game, LearnerParams params)
      : game_(std::move(game)),
        maker_(game_, std::move(params)),
        learner_({maker_.game(), maker_.oracle(), maker_.perturber(), maker_.noise_size()}),
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
  Json action(std::uint64_t round) override { return game_->action_json(learner_.act(round).action); }
  ArrivalView observe(std::uint64_t round, const AnyOutcome& y) override;

  ActView act() override { refuse_turns(); }
  Json action() override { refuse_turns(); }
  ObserveView observe(const AnyOutcome&) override { refuse_turns(); }
  using AnyLearner::observe;
  Json after() override { refuse_turns(); }

  RunFacts facts() override;

 protected:
  ReportFacts report_facts() override;
  void archive(Archive& a) override { learner_.archive(a); }

 private:
  ArrivalView take(std::uint64_t round, const AnyOutcome& y);

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

  std::shared_ptr<const Game> game_;
  LearnerMaker maker_;
  DelayedAda learner_;
  std::string kind_;
  Json params_;
  std::vector<double> gaps_;  // of the last outcome
};

}  // namespace hannan::detail
