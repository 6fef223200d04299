// The three rivals of a row (baselines.hpp has their rules). Invariant: sums are over rows whose actual was told before
// the forecast is made, so that no rival sees its own row. A model without an error so far has all the weight of
// inverse error. Cost: a sort of the models a row.
#include "hannan/forecasts/baselines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hannan::detail {

ForecastBaselines::Forecasts ForecastBaselines::forecast(std::span<const double> x) {
  sorted_.clear();
  double sum = 0;
  for (const double one : x) {
    if (std::isnan(one)) continue;
    sorted_.push_back(one);
    sum += one;
  }
  std::ranges::sort(sorted_);
  const std::size_t n = sorted_.size();
  const std::size_t off = n < 3 ? 0 : std::max<std::size_t>(1, n / 10);
  double kept = 0;
  for (std::size_t i = off; i < n - off; ++i) kept += sorted_[i];
  const double mean = sum / static_cast<double>(n);
  Forecasts made{.trimmed = kept / static_cast<double>(n - 2 * off), .last_best = mean, .inverse_error = mean};
  double least = std::numeric_limits<double>::infinity(), weights = 0, known = 0, exact = 0, exact_sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (std::isnan(x[k]) || counts_[k] == 0) continue;
    if (losses_[k] / counts_[k] < least) {
      least = losses_[k] / counts_[k];
      made.last_best = x[k];
    }
    if (squares_[k] == 0) {  // without an error so far: it has all the weight
      exact += 1;
      exact_sum += x[k];
      continue;
    }
    weights += counts_[k] / squares_[k];
    known += 1;
  }
  if (exact > 0) {
    made.inverse_error = exact_sum / exact;
  } else if (known > 0) {
    double total = 0, mixed = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (std::isnan(x[k])) continue;
      const double w = counts_[k] > 0 ? counts_[k] / squares_[k] : weights / known;
      total += w;
      mixed += w * x[k];
    }
    made.inverse_error = mixed / total;
  }
  return made;
}

void ForecastBaselines::tell(std::span<const double> x, double y, double weight) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (std::isnan(x[k])) continue;
    losses_[k] += weight * loss_->value(x[k], y);
    squares_[k] += weight * (x[k] - y) * (x[k] - y);
    counts_[k] += weight;
  }
}

}  // namespace hannan::detail
