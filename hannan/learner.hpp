// A learner of a problem of your own types, with the account of what it lost.
//
// The learners themselves are compiled once, for all problems (learners/); this front converts actions and outcomes and
// holds nothing of its own. Cost of a round: what the oracle costs, and some 100 ns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "hannan/certify/noise_size.hpp"
#include "hannan/game/game_of.hpp"
#include "hannan/game/ledger.hpp"
#include "hannan/learners/rules.hpp"

namespace hannan {

using detail::NoiseSize;
using detail::Track;

// A problem with the oracle that is asked and, for learners with noise, the matrix and where its numbers come from.
template <Problem P>
struct Setting {
  std::shared_ptr<const P> problem;
  std::shared_ptr<const AnyOracle<P>> oracle;
  std::shared_ptr<const Perturbation<P>> matrix = nullptr;
  Draw draw = {};

  LearnerParts parts() const {
    auto game = detail::erased<P>(problem);
    return {game, detail::erased<P>(game, oracle), matrix ? detail::erased<P>(matrix) : nullptr, draw};
  }
};

// M by Monte Carlo: draw i of `draws` is its round i. An oracle call each.
template <Problem P>
NoiseSize noise_size(const Setting<P>& setting, const Draw& draws) {
  const LearnerParts parts = setting.parts();
  return detail::monte_carlo_noise_size({.oracle = parts.oracle, .matrix = parts.matrix, .draw = draws.fill});
}

template <Problem P>  // act, observe, and what was lost so far; for one thread at a time
class Learner {
 public:
  using Action = typename P::Action;
  using Outcome = typename P::Outcome;

  // Throws kUnavailable where the rule needs more than the setting has.
  Learner(const Setting<P>& setting, const Rule& rule, Track track = Track::kEvery)
      : learner_(rule(setting.parts())), ledger_(track) {}

  // What to play in this round; valid until the next outcome. The same however often it is asked.
  const Action& act() const { return learner_->act().action.template get<Action>(); }
  // The weights of a mixture, in the order of the actions; empty for all others.
  std::span<const double> weights() const { return learner_->weights(); }

  // The outcome of the round; returns what the round lost (a mixture: what it expected to lose).
  double observe(const Outcome& y) {
    outcome_.as<Outcome>() = y;
    learner_->act();
    ledger_.before(*learner_, outcome_);
    const double loss = learner_->observe(outcome_).loss;
    ledger_.after(*learner_, loss);
    return loss;
  }

  std::uint64_t rounds() const { return learner_->rounds(); }
  std::uint64_t oracle_calls() const { return learner_->oracle_calls(); }
  double total() const { return ledger_.total(); }
  // L*, and what was lost beyond it; none where the track did not look for it in this round.
  std::optional<double> best() const { return ledger_.best(); }
  std::optional<double> regret() const { return ledger_.regret(); }
  // Of the leader run alone on the same outcomes; known when every round is tracked.
  std::optional<double> leader_regret() const { return ledger_.leader_regret(); }
  // The best fixed action so far; looked for now.
  const Action& best_action() const { return ledger_.lead(*learner_).action.template get<Action>(); }

 private:
  std::unique_ptr<detail::Learner> learner_;
  detail::Ledger ledger_;
  detail::AnyOutcome outcome_;  // a buffer
};

}  // namespace hannan
