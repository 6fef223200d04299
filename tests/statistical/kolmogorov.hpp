// The Kolmogorov distance between a sample and a continuous law, and the level it may reach by chance.
//
// Dvoretzky-Kiefer-Wolfowitz with Massart's constant: P[distance > d] <= 2 exp(-2 n d^2), for every n.
// A sample from a law whose CDF is off by 2d somewhere passes with at most the same probability.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace hannan::detail::testing {

template <class Cdf>
double kolmogorov_distance(std::vector<double> sample, Cdf cdf) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(sample[i]);
    distance = std::max({distance, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return distance;
}

// The distance exceeded with probability at most 1e-6 by a sample of this size from the true law.
inline double kolmogorov_limit(std::size_t size) {
  return std::sqrt(std::log(2 / 1e-6) / (2 * static_cast<double>(size)));
}

}  // namespace hannan::detail::testing
