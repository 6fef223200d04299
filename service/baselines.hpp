// What a run is held against while it goes on: the proven bounds on its regret over time, and what the same outcomes
// would have brought without reserve prices. A function of the rounds alone, so replay gives it again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "hannan/core/interval.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "service/gain_stretches.hpp"

namespace hannan::detail::service {

// The loss of a round without reserve prices, where outcomes are bids for something sold; empty otherwise.
std::function<double(const AnyOutcome&)> loss_without_reserves(const AnyProblem& problem);

// Of outcomes that are bids for something sold: sums over the rounds.
struct SumsWithoutReserves {
  double total = 0;    // the loss without reserve prices
  double gain = 0;     // that less the learner's loss
  double squares = 0;  // of the gains of single rounds
};

class Baselines {
 public:
  explicit Baselines(const AnyProblem& problem);

  // After the learner was told this outcome, in a round that cost it `observed.loss`, with its regret so far where it
  // is known. Says whether this round was looked at.
  struct Seen {
    double loss = 0;
    std::optional<Interval> regret;  // of one number where the best fixed action is proven
    bool rehearsed = false;          // learned from and not played: no part of what was gained
  };
  enum class Look : std::uint8_t { kNone, kTaken };
  Look add(const AnyOutcome& outcome, const Seen& seen, AnyLearner& learner);

  // What is said of the regret, looked at in rounds whose L* is known, each at least 3 % after the last one. `certain`
  // holds with the learner's certainty at every round at once, or for sure; `mean` is the closed form of the expected
  // regret where there is no such limit; `expected` is an estimate, which bounds no single run. `regret` is that of the
  // same round: a limit says nothing of later rounds.
  struct Bound {
    std::uint64_t round = 0;
    std::optional<double> expected, certain, mean;
    std::optional<Interval> regret;
  };
  std::optional<Bound> last() const;

  using Without = SumsWithoutReserves;
  const std::optional<Without>& without() const { return without_; }

  // The gains in stretches; none where they were not counted from the start.
  const std::optional<GainStretches>& stretches() const { return stretches_; }

  // {bounds: {rounds, expected, certain, mean, regret_range}, without: {total, gain, squares, stretches} or null}.
  Json json() const;
  static Json unknown();                               // that of a run whose beginning was not looked at
  void load(const Json& json, std::string_view path);  // of json(), for the same problem

 private:
  std::function<double(const AnyOutcome&)> loss_without_;  // empty: not known
  std::optional<Without> without_;
  std::optional<GainStretches> stretches_;
  std::vector<Bound> bounds_;
};

}  // namespace hannan::detail::service
