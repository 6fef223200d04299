// Sums of one number per coordinate: the least, and the k least, over all combinations.
#pragma once

#include <cstddef>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

// The function constant + sum_c curves[c][position of c].
struct CurveSums {
  double constant = 0;
  std::vector<std::vector<double>> curves;

  void scale(double factor);
  void clear();  // to the zero function of the same shape
  // To data + scale * noise, all of one shape.
  void set_sum(const CurveSums& data, const CurveSums& noise, double scale);
  // Term by term; what rounding cuts off goes into carries, of the same shape (core/long_sums.hpp).
  void add_carried(const CurveSums& terms, CurveSums& carries);
  // Can rounding have cut these off the sums, which have the same shape?
  bool carries_of(const CurveSums& sums) const;
  bool shaped_as(const CurveSums& other) const;
  double at(const std::vector<int>& positions) const;
  void archive(Archive& a);
};

struct RankedSum {
  std::vector<int> positions;
  double value;
};

struct RankedSums {
  std::vector<RankedSum> pool;  // the smallest combination within tie_window of the least, then by value
  double rest;                  // the least value outside the pool; infinite if there is none
  double least;                 // of all
};

// The choice alone, written into `positions`; returns the least value of all. Allocates nothing where the buffer is
// large enough.
double smallest_choice(const CurveSums& sums, std::vector<int>& positions);
// The `keep` best combinations, at least the choice.
RankedSums smallest_sums(const CurveSums& sums, std::size_t keep);

}  // namespace hannan::detail
