// The network of all walks (walk_network.hpp). Invariants: arcs lead from lower to higher nodes; every node lies on a
// walk; arcs of a node are in the order of their edge indices, so the order of walks is that of their lists. counts_[n]
// = walks from n to the end, cut off at kMany = 2^53 + 1.
#include "hannan/oracles/walk_network.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace hannan::detail {

// Edges grouped by one of their ends, in the order of their indices.
struct Incidence {
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> edges;

  template <class End>
  // Counting sort: first[v] .. first[v + 1] are the edges at v.
  Incidence(const std::vector<WalkNetwork::Edge>& all, std::size_t vertices, End end) : first(vertices + 1, 0) {
    for (const auto& edge : all) ++first[static_cast<std::size_t>(end(edge)) + 1];
    for (std::size_t v = 0; v < vertices; ++v) first[v + 1] += first[v];
    edges.resize(all.size());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t e = 0; e < all.size(); ++e)
      edges[next[static_cast<std::size_t>(end(all[e]))]++] = static_cast<std::uint32_t>(e);
  }
  std::span<const std::uint32_t> at(std::size_t v) const { return {edges.data() + first[v], first[v + 1] - first[v]}; }
};

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

int tail(const WalkNetwork::Edge& e) { return e.from; }
int head(const WalkNetwork::Edge& e) { return e.to; }

// The fewest edges between a vertex and `from`. Walks stop at the target, so nothing leaves it.
template <class End>
std::vector<std::uint32_t> distances(const WalkNetwork::Graph& graph, const Incidence& incidence, int from, End far) {
  std::vector<std::uint32_t> distance(graph.vertices, kNowhere);
  std::vector<std::size_t> queue{static_cast<std::size_t>(from)};
  distance[queue[0]] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::uint32_t e : incidence.at(queue[i])) {
      if (graph.edges[e].from == graph.target) continue;
      const auto v = static_cast<std::size_t>(far(graph.edges[e]));
      if (distance[v] != kNowhere) continue;
      distance[v] = distance[queue[i]] + 1;
      queue.push_back(v);
    }
  }
  return distance;
}

}  // namespace

// The graph with what lies between source and target marked.
struct WalkNetwork::Trimmed {
  const Graph& graph;
  Incidence out;
  std::vector<std::uint32_t> from_source, to_target;
  std::vector<std::size_t> order;  // of the vertices between; shorter than their number: a cycle
  std::size_t between = 0;

  // Kept are the vertices on some walk from source to target, and the edges between them that do not leave the target;
  // all else is in no walk.
  explicit Trimmed(const Graph& g)
      : graph(g),
        out(g.edges, g.vertices, tail),
        from_source(distances(g, out, g.source, head)),
        to_target(distances(g, Incidence(g.edges, g.vertices, head), g.target, tail)) {
    std::vector<std::size_t> waiting(g.vertices, 0);  // edges into a vertex from unsorted ones
    for (std::size_t v = 0; v < g.vertices; ++v) between += keeps(static_cast<int>(v)) ? 1 : 0;
    for (const Edge& edge : g.edges) waiting[static_cast<std::size_t>(edge.to)] += keeps(edge) ? 1 : 0;
    // Kahn's order over the kept part: a vertex enters when all its incoming edges are sorted. Vertices on a cycle
    // never do, and neither does a source that can be returned to.
    if (waiting[static_cast<std::size_t>(g.source)] == 0) order.push_back(static_cast<std::size_t>(g.source));
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const std::uint32_t e : out.at(order[i])) {
        if (keeps(g.edges[e]) && --waiting[static_cast<std::size_t>(head(g.edges[e]))] == 0) {
          order.push_back(static_cast<std::size_t>(head(g.edges[e])));
        }
      }
    }
  }
  bool keeps(int v) const {
    return from_source[static_cast<std::size_t>(v)] != kNowhere && to_target[static_cast<std::size_t>(v)] != kNowhere;
  }
  bool keeps(const Edge& edge) const { return edge.from != graph.target && keeps(edge.from) && keeps(edge.to); }
  bool acyclic() const { return order.size() == between; }
};

// Three cases. Without cycles, and no limit that matters: the sorted graph, where a node is a vertex. Otherwise layers
// by the number of steps, which need a limit of hops. A fault leaves the network empty, and the problem refuses it.
WalkNetwork::WalkNetwork(const Graph& graph) {
  assert(graph.source != graph.target);
  const Trimmed trimmed(graph);
  const std::uint32_t shortest = trimmed.to_target[static_cast<std::size_t>(graph.source)];
  if (shortest == kNowhere || (graph.hops && *graph.hops < shortest)) {
    fault_ = Fault::kUnreachable;
    return;
  }
  if (trimmed.acyclic()) {
    copy_sorted(trimmed);
    count_walks();
    if (!graph.hops || longest_ <= *graph.hops) return;
  } else if (!graph.hops) {
    fault_ = Fault::kCyclic;
    return;
  } else {
    for (const Edge& edge : graph.edges) {
      if (!trimmed.keeps(edge)) continue;
      // The shortest walk over this edge; each further use costs a way back, of at least one edge on a loop and two
      // elsewhere.
      const std::uint64_t needed = std::uint64_t{1} + trimmed.from_source[static_cast<std::size_t>(edge.from)] +
                                   trimmed.to_target[static_cast<std::size_t>(edge.to)];
      if (needed > *graph.hops) continue;
      most_uses_ = std::max(most_uses_, 1 + (*graph.hops - needed) / (edge.from == edge.to ? 1 : 2));
    }
  }
  copy_layered(trimmed, *graph.hops);
  if (fault_ == Fault::kNone) count_walks();
}

// A graph without cycles: a node is a vertex, numbered in topological order, so arcs lead to higher numbers. places_
// has the two nodes of every edge, -1 of those that no walk uses. O(vertices + edges).
void WalkNetwork::copy_sorted(const Trimmed& trimmed) {
  const Graph& graph = trimmed.graph;
  std::vector<std::uint32_t> place(graph.vertices, kNowhere);
  // Only the target has no way on, so it comes last of its own accord.
  for (std::size_t i = 0; i < trimmed.order.size(); ++i) place[trimmed.order[i]] = static_cast<std::uint32_t>(i);
  for (const std::size_t v : trimmed.order) {
    first_.push_back(arcs_.size());
    for (const std::uint32_t e : trimmed.out.at(v)) {
      if (trimmed.keeps(graph.edges[e])) arcs_.push_back({place[static_cast<std::size_t>(graph.edges[e].to)], e});
    }
  }
  first_.push_back(arcs_.size());
  for (const Edge& edge : graph.edges) {
    places_.push_back(!trimmed.keeps(edge) ? Edge{-1, -1}
                                           : Edge{static_cast<int>(place[static_cast<std::size_t>(edge.from)]),
                                                  static_cast<int>(place[static_cast<std::size_t>(edge.to)])});
  }
}

// A graph with a limit of edges: a node is a vertex at a number of steps from the source, layer by layer, and all
// visits of the target are one node. An arc is made only where what is left reaches the target, so every node lies on a
// walk. O(hops * edges), at most kMaxArcs arcs.
void WalkNetwork::copy_layered(const Trimmed& trimmed, std::uint64_t hops) {
  const Graph& graph = trimmed.graph;
  first_.clear();
  arcs_.clear();
  std::vector<std::size_t> layer{static_cast<std::size_t>(graph.source)}, after;
  std::vector<std::uint32_t> node(graph.vertices, kNowhere);  // in the layer after, where it stands there
  std::uint32_t nodes = 1;
  // Only arcs from which the target is within reach of what is left are made; so left >= 1 whenever a layer is not
  // empty.
  for (std::uint64_t left = hops; !layer.empty(); --left) {  // a node with no edge left is never made
    after.clear();
    for (const std::size_t v : layer) {
      first_.push_back(arcs_.size());
      for (const std::uint32_t e : trimmed.out.at(v)) {
        const Edge& edge = graph.edges[e];
        const auto to = static_cast<std::size_t>(edge.to);
        if (!trimmed.keeps(edge) || trimmed.to_target[to] > left - 1) continue;
        if (edge.to != graph.target && node[to] == kNowhere) {
          node[to] = nodes++;
          after.push_back(to);
        }
        arcs_.push_back({node[to], e});  // the end has no number yet
      }
      if (arcs_.size() > kMaxArcs) {
        fault_ = Fault::kTooLarge;
        first_.clear();
        return;
      }
    }
    for (const std::size_t v : after) node[v] = kNowhere;
    layer.swap(after);
  }
  // The target had no number (kNowhere): it is the last node. Two entries are added, its own empty range and the end.
  for (Arc& arc : arcs_) arc.to = std::min(arc.to, nodes);
  first_.insert(first_.end(), 2, arcs_.size());
}

// Backwards from the end: nodes are in topological order, so the counts of all successors are known.
void WalkNetwork::count_walks() {
  const std::size_t size = nodes();
  counts_.assign(size, 0);
  std::vector<double> ln(size, 0.0);
  std::vector<std::size_t> longest(size, 0);
  counts_.back() = 1;
  for (std::size_t n = size - 1; n-- > 0;) {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const Arc& arc : arcs(n)) {
      counts_[n] = std::min(kMany, counts_[n] + counts_[arc.to]);
      longest[n] = std::max(longest[n], longest[arc.to] + 1);
      most = std::max(most, ln[arc.to]);
    }
    // Logarithms of counts by log-sum-exp, for counts beyond the doubles.
    for (const Arc& arc : arcs(n)) sum += std::exp(ln[arc.to] - most);
    ln[n] = counts_[n] < kMany ? std::log(static_cast<double>(counts_[n])) : most + std::log(sum);
  }
  ln_count_ = ln.front();
  longest_ = longest.front();
}

// The k-th walk in order: at each node the arcs before the right one account for counts_ walks each. k is below the
// count of the node at every step, so that an arc is found.
Walk WalkNetwork::walk(std::uint64_t k) const {
  assert(count() < kMany && k < count());
  Walk walk;
  for (std::size_t node = 0; node != end();) {
    for (const Arc& arc : arcs(node)) {
      if (k < counts_[arc.to]) {
        walk.push_back(static_cast<int>(arc.edge));
        node = arc.to;
        break;
      }
      k -= counts_[arc.to];
    }
  }
  return walk;
}

// Only of sorted graphs: in layers an edge stands at several places, and walks may use it twice.
std::optional<std::vector<int>> WalkNetwork::cut_through(std::size_t edge) const {
  if (places_.empty()) return std::nullopt;
  std::vector<int> cut;
  // Every walk starts at or before `place` in topological order and ends behind it, and places rise along it: it
  // crosses from <= place to > place exactly once.
  const int place = places_[edge].from;
  if (place < 0) return cut;
  for (std::size_t e = 0; e < places_.size(); ++e) {
    if (places_[e].from >= 0 && places_[e].from <= place && places_[e].to > place) cut.push_back(static_cast<int>(e));
  }
  return cut;
}

// Along first arcs: the smallest way on from here. Every node but the end has one.
void WalkCursor::descend(std::size_t node) {
  while (node != network_.end()) {
    const auto& arc = network_.arcs(node)[0];
    steps_.push_back({node, 0});
    walk_.push_back(static_cast<int>(arc.edge));
    node = arc.to;
  }
}

// The next walk in order: the last step with a further arc takes it, everything behind it starts again with first arcs.
// shared_ = how many edges stayed. O(edges that change).
bool WalkCursor::advance() {
  while (!steps_.empty()) {
    Step& last = steps_.back();
    const auto arcs = network_.arcs(last.node);
    if (++last.arc < arcs.size()) {
      shared_ = walk_.size() - 1;
      walk_.back() = static_cast<int>(arcs[last.arc].edge);
      descend(arcs[last.arc].to);
      return true;
    }
    steps_.pop_back();
    walk_.pop_back();
  }
  return false;
}

}  // namespace hannan::detail
