// The conditional regret of a run: each round's loss in the mean over the draw of that round alone, less L*.
//
// It is what the certificate `limit` bounds (docs/theory-run.md), and has a closed form where there are two actions and
// one column of noise: action 0 is chosen where L(0) - L(1) <= z alpha (row(1) - row(0)).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hannan/noise/noise.hpp"
#include "hannan/runtime/any_learner.hpp"

namespace hannan::detail {

class ConditionalRegret {
 public:
  // None where there is no closed form.
  static std::optional<ConditionalRegret> of(const AnyLearner& learner);

  // The learner's decision of a round, and its outcome.
  void round(const Round& round, const AnyOutcome& y);
  double value() const;

 private:
  ConditionalRegret(const Game& game, Noise noise, double step) : game_(&game), noise_(std::move(noise)), step_(step) {}
  double chance_of_first(double z) const;

  const Game* game_;
  Noise noise_;
  double step_;                     // row(1) - row(0)
  std::array<double, 2> totals_{};  // L
  double expected_ = 0;             // the sum of mean losses
};

}  // namespace hannan::detail
