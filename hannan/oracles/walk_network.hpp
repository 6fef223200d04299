// All walks from a source to a target in a directed graph, as the paths of one acyclic network.
//
// A walk starts at the source, arrives at the target and stops there, so no walk is the beginning of
// another and their order is that of their lists of edge indices. Two cases:
//   no cycle lies between source and target: the network is the graph, sorted topologically;
//   with a hop limit H that binds: node (h, v) = "at v after h edges", arcs from layer h to h+1, and
//   walks may come by a vertex or an edge again.
// Only nodes on some walk are kept. Parallel edges and loops are allowed. Nodes are numbered so that
// arcs lead upwards: node 0 is the start, the last one the end. Built in O(V + E), or O(H * E) layered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hannan::detail {

using Walk = std::vector<int>;  // edge indices

class WalkNetwork {
 public:
  static constexpr std::uint64_t kMany = (std::uint64_t{1} << 53) + 1;  // stands for every larger count
  static constexpr std::size_t kMaxArcs = 10'000'000;                   // of the layered network, 80 MB

  struct Edge {
    int from;
    int to;
  };
  struct Graph {
    std::vector<Edge> edges;
    std::size_t vertices = 0;
    int source = 0;
    int target = 0;  // not the source
    std::optional<std::uint64_t> hops;
  };
  struct Arc {
    std::uint32_t to;    // node
    std::uint32_t edge;  // index in the graph
  };
  enum class Fault { kNone, kUnreachable, kCyclic, kTooLarge };

  explicit WalkNetwork(const Graph& graph);

  // With a fault there are no nodes. kCyclic: a cycle between source and target, and no hop limit.
  Fault fault() const { return fault_; }
  std::size_t nodes() const { return first_.empty() ? 0 : first_.size() - 1; }
  // In the order of their edges.
  std::span<const Arc> arcs(std::size_t node) const {
    return {arcs_.data() + first_[node], first_[node + 1] - first_[node]};
  }
  std::size_t end() const { return nodes() - 1; }

  std::uint64_t count() const { return counts_.front(); }  // kMany if above 2^53
  double ln_count() const { return ln_count_; }
  std::size_t longest() const { return longest_; }  // the most edges of a walk
  // No walk takes an edge more often: 1 where there is no cycle, otherwise what the hop limit leaves
  // if coming back takes one edge on a loop and two elsewhere.
  std::uint64_t most_uses() const { return most_uses_; }
  // Walk k in order; count() must not be kMany.
  Walk walk(std::uint64_t k) const;
  // The edges that every walk crosses exactly once, together with `edge`: those leaving the vertices
  // up to its tail in topological order. None where a cycle makes walks come back; empty for an edge
  // on no walk.
  std::optional<std::vector<int>> cut_through(std::size_t edge) const;

 private:
  struct Trimmed;
  void copy_sorted(const Trimmed& graph);
  void copy_layered(const Trimmed& graph, std::uint64_t hops);
  void count_walks();

  Fault fault_ = Fault::kNone;
  std::vector<std::size_t> first_;  // arcs of node n: first_[n] .. first_[n+1]
  std::vector<Arc> arcs_;
  std::vector<std::uint64_t> counts_;  // walks from a node to the end
  double ln_count_ = 0;
  std::size_t longest_ = 0;
  std::uint64_t most_uses_ = 1;
  std::vector<Edge> places_;  // topological places of an edge's ends, from < 0: on no walk; empty: cyclic
};

// Visits the walks of a network in order.
class WalkCursor {
 public:
  explicit WalkCursor(const WalkNetwork& network) : network_(network) { descend(0); }

  const Walk& walk() const { return walk_; }
  std::size_t shared() const { return shared_; }  // how many first edges are those of the walk before
  // False behind the last walk.
  bool advance();

 private:
  void descend(std::size_t node);

  struct Step {
    std::size_t node;
    std::size_t arc;
  };
  const WalkNetwork& network_;
  std::vector<Step> steps_;
  Walk walk_;
  std::size_t shared_ = 0;
};

}  // namespace hannan::detail
