// Many sums side by side, each safe over 10^9 terms: what rounding cuts off is carried beside it.
//
// value + carry is the exact sum up to 2^-106 of it; after every term value is that, rounded once. A plain
// loop without branches, so the compiler uses vectors. Cost: six additions a term. Terms are finite; a sum is for one
// thread at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan {

// value + carry += term, by two exact additions (Knuth, Dekker).
inline void add_carried(double& value, double& carry, double term) {
  const double sum = value + term;
  const double kept = sum - value;
  carry += (value - (sum - kept)) + (term - kept);
  value = sum + carry;
  carry -= value - sum;
}

// Can rounding have cut this off the value? It cuts off half of the last bit; much more is damage.
// The rounding of one addition is at most 1.1e-16 of the value; 1e-12 leaves space for sums whose value has fallen
// since.
inline bool is_carry(double value, double carry) { return std::abs(carry) <= 1e-12 * (1 + std::abs(value)); }

// One such sum, of losses. A state without a carry, as earlier versions wrote it, goes on from its rounded value.
class CarriedSum {
 public:
  // One term more; all of it times a factor; the sum, rounded once.
  void add(double term) { add_carried(value_, carry_, term); }
  void scale(double factor) {
    value_ *= factor;
    carry_ *= factor;
  }
  double value() const { return value_; }
  // Under these two names of fields; the value lies in the range.
  void archive(Archive& a, const char* value, const char* carry, SavedRange range = kSavedLosses) {
    a.field(value, value_, range);
    a.later_field(carry, carry_);
    if (a.reading() && !is_carry(value_, carry_)) a.refuse(carry, "found more than rounding cuts off");
  }

 private:
  double value_ = 0;
  double carry_ = 0;
};

// So many of them, all 0 at first.
class LongSums {
 public:
  LongSums() = default;
  explicit LongSums(std::size_t size) : values_(size, 0.0) {}

  // How many there are, the i-th one, and all.
  std::size_t size() const { return values_.size(); }
  double operator[](std::size_t i) const { return values_[i]; }
  const std::vector<double>& values() const { return values_; }

  // fill adds one term to each of these zeroes.
  template <class Fill>
  void add(Fill&& fill) {
    terms_.assign(size(), 0.0);
    carries_.resize(size(), 0.0);
    fill(std::span<double>(terms_));
    for (std::size_t i = 0; i < terms_.size(); ++i) add_carried(values_[i], carries_[i], terms_[i]);
  }
  // weight * terms, one to each.
  void add(std::span<const double> terms, double weight) {
    carries_.resize(size(), 0.0);
    for (std::size_t i = 0; i < terms.size(); ++i) add_carried(values_[i], carries_[i], weight * terms[i]);
  }
  // One term to one of the sums.
  void add_one(std::size_t i, double term) {
    if (carries_.empty()) carries_.resize(size(), 0.0);
    add_carried(values_[i], carries_[i], term);
  }
  // To be added to directly, where the sum stays short: noise.
  std::span<double> plain() { return values_; }

  // Exact for powers of two; otherwise every value is rounded once more.
  void scale(double factor) {
    for (double& value : values_) value *= factor;
    for (double& carry : carries_) carry *= factor;
  }
  // All to 0.
  void clear() {
    std::fill(values_.begin(), values_.end(), 0.0);
    std::fill(carries_.begin(), carries_.end(), 0.0);
  }
  // The buffer of terms is given back.
  void shrink() { terms_ = std::vector<double>(); }
  // The size must be what it was; before the first term there are no carries.
  void archive(Archive& a, const char* values, const char* carries) {
    a.field(values, values_);
    a.list(carries, carries_, {0, size()});
    if (a.reading() && !carries_.empty() && carries_.size() != size()) {
      a.refuse(carries, "found " + std::to_string(carries_.size()) + " numbers, expected none or " +
                            std::to_string(size()) + ", one per sum");
    }
    for (std::size_t i = 0; a.reading() && i < carries_.size(); ++i) {
      if (!is_carry(values_[i], carries_[i])) a.refuse(carries, "found more than rounding cuts off a sum");
    }
  }

 private:
  std::vector<double> values_;
  std::vector<double> carries_, terms_;  // none before the first term
};

}  // namespace hannan
