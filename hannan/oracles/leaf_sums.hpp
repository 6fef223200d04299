// The values of all assignments of a small box (box_model.hpp): own numbers and tables of groups, summed over its grid.
//
//   values(x) = open(x) + ((own_last + sum of tables that end in the last coordinate) + up_to),
//   up_to = constant + own_0 + tables that end in 0 + own_1 + tables that end in 1 + ... of all coordinates but the
//   last,
// every sum taken from left to right: the bits do not depend on the box. Assignments are numbered with the last
// coordinate fastest.
//
// What belongs to coordinates 0 to c is an array over their positions alone, so it is summed once and then widened by
// coordinate c + 1. A table is added to such an array in runs (add_table): no position is looked up by itself; tables
// that have one entry left are constants and are added together, entry by entry in their order. Cost: one addition per
// table and entry of the array that it ends in, in vectors where runs are long.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/oracles/box_model.hpp"

namespace hannan::detail {

class LeafSums {
 public:
  // The model must outlive the sums.
  explicit LeafSums(const BoxModel& model);

  // grid holds the values of the open parts and gets those of the whole evidence; tables are those of the box.
  void add(const BoxLists& box, std::span<const double> tables, std::span<double> grid);

 private:
  // All tables that end in coordinate c, to an array over coordinates 0 to c.
  void add_ending(std::size_t c, const BoxLists& box, std::span<const double> tables, std::span<double> to);
  void add_constants(std::span<double> to);
  void add_table(const std::vector<std::size_t>& group, const BoxLists& box, const double* table, double* to);
  void spread(std::size_t level, const double* table);

  const BoxModel& model_;
  std::vector<std::vector<std::size_t>> ending_;  // groups by the last of their coordinates
  std::vector<std::size_t> starts_;               // of the groups' tables
  std::vector<double> up_to_, row_, constants_;

  // The group under way, by its members with more than one position: before a member so many blocks are alike, its
  // positions are so many, and one of them is so far from the next in the table.
  struct Level {
    std::size_t alike, size, stride;
  };
  std::vector<Level> levels_;
  std::size_t tail_ = 1;  // entries behind the last of them that are alike
  double* at_ = nullptr;
};

}  // namespace hannan::detail
