#include "hannan/check/matrix_noise.hpp"

#include <algorithm>
#include <cmath>
#include <span>

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

}  // namespace hannan::detail
