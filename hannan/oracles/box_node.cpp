// Order of open boxes, and restriction of tables and messages to a smaller box. The order (bound, first corner, age) is
// total, so that the same boxes are opened in the same order whatever the heap looks like. Restriction costs the size
// of the smaller tables.
#include "hannan/oracles/box_node.hpp"

#include <algorithm>

namespace hannan::detail {

bool opens_later(const BoxNodePtr& a, const BoxNodePtr& b) {
  if (a->bound != b->bound) return a->bound > b->bound;
  for (std::size_t c = 0; c < a->lists.size(); ++c) {
    if (a->lists[c].front() != b->lists[c].front()) return a->lists[c].front() > b->lists[c].front();
  }
  return a->number > b->number;
}

BoxLists lists_of(const BoxLists& lists, const Kept& kept) {
  BoxLists smaller(lists.size());
  for (std::size_t c = 0; c < lists.size(); ++c) {
    for (const std::size_t d : kept[c]) smaller[c].push_back(lists[c][d]);
  }
  return smaller;
}

namespace {

// The entries of a group's table that belong to kept positions.
void restrict_table(const std::vector<std::size_t>& group, const BoxLists& from, const Kept& kept, const double* table,
                    double*& to) {
  const std::size_t k = group.size(), width = from[group[k - 1]].size();
  const auto& columns = kept[group[k - 1]];
  const bool run = columns.back() - columns.front() + 1 == columns.size();  // consecutive, as after most splits
  // `at` counts the kept positions of all members but the last; row is the number of that combination in the larger
  // table, in mixed base of the larger lists, so row * width + column stays within it.
  std::vector<std::size_t> at(k - 1, 0);
  while (true) {
    std::size_t row = 0;
    for (std::size_t j = 0; j + 1 < k; ++j) row = row * from[group[j]].size() + kept[group[j]][at[j]];
    const double* entries = table + row * width;
    if (run) {
      to = std::copy_n(entries + columns.front(), columns.size(), to);
    } else {
      for (const std::size_t column : columns) *to++ = entries[column];
    }
    std::size_t j = k - 1;
    while (j > 0 && ++at[j - 1] == kept[group[j - 1]].size()) at[--j] = 0;
    if (j == 0) return;
  }
}

}  // namespace

// Reads tables and messages of the larger box and writes those of the kept positions, group by group in the common
// layout.
void restrict_node(const Groups& groups, const BoxNode& from, const Kept& kept, BoxNode& to) {
  const BoxLayout layout(groups, to.lists);
  to.messages.resize(layout.messages.back());
  to.tables.resize(layout.tables.back());
  double* message = to.messages.data();
  double* table = to.tables.data();
  const double* old_message = from.messages.data();
  const double* old_table = from.tables.data();
  for (const auto& group : groups) {
    restrict_table(group, from.lists, kept, old_table, table);
    std::size_t entries = 1;
    for (const std::size_t c : group) {
      for (const std::size_t d : kept[c]) *message++ = old_message[d];
      old_message += from.lists[c].size();
      entries *= from.lists[c].size();
    }
    old_table += entries;
  }
}

}  // namespace hannan::detail
