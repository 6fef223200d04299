// Student quantiles by numerical integration (student.hpp). With x = sqrt(d) tan(a) the density is cos(a)^(d-1);
// Simpson's rule on 2000 panels of (0, pi/2), where half of the law lies. 2000: chosen, errors stay below 1e-5 relative
// up to 1000 degrees of freedom, beyond which the law is taken as that of 1000.
#include "hannan/compare/student.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

namespace hannan::detail {

double student_quantile(double tail, double degrees) {
  assert(tail > 0 && tail < 0.5 && degrees >= 1);
  const double power = std::min(degrees, kMostDegrees) - 1;
  // Panels of equal width from 0 to pi/2; area[k] is that of the first k of them.
  constexpr std::size_t kPanels = 2'000;
  const double width = std::numbers::pi / 2 / static_cast<double>(kPanels);
  const auto density = [&](double angle) {
    const double cosine = std::cos(angle);
    if (power == 0) return 1.0;
    return cosine > 0 ? std::exp(power * std::log(cosine)) : 0.0;
  };
  std::vector<double> area(kPanels + 1, 0.0);
  double left = density(0);
  for (std::size_t k = 0; k < kPanels; ++k) {
    const double at = static_cast<double>(k) * width;
    const double right = density(at + width);
    area[k + 1] = area[k] + width / 6 * (left + 4 * density(at + width / 2) + right);
    left = right;
  }
  // Half of the law lies above 0. In the panel that holds the quantile the density falls from f to g as a line: the
  // part x of the panel has the share (f x - (f - g) x^2 / 2) / ((f + g) / 2) of its area.
  const double wanted = (1 - 2 * tail) * area.back();
  const auto above = std::upper_bound(area.begin(), area.end(), wanted);
  const auto k = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - area.begin() - 1, 0, kPanels - 1));
  // k is the panel with area[k] <= wanted < area[k + 1], clamped for rounding at the ends.
  const double share = (wanted - area[k]) / (area[k + 1] - area[k]);
  const double f = density(static_cast<double>(k) * width), g = density(static_cast<double>(k + 1) * width);
  // The root of the quadratic in the form that does not cancel for f near g.
  const double part = share * (f + g) / (f + std::sqrt(std::max(0.0, f * f - (f - g) * (f + g) * share)));
  return std::sqrt(power + 1) * std::tan((static_cast<double>(k) + part) * width);
}

}  // namespace hannan::detail
