// The least average among mixtures whose worst case is within a limit (docs/theory.md, "Robust decisions").
//
// The mixtures of least worst case form a face, and the vertex of it that a solver ends with may be needlessly bad on
// average. For every q in Q, lam >= 0 and every p with worst(p F) <= limit,
//   <shares, p F>  >=  min over x of <shares + lam q, F(x, .)> - lam limit,
// so one oracle call at the prices of the programme proves how good the average can be at all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hannan/solve/active_game.hpp"

namespace hannan::detail {

// A mixture over the actions met, with what it loses; all without the origin.
struct MetMixture {
  std::vector<double> p;
  std::vector<double> losses;
  double worst = 0, average = 0;
};
MetMixture met_mixture(const ActiveGame& game, std::vector<double> p, double cap);

struct StageLimits {
  double worst;         // without the origin
  std::uint64_t calls;  // at most so many questions
  double tolerance;     // of the average, in losses
  std::function<bool()> stop;
};

struct SecondStage {
  MetMixture mixture;
  double average_lower;    // no mixture within the limit has a smaller average; -infinity: nothing is known
  AverageWitness witness;  // what proves it
};

// Goes on from a mixture within the limit.
SecondStage least_average(ActiveGame& game, std::span<const double> shares, double cap, MetMixture start,
                          const StageLimits& limits);

}  // namespace hannan::detail
