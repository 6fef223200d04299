#include "hannan/check/matrix_noise.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "hannan/core/elementary.hpp"

namespace hannan::detail {

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

std::vector<int> column_signs(const MatrixFacts& matrix) {
  return std::vector<int>(matrix.columns(), matrix.hedge_sign() == HedgeSign::kNonPositive ? -1 : 1);
}

NoiseSize size_of_noise(const std::shared_ptr<const AnyOracle<Game>>& oracle,
                        const std::shared_ptr<const Perturbation<Game>>& matrix, const Noise& noise) {
  if (noise == Noise{}) {
    if (const auto exact = exact_laplace_size(matrix->shape())) return {*exact, *exact, *exact, "exact"};
  }
  // `tabulate` keeps a number per action and a draw costs K: fewer of them where K is large, and the interval says so.
  constexpr double kMostWork = 2e8;
  const double ln_cost = oracle->name() == "tabulate" ? oracle->problem().ln_size() : 0.0;
  const double cost = std::exp(std::min(20.0, ln_cost));
  const auto draws =
      static_cast<std::uint64_t>(std::clamp(kMostWork / cost, 50.0, static_cast<double>(kNoiseSizeDraws)));
  return monte_carlo_noise_size<Game>(
      {.oracle = oracle,
       .matrix = matrix,
       .draw = [noise, signs = column_signs(*matrix)](
                   std::uint64_t i,
                   std::span<double> alpha) { noise.draw(KeyedRandom(Key{}, Purpose::kNoiseSize, i), alpha, signs); },
       .draws = draws});
}

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
