#include "hannan/certify/noise_size.hpp"

namespace hannan::detail {

NoiseSize monte_carlo_noise_size(const NoiseSizeInput& in) {
  const std::size_t n = in.matrix->columns();
  if (n == 0) return {};
  Perturber perturber(in.oracle, in.matrix, {});
  const auto nothing = in.oracle->empty();
  std::vector<double> alpha(n), row(n);
  MeanOfDraws mean;
  for (std::uint64_t i = 1; i <= in.draws; ++i) {
    in.draw(i, alpha);
    const auto best = in.oracle->best({*nothing, perturber.with(alpha).history(), 1.0}, 0);
    // Through the row, because pouring drops a constant.
    in.matrix->row(best.action, row);
    double value = 0;
    for (std::size_t j = 0; j < n; ++j) value -= row[j] * alpha[j];
    mean.add(value);
  }
  return mean.size("monte-carlo");
}

}  // namespace hannan::detail
