// M and rho2 of a matrix under a noise (docs/theory.md, the size of the noise; docs/theory-run.md, moves_upper). Draws
// are keyed by their number alone, so M is a fact of the problem and the same in every run.
#include "hannan/check/matrix_noise.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "hannan/core/interval.hpp"

namespace hannan::detail {

// Why one-sided noise cannot be used with this matrix; empty: it can.
std::string one_sided_objection(const NoiseFacts& noise, const MatrixFacts& matrix) {
  if (!noise.one_sided) return {};
  if (matrix.hedge_sign() == HedgeSign::kMixed) {
    return "one-sided noise needs a hedge vector of one sign, and that of \"" + matrix.name() +
           "\" takes both: the stability lemma fails";
  }
  if (noise.centred) return {};
  for (std::size_t j = 0; j < matrix.columns(); ++j) {
    if (!matrix.has_data({.column = j, .sign = 1, .weights = Weights::kNonNegative})) {
      return "one-sided noise needs data sets of non-negative weights, and none is known for column " +
             std::to_string(j) + " of \"" + matrix.name() + "\"";
    }
  }
  return {};
}

// The side on which one-sided noise lies, the same for all columns: that of the hedge vectors.
std::vector<int> column_signs(const MatrixFacts& matrix) {
  return std::vector<int>(matrix.columns(), matrix.hedge_sign() == HedgeSign::kNonPositive ? -1 : 1);
}

namespace {

// Losses lie in [0,1]: no entry of a column that is a data set leaves [sum of negative weights, sum of positive ones].
std::vector<Interval> entry_limits(const GameMatrix& matrix) {
  std::vector<Interval> limits(matrix.columns(), {0, 0});
  for (std::size_t j = 0; j < limits.size(); ++j) {
    const auto set = matrix.data({.column = j});
    if (!set) {
      throw Error(Code::kUnavailable,
                  "the oracle does not claim to be exact, and column " + std::to_string(j) + " of \"" + matrix.name() +
                      "\" is no data set: nothing limits M",
                  "perturbation");
    }
    for (const auto& point : *set) (point.weight < 0 ? limits[j].lo : limits[j].hi) += point.weight;
  }
  return limits;
}

// An oracle of the user's own that does not claim to be exact may miss the maximum, and M would be too small for the
// bounds. An upper limit instead, which asks no oracle: the mean of sum_j max over v in [low_j, high_j] of -alpha_j v,
// where [low_j, high_j] holds the entries of column j.
NoiseSize limit_of_noise(const GameMatrix& matrix, const Noise& noise) {
  const std::vector<Interval> limits = entry_limits(matrix);
  if (limits.empty()) return {};
  const std::vector<int> signs = column_signs(matrix);
  std::vector<double> alpha(limits.size());
  MeanOfDraws mean;
  for (std::uint64_t i = 1; i <= kNoiseSizeDraws; ++i) {
    noise.draw(KeyedRandom(Key{}, Purpose::kNoiseSize, i), alpha, signs);
    double most = 0;
    for (std::size_t j = 0; j < alpha.size(); ++j) most += std::max(-alpha[j] * limits[j].lo, -alpha[j] * limits[j].hi);
    mean.add(most);
  }
  return mean.size("upper-limit");
}

}  // namespace

// M = E max over actions of minus the noise: in closed form where the shape of the matrix has one, else by draws.
NoiseSize size_of_noise(const std::shared_ptr<const GameOracle>& oracle,
                        const std::shared_ptr<const GameMatrix>& matrix, const Noise& noise) {
  if (!oracle->claims().empty() && oracle->claims() != "claimed exact") return limit_of_noise(*matrix, noise);
  if (noise == Noise{}) {
    if (const auto exact = exact_laplace_size(matrix->shape())) return {*exact, *exact, *exact, "exact"};
  }
  // `tabulate` keeps a number per action and a draw costs K: fewer of them where K is large, and the interval says so.
  // About a second of scanning; at least 50 draws, so that an interval can be stated.
  constexpr double kMostWork = 2e8;
  const double ln_cost = oracle->name() == "tabulate" ? oracle->problem().ln_size() : 0.0;
  const double cost = portable_exp(std::min(20.0, ln_cost));
  const auto draws =
      static_cast<std::uint64_t>(std::clamp(kMostWork / cost, 50.0, static_cast<double>(kNoiseSizeDraws)));
  return monte_carlo_noise_size({.oracle = oracle,
                                 .matrix = matrix,
                                 .draw =
                                     [noise, signs = column_signs(*matrix)](std::uint64_t i, std::span<double> alpha) {
                                       interruption_point();
                                       noise.draw(KeyedRandom(Key{}, Purpose::kNoiseSize, i), alpha, signs);
                                     },
                                 .draws = draws});
}

// rho_2 of the bound moves_upper, from the ranges of the columns; none where they are not known.
std::optional<double> square_of_noise(const std::vector<double>& ranges, double p) {
  if (ranges.empty()) return std::nullopt;
  double sum = 0, squares = 0, most = 0;
  for (const double r : ranges) {
    sum += r;
    squares += r * r;
    most = std::max(most, r);
  }
  if (p == 1) return squares + sum * sum;
  // N (N+1) ||r||_q^2 with 1/p + 1/q = 1; the norm by its largest entry, so that no power overflows.
  const auto n = static_cast<double>(ranges.size());
  if (most == 0) return 0.0;
  if (std::isinf(p)) return n * (n + 1) * sum * sum;
  const double q = p / (p - 1);
  double powers = 0;
  for (const double r : ranges) powers += portable_power(r / most, q);
  const double norm = most * portable_power(powers, 1 / q);
  return n * (n + 1) * norm * norm;
}

}  // namespace hannan::detail
