// Sums of elements and what they certify (elements_account.hpp).
#include "hannan/certify/elements_account.hpp"

#include <algorithm>
#include <cassert>

#include "hannan/certify/deviations.hpp"

namespace hannan::detail {

void ElementsAccount::see(const Shown& shown) {
  assert(shown.elements.size() == shown.losses.size() && shown.elements.size() == shown.copies.size());
  for (std::size_t i = 0; i < shown.elements.size(); ++i) {
    const auto element = static_cast<std::size_t>(shown.elements[i]);
    const double estimate = shown.losses[i] * static_cast<double>(shown.copies[i]);
    estimates_[element] += estimate;
    squares_[element] += estimate * estimate;
    total_ += shown.losses[i];
  }
}

void ElementsAccount::lows(std::span<double> out) const {
  const PositiveUpper upper(delta_ / static_cast<double>(estimates_.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::max(0.0, estimates_[i] - upper(squares_[i]));
}

void ElementsAccount::archive(Archive& a) {
  a.field("total", total_, kSavedNonnegative);
  a.field("estimates", estimates_, kSavedNonnegative);
  a.field("squares", squares_, kSavedNonnegative);
}

}  // namespace hannan::detail
