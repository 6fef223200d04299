// Steps on a grid and their running sums (grid_steps.hpp). Point x is at sum of x_c * strides_[c]; strides_[c] is the
// product of the domains behind c, so a coordinate's block of one value has strides_[c] points. Reading costs O(n K),
// in an order that keeps blocks in the cache and every number the same sum as coordinate by coordinate.
#include "hannan/oracles/grid_steps.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/widest_vectors.hpp"
#include "hannan/oracles/shaped_tables.hpp"

namespace hannan::detail {

GridSteps::GridSteps(std::vector<std::size_t> domains) : domains_(std::move(domains)), strides_(domains_.size()) {
  std::size_t size = 1;
  for (std::size_t c = domains_.size(); c-- > 0; size *= domains_[c]) strides_[c] = size;
  steps_ = LongSums(size);
  for (const std::size_t domain : domains_) tables_.emplace_back(domain, 0.0);
}

void GridSteps::add_table(std::size_t coordinate, std::span<const double> values) {
  tabled_ = true;
  for (std::size_t d = 0; d < values.size(); ++d) tables_[coordinate][d] += values[d];
}

void GridSteps::scale(double factor) {
  steps_.scale(factor);
  for (auto& table : tables_) {
    for (double& value : table) value *= factor;
  }
}

void GridSteps::clear() {
  if (stepped_) steps_.clear();
  for (auto& table : tables_) std::fill(table.begin(), table.end(), 0.0);
  stepped_ = tabled_ = false;
}

// A state does not say whether there were steps or tables: after reading both are taken to be there, which costs time
// and changes no value.
void GridSteps::archive(Archive& a) {
  steps_.archive(a, "steps", "carries");
  archive_tables(a, "tables", tables_);
  if (a.reading()) stepped_ = tabled_ = true;
}

// From the last coordinate on: the block of one value is the block behind it, higher by the value's entry. Blocks
// grow in place from the end of the first one, which is written last.
void GridSteps::spread_tables(std::span<double> out) const {
  double* const first = out.data();
  *first = 0;
  for (std::size_t c = domains_.size(); c-- > 0;) {
    for (std::size_t d = domains_[c]; d-- > 0;) {
      double* const to = first + d * strides_[c];
      const double entry = tables_[c][d];
      for (std::size_t k = 0; k < strides_[c]; ++k) to[k] = first[k] + entry;
    }
  }
}

namespace {

// Running sums along each of these rows, which may be written over. A sum waits for the one before it, so eight rows
// are under way at a time; each number is the same sum as row by row.
void add_up_rows(const double* from, double* to, std::size_t rows, std::size_t width) {
  constexpr std::size_t kAtATime = 8;
  for (; rows >= kAtATime; rows -= kAtATime, from += kAtATime * width, to += kAtATime * width) {
    double sums[kAtATime];
    for (std::size_t r = 0; r < kAtATime; ++r) to[r * width] = sums[r] = from[r * width];
    for (std::size_t k = 1; k < width; ++k) {
      for (std::size_t r = 0; r < kAtATime; ++r) to[r * width + k] = sums[r] += from[r * width + k];
    }
  }
  for (; rows > 0; --rows, from += width, to += width) {
    double sum = to[0] = from[0];
    for (std::size_t k = 1; k < width; ++k) to[k] = sum += from[k];
  }
}

// The block takes over the one before it.
HANNAN_WIDEST_VECTORS void add_block(const double* __restrict before, double* __restrict to, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) to[k] += before[k];
}

// Each of `count` blocks behind the first takes over the one before it, eight columns at a time, whose sums stay in
// registers: for blocks that lie in the first cache together.
HANNAN_WIDEST_VECTORS void add_up_columns(double* first, std::size_t count, std::size_t size) {
  constexpr std::size_t kAtATime = 8;
  std::size_t k = 0;
  for (; k + kAtATime <= size; k += kAtATime) {
    double sums[kAtATime];
    for (std::size_t c = 0; c < kAtATime; ++c) sums[c] = first[k + c];
    for (std::size_t block = 1; block < count; ++block) {
      double* const to = first + block * size + k;
      for (std::size_t c = 0; c < kAtATime; ++c) to[c] = sums[c] += to[c];
    }
  }
  for (std::size_t block = 1; block < count && k < size; ++block) {
    double* const to = first + block * size;
    for (std::size_t c = k; c < size; ++c) to[c] += to[c - size];
  }
}

// Half of a usual first cache of 32 KB: chosen; results do not depend on it.
constexpr std::size_t kFirstCache = 2048;  // numbers, 16 KB

}  // namespace

// The block of each value of the coordinate is summed within itself first and then takes over the block before it,
// while both are in the cache. What fits the first cache is summed coordinate by coordinate, the last one first.
void GridSteps::add_up(std::size_t coordinate, const double* from, double* to) const {
  const std::size_t stride = strides_[coordinate], size = stride * domains_[coordinate];
  // stride > 1, so there is a coordinate behind this one and coordinate + 1 is a valid index.
  if (size > kFirstCache && stride > 1) {
    for (std::size_t start = 0; start < size; start += stride) {
      add_up(coordinate + 1, from + start, to + start);
      if (start > 0) add_block(to + start - stride, to + start, stride);
    }
    return;
  }
  add_up_rows(from, to, size / domains_.back(), domains_.back());
  for (std::size_t c = domains_.size() - 1; c-- > coordinate;) {
    const std::size_t whole = strides_[c] * domains_[c];
    for (std::size_t start = 0; start < size; start += whole) add_up_columns(to + start, domains_[c], strides_[c]);
  }
}

// All K values: steps and tables together become running sums along every coordinate.
void GridSteps::read(std::span<double> out) const {
  if (!stepped_) return spread_tables(out);
  const std::vector<double>& steps = steps_.values();
  if (!tabled_) return add_up(0, steps.data(), out.data());
  std::copy(steps.begin(), steps.end(), out.begin());
  for (std::size_t c = 0; c < tables_.size(); ++c) {  // a table is a few steps too
    double before = 0;
    for (std::size_t d = 0; d < tables_[c].size(); ++d) {
      out[d * strides_[c]] += tables_[c][d] - before;
      before = tables_[c][d];
    }
  }
  add_up(0, out.data(), out.data());
}

}  // namespace hannan::detail
