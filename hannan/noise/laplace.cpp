// Laplace noise by the inverse of its distribution function. u < 1/2 gives ln(2u) and u > 1/2 gives -ln(2(1-u)): both
// are the sign of 1 - 2u times ln(1 - |1 - 2u|). 2u, 1 - 2u and 1 - |1 - 2u| are exact for the 52-bit numbers of
// unit_from_bits, so block and single draws have the same bits.
#include "hannan/noise/laplace.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hannan/core/elementary.hpp"
#include "hannan/core/exponentials.hpp"

namespace hannan::detail {

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

namespace {

// laplace_from_uniform of every number, in blocks, for the vectors of the logarithm.
void laplace_of(std::span<double> uniforms) {
  // 64 numbers: chosen, enough for the widest vectors and small enough for the stack.
  constexpr std::size_t kBlock = 64;
  double sign[kBlock];
  while (!uniforms.empty()) {
    const auto block = uniforms.first(std::min(kBlock, uniforms.size()));
    for (std::size_t j = 0; j < block.size(); ++j) {
      const double u = block[j];
      const double fold = 1 - 2 * u;  // its sign says which half u is in
      sign[j] = std::copysign(1.0, fold);
      block[j] = 1 - std::abs(fold);
    }
    portable_log_all(block);
    for (std::size_t j = 0; j < block.size(); ++j) block[j] *= sign[j];
    uniforms = uniforms.subspan(block.size());
  }
}

}  // namespace

void Laplace::draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns) const {
  random.fill_uniform(alpha);
  laplace_of(alpha);
}

// 1 - 2u is exact for these numbers too: 1/2 + (u - 1/2) c is a multiple of 2^-54.
void draw_cut_laplace(const KeyedRandom& random, std::span<double> alpha) {
  random.fill_uniform(alpha);
  for (double& u : alpha) u = 0.5 + (u - 0.5) * kCutOfLaplace;
  laplace_of(alpha);
}

}  // namespace hannan::detail
