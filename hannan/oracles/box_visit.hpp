// Looks at one box of a box search (box_search.hpp): fills and bounds it, strikes positions out, or evaluates all of
// its assignments.
//
// A visit reads the incumbents and changes nothing but the visitor's own buffers; what it found is handed to the
// search, which alone changes its state. So several threads may visit boxes at once, each with a visitor and a model of
// its own, and what a visit found is right for as long as the incumbents do not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hannan/oracles/box_node.hpp"
#include "hannan/oracles/dual_bound.hpp"
#include "hannan/oracles/frontier.hpp"
#include "hannan/oracles/leaf_sums.hpp"

namespace hannan::detail {

// What a visit leaves behind.
struct BoxFindings {
  // An assignment of a leaf that was not above the cut: its place in the box, the last coordinate running fastest.
  struct Candidate {
    std::size_t place;
    double value;
  };

  bool visited = false;  // the tables were filled: the box counts as a node
  bool leaf = false;     // all assignments were evaluated
  BoxNodePtr node;       // the leaf, or what is left of the box, ready for a split; null: nothing is wanted
  std::vector<Candidate> candidates;  // of a leaf, in order
  double turned_away = kInfinity;     // the least of the leaf's other values
  double dropped_bound = kInfinity;   // no assignment of the boxes that were dropped is below it
  Frontier dropped;                   // those boxes in order, where they are kept

  // Bytes of tables and candidates.
  std::size_t bytes() const { return (node ? node->bytes() : 0) + candidates.size() * sizeof(Candidate); }
};

class BoxVisitor {
 public:
  enum class Dropped { kForgotten, kKept };

  // Both must outlive the visitor.
  BoxVisitor(BoxModel& model, const Incumbents& incumbents, Dropped dropped);

  // Tables, messages and open parts of a box from nothing.
  void fill(BoxNode& node);
  // Bounds a box that was filled last, and returns where the bound is least.
  std::vector<int> bound(BoxNode& node);
  // Visits a box that was filled last.
  BoxFindings visit(BoxNodePtr node);

  // A box is opened piece by piece: a bounded one has two halves, any other is one piece. A bounded one is filled if it
  // is not; else the box stays as it is.
  static std::size_t pieces(const BoxNode& node) { return node.bounded ? 2 : 1; }
  BoxFindings open(BoxNode& node, std::size_t piece);

 private:
  BoxFindings open_half(BoxNode& node, bool upper);
  void inherit(BoxNode& node, const BoxNode& from, const Kept& kept);
  void shrink(BoxNode& node, const BoxNode& from, const Kept& kept);
  void add_parts(BoxNode& node, const BoxLayout& layout, const std::vector<std::uint32_t>& parts);
  bool tighten(BoxNode& node, BoxFindings& found);
  bool sweep(BoxNode& node, BoxFindings& found);
  void drop(const BoxLists& lists, double bound, BoxFindings& found) const;
  void drop_struck(const BoxLists& lists, const Kept& kept, std::span<const double> struck, BoxFindings& found) const;
  void tabulate(const BoxNode& node, BoxFindings& found);

  BoxModel& model_;
  const Incumbents& incumbents_;
  Dropped dropped_;
  DualBound dual_;
  std::vector<std::uint32_t> all_parts_;
  std::vector<int> likeliest_;  // of the last box that was bounded
  LeafSums sums_;
  std::vector<double> exact_, bounding_, grid_;
};

}  // namespace hannan::detail
