#include "hannan/contexts/segment_tree.hpp"

#include <algorithm>
#include <cassert>

#include "hannan/contexts/context_values.hpp"

namespace hannan::detail {
namespace {

constexpr std::uint64_t kBasis = 14695981039346656037ULL;  // FNV-1a, 64 bits
constexpr std::uint64_t kPrime = 1099511628211ULL;
constexpr std::uint64_t kWatchedPerOpen = 4;  // closed segments that are kept, for each one that may open

std::uint64_t spread_bits(std::uint64_t hash) { return (hash ^ (hash >> 32U)) * 0x9E3779B97F4A7C15ULL; }

}  // namespace

std::uint64_t hash_with(std::uint64_t hash, std::string_view value) {
  const auto add = [&](std::uint64_t byte) {
    hash ^= byte;
    hash *= kPrime;
  };
  for (unsigned shift = 0; shift < 64; shift += 8) add((static_cast<std::uint64_t>(value.size()) >> shift) & 0xFFU);
  for (const char c : value) add(static_cast<unsigned char>(c));
  return hash;
}

SegmentTree::SegmentTree(TreeLimits limits) : limits_(limits), table_(16, kNone) {
  Segment root;
  root.hash = kBasis;
  root.open = true;
  segments_.push_back(root);
}

std::string_view SegmentTree::name(Id id) const {
  return std::string_view(names_).substr(segments_[id].name_at, segments_[id].name_size);
}

std::vector<std::string> SegmentTree::path_of(Id id) const {
  std::vector<std::string> path(segments_[id].depth);
  for (std::size_t d = path.size(); d > 0; --d, id = segments_[id].parent) path[d - 1] = name(id);
  return path;
}

std::vector<SegmentTree::Id> SegmentTree::children(Id id) const {
  std::vector<Id> found;
  for (Id c = segments_[id].first_child; c != kNone; c = segments_[c].next_sibling) found.push_back(c);
  std::sort(found.begin(), found.end(), [&](Id a, Id b) { return name(a) < name(b); });
  return found;
}

double SegmentTree::own_weight(Id id) const { return segments_[id].mixes ? segments_[id].hedge.weights().own : 1.0; }

SegmentTree::Id SegmentTree::child(Id parent, std::uint64_t hash, std::string_view value) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = spread_bits(hash) & mask; table_[at] != kNone; at = (at + 1) & mask) {
    const Segment& segment = segments_[table_[at]];
    if (segment.hash == hash && segment.parent == parent && name(table_[at]) == value) return table_[at];
  }
  return kNone;
}

void SegmentTree::place(Id id) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = spread_bits(segments_[id].hash) & mask;
  while (table_[at] != kNone) at = (at + 1) & mask;
  table_[at] = id;
}

SegmentTree::Id SegmentTree::add(Id parent, std::uint64_t hash, std::string_view value) {
  const auto id = static_cast<Id>(segments_.size());
  Segment made;
  made.hash = hash;
  made.name_at = names_.size();
  made.name_size = static_cast<std::uint32_t>(value.size());
  made.parent = parent;
  made.next_sibling = segments_[parent].first_child;
  made.depth = static_cast<std::uint8_t>(segments_[parent].depth + 1);
  names_ += value;
  segments_.push_back(made);
  segments_[parent].first_child = id;
  if (2 * segments_.size() > table_.size()) {
    table_.assign(2 * table_.size(), kNone);
    for (Id known = 1; known < id; ++known) place(known);
  }
  place(id);
  return id;
}

void SegmentTree::find(std::span<const std::string> context, Path& path) const {
  assert(context.size() == limits_.depth);
  path.segments.assign(1, kRoot);
  path.open = 1;
  std::uint64_t hash = kBasis;
  for (const std::string& value : context) {
    hash = hash_with(hash, value);
    const Id next = child(path.segments.back(), hash, value);
    if (next == kNone) return;
    path.segments.push_back(next);
    if (segments_[next].open) ++path.open;  // a parent opens before its children
  }
}

void SegmentTree::weights(const Path& path, std::vector<double>& p) const {
  p.resize(path.open);
  double rest = 1;
  for (std::size_t d = 0; d + 1 < path.open; ++d) {
    const auto w = segments_[path.segments[d]].hedge.weights();  // half each before its first round
    p[d] = rest * w.own;
    rest *= w.below;
  }
  p.back() = rest;
}

std::size_t SegmentTree::pick(std::span<const double> p, double u) {
  double below = 0;
  for (std::size_t d = 0; d < p.size(); ++d) {
    below += p[d];
    if (u < below) return d;
  }
  return p.size() - 1;
}

double SegmentTree::settle(const Path& path, std::span<const double> own) {
  const std::size_t last = path.open - 1;
  for (std::size_t d = 0; d <= last; ++d) segments_[path.segments[d]].own.add(own[d]);
  double loss = own[last];
  if (last < limits_.depth) segments_[path.segments[last]].waited.add(loss);
  for (std::size_t d = last; d-- > 0;) {
    Segment& segment = segments_[path.segments[d]];
    segment.mixes = true;
    loss = segment.hedge.charge(own[d], loss);
  }
  return loss;
}

// Before all are open, names of closed segments are kept so that they can open; with `open` 1 there are none.
bool SegmentTree::may_keep() const { return !full() && segments_.size() - opened_ < kWatchedPerOpen * limits_.most; }

std::size_t SegmentTree::count(std::span<const std::string> context, Path& path) {
  while (path.segments.size() <= context.size() && may_keep()) {
    const std::string& value = context[path.segments.size() - 1];
    const Id parent = path.segments.back();
    path.segments.push_back(add(parent, hash_with(segments_[parent].hash, value), value));
  }
  for (const Id id : path.segments) ++segments_[id].seen;
  std::size_t open = path.open;
  while (open < path.segments.size() && segments_[path.segments[open]].seen >= limits_.open && !full()) {
    segments_[path.segments[open++]].open = true;
    ++opened_;
  }
  if (open <= context.size() && (full() || open == path.segments.size())) ++refused_;
  return open;
}

void SegmentTree::archive_segment(Archive& a, Id id) {
  if (id != kRoot) {
    std::string text(a.reading() ? std::string_view() : name(id));
    std::uint64_t parent = a.reading() ? 0 : segments_[id].parent;
    a.count("parent", parent, id - 1);
    a.field("value", text);
    if (a.reading()) {
      if (!value_objection(text).empty()) a.refuse("value", "found a value that " + value_objection(text));
      const Segment& above = segments_[parent];
      if (above.depth >= limits_.depth) a.refuse("parent", "found a segment below the finest");
      const std::uint64_t hash = hash_with(above.hash, text);
      if (child(static_cast<Id>(parent), hash, text) != kNone) a.refuse("value", "found the same segment twice");
      add(static_cast<Id>(parent), hash, text);
    }
  }
  Segment& into = segments_[id];
  a.count("seen", into.seen);
  a.count("open", into.open, 1);
  a.count("mixes", into.mixes, 1);
  if (into.mixes) into.hedge.archive(a);
  if (into.open) {
    into.own.archive(a, "own", "own_carry");
    into.waited.archive(a, "waited", "waited_carry");
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
  if (a.reading()) *this = SegmentTree(limits_);
  a.count("refused", refused_);
  const std::uint64_t size = a.open_list("segments", segments_.size());
  if (size == 0 || size > (kWatchedPerOpen + 1) * limits_.most + limits_.depth + 1)
    a.refuse("", "found " + std::to_string(size) + " segments, more or fewer than there can be");
  for (std::uint64_t id = 0; id < size; ++id) {
    a.item();
    archive_segment(a, static_cast<Id>(id));
  }
  a.close_list();
  if (a.reading() && opened_ > limits_.most) a.refuse("segments", "found more open segments than may be");
}

}  // namespace hannan::detail
