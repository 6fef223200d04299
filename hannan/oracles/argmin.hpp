// The smallest of data[k] + scale * noise[k], ties (within tie_window) to the lowest k.
//
// One pass over memory with the machine's vectors (Highway picks them at run time): blocks are reduced to
// their least value, then only the block that holds the winner is read again. The result is the same
// on every machine: a minimum does not depend on the order, and nothing is fused.
#pragma once

#include <cstddef>
#include <span>

namespace hannan::detail {

struct Least {
  std::size_t index;
  double value;  // of that index
  double floor;  // the least value of all
};

// noise may be empty: then scale is ignored. data must not be.
Least argmin(std::span<const double> data, std::span<const double> noise, double scale);
// Its floor alone.
double least_value(std::span<const double> data, std::span<const double> noise, double scale);

// A table of rows * width numbers, v = table + inner[column] + (shift + outer[row]): the least v of every row is
// written to row_mins, and column_mins are lowered to the least of their columns.
struct TableMins {
  const double* table;
  std::size_t rows, width;
  double shift;
  const double* outer;
  const double* inner;
  double* row_mins;
  double* column_mins;
};
void table_mins(const TableMins& table);

}  // namespace hannan::detail
