// Exp(1) by the inverse of its distribution function, with the portable logarithm, so that draws have the same bits on
// every machine. The signs are those of the hedge vectors: support and shift must agree (docs/theory.md, one_sided).
#include "hannan/noise/exponential.hpp"

#include <cassert>
#include <cstddef>

#include "hannan/core/elementary.hpp"

namespace hannan::detail {
namespace {

int sign_of(ColumnSigns signs, std::size_t j) {
  assert(signs.empty() || signs[j] == 1 || signs[j] == -1);
  return signs.empty() ? 1 : signs[j];
}

}  // namespace

double exponential_from_uniform(double u) {
  assert(u > 0 && u < 1);
  return -portable_log(1 - u);
}

double exponential_mass(double low, double high) {
  if (low < 0) low = 0;
  return low < high ? portable_exp(-low) - portable_exp(-high) : 0;
}

void Exponential::draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs) const {
  assert(signs.empty() || signs.size() == alpha.size());
  random.fill_uniform(alpha);
  for (std::size_t j = 0; j < alpha.size(); ++j) alpha[j] = -sign_of(signs, j) * exponential_from_uniform(alpha[j]);
}

void CentredExponential::draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs) const {
  assert(signs.empty() || signs.size() == alpha.size());
  random.fill_uniform(alpha);
  for (std::size_t j = 0; j < alpha.size(); ++j)
    alpha[j] = sign_of(signs, j) * (1 - exponential_from_uniform(alpha[j]));
}

}  // namespace hannan::detail
