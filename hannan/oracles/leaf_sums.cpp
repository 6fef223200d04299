// Sums of tables over the grid of a box (leaf_sums.hpp).
//
// Index arithmetic. An array over coordinates 0..c has the entry of (d_0, ..., d_c) at the number with these digits in
// mixed base, d_c fastest. Seen from a group with the last member c it is
//   [alike_0][size_0][alike_1][size_1] ... [alike_q][size_q][tail]
// where size_j are the list sizes of the members with several positions, alike_j the product of the list sizes between
// them, and tail that of all coordinates behind the last of them, up to c. The table is [size_0] ... [size_q]: members
// with one position do not show in it. So one walk over the array in order meets every entry once (at_ ends at the end
// of the array), and the table's index changes at the members alone.
#include "hannan/oracles/leaf_sums.hpp"

#include <algorithm>

namespace hannan::detail {

LeafSums::LeafSums(const BoxModel& model) : model_(model), ending_(model.coordinates()) {
  const auto& groups = model.groups();
  for (std::size_t g = 0; g < groups.size(); ++g) ending_[groups[g].back()].push_back(g);
}

// In order: constants wait until a table comes that is none.
void LeafSums::add_ending(std::size_t c, const BoxLists& box, std::span<const double> tables, std::span<double> to) {
  for (const std::size_t g : ending_[c]) {
    const auto& group = model_.groups()[g];
    const double* const table = tables.data() + starts_[g];
    if (std::all_of(group.begin(), group.end(), [&](std::size_t member) { return box[member].size() == 1; })) {
      constants_.push_back(*table);
      continue;
    }
    add_constants(to);
    add_table(group, box, table, to.data());
  }
  add_constants(to);
}

// Each number gets one constant after the other, eight numbers at a time.
void LeafSums::add_constants(std::span<double> to) {
  constexpr std::size_t kAtATime = 8;
  if (constants_.empty()) return;
  std::size_t k = 0;
  for (; k + kAtATime <= to.size(); k += kAtATime) {
    double sums[kAtATime];
    for (std::size_t i = 0; i < kAtATime; ++i) sums[i] = to[k + i];
    for (const double constant : constants_) {
      for (double& sum : sums) sum += constant;
    }
    for (std::size_t i = 0; i < kAtATime; ++i) to[k + i] = sums[i];
  }
  for (; k < to.size(); ++k) {
    for (const double constant : constants_) to[k] += constant;
  }
  constants_.clear();
}

void LeafSums::add_table(const std::vector<std::size_t>& group, const BoxLists& box, const double* table, double* to) {
  levels_.clear();
  tail_ = 1;
  std::size_t next = 0;  // coordinate
  for (const std::size_t member : group) {
    for (; next < member; ++next) tail_ *= box[next].size();
    ++next;
    if (box[member].size() == 1) continue;
    levels_.push_back({.alike = tail_, .size = box[member].size(), .stride = 1});
    tail_ = 1;
  }
  for (std::size_t j = levels_.size(); j-- > 1;) levels_[j - 1].stride = levels_[j].stride * levels_[j].size;
  at_ = to;
  spread(0, table);
}

void LeafSums::spread(std::size_t level, const double* table) {
  if (level == levels_.size()) {
    const double entry = *table;
    for (std::size_t k = 0; k < tail_; ++k) at_[k] += entry;
    at_ += tail_;
    return;
  }
  const auto [alike, size, stride] = levels_[level];
  const bool row = level + 1 == levels_.size() && tail_ == 1;
  for (std::size_t block = 0; block < alike; ++block) {
    if (row) {
      for (std::size_t d = 0; d < size; ++d) at_[d] += table[d];
      at_ += size;
      continue;
    }
    for (std::size_t d = 0; d < size; ++d) spread(level + 1, table + d * stride);
  }
}

void LeafSums::add(const BoxLists& box, std::span<const double> tables, std::span<double> grid) {
  starts_.clear();
  std::size_t start = 0;
  for (const auto& group : model_.groups()) {
    starts_.push_back(start);
    std::size_t entries = 1;
    for (const std::size_t member : group) entries *= box[member].size();
    start += entries;
  }
  const std::size_t last = box.size() - 1, width = box[last].size();
  up_to_.resize(grid.size() / width);
  up_to_[0] = model_.constant();
  std::size_t size = 1;  // of the array so far
  for (std::size_t c = 0; c < last; ++c) {
    const auto own = model_.own(c);
    const auto& list = box[c];
    // Widened in place from the end: entry p is read before the entries p * list.size() and above are written.
    for (std::size_t p = size; p-- > 0;) {
      const double before = up_to_[p];
      for (std::size_t d = list.size(); d-- > 0;)
        up_to_[p * list.size() + d] = before + own[static_cast<std::size_t>(list[d])];
    }
    size *= list.size();
    add_ending(c, box, tables, {up_to_.data(), size});
  }
  row_.resize(grid.size());
  const auto own = model_.own(last);
  for (std::size_t d = 0; d < width; ++d) row_[d] = own[static_cast<std::size_t>(box[last][d])];
  for (std::size_t k = width; k < row_.size(); ++k) row_[k] = row_[k - width];
  add_ending(last, box, tables, row_);
  for (std::size_t p = 0; p < up_to_.size(); ++p) {
    const double base = up_to_[p];
    double* const to = grid.data() + p * width;
    const double* const row = row_.data() + p * width;
    for (std::size_t d = 0; d < width; ++d) to[d] += row[d] + base;
  }
}

}  // namespace hannan::detail
