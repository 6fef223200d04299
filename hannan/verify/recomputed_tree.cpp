// Invariants between rounds: parents are open before what is below them, so depth_open_[j] is a prefix of known_[j];
// segments_[0] is the root; a child's number is above its parent's. A round costs a lookup a level of its context.
// nodes_ = the root, then depth_open_[0] segments of the first order, then those of the second, and so on; own[i] and
// weights()[i] belong to nodes_[i].
#include "hannan/verify/recomputed_tree.hpp"

#include <string_view>
#include <utility>

namespace hannan::detail {

RecomputedTree::RecomputedTree(const RecordedContexts& contexts)
    : contexts_(contexts), known_(contexts.depths.size()), depth_open_(contexts.depths.size()) {
  RecomputedSegment root;
  root.open = true;
  root.hedge = RecomputedHedge(1 + orders());
  root.waited.resize(orders());
  root.children.resize(orders());
  segments_.push_back(std::move(root));
}

// context_ holds the columns of all orders one after another: those of order j are [from, from + depths[j]). A column
// after the first unknown name is not looked at: what is below it cannot be known.
void RecomputedTree::go(std::span<const std::string> context) {
  context_.assign(context.begin(), context.end());
  nodes_.assign(1, 0);
  std::size_t from = 0;
  for (std::size_t j = 0; j < orders(); ++j) {
    known_[j].clear();
    depth_open_[j] = 0;
    std::size_t last = 0;
    for (std::size_t d = 0; d < contexts_.depths[j]; ++d) {
      const auto& children = segments_[last].children[children_of(last, j)];
      const auto next = children.find(context_[from + d]);
      if (next == children.end()) break;
      last = next->second;
      known_[j].push_back(last);
      if (!segments_[last].open) continue;
      ++depth_open_[j];
      nodes_.push_back(last);
    }
    from += contexts_.depths[j];
  }
}

// Products of the weights along each path: `rest` is what the segments above have left for those below. The last open
// one takes all of it, so that the weights add up to 1.
std::vector<double> RecomputedTree::weights() const {
  std::vector<double> p{1.0};
  if (nodes_.size() == 1) return p;
  const std::vector<double> first = segments_[0].hedge.weights();
  p[0] = first[0];
  for (std::size_t j = 0; j < orders(); ++j) {
    double rest = first[1 + j];
    if (depth_open_[j] == 0) p[0] += rest;
    for (std::size_t d = 0; d < depth_open_[j]; ++d) {
      if (d + 1 == depth_open_[j]) {
        p.push_back(rest);
        break;
      }
      const std::vector<double> w = segments_[known_[j][d]].hedge.weights();
      p.push_back(rest * w[0]);
      rest *= w[1];
    }
  }
  return p;
}

// From the finest open segment of an order up: each mixes its own loss with what comes from below. first + d - 2 is the
// node of depth d - 1 of order j, as `first` is that of depth 1.
double RecomputedTree::charge(std::span<const double> own) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) segments_[nodes_[i]].own += own[i];
  std::vector<double> of_root{own[0]};
  std::size_t first = 1;  // node of this order
  for (std::size_t j = 0; j < orders(); ++j) {
    const std::size_t open = depth_open_[j];
    double below = open == 0 ? own[0] : own[first + open - 1];
    if (open < contexts_.depths[j]) {
      if (open == 0) {
        segments_[0].waited[j] += below;
      } else {
        segments_[known_[j][open - 1]].waited[0] += below;
      }
    }
    for (std::size_t d = open; d > 1; --d) {
      RecomputedSegment& segment = segments_[known_[j][d - 2]];
      segment.mixes = true;
      const double told[] = {own[first + d - 2], below};
      below = segment.hedge.charge(told);
    }
    of_root.push_back(below);
    first += open;
  }
  if (nodes_.size() == 1) return own[0];
  segments_[0].mixes = true;
  return segments_[0].hedge.charge(of_root);
}

// A new name is kept while it could still open: not all that may be open are, and fewer than four times as many are
// watched.
void RecomputedTree::keep_new(std::size_t order, std::span<const std::string> values) {
  std::vector<std::size_t>& known = known_[order];
  while (known.size() < values.size() && !full() && segments_.size() - open_ < 4 * contexts_.most) {
    const std::size_t parent = known.empty() ? 0 : known.back(), id = segments_.size();
    RecomputedSegment made;
    made.parent = parent;
    made.order = order;
    made.depth = known.size() + 1;
    made.value = values[known.size()];
    made.waited.resize(1);
    made.children.resize(1);
    segments_[parent].children[children_of(parent, order)].emplace(made.value, id);
    segments_.push_back(std::move(made));
    known.push_back(id);
  }
}

void RecomputedTree::count() {
  opened_.clear();
  closed_.clear();
  ++segments_[0].seen;
  std::size_t from = 0;
  for (std::size_t j = 0; j < orders(); ++j) {
    keep_new(j, std::span(context_).subspan(from, contexts_.depths[j]));
    for (const std::size_t id : known_[j]) ++segments_[id].seen;
    std::size_t& open = depth_open_[j];
    for (; open < known_[j].size() && !full(); ++open) {
      RecomputedSegment& next = segments_[known_[j][open]];
      if (next.seen < contexts_.open) break;
      next.open = true;
      ++open_;
      opened_.push_back(known_[j][open]);
    }
    for (std::size_t d = open; d < known_[j].size(); ++d) closed_.push_back(known_[j][d]);
    from += contexts_.depths[j];
  }
  for (std::size_t j = 0; j < orders(); ++j) {
    if (depth_open_[j] == contexts_.depths[j] || !(full() || depth_open_[j] == known_[j].size())) continue;
    ++refused_;
    return;
  }
}

std::vector<std::string> RecomputedTree::path(std::size_t id) const {
  std::vector<std::string> values;
  const std::size_t order = segments_[id].order;
  for (std::size_t at = id; at != 0; at = segments_[at].parent) values.insert(values.begin(), segments_[at].value);
  if (id != 0 && orders() > 1) values.insert(values.begin(), std::to_string(order + 1));
  return values;
}

std::uint64_t RecomputedTree::run_of(std::size_t id) const {
  if (id == 0) return 0;
  std::uint64_t hash = 0xcbf29ce484222325;  // the basis of FNV-1a with 64 bits
  const auto take = [&hash](std::uint64_t byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (const std::string& value : path(id)) {
    for (std::size_t i = 0; i < 8; ++i) take(std::uint64_t{value.size()} >> (8 * i) & 255);
    for (const char letter : value) take(static_cast<unsigned char>(letter));
  }
  return hash;
}

std::vector<std::size_t> RecomputedTree::in_order() const {
  std::vector<std::size_t> all, waiting{0};
  std::map<std::string, std::size_t> by_number;  // orders in the order of the text of their numbers
  for (std::size_t j = 0; j < orders(); ++j) by_number.emplace(std::to_string(j + 1), j);
  while (!waiting.empty()) {
    const std::size_t id = waiting.back();
    waiting.pop_back();
    all.push_back(id);
    std::vector<std::size_t> below;
    if (id == 0) {
      for (const auto& [number, j] : by_number) {
        for (const auto& [value, child] : segments_[0].children[j]) below.push_back(child);
      }
    } else {
      for (const auto& [value, child] : segments_[id].children[0]) below.push_back(child);
    }
    waiting.insert(waiting.end(), below.rbegin(), below.rend());
  }
  return all;
}

}  // namespace hannan::detail
