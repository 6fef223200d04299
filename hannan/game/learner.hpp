// A learner: act says what to play, observe alone changes state.
//
// `act` is a function of the state, computed once a round and kept until the outcome comes; oracle
// calls made for it count when the round is over, so a run saved between act and observe goes on
// exactly as if it had not been.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "hannan/game/seen_outcomes.hpp"

namespace hannan::detail {

// The multiplier of the noise: given as such, or as the rate it is the inverse of; 0 without noise.
inline double noise_scale(const std::optional<double>& multiplier, const std::optional<double>& eta) {
  return multiplier ? *multiplier : eta ? 1 / *eta : 0.0;
}

struct Decision {
  AnyAction action;
  std::optional<double> eta;         // the learning rate, where there is one (infinity allowed)
  std::optional<double> multiplier;  // the noise multiplier, where that is what adapts
  std::string_view regime;           // which part is in charge; empty where there is one part only
  double value = 0;  // where the action came from one call: its evidence there, up to the noise's constant
  double left = 0;   // what that call left unproven: its value less its floor

  double noise_scale() const { return detail::noise_scale(multiplier, eta); }
};

struct Estimates {
  double leader = 0;
  double gftpl = 0;
};

struct Stability {  // what the learner's own rate adapts to: one number, or flip and flop
  int parts = 0;
  double value[2] = {0, 0};
};

struct Step {
  double loss = 0;                 // of the round; the expected one for mixtures
  double weight = 1;               // how often the outcome counts
  std::optional<AnyAction> after;  // x'_t, the choice with y_t included and the same noise
  Stability stability;             // after the round
  std::optional<Estimates> estimates;
  bool switched = false;  // the next round's regime is another
  // [L_t + z_t n_t](x_t) - [L_t + z_t n_t](x'_t), where x' was asked for (docs/theory-run.md, mix_gap).
  std::optional<double> gap;
  double left = 0;  // what the call for x' left unproven
};

class Learner {
 public:
  // With a discount below 1 an outcome of age i counts discount^i in seen(); the oracle must then be one that scales().
  Learner(std::shared_ptr<const Game> problem, std::shared_ptr<const GameOracle> oracle, double discount = 1)
      : problem_(std::move(problem)), seen_(std::move(oracle), discount), discount_(discount) {}
  virtual ~Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  const Decision& act() const {
    if (!decided_) decide(decision_);
    decided_ = true;
    return decision_;
  }

  // What it returns is valid until the next outcome. A weight other than 1 is for who said weigh() at the beginning:
  // the outcome then counts so often in the history and in the gap of the round.
  const Step& observe(const AnyOutcome& y, double weight = 1);
  // So many rounds pass without an outcome: they count, and nothing is learned. What was decided for the first of them
  // is dropped, the leader is kept.
  void skip(std::uint64_t rounds);
  // Before the first round: outcomes will come with weights of at least 1.
  void weigh() { seen_.weigh(); }

  const Step& last_step() const { return step_; }  // what observe said

  // An outcome of a round that was played without it, before its own first: it enters the history and counts as a
  // round, and nothing else changes.
  void watch(const AnyOutcome& y) {
    assert(!decided_);
    seen_.add(y);
    seen_.settle();
  }

  // For one of thousands that take turns: it keeps no memory that a search can do without. Changes nothing else.
  void shrink() { seen_.shrink(); }

  // One summary of the outcomes for both, which will be played in step (game/shared_history.hpp).
  void share(const Learner& other) { seen_.share(other.seen_); }

  std::uint64_t rounds() const { return seen_.rounds(); }
  std::uint64_t oracle_calls() const { return settled_.calls; }
  std::uint64_t search_nodes() const { return settled_.nodes; }  // of those calls, where they search
  double oracle_gap() const { return settled_.unproven; }  // summed value - floor of the calls its choices came from
  const SeenOutcomes& seen() const { return seen_; }
  const Game& problem() const { return *problem_; }
  double discount() const { return discount_; }
  virtual std::span<const double> weights() const { return {}; }  // of a mixture, in the order of the actions
  // The noise of the round being decided; null for a learner without.
  virtual const RoundNoise* round_noise() const { return nullptr; }

  void archive(Archive& a);

 protected:
  // Every field that the learner ever sets; the buffers of the last decision and step are used again.
  virtual void decide(Decision& decision) const = 0;
  // The outcome is already in seen(); step.loss is the loss of the played action.
  virtual void settle(const Decision& played, const AnyOutcome& y, Step& step) = 0;
  virtual void state(Archive&) {}

  std::uint64_t round() const { return seen_.rounds() + 1; }  // the one being decided

  // The leader of all rounds so far.
  const GameAnswer& leader() const { return leader_of(seen_, 0); }
  // The leader of a record of the learner's: one call, however often it is asked between two
  // outcomes. Each record has a slot of its own; slot 0 is seen().
  const GameAnswer& leader_of(const SeenOutcomes& record, std::size_t slot) const;

  // One perturbed call on a record of the learner's; the answer is valid until the record's next.
  const GameAnswer& ask(const SeenOutcomes& record, const RoundNoise& noise, double scale) const {
    const auto& answer = record.perturbed(noise, scale);
    count(answer);
    return answer;
  }
  // The same for a certificate alone: it is not counted.
  const GameAnswer& ask_uncounted(const RoundNoise& noise, double scale) const { return seen_.perturbed(noise, scale); }
  // What a choice that was not proven optimal may be above the optimum (docs/theory-run.md, inexact oracles).
  void played_unproven(double left) const { counts_.unproven += left; }

 public:
  // The second call of a round under the noise of the first: x'_t, the mix gap and what the call left unproven. An
  // oracle that stops early may find less than the action it played; then that action is x' (the incumbent rule).
  static void compare(const Decision& played, const GameAnswer& after, Step& step, double discount = 1);

 private:
  static constexpr std::size_t kRecords = 5;
  struct Counts {
    std::uint64_t calls = 0;
    std::uint64_t nodes = 0;
    std::uint64_t leader_asked[kRecords] = {};  // 1 + rounds of the record when its leader was last asked
    double unproven = 0;
  };

  void count(const GameAnswer& answer) const {
    counts_.calls += answer.calls;
    counts_.nodes += answer.nodes;
  }

  std::shared_ptr<const Game> problem_;
  SeenOutcomes seen_;
  double discount_;
  mutable Decision decision_;  // of the coming round, if decided_
  mutable bool decided_ = false;
  Step step_;
  mutable Counts counts_;
  Counts settled_;
};

}  // namespace hannan::detail
