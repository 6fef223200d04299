// Robust decisions: a mixture of few actions whose worst scenario is provably near the least possible.
//
// With F(x, g) = f(x, g) - c_g (scenarios.hpp; the base c_g is 0, or the least loss of the scenario with `regret`) and
// Q the opponent's mixtures (capped_simplex.hpp), for every mixture p of actions and every q in Q
//
//   min over x of <q, F(x, .)>  <=  V  <=  worst(p F),      V = min over p of worst(p F)
//
// so `lower` is an oracle's proven floor at one q, `upper` a sort, and both are true however p and q were found. They
// are found by the double oracle method (McMahan, Gordon, Blum 2003): the linear programme over the actions and
// responses met so far says what to ask next; every second question is asked at the weights of capped Hedge, which
// gives a rate whatever the number of actions is (docs/theory.md, "Robust decisions"). Then the mixture of least
// average among those with this worst case is looked for, within `slack`.
//
// No random number is used. Limits count work: questions, rows of losses, actions, responses. Cost of a round: one
// oracle call, one row of losses if the action is new, a few pivots.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/solve/capped_simplex.hpp"
#include "hannan/solve/scenarios.hpp"

namespace hannan::detail {

enum class Base { kZero, kLeastLoss };
enum class Stopped { kClosed, kOracle, kLimit };

struct SolveOptions {
  double cap = 1;
  Base base = Base::kZero;
  double tolerance = 1e-6;  // of the unit
  double slack = 0;         // of the worst case, in losses
  std::uint64_t rounds = 10'000;
};

// What is certified after a round.
struct SolveRound {
  std::uint64_t round = 0;
  double lower = 0, upper = 0;
  std::size_t actions = 0;
  std::uint64_t calls = 0;
};

struct MixedAction {
  AnyAction action;
  double probability;
  double worst, average;  // of this action alone
};

// A single action beside the mixture.
struct SingleAction {
  AnyAction action;
  double worst = 0, average = 0;
};

// A mixture that gives up `slack` of the worst case for its average.
struct FrontierPoint {
  double slack, worst, average;
  std::vector<MixedAction> strategy;
};

// What proves a bound on the average: it is min over x of <shares + price q, F(x, .)> - price * limit, q in Q.
struct AverageWitness {
  double price = 0;
  std::vector<double> opponent;  // q; empty where the price is 0
};

struct Solved {
  double unit = 1;
  std::vector<MixedAction> strategy;                            // largest first, ties by action
  std::vector<std::pair<std::size_t, double>> opponent;         // scenario and probability, the same order
  double lower = 0, upper = 0, average = 0, average_lower = 0;  // upper and average of `strategy`
  AverageWitness average_witness;
  Stopped stopped = Stopped::kLimit;
  SparseMixture worst;                      // the scenarios that make up `upper`
  std::vector<double> losses;               // of the strategy by scenario, less the base
  std::vector<double> base_low, base_high;  // 0 without regret
  SingleAction best_single, best_average;
  std::vector<FrontierPoint> frontier;
  std::vector<SolveRound> trace;  // after rounds 1, 2, 4, ... and the last
  std::uint64_t rounds = 0, calls = 0, nodes = 0;
  std::size_t actions = 0, responses = 0;
  std::string oracle, claims;
};

struct SolveWatch {
  // After rounds 1, 2, 4, ... and the last one of the loop. May be empty.
  std::function<void(const SolveRound&)> progress;
  // Asked after every question: true ends the search with what is certified so far. May be empty.
  std::function<bool()> stop;
};

Solved solve(const Scenarios& scenarios, const GameOracle& oracle, const SolveOptions& options,
             const SolveWatch& watch = {});

// F(x, .) of one action: f(x, g) less low_g.
std::vector<double> scenario_losses(const Scenarios& scenarios, const AnyAction& x, std::span<const double> base);

}  // namespace hannan::detail
