// Integer vectors with entries in 0..m and a fixed sum, in lexicographic order: how many, which, where.
//
// ways(c, s) = number of vectors of c entries with sum s = sum over v = 0..m of ways(c - 1, s - v), made
// once by window sums in O(n * sum). Numbers are doubles: exact up to 2^53, close beyond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hannan::detail {

class BoundedSums {
 public:
  struct Shape {
    std::size_t width;  // n
    int levels;         // m
    int sum;            // at most n * m
  };
  explicit BoundedSums(Shape shape);

  double count() const { return ways(shape_.width, shape_.sum); }
  std::vector<int> first() const;
  bool next(std::vector<int>& x) const;  // false after the last
  // Only where count() is exact.
  void at(std::uint64_t k, std::vector<int>& x) const;
  std::uint64_t rank(const std::vector<int>& x) const;

 private:
  double ways(std::size_t entries, int sum) const;
  // The smallest entries from `from` on with this sum: as much as possible at the end.
  void fill(std::vector<int>& x, std::size_t from, int sum) const;

  Shape shape_;
  std::vector<double> ways_;  // by entries, then sum
};

}  // namespace hannan::detail
