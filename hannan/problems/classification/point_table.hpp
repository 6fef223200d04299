// The known points: rows of numbers, some columns being codes of categories, and names for the columns.
//
//   points      m rows; an entry is a number or, in a categorical column, the place of its category
//   categories  optional, an entry per column: none for numbers, or the list of category names
//   names       optional, a name per column, by which actions call it
//
// Quantile bins: a numeric column of more than B distinct values is cut into at most B runs of about equally
// many rows, and every value becomes the smallest of its run. So cuts stay values of the column, and a class
// over the binned points is the class whose cuts are those B - 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hannan::detail {

using Points = std::vector<std::vector<double>>;  // m rows of one length

struct PointTable {
  Points rows;
  std::vector<std::vector<std::string>> categories;  // per column, empty: numbers; or none at all
  std::vector<std::string> names;                    // per column, or none at all

  PointTable() = default;
  PointTable(Points of) : rows(std::move(of)) {}

  std::size_t points() const { return rows.size(); }
  std::size_t features() const { return rows[0].size(); }
  bool categorical(std::size_t feature) const { return !categories.empty() && !categories[feature].empty(); }
};

// Rows of one length, categories and names (all different) one per column, codes of categories that exist;
// kOutOfRange at "points", "categories" or "names" otherwise.
void expect_sound(const PointTable& table);

// Bins the numeric columns as said above, bins >= 2.
void bin_columns(PointTable& table, std::size_t bins);

// Equal rows become one, in order of first appearance; the answer says for every old row its new place.
std::vector<std::uint32_t> merge_equal_rows(PointTable& table);

}  // namespace hannan::detail
