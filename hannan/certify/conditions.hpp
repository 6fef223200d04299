// The conditions on a perturbation matrix, computed exactly on explicit tables.
//
// Approximability (theory key gamma_exact): gamma = max over actions k and outcomes y of
//
//     min ||s||  subject to  <Gamma_k - Gamma_j, s> >= f(k,y) - f(j,y)  for every action j,
//
// s free or of one sign, ||.|| the 1-norm or the sup-norm; infinite if some (k,y) has no feasible s. In
// reward form the right-hand side is r(j,y) - r(k,y): the same number.
//
// Admissibility (theory key delta): the largest delta such that any two different entries of a column
// differ by at least delta, all rows being distinct.
//
// Cost of gamma: each (k,y) is at most one linear programme with N rows and one column per distinct row
// of Gamma, started from the previous basis. Actions with equal rows share their programmes, equal
// right-hand sides are solved once, and where only the maximum is wanted an outcome is skipped as soon as
// a multiple of a known s proves that it stays below the maximum so far. Memory O(K (N + d)).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "hannan/core/perturbation.hpp"

namespace hannan::detail {

// Entries of Gamma, and losses, closer than this are equal: they come out of sums of a few terms of
// order 1, whose rounding is near 1e-16, while true differences are grid steps.
inline constexpr double kSameEntry = 1e-12;

struct ConditionTables {
  std::vector<std::vector<double>> gamma_rows;  // K rows of N
  std::vector<std::vector<double>> losses;      // K rows of d: f(k,y)
};

struct GammaQuery {
  enum class Norm { kOne, kSup };
  enum class Answer { kMaximum, kTable };
  HedgeSign sign = HedgeSign::kMixed;  // kMixed: s is free
  Norm norm = Norm::kOne;
  Answer answer = Answer::kMaximum;
};

struct Rival {
  std::size_t action;
  double weight;
};

// The pair (action, outcome) that attains gamma and its cheapest s; s is empty if there is none. The rivals
// with their weights prove that nothing is cheaper (HedgeVector::proof): where gamma is infinite, their weighted
// rows add up to that of the action, and their weighted losses to less than the action's.
struct GammaWitness {
  std::size_t action;
  std::size_t outcome;
  std::vector<double> s;
  std::vector<Rival> rivals;
};

struct GammaResult {
  double gamma;                            // +infinity if not approximable
  std::optional<GammaWitness> witness;     // absent if gamma = 0
  std::vector<std::vector<double>> table;  // K rows of d, only for Answer::kTable
};

// How far a long computation is; called often, from the thread that computes.
using Watch = std::function<void(std::size_t done, std::size_t of)>;

GammaResult exact_gamma(const ConditionTables& tables, GammaQuery query, const Watch& watch = {});

// delta; 0 if two rows are equal, +infinity for a single row (nothing to tell apart).
double admissibility(const std::vector<std::vector<double>>& gamma_rows);

}  // namespace hannan::detail
