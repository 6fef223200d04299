// M, the expected maximum of the noise over actions, by Monte-Carlo: the mean over draws of max over x of -<row(x),
// alpha>, one oracle call a draw on evidence that is noise alone. Used where the shape of the perturbation has no
// closed form (noise_size.hpp); comes with a confidence interval.
#include "hannan/certify/noise_size.hpp"

#include "hannan/core/interruption.hpp"

namespace hannan::detail {

NoiseSize monte_carlo_noise_size(const NoiseSizeInput& in) {
  const std::size_t n = in.matrix->columns();
  if (n == 0) return {};
  Perturber perturber(in.oracle, in.matrix, {});
  const auto nothing = in.oracle->empty();
  std::vector<double> alpha(n), row(n);
  MeanOfDraws mean;
  for (std::uint64_t i = 1; i <= in.draws; ++i) {
    interruption_point();
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
