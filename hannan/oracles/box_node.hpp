// A box of a box search with what is known about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "hannan/oracles/box_model.hpp"
#include "hannan/oracles/incumbents.hpp"

namespace hannan::detail {

using Kept = std::vector<std::vector<std::size_t>>;  // by coordinate, which of a larger box's positions stay

struct BoxNode {
  BoxLists lists;
  double bound = -kInfinity;
  std::vector<double> tables;    // of what is resolved; empty where they were dropped
  std::vector<double> messages;  // of every group, or empty: all zero
  std::vector<std::uint32_t> open;
  bool filled = false;
  bool bounded = false;  // tightened, and split chosen
  BoxSplit split;
  std::uint64_t number = 0;  // in the order of their making

  std::size_t bytes() const {
    return (tables.size() + messages.size()) * sizeof(double) + open.size() * sizeof(std::uint32_t);
  }
  // Gives the memory back, which an assignment of {} would keep.
  void drop() {
    std::vector<double>().swap(tables);
    std::vector<double>().swap(messages);
    std::vector<std::uint32_t>().swap(open);
    filled = false;
  }
  std::vector<int> smallest() const {
    std::vector<int> corner;
    for (const auto& list : lists) corner.push_back(list.front());
    return corner;
  }
};
using BoxNodePtr = std::unique_ptr<BoxNode>;

// For a heap whose top is the next to be opened.
bool opens_later(const BoxNodePtr& a, const BoxNodePtr& b);

// What is kept if stays(c, d) says so of the d-th position of coordinate c.
template <class Stays>
Kept kept_of(const BoxLists& lists, Stays&& stays) {
  Kept kept(lists.size());
  for (std::size_t c = 0; c < lists.size(); ++c) {
    for (std::size_t d = 0; d < lists[c].size(); ++d) {
      if (stays(c, d)) kept[c].push_back(d);
    }
  }
  return kept;
}
BoxLists lists_of(const BoxLists& lists, const Kept& kept);

// Tables and messages of a smaller box, by the kept positions of a larger one.
void restrict_node(const Groups& groups, const BoxNode& from, const Kept& kept, BoxNode& to);

}  // namespace hannan::detail
