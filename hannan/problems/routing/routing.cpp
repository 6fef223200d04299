// The game of walks: checks of the graph, losses, and all walks in order (oracles/walk_network.hpp). The gamma of its
// matrix is proven in routing.hpp. Cost: a loss O(edges of the walk); accumulate O(edges that differ from the walk
// before), summed.
#include "hannan/problems/routing/routing.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/oracles/shortest_path.hpp"
#include "hannan/oracles/tabulate.hpp"

namespace hannan::detail {

void Routing::expect_edge_count(std::size_t edges) {
  if (edges >= 1 && edges <= kMaxEdges) return;
  throw Error(Code::kOutOfRange,
              "found " + std::to_string(edges) + " edges, expected 1 to " + std::to_string(kMaxEdges), "edges");
}

namespace {

// Ends of edges, source and target must be vertices. Whether target can be reached, and whether cycles need a limit, is
// found out by the network (refuse()).
Routing::Parts checked(Routing::Parts parts) {
  const WalkNetwork::Graph& graph = parts.graph;
  Routing::expect_edge_count(graph.edges.size());
  const std::int64_t last = static_cast<std::int64_t>(graph.vertices) - 1;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    expect_whole(graph.edges[e].from, {0, last}, path_of("edges", e));
    expect_whole(graph.edges[e].to, {0, last}, path_of("edges", e));
  }
  expect_whole(graph.source, {0, last}, "source");
  expect_whole(graph.target, {0, last}, "target");
  if (graph.source == graph.target)
    throw Error(Code::kOutOfRange, "found the source again, expected another vertex", "target");
  if (graph.hops) {
    const auto most = static_cast<std::uint64_t>(Routing::kMaxHops);
    expect_whole(static_cast<std::int64_t>(std::min(*graph.hops, most + 1)), {1, Routing::kMaxHops}, "hops");
  }
  if (!parts.names.empty() && parts.names.size() != graph.vertices) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(parts.names.size()) + " names, expected one per vertex, " +
                    std::to_string(graph.vertices),
                "names");
  }
  return parts;
}

// A fault of the network as an error at the parameter that can remove it.
void refuse(WalkNetwork::Fault fault, const WalkNetwork::Graph& graph) {
  const std::string limit = graph.hops ? " of at most " + std::to_string(*graph.hops) + " edges" : "";
  switch (fault) {
    case WalkNetwork::Fault::kNone:
      return;
    case WalkNetwork::Fault::kUnreachable:
      throw Error(Code::kOutOfRange, "found no way" + limit + " from the source, expected at least one", "target");
    case WalkNetwork::Fault::kCyclic:
      throw Error(Code::kMissingField, "found a cycle between source and target, expected none or a limit \"hops\"",
                  "hops");
    case WalkNetwork::Fault::kTooLarge:
      throw Error(Code::kOutOfRange,
                  "found a limit of " + std::to_string(*graph.hops) + " hops, expected one with at most " +
                      std::to_string(WalkNetwork::kMaxArcs) + " edges times hops",
                  "hops");
  }
}

}  // namespace

Routing::Routing(Parts parts) : parts_(checked(std::move(parts))), network_(parts_.graph) {
  refuse(network_.fault(), parts_.graph);
}

// Without names a vertex is called by its number.
VertexName Routing::name(int vertex) const {
  return parts_.names.empty() ? VertexName(std::int64_t{vertex}) : parts_.names[static_cast<std::size_t>(vertex)];
}

double Routing::raw(const Action& x, const Outcome& y) const {
  double sum = 0;
  for (const int edge : x) sum += y[static_cast<std::size_t>(edge)];
  return sum;
}

std::optional<double> Routing::action_count() const {
  if (network_.count() == WalkNetwork::kMany) return std::nullopt;
  return static_cast<double>(network_.count());
}

// In the order of WalkCursor, which is the order of action(k).
std::vector<Routing::Action> Routing::first_actions(std::uint64_t limit) const {
  std::vector<Action> some;
  if (limit == 0) return some;
  WalkCursor cursor(network_);
  do {
    some.push_back(cursor.walk());
  } while (some.size() < limit && cursor.advance());
  return some;
}

void Routing::accumulate(const Outcome& y, double weight, std::span<double> totals) const {
  WalkCursor cursor(network_);
  std::vector<double> sums{0.0};  // of the first edges of the walk: most are those of the walk before
  for (double& total : totals) {
    const Walk& walk = cursor.walk();
    // Invariant: sums[i] = cost of the first i edges. The first shared() of them are those of the walk before.
    sums.resize(cursor.shared() + 1);
    for (std::size_t i = cursor.shared(); i < walk.size(); ++i)
      sums.push_back(sums[i] + y[static_cast<std::size_t>(walk[i])]);
    total += weight * (sums.back() / normaliser());
    cursor.advance();
  }
}

// A lasting level for each edge times a draw of the round, so that some routes are better for many rounds.
Routing::Outcome Routing::simulated(const MarketDraws& draws) const {
  Outcome y(edges());
  // 0.2: chosen, so that the cheapest edges still cost something.
  for (std::size_t e = 0; e < y.size(); ++e) y[e] = (0.2 + 0.8 * draws.lasting(e)) * draws.value(e);
  return y;
}

// Edges must follow each other from the source and stop at the first visit of the target, and be no more than the
// longest walk of the network.
bool Routing::allows(const Action& x) const {
  int at = parts_.graph.source;
  for (const auto e : x) {
    if (static_cast<std::int64_t>(e) < 0 || static_cast<std::size_t>(e) >= edges()) return false;
    const auto& edge = parts_.graph.edges[static_cast<std::size_t>(e)];
    if (edge.from != at || at == parts_.graph.target) return false;
    at = edge.to;
  }
  return at == parts_.graph.target && x.size() <= network_.longest();
}

std::vector<std::shared_ptr<const AnyOracle<Routing>>> Routing::oracles(std::shared_ptr<const Routing> p) {
  std::vector<std::shared_ptr<const AnyOracle<Routing>>> all{make_oracle("shortest_path", p, ShortestPath<Routing>{})};
  if (p->network_.count() <= kMaxTabulated) all.push_back(make_oracle("tabulate", p, Tabulate<Routing>{}));
  return all;
}

}  // namespace hannan::detail
