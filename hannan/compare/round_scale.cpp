// Whether gains are judged as shares of the scale of a round (round_scale.hpp).
#include "hannan/compare/round_scale.hpp"

#include <algorithm>

namespace hannan::detail {

bool judged_by_shares(const Money::Shares* shares, std::span<const double> scales, std::span<const double> base) {
  if (!shares || scales.empty()) return false;
  const auto [least, most] = std::minmax_element(scales.begin(), scales.end());
  if (!(*least > 0 && *least < *most)) return false;
  if (shares->judged == Money::Shares::Judged::kAlways) return true;
  // What sums of a few prices may differ by.
  constexpr double kRounding = 1e-9;
  for (std::size_t t = 0; t < scales.size(); ++t) {
    if (base[t] > kRounding * scales[t]) return false;  // a loss: more was paid than it was worth
  }
  return true;
}

}  // namespace hannan::detail
