// One visit to one box (box_visit.hpp): tables from the parent's by restriction, open parts anew, sweeps of messages,
// and positions struck out whose own bound is above the cut. Everything dropped carries a proven bound, so the union of
// what is left and what is dropped is the box. Cost: open parts of the parent + sweeps * size of the tables.
#include "hannan/oracles/box_visit.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "hannan/oracles/argmin.hpp"

namespace hannan::detail {

namespace {

// All five are chosen by the time of whole searches; no bound depends on them.
constexpr int kMostSweeps = 7;         // of a box and its list; more raise the bound too little for their time
constexpr double kWorthASweep = 0.03;  // of the distance to the cut: sweeps that close less are the last
constexpr int kSweepsToSpare = 1;      // of an unwanted box that is kept: its bound lasts for more outcomes
constexpr int kMostPasses = 4;         // of striking positions out and filling the smaller box
constexpr double kWorthAPass = 0.85;   // of the positions: passes that leave more are the last

constexpr std::size_t kLeafBlock = 128;  // values of a leaf that are looked at together; no result depends on it

}  // namespace

BoxVisitor::BoxVisitor(BoxModel& model, const Incumbents& incumbents, Dropped dropped)
    : model_(model), incumbents_(incumbents), dropped_(dropped), dual_(model), sums_(model) {
  all_parts_.resize(model.parts());
  std::iota(all_parts_.begin(), all_parts_.end(), std::uint32_t{0});
}

// From nothing: all parts are looked at and messages start at 0. Used for the root, for boxes of a frontier and for
// those whose tables were given up for memory.
void BoxVisitor::fill(BoxNode& node) {
  const BoxLayout layout(model_.groups(), node.lists);
  node.messages.assign(layout.messages.back(), 0.0);
  add_parts(node, layout, all_parts_);
  node.tables.swap(exact_);  // a copy of the root's tables costs more than filling exact_ anew
  node.filled = true;
}

// The same from a larger box that is filled.
void BoxVisitor::inherit(BoxNode& node, const BoxNode& from, const Kept& kept) {
  restrict_node(model_.groups(), from, kept, node);
  add_parts(node, BoxLayout(model_.groups(), node.lists), from.open);
  for (std::size_t k = 0; k < exact_.size(); ++k) {
    bounding_[k] += node.tables[k];
    node.tables[k] += exact_[k];
  }
  node.filled = true;
}

// The same without another look at the open parts: for a box that is not bounded again as it is.
void BoxVisitor::shrink(BoxNode& node, const BoxNode& from, const Kept& kept) {
  restrict_node(model_.groups(), from, kept, node);
  node.open = from.open;
  node.filled = true;
}

// Leaves what is resolved in exact_ and that with the open parts in bounding_.
void BoxVisitor::add_parts(BoxNode& node, const BoxLayout& layout, const std::vector<std::uint32_t>& parts) {
  exact_.assign(layout.tables.back(), 0.0);
  bounding_.assign(layout.tables.back(), 0.0);
  BoxTables tables{.layout = layout, .exact = exact_, .loose = bounding_, .open = {}};
  model_.fill(node.lists, parts, tables);
  node.open = std::move(tables.open);
  for (std::size_t k = 0; k < exact_.size(); ++k) bounding_[k] += exact_[k];
}

// Of the root, which is searched from here: all sweeps are made, whatever the cut is.
std::vector<int> BoxVisitor::bound(BoxNode& node) {
  dual_.start(node.lists, bounding_, node.messages);
  for (int s = 0; s < kMostSweeps; ++s) node.bound = std::max(node.bound, dual_.sweep());
  return dual_.likeliest();
}

// A box whose tables are filled: bounded, unless it is a leaf already; then tabulated if it is a leaf by now, or given
// a place to be divided at. Without a node in the findings nothing of the box is left to search.
BoxFindings BoxVisitor::visit(BoxNodePtr node) {
  BoxFindings found;
  found.visited = true;
  if (!model_.is_leaf(node->lists, node->open.size()) && !tighten(*node, found)) return found;
  found.leaf = model_.is_leaf(node->lists, node->open.size());
  if (found.leaf) {
    tabulate(*node, found);
    node->drop();
  } else {
    node->split = model_.split(node->lists, node->open, likeliest_);
    node->bounded = true;
  }
  found.node = std::move(node);
  return found;
}

// A box that was only inherited (from a frontier) is one piece and is bounded now; one that was bounded before has two
// halves, of which piece 1 is the upper one.
BoxFindings BoxVisitor::open(BoxNode& node, std::size_t piece) {
  if (node.bounded) return open_half(node, piece == 1);
  auto whole = std::make_unique<BoxNode>();
  whole->lists = node.lists;
  whole->bound = node.bound;
  fill(*whole);
  return visit(std::move(whole));
}

// The halves are the places [0, at) and [at, size) of coordinate c: together the box, and neither empty as 0 < at <
// size.
BoxFindings BoxVisitor::open_half(BoxNode& node, bool upper) {
  if (!node.filled) fill(node);
  const auto [c, at] = node.split;
  auto half = std::make_unique<BoxNode>();
  const Kept kept = kept_of(node.lists, [&](std::size_t e, std::size_t d) { return e != c || (d >= at) == upper; });
  half->lists = lists_of(node.lists, kept);
  half->bound = node.bound;
  if (!incumbents_.needed(half->bound, half->smallest())) {
    BoxFindings found;
    drop(half->lists, half->bound, found);
    return found;
  }
  inherit(*half, node, kept);
  return visit(std::move(half));
}

// Bounds the box and strikes positions out. False: nothing in it is wanted.
bool BoxVisitor::tighten(BoxNode& node, BoxFindings& found) {
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (!sweep(node, found)) return false;
    likeliest_ = dual_.likeliest();
    std::size_t before = 0, after = 0;
    std::vector<int> corner = node.smallest();
    const std::vector<int> smallest = corner;
    std::vector<double> struck(node.lists.size(), kInfinity);  // least bound of the positions that go
    // corner = the smallest assignment with c at this position: whether the position may hold a smaller tie depends on
    // it.
    const Kept kept = kept_of(node.lists, [&](std::size_t c, std::size_t d) {
      corner[c] = node.lists[c][d];
      const double bound = std::max(dual_.level(c, d), node.bound);
      const bool stays = incumbents_.needed(bound, corner);
      corner[c] = smallest[c];
      if (!stays) struck[c] = std::min(struck[c], bound);
      ++before;
      after += stays;
      return stays;
    });
    if (after == before) return true;
    drop_struck(node.lists, kept, struck, found);
    BoxNode smaller;
    smaller.bound = node.bound;
    if (std::any_of(kept.begin(), kept.end(), [](const auto& list) { return list.empty(); })) return false;
    smaller.lists = lists_of(node.lists, kept);
    const bool last = pass + 1 == kMostPasses || static_cast<double>(after) > kWorthAPass * static_cast<double>(before);
    if (last) {
      shrink(smaller, node, kept);
    } else {
      inherit(smaller, node, kept);
    }
    node = std::move(smaller);
    if (last || model_.is_leaf(node.lists, node.open.size())) return true;
  }
  return true;
}

// No assignment of the box is below the bound, and none is looked at.
void BoxVisitor::drop(const BoxLists& lists, double bound, BoxFindings& found) const {
  found.dropped_bound = std::min(found.dropped_bound, bound);
  if (dropped_ == Dropped::kKept) found.dropped.add(lists, bound);
}

// What is struck out falls into one box per coordinate: those of its positions that go, with what stays of the
// coordinates before it and all of those behind it.
void BoxVisitor::drop_struck(const BoxLists& lists, const Kept& kept, std::span<const double> struck,
                             BoxFindings& found) const {
  BoxLists slab = lists;
  for (std::size_t c = 0; c < lists.size(); ++c) {
    if (struck[c] == kInfinity) continue;
    std::vector<int> stay, go;
    std::size_t next = 0;
    for (std::size_t d = 0; d < lists[c].size(); ++d) {
      const bool stays = next < kept[c].size() && kept[c][next] == d;
      next += stays;
      (stays ? stay : go).push_back(lists[c][d]);
    }
    slab[c] = std::move(go);
    drop(slab, struck[c], found);
    if (stay.empty()) return;  // nothing is left
    slab[c] = std::move(stay);
  }
}

// Sweeps until the box is not needed any more, or a sweep closes too little of the distance to the cut. False: the box
// is dropped with its bound.
bool BoxVisitor::sweep(BoxNode& node, BoxFindings& found) {
  dual_.start(node.lists, bounding_, node.messages);
  const std::vector<int> smallest = node.smallest();
  const int spare = dropped_ == Dropped::kKept ? kSweepsToSpare : 0;
  double last = -kInfinity;
  for (int s = 0; s < kMostSweeps; ++s) {
    const double bound = dual_.sweep();
    node.bound = std::max(node.bound, bound);
    if (!incumbents_.needed(node.bound, smallest)) {
      for (int more = 0; more < spare; ++more) node.bound = std::max(node.bound, dual_.sweep());
      drop(node.lists, node.bound, found);
      return false;
    }
    if (s > 1 && bound - last < kWorthASweep * (incumbents_.cut() - bound)) break;
    last = bound;
  }
  node.bound = std::max(node.bound, dual_.raise_levels());
  if (incumbents_.needed(node.bound, smallest)) return true;
  drop(node.lists, node.bound, found);
  return false;
}

// All assignments of a box in order, the last coordinate changing fastest: the open parts from the model, the others
// from the tables. Blocks without a candidate are passed over by their least value.
void BoxVisitor::tabulate(const BoxNode& node, BoxFindings& found) {
  grid_.assign(static_cast<std::size_t>(points_in(node.lists)), 0.0);
  model_.tabulate(node.lists, node.open, grid_);
  sums_.add(node.lists, node.tables, grid_);
  // An assignment met before may come with other rounding; it must not count as turned away.
  const double cut = incumbents_.cut(), most = cut + rounding_slack(cut);
  const std::span<const double> values = grid_;
  for (std::size_t start = 0; start < values.size(); start += kLeafBlock) {
    const auto block = values.subspan(start, std::min(kLeafBlock, values.size() - start));
    if (const double least = least_value(block, {}, 0.0); least > most) {
      found.turned_away = std::min(found.turned_away, least);
      continue;
    }
    for (std::size_t k = 0; k < block.size(); ++k) {
      if (block[k] > most) {
        found.turned_away = std::min(found.turned_away, block[k]);
      } else {
        found.candidates.push_back({start + k, block[k]});
      }
    }
  }
}

}  // namespace hannan::detail
