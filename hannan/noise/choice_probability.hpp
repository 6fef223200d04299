// The exact chance that an action is chosen under one-column noise: P[argmin_j L_j + col_j alpha = k].
//
// Every rival j leaves k a half line: (col_k - col_j) alpha <= L_j - L_k. k wins on their intersection,
// an interval, whose probability follows from the law. A tie at an end of the interval has probability
// zero; rivals with col_j = col_k are decided by their losses, equal losses by the lower index.
// With it the stability lemma and its failures (Lemma 1) are checked without sampling. Cost: O(K).
#pragma once

#include <cstddef>
#include <span>

#include "hannan/noise/noise.hpp"

namespace hannan::detail {

struct ScalarChoice {
  std::span<const double> losses;  // L
  std::span<const double> column;  // the one column of the perturbation matrix, times the noise scale
  std::size_t action;              // k
};

struct NoiseRange {
  double low;
  double high;  // empty when below low
};

// The alphas for which `action` is chosen.
NoiseRange winning_interval(const ScalarChoice& choice);

double choice_probability(const ScalarChoice& choice, const Noise& noise);

}  // namespace hannan::detail
