// Counting, listing and ranking of vectors with entries 0..m and a fixed sum; the recurrence is in bounded_sums.hpp.
// Indices: ways_ has (n + 1) rows of sum + 1 numbers. Cost: O(n sum) to build, O(n) for next, O(n m) for at and rank.
#include "hannan/problems/security_game/bounded_sums.hpp"

#include <algorithm>
#include <cassert>

namespace hannan::detail {

BoundedSums::BoundedSums(Shape shape) : shape_(shape) {
  const auto row = static_cast<std::size_t>(shape_.sum) + 1, m = static_cast<std::size_t>(shape_.levels);
  ways_.assign((shape_.width + 1) * row, 0.0);
  ways_[0] = 1;
  // A window sum as the end of one block of m + 1 plus the start of the next: additions only, so a small
  // count is exact even beside huge ones (differences of prefix sums would lose it).
  const std::size_t block = m + 1;
  // starts[s] = sum from the first index of s's block up to s; ends[s] = sum from s to the last index of its block. The
  // window s-m..s is one block exactly if s % block == m, a beginning if s < m, and otherwise the end of one block,
  // from s-m on, and the start of the next.
  std::vector<double> starts(row), ends(row);
  for (std::size_t c = 1; c <= shape_.width; ++c) {
    const double* before = ways_.data() + (c - 1) * row;
    for (std::size_t s = 0; s < row; ++s) starts[s] = before[s] + (s % block == 0 ? 0.0 : starts[s - 1]);
    for (std::size_t s = row; s-- > 0;) ends[s] = before[s] + (s % block == m || s + 1 == row ? 0.0 : ends[s + 1]);
    for (std::size_t s = 0; s < row; ++s) {
      const bool one_block = s < m || s % block == m;
      ways_[c * row + s] = starts[s] + (one_block ? 0.0 : ends[s - m]);
    }
  }
}

double BoundedSums::ways(std::size_t entries, int sum) const {
  return ways_[entries * (static_cast<std::size_t>(shape_.sum) + 1) + static_cast<std::size_t>(sum)];
}

void BoundedSums::fill(std::vector<int>& x, std::size_t from, int sum) const {
  for (std::size_t i = x.size(); i-- > from;) {
    x[i] = std::min(sum, shape_.levels);
    sum -= x[i];
  }
  assert(sum == 0);
}

std::vector<int> BoundedSums::first() const {
  std::vector<int> x(shape_.width, 0);
  fill(x, 0, shape_.sum);
  return x;
}

bool BoundedSums::next(std::vector<int>& x) const {
  int behind = 0;
  for (std::size_t i = x.size(); i-- > 0;) {
    // The last entry that can be raised by one at the cost of those behind it, which are then refilled as small as
    // possible.
    if (behind > 0 && x[i] < shape_.levels) {
      ++x[i];
      fill(x, i + 1, behind - 1);
      return true;
    }
    behind += x[i];
  }
  return false;
}

void BoundedSums::at(std::uint64_t k, std::vector<int>& x) const {
  x.assign(shape_.width, 0);
  int left = shape_.sum;
  auto skip = static_cast<double>(k);
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Entry i takes the values 0, 1, ... in turn; each has ways(rest, left) vectors behind it. k < count() ends the
    // loop before left falls below 0.
    while (skip >= ways(x.size() - i - 1, left)) {
      skip -= ways(x.size() - i - 1, left);
      --left;
      ++x[i];
    }
  }
}

std::uint64_t BoundedSums::rank(const std::vector<int>& x) const {
  double before = 0;
  int left = shape_.sum;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (int v = 0; v < x[i]; ++v) before += ways(x.size() - i - 1, left--);
  }
  return static_cast<std::uint64_t>(before);
}

}  // namespace hannan::detail
