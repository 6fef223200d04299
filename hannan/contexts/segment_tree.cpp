// The tree of segments (segment_tree.hpp; docs/contexts.md). Segments are found by a hash of their path in an open
// table of a power of two, at most half full, so a probe ends; equal hashes are told apart by parent, tree and name.
// Children of a segment are a linked list, names one long string.
//
// Invariants: parents have smaller ids than children; a segment is open only if its parent is; opened_ <= most; seen of
// a segment is at most that of its parent. Reading a state checks all of them. Cost: O(depth) a round.
#include "hannan/contexts/segment_tree.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "hannan/contexts/context_values.hpp"

namespace hannan::detail {
namespace {

constexpr std::uint64_t kPrime = 1099511628211ULL;
// 4: chosen; closed segments take memory and are only there to be counted until they open.
constexpr std::uint64_t kWatchedPerOpen = 4;  // closed segments that are kept, for each one that may open

// FNV's low bits depend on the last bytes alone; a multiplication by the golden ratio mixes in the high ones.
std::uint64_t spread_bits(std::uint64_t hash) { return (hash ^ (hash >> 32U)) * 0x9E3779B97F4A7C15ULL; }

}  // namespace

// The length goes first, so that ("a","bc") and ("ab","c") differ.
std::uint64_t hash_with(std::uint64_t hash, std::string_view value) {
  const auto add = [&](std::uint64_t byte) {
    hash ^= byte;
    hash *= kPrime;
  };
  for (unsigned shift = 0; shift < 64; shift += 8) add((static_cast<std::uint64_t>(value.size()) >> shift) & 0xFFU);
  for (const char c : value) add(static_cast<unsigned char>(c));
  return hash;
}

// The root is open from the start. With several trees each begins its paths with its number, so that equal values in
// different trees have different hashes.
SegmentTree::SegmentTree(TreeLimits limits)
    : limits_(std::move(limits)), starts_(trees(), kPathBasis), orders_(1 + trees()), table_(16, kNone) {
  for (std::size_t j = 0; several() && j < trees(); ++j) starts_[j] = hash_with(kPathBasis, std::to_string(j + 1));
  if (several()) waits_.resize(trees());
  Segment root;
  root.hash = kPathBasis;
  root.open = true;
  segments_.push_back(root);
}

// A view into names_: valid until the next segment is added.
std::string_view SegmentTree::name(Id id) const {
  return std::string_view(names_).substr(segments_[id].name_at, segments_[id].name_size);
}

std::vector<std::string> SegmentTree::path_of(Id id) const {
  std::vector<std::string> path(segments_[id].depth);
  const bool numbered = several() && id != kRoot;
  const std::string tree = std::to_string(segments_[id].tree + 1);
  for (std::size_t d = path.size(); d > 0; --d, id = segments_[id].parent) path[d - 1] = name(id);
  if (numbered) path.insert(path.begin(), tree);
  return path;
}

// The inverse of path_of: with several trees the first word is the number of the tree, and a path of that alone is
// none.
SegmentTree::Id SegmentTree::at_path(std::span<const std::string> path) const {
  std::size_t tree = 0;
  if (several() && !path.empty()) {
    while (tree < trees() && std::to_string(tree + 1) != path.front()) ++tree;
    if (tree == trees() || path.size() == 1) return kNone;
    path = path.subspan(1);
  }
  Id id = kRoot;
  for (const std::string& value : path) {
    id = child({.parent = id, .tree = tree, .value = value});
    if (id == kNone) break;
  }
  return id;
}

// The number of context columns up to and with this segment's: all of the trees before its own, and its depth.
std::size_t SegmentTree::place(Id id) const {
  const auto first = limits_.depths.begin();
  return std::accumulate(first, first + segments_[id].tree, std::size_t{segments_[id].depth});
}

// Sorted by the number of the tree, compared as text, and then by name.
std::vector<SegmentTree::Id> SegmentTree::children(Id id) const {
  std::vector<Id> found;
  for (Id c = segments_[id].first_child; c != kNone; c = segments_[c].next_sibling) found.push_back(c);
  const auto number = [&](Id c) { return std::to_string(segments_[c].tree + 1); };
  std::sort(found.begin(), found.end(), [&](Id a, Id b) {
    if (segments_[a].tree != segments_[b].tree) return number(a) < number(b);
    return name(a) < name(b);
  });
  return found;
}

// How much of what is played below a segment is its own learner's: 1 where nothing below it is open.
double SegmentTree::own_weight(Id id) const {
  if (!segments_[id].mixes) return 1.0;
  return id == kRoot && several() ? orders_.weights().front() : segments_[id].hedge.weights().own;
}

double SegmentTree::gap(Id id) const { return id == kRoot && several() ? orders_.gap() : segments_[id].hedge.gap(); }

double SegmentTree::waited(Id id, std::size_t tree) const {
  return id == kRoot && several() ? waits_[tree].value() : segments_[id].waited.value();
}

bool SegmentTree::prefers_below(Id id) const {
  if (!segments_[id].mixes) return false;
  return id == kRoot && several() ? orders_.preferred(0) > 0 : segments_[id].hedge.prefers_below();
}

std::size_t SegmentTree::preferred_tree() const { return several() ? orders_.preferred(1) - 1 : 0; }

SegmentTree::Id SegmentTree::child(const Child& wanted) const {
  const std::uint64_t hash = hash_with(hash_at(wanted.parent, wanted.tree), wanted.value);
  const std::size_t mask = table_.size() - 1;
  // Linear probing: the table is at most half full, so an empty place ends the search.
  for (std::size_t at = spread_bits(hash) & mask; table_[at] != kNone; at = (at + 1) & mask) {
    const Segment& segment = segments_[table_[at]];
    if (segment.hash == hash && segment.parent == wanted.parent && segment.tree == wanted.tree &&
        name(table_[at]) == wanted.value)
      return table_[at];
  }
  return kNone;
}

// Into the first empty place of its probe sequence; the caller has made sure that there is one.
void SegmentTree::enter(Id id) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = spread_bits(segments_[id].hash) & mask;
  while (table_[at] != kNone) at = (at + 1) & mask;
  table_[at] = id;
}

// O(1) amortised: the table doubles when it would be more than half full, and all ids are entered again. names_ only
// grows, so that name_at stays right.
SegmentTree::Id SegmentTree::add(const Child& named) {
  const auto id = static_cast<Id>(segments_.size());
  Segment made;
  made.hash = hash_with(hash_at(named.parent, named.tree), named.value);
  made.name_at = names_.size();
  made.name_size = static_cast<std::uint32_t>(named.value.size());
  made.parent = named.parent;
  made.next_sibling = segments_[named.parent].first_child;
  made.depth = static_cast<std::uint8_t>(segments_[named.parent].depth + 1);
  made.tree = static_cast<std::uint8_t>(named.tree);
  names_ += named.value;
  segments_.push_back(made);
  segments_[named.parent].first_child = id;
  if (2 * segments_.size() > table_.size()) {
    table_.assign(2 * table_.size(), kNone);
    for (Id known = 1; known < id; ++known) enter(known);
  }
  enter(id);
  return id;
}

// branch.open counts the open segments of the branch, which are its first ones; nodes = the root and then the open
// ones, tree after tree. O(depth) look-ups.
void SegmentTree::find(std::span<const std::string> context, Path& path) const {
  path.nodes.assign(1, kRoot);
  path.branches.resize(trees());
  std::size_t from = 0;
  for (std::size_t j = 0; j < trees(); ++j) {
    Path::Branch& branch = path.branches[j];
    branch.segments.clear();
    branch.open = 0;
    Id last = kRoot;
    for (const std::string& value : context.subspan(from, limits_.depths[j])) {
      last = child({.parent = last, .tree = j, .value = value});
      if (last == kNone) break;
      branch.segments.push_back(last);
      if (!segments_[last].open) continue;  // a parent opens before its children
      ++branch.open;
      path.nodes.push_back(last);
    }
    from += limits_.depths[j];
  }
  assert(from == context.size());
}

void SegmentTree::add_closed(std::span<const std::string> context, std::set<std::uint64_t>& hashes) const {
  std::size_t from = 0;
  for (std::size_t j = 0; j < trees(); ++j) {
    std::uint64_t hash = starts_[j];
    Id last = kRoot;
    for (const std::string& value : context.subspan(from, limits_.depths[j])) {
      hash = hash_with(hash, value);
      if (last != kNone) last = child({.parent = last, .tree = j, .value = value});
      if (last == kNone || !segments_[last].open) hashes.insert(hash);
    }
    from += limits_.depths[j];
  }
}

// p_d = w_d times the product of the weights "below" on the way; they sum to 1 up to rounding. A branch without an open
// segment gives its share back to the root.
void SegmentTree::weights(const Path& path, std::vector<double>& p) const {
  p.assign(path.nodes.size(), 0.0);
  if (p.size() == 1) {
    p[0] = 1;
    return;
  }
  std::vector<double> root{0.5, 0.5};  // half each before its first round
  if (several()) {
    root = orders_.weights();
  } else {
    const auto w = segments_[kRoot].hedge.weights();
    root = {w.own, w.below};
  }
  p[0] = root[0];
  std::size_t node = 1;
  for (std::size_t j = 0; j < trees(); ++j) {
    const Path::Branch& branch = path.branches[j];
    double rest = root[1 + j];
    if (branch.open == 0) {  // the root plays for it
      p[0] += rest;
      continue;
    }
    for (std::size_t d = 0; d + 1 < branch.open; ++d) {
      const auto w = segments_[branch.segments[d]].hedge.weights();
      p[node++] = rest * w.own;
      rest *= w.below;
    }
    p[node++] = rest;
  }
}

std::size_t SegmentTree::pick(std::span<const double> p, double u) {
  // u in (0,1); rounding may leave the sum of p below u, then the last node is taken.
  double below = 0;
  for (std::size_t d = 0; d < p.size(); ++d) {
    below += p[d];
    if (u < below) return d;
  }
  return p.size() - 1;
}

// What is played in one tree below the root; `own` are the losses of its nodes. The branch has an open segment.
double SegmentTree::settle_branch(const Path::Branch& branch, std::size_t tree, std::span<const double> own) {
  const std::size_t last = branch.open - 1;
  double loss = own[last];
  if (branch.open < limits_.depths[tree]) segments_[branch.segments[last]].waited.add(loss);
  for (std::size_t d = last; d-- > 0;) {
    Segment& segment = segments_[branch.segments[d]];
    segment.mixes = true;
    loss = segment.hedge.charge(own[d], loss);
  }
  return loss;
}

// Bottom up in every branch, then the root over the branches: each AdaHedge is charged with its learner's loss and with
// what was played below it. own is in the order of path.nodes.
double SegmentTree::settle(const Path& path, std::span<const double> own) {
  for (std::size_t d = 0; d < path.nodes.size(); ++d) segments_[path.nodes[d]].own.add(own[d]);
  Segment& root = segments_[kRoot];
  std::vector<double> experts{own[0]};
  std::size_t node = 1;
  for (std::size_t j = 0; j < trees(); ++j) {
    const Path::Branch& branch = path.branches[j];
    if (branch.open == 0) {
      (several() ? waits_[j] : root.waited).add(own[0]);
      experts.push_back(own[0]);
    } else {
      experts.push_back(settle_branch(branch, j, own.subspan(node, branch.open)));
      node += branch.open;
    }
  }
  if (path.nodes.size() == 1) return own[0];
  root.mixes = true;
  return several() ? orders_.charge(experts) : root.hedge.charge(experts[0], experts[1]);
}

// Before all are open, names of closed segments are kept so that they can open; with `open` 1 there are none.
bool SegmentTree::may_keep() const { return !full() && segments_.size() - opened_ < kWatchedPerOpen * limits_.most; }

void SegmentTree::count(std::span<const std::string> context, Path& path, Counted& counted) {
  // New segments are added while there is space; then all segments of the path count the round, and open from the
  // coarse end on as long as the limits allow.
  counted.opened.clear();
  counted.closed.clear();
  ++segments_[kRoot].seen;
  std::size_t from = 0;
  for (std::size_t j = 0; j < trees(); ++j) {
    Path::Branch& branch = path.branches[j];
    while (branch.segments.size() < limits_.depths[j] && may_keep()) {
      const Id parent = branch.segments.empty() ? kRoot : branch.segments.back();
      const std::string& value = context[from + branch.segments.size()];
      branch.segments.push_back(add({.parent = parent, .tree = j, .value = value}));
    }
    for (const Id id : branch.segments) ++segments_[id].seen;
    while (branch.open < branch.segments.size() && segments_[branch.segments[branch.open]].seen >= limits_.open &&
           !full()) {
      const Id id = branch.segments[branch.open++];
      segments_[id].open = true;
      ++opened_;
      counted.opened.push_back(id);
    }
    for (std::size_t d = branch.open; d < branch.segments.size(); ++d) counted.closed.push_back(branch.segments[d]);
    from += limits_.depths[j];
  }
  bool refused = false;
  for (std::size_t j = 0; j < trees(); ++j) {
    const Path::Branch& branch = path.branches[j];
    refused = refused || (branch.open < limits_.depths[j] && (full() || branch.open == branch.segments.size()));
  }
  if (refused) ++refused_;
}

// Parents come before children (parent <= id - 1), so that the segment above is there when one is read, and every
// invariant of the head can be checked at once.
void SegmentTree::archive_segment(Archive& a, Id id) {
  if (id != kRoot) {
    std::string text(a.reading() ? std::string_view() : name(id));
    std::uint64_t parent = a.reading() ? 0 : segments_[id].parent;
    std::uint64_t tree = segments_.size() > id ? segments_[id].tree : 0;
    a.count("parent", parent, id - 1);
    if (several() && parent == kRoot) a.count("tree", tree, trees() - 1);
    a.field("value", text);
    if (a.reading()) {
      if (!value_objection(text).empty()) a.refuse("value", "found a value that " + value_objection(text));
      if (parent != kRoot) tree = segments_[parent].tree;
      if (segments_[parent].depth >= limits_.depths[tree]) a.refuse("parent", "found a segment below the finest");
      const Child made{.parent = static_cast<Id>(parent), .tree = tree, .value = text};
      if (child(made) != kNone) a.refuse("value", "found the same segment twice");
      add(made);
    }
  }
  Segment& into = segments_[id];
  a.count("seen", into.seen);
  a.count("open", into.open, 1);
  a.count("mixes", into.mixes, 1);
  const bool orders = id == kRoot && several();
  if (into.mixes) orders ? orders_.archive(a) : into.hedge.archive(a);
  if (into.open) {
    into.own.archive(a, "own", "own_carry");
    if (!orders) into.waited.archive(a, "waited", "waited_carry");
  }
  if (orders) {
    a.open_shaped_list("waits", waits_.size());
    for (CarriedSum& wait : waits_) {
      a.item();
      wait.archive(a, "waited", "waited_carry");
    }
    a.close_list();
  }
  if (!a.reading()) return;
  if (id == kRoot && !into.open) a.refuse("open", "found a closed root");
  if (into.mixes && !into.open) a.refuse("mixes", "found a closed segment that mixes");
  if (id == kRoot) return;
  const Segment& above = segments_[into.parent];
  if (into.open && !above.open) a.refuse("open", "found an open segment below a closed one");
  if (into.open && into.seen < limits_.open) a.refuse("seen", "found a segment that opened before its time");
  if (into.seen == 0 || into.seen > above.seen) a.refuse("seen", "found more rounds than the segment above has");
  if (into.open) ++opened_;
}

void SegmentTree::archive(Archive& a) {
  if (a.reading()) *this = SegmentTree(TreeLimits(limits_));
  a.count("refused", refused_);
  const std::size_t all_depths = std::accumulate(limits_.depths.begin(), limits_.depths.end(), std::size_t{0});
  const std::uint64_t size = a.open_list("segments", segments_.size());
  if (size == 0 || size > (kWatchedPerOpen + 1) * limits_.most + all_depths + 1)
    a.refuse("", "found " + std::to_string(size) + " segments, more or fewer than there can be");
  for (std::uint64_t id = 0; id < size; ++id) {
    a.item();
    archive_segment(a, static_cast<Id>(id));
  }
  a.close_list();
  if (a.reading() && opened_ > limits_.most) a.refuse("segments", "found more open segments than may be");
}

}  // namespace hannan::detail
