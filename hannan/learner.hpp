// A learner of a problem of your own types, with the account of what it lost.
//
// The learners themselves are compiled once, for all problems; this front converts actions and outcomes and holds
// nothing of its own. A learner is made of a Setting (problem, oracle, and for learners with noise a matrix and where
// its numbers come from) and of a rule (leader(), flipflop(), ...). Cost of a round: what the oracle costs, and some
// 100 ns. A learner is for one thread at a time; problems, oracles and matrices that do not change may be shared.
//
// Errors are thrown as hannan::Error when a learner is made; act() and observe() throw what the oracle throws.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "hannan/certify/bounds.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/core/learner_options.hpp"
#include "hannan/core/noise.hpp"
#include "hannan/game/typed_game.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan {

namespace detail {
class Learner;
}

// What every learner is made of, whatever the type of its problem.
struct LearnerParts {
  std::shared_ptr<const Game> game;          // the problem
  std::shared_ptr<const GameOracle> oracle;  // of this game
  std::shared_ptr<const GameMatrix> matrix;  // null: no noise
  Draw draw;                                 // where the numbers of the noise come from
};

// How a learner is made of its parts. Throws kUnavailable where the parts lack what it needs: noise, or actions that
// are numbered.
using Rule = std::function<std::unique_ptr<detail::Learner>(const LearnerParts& parts)>;

// `leader`: the action that was best so far. No noise; no bound against an adversary (docs/theory.md, leader).
Rule leader();

// What `ada` needs to know: M, the size of its noise (noise_size below, or an upper limit); the rule of its gaps; below
// 1, how much older rounds count less, for which the oracle must scale().
struct AdaOptions {
  double noise_size = 0;        // M
  GapRule gap = GapRule::kMix;  // kLoss is the older rule, with a larger bound
  double discount = 1;          // in (0,1]; 1: all rounds count the same
};
// `ada`, AdaFPL: noise that adapts. At most 2 sqrt(gamma M L*) + 4 gamma M + 2 regret on average (bounds::ada2).
Rule ada(AdaOptions options);

// What `flipflop` needs to know.
struct FlipFlopOptions {
  double noise_size = 0;          // M
  FlipFlopConstants constants{};  // when it changes between its parts
  GapRule gap = GapRule::kMix;    // as for ada
};
// `flipflop`, the default: the leader while it is cheap, AdaFPL when it is not (bounds::flipflop2).
Rule flipflop(FlipFlopOptions options);

// `gftpl`: noise by a schedule of rates (schedules::small_loss).
Rule gftpl(Schedule schedule);
// `classical`: one draw of noise at full size, as in the first algorithm of the kind.
Rule classical();
// Weights for every action, where actions are numbered: `hedge` by a schedule, `adahedge` and `flipflop-hedge` by what
// was seen. `key` draws the action that is played.
Rule hedge(Schedule schedule, Key key);
Rule adahedge(Key key);
Rule flipflop_hedge(FlipFlopConstants constants, Key key);

namespace detail {

// A learner over Game with its ledger; compiled once.
class LearnerWithLedger {
 public:
  LearnerWithLedger(const LearnerParts& parts, const Rule& rule, Track track);
  ~LearnerWithLedger();
  LearnerWithLedger(LearnerWithLedger&& other) noexcept;
  LearnerWithLedger& operator=(LearnerWithLedger&& other) noexcept;

  const AnyAction& act() const;
  std::span<const double> weights() const;
  double observe(const AnyOutcome& y);
  std::uint64_t rounds() const;
  std::uint64_t oracle_calls() const;
  double total() const;
  std::optional<double> best() const;
  std::optional<double> regret() const;
  std::optional<double> leader_regret() const;
  const AnyAction& best_action() const;

 private:
  struct Held;
  std::unique_ptr<Held> held_;
};

NoiseSize drawn_noise_size(const LearnerParts& parts, const Draw& draws);

// The typed value behind an erased one; of Game the erased value itself.
template <class Value, class Any>
const Value& value_in(const Any& any) {
  if constexpr (std::same_as<Value, Any>) {
    return any;
  } else {
    return any.template get<Value>();
  }
}

}  // namespace detail

// A problem with the oracle that is asked and, for learners with noise, the matrix and where its numbers come from.
// Of a Game (hannan/problems.hpp) oracle and matrix are its own; they are asked as they are.
template <Problem P>
struct Setting {
  std::shared_ptr<const P> problem;
  std::shared_ptr<const AnyOracle<P>> oracle;
  std::shared_ptr<const Perturbation<P>> matrix = nullptr;  // null: no noise
  Draw draw = {};                                           // seeded(Noise{}, key), say

  // The same behind virtual calls.
  LearnerParts parts() const {
    if constexpr (std::same_as<P, Game>) {
      return {problem, oracle, matrix, draw};
    } else {
      auto game = detail::erased<P>(problem);
      return {game, detail::erased<P>(game, oracle), matrix ? detail::erased<P>(matrix) : nullptr, draw};
    }
  }
};

// M by Monte Carlo: 2000 draws, draw i of `draws` is its round i, an oracle call each. The setting has a matrix.
template <Problem P>
NoiseSize noise_size(const Setting<P>& setting, const Draw& draws) {
  return detail::drawn_noise_size(setting.parts(), draws);
}

template <Problem P>  // act, observe, and what was lost so far; for one thread at a time
class Learner {
 public:
  // Those of the problem.
  using Action = typename P::Action;
  using Outcome = typename P::Outcome;

  // Throws kUnavailable where the rule needs more than the setting has.
  Learner(const Setting<P>& setting, const Rule& rule, Track track = Track::kEvery)
      : held_(setting.parts(), rule, track) {}

  // What to play in this round; valid until the next outcome. The same however often it is asked.
  const Action& act() const { return detail::value_in<Action>(held_.act()); }
  // The weights of a mixture, in the order of the actions; empty for all others.
  std::span<const double> weights() const { return held_.weights(); }

  // The outcome of the round; returns what the round lost (a mixture: what it expected to lose).
  double observe(const Outcome& y) {
    if constexpr (std::same_as<P, Game>) {
      return held_.observe(y);
    } else {
      outcome_.as<Outcome>() = y;
      return held_.observe(outcome_);
    }
  }

  // Rounds observed, and the calls that the learner made in them; those of the account are not among these.
  std::uint64_t rounds() const { return held_.rounds(); }
  std::uint64_t oracle_calls() const { return held_.oracle_calls(); }
  // What was lost in all rounds.
  double total() const { return held_.total(); }
  // L*, and what was lost beyond it; none where the track did not look for it in this round.
  std::optional<double> best() const { return held_.best(); }
  std::optional<double> regret() const { return held_.regret(); }
  // Of the leader run alone on the same outcomes; known when every round is tracked.
  std::optional<double> leader_regret() const { return held_.leader_regret(); }
  // The best fixed action so far; looked for now.
  const Action& best_action() const { return detail::value_in<Action>(held_.best_action()); }

 private:
  detail::LearnerWithLedger held_;
  AnyOutcome outcome_;  // a buffer
};

}  // namespace hannan
