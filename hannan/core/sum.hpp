// A sum that forgets nothing: what rounding cuts off is kept beside it (Neumaier's compensation).
//
// After n terms the error is about 2^-53 of the sum and n 2^-106 of the terms: 10^9 rounds are safe.
#pragma once

#include <cmath>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

class Sum {
 public:
  Sum() = default;
  explicit Sum(double start) : high_(start) {}

  void add(double term) {
    const double sum = high_ + term;
    if (std::isfinite(sum)) low_ += std::abs(high_) >= std::abs(term) ? (high_ - sum) + term : (term - sum) + high_;
    high_ = sum;
  }
  void scale(double factor) {
    high_ *= factor;
    low_ *= factor;
  }
  double value() const { return high_ + low_; }

  void archive(Archive& a, const char* high, const char* low, SavedRange range = kSavedNumbers) {
    a.field(high, high_, range);
    a.field(low, low_);
  }

 private:
  double high_ = 0;
  double low_ = 0;
};

}  // namespace hannan::detail
