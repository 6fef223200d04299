// Checks of a table of points, quantile bins, and merging of equal rows. Cost: O(rows log rows) a column.
#include "hannan/problems/classification/point_table.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "hannan/core/expect.hpp"

namespace hannan::detail {

namespace {

void check_width(std::size_t found, std::size_t features, const std::string& path) {
  if (found == features) return;
  throw Error(Code::kOutOfRange,
              "found " + std::to_string(found) + " entries, expected " + std::to_string(features) + ", one per column",
              path);
}

void check_distinct(const std::vector<std::string>& words, const std::string& path) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!seen.insert(words[i]).second)
      throw Error(Code::kOutOfRange, "found \"" + words[i] + "\" twice, expected different names", path_of(path, i));
  }
}

// A categorical column holds the places of its categories as whole numbers.
void check_codes(const PointTable& table, std::size_t f) {
  const auto most = static_cast<double>(table.categories[f].size() - 1);
  for (std::size_t i = 0; i < table.points(); ++i) {
    const double code = table.rows[i][f];
    if (code >= 0 && code <= most && code == static_cast<double>(static_cast<std::size_t>(code))) continue;
    throw Error(Code::kOutOfRange,
                "found " + number_text(code) + ", expected the place of a category, 0 to " + number_text(most),
                path_of(path_of("points", i), f));
  }
}

}  // namespace

// Every error names the entry: points[i][f], categories[f], or names[i].
void expect_sound(const PointTable& table) {
  expect_table(table.rows, kAnyFinite, "points");
  if (!table.categories.empty()) {
    check_width(table.categories.size(), table.features(), "categories");
    for (std::size_t f = 0; f < table.features(); ++f) {
      if (!table.categorical(f)) continue;
      check_distinct(table.categories[f], path_of("categories", f));
      check_codes(table, f);
    }
  }
  if (table.names.empty()) return;
  check_width(table.names.size(), table.features(), "names");
  check_distinct(table.names, "names");
}

// Each value becomes the smallest value of its run of neighbouring values, at most `bins` runs a column. Cuts between
// runs stay cuts of the file's own values, so that rules can be read.
void bin_columns(PointTable& table, std::size_t bins) {
  for (std::size_t f = 0; f < table.features(); ++f) {
    if (table.categorical(f)) continue;
    std::map<double, double> start;  // value -> how many rows first, then the smallest value of its run
    for (const auto& row : table.rows) start[row[f]] += 1;
    if (start.size() <= bins) continue;
    // Runs are filled one by one to an even share of what is left, so that one frequent value takes one run
    // and the others share the rest.
    double left = static_cast<double>(table.points()), held = 0, first = start.begin()->first;
    auto runs = static_cast<double>(bins);
    for (auto& [value, count] : start) {
      // A new run begins if the present one is nearer to its even share without this value than with it.
      if (held > 0 && held + count / 2 >= left / runs && runs > 1) {
        left -= held;
        runs -= 1;
        held = 0;
        first = value;
      }
      held += count;
      count = first;
    }
    for (auto& row : table.rows) row[f] = start.at(row[f]);
  }
}

// Distinct rows in the order of first appearance; the result says for each old row which one it became.
std::vector<std::uint32_t> merge_equal_rows(PointTable& table) {
  std::map<std::vector<double>, std::uint32_t> places;
  std::vector<std::uint32_t> place_of;
  Points distinct;
  for (auto& row : table.rows) {
    const auto [at, fresh] = places.emplace(row, static_cast<std::uint32_t>(distinct.size()));
    place_of.push_back(at->second);
    if (fresh) distinct.push_back(std::move(row));
  }
  table.rows = std::move(distinct);
  return place_of;
}

}  // namespace hannan::detail
