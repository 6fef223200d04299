#include "hannan/noise/laplace.hpp"

#include <cassert>

#include "hannan/core/elementary.hpp"

namespace hannan {

double laplace_from_uniform(double u) {
  assert(u > 0 && u < 1);
  return u < 0.5 ? portable_log(2 * u) : -portable_log(2 * (1 - u));
}

double laplace_mass(double low, double high) {
  if (!(low < high)) return 0;
  // Away from 0 both ends are on one side, and the difference of tails loses nothing to 1 - tiny.
  if (high <= 0) return 0.5 * (portable_exp(high) - portable_exp(low));
  if (low >= 0) return 0.5 * (portable_exp(-low) - portable_exp(-high));
  return 1 - 0.5 * (portable_exp(low) + portable_exp(-high));
}

void Laplace::draw(const Stream& stream, std::span<double> alpha, ColumnSigns) const {
  stream.fill_uniform(alpha);
  for (double& a : alpha) a = laplace_from_uniform(a);
}

}  // namespace hannan
