// AdaHedge over two experts (de Rooij et al. 2014): the learner of a segment and what is played below it.
//
//   eta = ln 2 / Delta, infinity while Delta = 0: then all weight lies on the leaders, half each in a tie
//   mix = the increase of min L - (1/eta) ln of the sum of exp(-eta (L - min L)), which cannot underflow
//   Delta += max(0, expected loss - mix)
//
// Regret against either expert is at most 2 Delta (docs/contexts.md). Three numbers, and two exponentials a round.
#pragma once

#include "hannan/core/archive.hpp"

namespace hannan::detail {

class AdaHedgePair {
 public:
  struct Weights {
    double own = 0.5;
    double below = 0.5;
  };
  Weights weights() const;
  // The losses of a round; says the expected one.
  double charge(double own, double below);

  double gap() const { return gap_; }  // Delta
  // Has "below" lost less by more than the tie window? Then its weight is above 1/2.
  bool prefers_below() const;

  void archive(Archive& a);

 private:
  double best() const { return own_ < below_ ? own_ : below_; }

  double own_ = 0;  // total losses
  double below_ = 0;
  double gap_ = 0;
};

}  // namespace hannan::detail
