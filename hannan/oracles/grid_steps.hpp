// A function on a grid by its steps: F(x) is the sum of steps(z) over all z <= x, coordinate by coordinate.
//
// What is constant, or nearly, on a few boxes of the grid has few steps: adding it costs those and not the
// grid, and all of F is read by running sums along each coordinate, O(n K). Steps are compensated sums
// (core/long_sums.hpp), and a running sum has at most the n m terms along its way. Functions of one
// coordinate, such as noise, are kept as tables beside the steps and read in O(K).
//
// Points are listed as everywhere: the first coordinate slowest.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/long_sums.hpp"

namespace hannan::detail {

class GridSteps {
 public:
  explicit GridSteps(std::vector<std::size_t> domains);

  std::size_t size() const { return steps_.size(); }
  // How far the next value of a coordinate is in the list.
  std::size_t stride(std::size_t coordinate) const { return strides_[coordinate]; }
  // From point `at` on, in every coordinate, F is higher by this.
  void add(std::size_t at, double step) {
    stepped_ = true;
    steps_.add_one(at, step);
  }
  // A function of one coordinate alone, its domain's values in order.
  void add_table(std::size_t coordinate, std::span<const double> values);
  // F at every point; out has size() numbers.
  void read(std::span<double> out) const;

  void scale(double factor);
  void clear();
  void archive(Archive& a);

 private:
  void spread_tables(std::span<double> out) const;
  void add_up(std::size_t coordinate, const double* from, double* to) const;

  std::vector<std::size_t> domains_, strides_;
  LongSums steps_;
  std::vector<std::vector<double>> tables_;  // by coordinate
  bool stepped_ = false, tabled_ = false;    // where nothing was added nothing is read
};

}  // namespace hannan::detail
