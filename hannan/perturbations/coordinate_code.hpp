// Codes of one coordinate with D values: which columns it has, and the table they make of noise.
//
//   bits         ceil(log2 D) columns, the bits of the position, most significant first
//   thermometer  D-1 columns, column t = [position >= t], t = 1..D-1
//   one-hot      D columns, column t = [position == t]
//   matrix       any D x n matrix given outright (dense, direct)
//
// A coordinate with one value has no column. table(alpha)[d] = sum_j alpha_j * entry(d, j); it
// costs O(D) for the three codes, whatever the number of columns.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hannan/core/perturbation.hpp"

namespace hannan {

class CoordinateCode {
 public:
  virtual ~CoordinateCode() = default;
  virtual std::size_t values() const = 0;
  virtual std::size_t columns() const = 0;
  virtual double entry(std::size_t position, std::size_t column) const = 0;
  // sum + <entries(position), alpha>, added column by column.
  virtual double add_row(std::size_t position, std::span<const double> alpha, double sum) const {
    for (std::size_t column = 0; column < alpha.size(); ++column) sum += entry(position, column) * alpha[column];
    return sum;
  }
  virtual void table(std::span<const double> alpha, std::span<double> out) const = 0;
  virtual CoordinateShape shape() const = 0;
  virtual bool unit_entries() const { return true; }  // every entry in [0,1]
  // The norm of a vector s with <entries(d) - entries(e), s> >= 1 for all e != d, whatever d; none where none is known.
  virtual std::optional<double> single_out() const { return std::nullopt; }
};

using CodePtr = std::shared_ptr<const CoordinateCode>;

CodePtr bits_code(std::size_t values);
CodePtr thermometer_code(std::size_t values);
CodePtr one_hot_code(std::size_t values);
CodePtr matrix_code(std::vector<std::vector<double>> rows);

// One of the three by its name: "bits", "thermometer", "one-hot".
CodePtr named_code(std::string_view name, std::size_t values);

}  // namespace hannan
