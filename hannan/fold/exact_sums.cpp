// Error-free addition: two_sum splits a + b into its rounded value and the exact remainder, so that nothing is ever
// thrown away. It needs round-to-nearest, no overflow, and a compiler that neither reorders nor fuses (the build sets
// -ffp-contract=off and no fast-math). ExactSum holds any sum; ExactSums keeps two doubles a sum and sends to rests_
// only what those do not hold, so that the loop over many sums has no branch.
#include "hannan/fold/exact_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace hannan::detail {
namespace {

// sum + error is a + b exactly, and sum is a + b rounded (Knuth). No assumption on which of them is larger.
struct TwoSum {
  double sum;
  double error;
};
inline TwoSum two_sum(double a, double b) {
  const double sum = a + b;
  const double kept = sum - a;
  return {sum, (a - (sum - kept)) + (b - kept)};
}

// Invariant: value is value + carry, rounded; afterwards old value + old carry + term = value + carry + what is
// returned, exactly.
// value + carry += term; returns what the two do not hold.
inline double add_term(double& value, double& carry, double term) {
  const auto [high, middle] = two_sum(value, term);
  const auto [low, lost] = two_sum(carry, middle);
  const auto [sum, rest] = two_sum(high, low);
  value = sum;
  carry = rest;
  return lost;
}

// Whether one of them is not 0. By their bits, of which -0.0 has the sign alone: a sum of doubles has an order, which
// keeps the compiler from adding several at a time.
bool any_of(std::span<const double> numbers) {
  std::uint64_t bits = 0;
  for (const double number : numbers) bits |= std::bit_cast<std::uint64_t>(number);
  return (bits << 1) != 0;
}

}  // namespace

// Grows the expansion by one term (Shewchuk, GROW-EXPANSION): from the least part up, `term` carries the rounded sum
// on, and what it leaves behind is a part. kept <= the place being read, so writing in place overwrites nothing unread.
// Parts stay in order of size and do not overlap; their number is at most about 40, the exponents of a double over its
// bits.
void ExactSum::add(double term) {
  std::size_t kept = 0;
  for (const double part : parts_) {
    const auto [sum, error] = two_sum(term, part);
    if (error != 0) parts_[kept++] = error;
    term = sum;
  }
  parts_.resize(kept);
  if (term != 0) parts_.push_back(term);
}

// From the largest part down until a remainder is left: up to there the sums are exact, so `high` is the sum of these
// parts and `error` what rounding cut off.
double ExactSum::rounded() const {
  double high = 0;
  for (std::size_t i = parts_.size(); i-- > 0;) {
    const auto [sum, error] = two_sum(high, parts_[i]);
    high = sum;
    if (error == 0) continue;
    // All parts below are together less than the last bit of the error. They matter where the error is exactly half of
    // the last bit of the sum: then the even neighbour was taken, and they may say that the other one is nearer.
    if (i > 0 && std::signbit(parts_[i - 1]) == std::signbit(error)) {
      const double other = high + 2 * error;
      if (other - high == 2 * error) high = other;
    }
    break;
  }
  return high;
}

// Ends: each step leaves at most half of the last bit of what it wrote.
std::vector<double> ExactSum::written() const {
  std::vector<double> all;
  for (ExactSum left = *this; !left.parts_.empty(); left.add(-all.back())) all.push_back(left.rounded());
  return all;
}

void ExactSums::add(std::size_t at, double term) {
  if (const double lost = add_term(values_[at], carries_[at], term); lost != 0) rests_[at].add(lost);
}

void ExactSums::add(std::size_t first, std::span<const double> terms) {
  // One outcome moves few of many sums: most blocks hold nothing, which is seen in one pass of vector code.
  constexpr std::size_t kBlock = 64;
  for (; !terms.empty(); first += kBlock) {
    const auto block = terms.first(std::min(kBlock, terms.size()));
    if (any_of(block)) add_block(first, block);
    terms = terms.subspan(block.size());
  }
}

void ExactSums::add_block(std::size_t first, std::span<const double> terms) {
  lost_.resize(terms.size());
  double* const values = values_.data() + first;
  double* const carries = carries_.data() + first;
  double* const lost = lost_.data();
  for (std::size_t i = 0; i < terms.size(); ++i) lost[i] = add_term(values[i], carries[i], terms[i]);
  if (!any_of(lost_)) return;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (lost_[i] != 0) rests_[first + i].add(lost_[i]);
  }
}

void ExactSums::add(const ExactSums& other) {
  for (std::size_t i = 0; i < size(); ++i) {
    for (const double part : other.written(i)) add(i, part);
  }
}

// rests_ + carry + value is the exact sum; only sums that have a rest come here.
ExactSum ExactSums::whole(std::size_t at) const {
  ExactSum sum = rests_.at(at);
  sum.add(carries_[at]);
  sum.add(values_[at]);
  return sum;
}

double ExactSums::value(std::size_t at) const { return two_suffice(at) ? values_[at] : whole(at).rounded(); }

double ExactSums::carry(std::size_t at) const {
  if (two_suffice(at)) return carries_[at];
  const auto all = written(at);
  return all.size() > 1 ? all[1] : 0.0;
}

std::vector<double> ExactSums::written(std::size_t at) const {
  if (!two_suffice(at)) return whole(at).written();
  if (values_[at] == 0) return {};
  if (carries_[at] == 0) return {values_[at]};
  return {values_[at], carries_[at]};
}

}  // namespace hannan::detail
