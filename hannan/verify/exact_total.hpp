// A sum of many terms whose error does not grow with their number; the verifier's own, beside core/long_sums.hpp.
//
// Neumaier: the part of each addition that rounding cuts off is summed apart and added when the sum is read.
// After n terms the error is about 2^-53 of the sum and n 2^-106 of the terms.
#pragma once

#include <cmath>

namespace hannan::detail {

class ExactTotal {
 public:
  void operator+=(double term) {
    const double sum = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  void operator*=(double factor) {
    sum_ *= factor;
    lost_ *= factor;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace hannan::detail
