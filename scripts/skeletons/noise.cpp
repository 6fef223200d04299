#include "hannan/noise/@file@.hpp"

#include "hannan/noise/exponential.hpp"
#include "hannan/noise/laplace.hpp"

namespace hannan::detail {

void @Type@::draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns) const {
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    const double up = exponential_from_uniform(random.uniform(2 * j));
    const double down = exponential_from_uniform(random.uniform(2 * j + 1));
    alpha[j] = up - down;
  }
}

double @Type@::mass(double low, double high) const { return laplace_mass(low, high); }

}  // namespace hannan::detail
