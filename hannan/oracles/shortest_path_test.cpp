#include "hannan/oracles/shortest_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "hannan/core/keyed_random.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace shortest_path_test {

using Graph = WalkNetwork::Graph;
using Fault = WalkNetwork::Fault;

// Every walk from `at` to the target within `left` edges, straight from the definition.
void list_walks(const Graph& graph, int at, std::uint64_t left, Walk& so_far, std::vector<Walk>& all) {
  if (at == graph.target) {
    all.push_back(so_far);
    return;
  }
  if (left == 0) return;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (graph.edges[e].from != at) continue;
    so_far.push_back(static_cast<int>(e));
    list_walks(graph, graph.edges[e].to, left - 1, so_far, all);
    so_far.pop_back();
  }
}

std::vector<Walk> walks_of(const Graph& graph, std::uint64_t hops) {
  std::vector<Walk> all;
  Walk so_far;
  list_walks(graph, graph.source, hops, so_far, all);
  return all;
}

// Is there a walk of at least as many edges as vertices? It comes by some vertex twice. One that does
// so can be had with fewer than 3V edges: a way to a cycle, the cycle, and a way on.
bool has_long_walk(const Graph& graph) {
  std::vector<bool> here(graph.vertices, false);
  here[static_cast<std::size_t>(graph.source)] = true;
  for (std::size_t step = 1; step <= 3 * graph.vertices; ++step) {
    std::vector<bool> next(graph.vertices, false);
    for (const auto& edge : graph.edges) {
      if (edge.from != graph.target && here[static_cast<std::size_t>(edge.from)])
        next[static_cast<std::size_t>(edge.to)] = true;
    }
    here = next;
    if (step >= graph.vertices && here[static_cast<std::size_t>(graph.target)]) return true;
  }
  return false;
}

// Two to six vertices, up to ten edges, parallel ones and loops included.
enum class Cycles { kNever, kMaybe };
Graph random_graph(const KeyedRandom& coins, Cycles cycles) {
  Graph graph;
  graph.vertices = 2 + coins.below(0, 5);
  const std::uint64_t size = 1 + coins.below(1, 10);
  for (std::uint64_t e = 0; e < size; ++e) {
    auto from = static_cast<int>(coins.below(10 + 2 * e, graph.vertices)),
         to = static_cast<int>(coins.below(11 + 2 * e, graph.vertices));
    if (cycles == Cycles::kNever && from == to) continue;
    // Against the numbers on purpose: sorting must not rest on the names of the vertices.
    if (cycles == Cycles::kNever && from < to) std::swap(from, to);
    graph.edges.push_back({from, to});
  }
  graph.source = static_cast<int>(cycles == Cycles::kNever ? graph.vertices - 1 : coins.below(2, graph.vertices));
  graph.target = static_cast<int>(cycles == Cycles::kNever ? 0 : coins.below(3, graph.vertices - 1));
  if (graph.target == graph.source) graph.target = static_cast<int>(graph.vertices) - 1;
  if (coins.below(4, 2)) graph.hops = 1 + coins.below(5, 6);
  return graph;
}

void expect_the_walks(const WalkNetwork& network, const std::vector<Walk>& all) {
  ASSERT_EQ(network.count(), all.size());
  EXPECT_NEAR(network.ln_count(), std::log(static_cast<double>(all.size())), 1e-12);
  std::size_t longest = 0, uses = 0;
  WalkCursor cursor(network);
  for (std::size_t k = 0; k < all.size(); ++k) {
    ASSERT_EQ(network.walk(k), all[k]);
    ASSERT_EQ(cursor.walk(), all[k]);
    const std::size_t shared = cursor.shared();
    if (k > 0) {
      ASSERT_TRUE(std::equal(all[k].begin(), all[k].begin() + static_cast<std::ptrdiff_t>(shared), all[k - 1].begin()));
      ASSERT_NE(all[k][shared], all[k - 1][shared]);
    }
    ASSERT_EQ(cursor.advance(), k + 1 < all.size());
    longest = std::max(longest, all[k].size());
    std::multiset<int> edges(all[k].begin(), all[k].end());
    for (const int e : edges) uses = std::max(uses, edges.count(e));
  }
  EXPECT_EQ(network.longest(), longest);
  EXPECT_GE(network.most_uses(), uses);
}

// Values are multiples of a half, of either sign, so that ties abound and sums are exact.
void expect_the_best(const WalkNetwork& network, const std::vector<Walk>& all, const KeyedRandom& coins,
                     std::size_t edges) {
  std::vector<double> costs(edges);
  for (std::size_t e = 0; e < edges; ++e) costs[e] = 0.5 * static_cast<double>(coins.below(100 + e, 7)) - 1.5;
  const PathProgram program(network, costs);
  std::vector<Ranked<Walk>> ranked;
  for (const Walk& walk : all) {
    double sum = 0;
    for (const int e : walk) sum += costs[static_cast<std::size_t>(e)];
    ranked.push_back({walk, sum});
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& a, const auto& b) { return a.value != b.value ? a.value < b.value : a.action < b.action; });
  ASSERT_EQ(program.least(), ranked[0].value);
  ASSERT_EQ(program.first_within(program.least()), ranked[0].action);  // the smallest of the best
  Walk wide;                                                           // the first within one and a half of the least
  for (const Walk& walk : all) {
    if (wide.empty() && program.value(walk) <= ranked[0].value + 1.5) wide = walk;
  }
  ASSERT_EQ(program.first_within(program.least() + 1.5), wide);
  for (const std::size_t keep : {std::size_t{1}, std::size_t{3}, all.size() + 2}) {
    const auto best = program.best(keep);
    ASSERT_EQ(best.size(), std::min(keep, all.size()));
    std::set<Walk> seen;
    for (std::size_t i = 0; i < best.size(); ++i) {
      ASSERT_EQ(best[i].value, ranked[i].value);  // which of several equal ones is free
      ASSERT_EQ(best[i].value, program.value(best[i].action));
      ASSERT_TRUE(std::binary_search(all.begin(), all.end(), best[i].action));
      ASSERT_TRUE(seen.insert(best[i].action).second);
    }
  }
}

void judge(const Graph& graph, const KeyedRandom& coins, std::size_t& sound) {
  const WalkNetwork network(graph);
  if (!graph.hops && has_long_walk(graph)) {
    ASSERT_EQ(network.fault(), Fault::kCyclic);
    return;
  }
  const auto all = walks_of(graph, graph.hops.value_or(graph.vertices));
  if (all.empty()) {
    ASSERT_EQ(network.fault(), Fault::kUnreachable);
    return;
  }
  ASSERT_EQ(network.fault(), Fault::kNone);
  ++sound;
  expect_the_walks(network, all);
  for (std::uint64_t i = 0; i < 3; ++i) {
    expect_the_best(network, all, KeyedRandom(Key{.seed = 6 + i}, Purpose::kTest, coins.below(6, 1000)),
                    graph.edges.size());
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto cut = network.cut_through(e);
    if (!cut) continue;
    for (const Walk& walk : all) {
      std::size_t crossed = 0;
      for (const int other : walk) crossed += std::count(cut->begin(), cut->end(), other) > 0 ? 1 : 0;
      ASSERT_EQ(crossed, cut->empty() ? 0U : 1U);
    }
  }
}

TEST(ShortestPath, MatchesEnumerationOnThousandsOfAcyclicGraphs) {
  std::size_t sound = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    SCOPED_TRACE(i);
    const KeyedRandom coins(Key{.seed = 4}, Purpose::kTest, i);
    const Graph graph = random_graph(coins, Cycles::kNever);
    judge(graph, coins, sound);
    if (::testing::Test::HasFatalFailure()) return;
    const WalkNetwork network(graph);
    if (network.fault() == Fault::kNone) {
      EXPECT_EQ(network.most_uses(), 1U);
      EXPECT_TRUE(network.cut_through(0).has_value());
    }
  }
  EXPECT_GT(sound, 1000U);
}

TEST(ShortestPath, MatchesEnumerationOnThousandsOfCyclicGraphsWithHopLimits) {
  std::size_t sound = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    SCOPED_TRACE(i);
    const KeyedRandom coins(Key{.seed = 5}, Purpose::kTest, i);
    judge(random_graph(coins, Cycles::kMaybe), coins, sound);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(sound, 1000U);
}

TEST(ShortestPath, GoesRoundANegativeCycleAsOftenAsTheHopLimitAllows) {
  // 0 -> 1 -> 2 with a loop at 1 of cost -1: within 5 hops the loop is taken three times.
  const WalkNetwork network({.edges = {{0, 1}, {1, 1}, {1, 2}}, .vertices = 3, .source = 0, .target = 2, .hops = 5});
  const PathProgram program(network, {1.0, -1.0, 1.0});
  EXPECT_EQ(program.least(), -1.0);
  EXPECT_EQ(program.first_within(-1.0), (Walk{0, 1, 1, 1, 2}));
  EXPECT_EQ(network.most_uses(), 3U);
  EXPECT_FALSE(network.cut_through(0).has_value());
}

TEST(ShortestPath, CountsExactlyUpToTwoToThe53AndBeyondInLogarithms) {
  // k double edges in a row: 2^k walks. 53 of them are 2^53, the largest count that is told.
  for (const int k : {52, 53, 54, 2000}) {
    Graph graph{.edges = {}, .vertices = static_cast<std::size_t>(k) + 1, .source = 0, .target = k, .hops = {}};
    for (int v = 0; v < k; ++v) graph.edges.insert(graph.edges.end(), 2, {v, v + 1});
    const WalkNetwork network(graph);
    EXPECT_EQ(network.count(), k <= 53 ? std::uint64_t{1} << k : WalkNetwork::kMany);
    EXPECT_NEAR(network.ln_count(), k * std::log(2.0), 1e-9);
  }
}

TEST(ShortestPath, FindsThePoolAmongCountlessTiesByAFewSteps) {
  // 2^200 walks of cost 0: the pool must not wander among them.
  Graph graph{.edges = {}, .vertices = 201, .source = 0, .target = 200, .hops = {}};
  for (int v = 0; v < 200; ++v) graph.edges.insert(graph.edges.end(), 2, {v, v + 1});
  const WalkNetwork network(graph);
  const PathProgram program(network, std::vector<double>(400, 0.1));
  const auto best = program.best(50);
  ASSERT_EQ(best.size(), 50U);
  for (const auto& [walk, value] : best) EXPECT_NEAR(value, 20.0, 1e-12);
  // In order the first walk takes the even edge every time.
  const Walk first = program.first_within(program.least() + tie_window(20.0));
  for (std::size_t i = 0; i < first.size(); ++i) ASSERT_EQ(first[i], static_cast<int>(2 * i));
}

TEST(ShortestPath, RefusesALayeredNetworkThatWouldNotFit) {
  Graph graph{.edges = {{0, 1}}, .vertices = 2, .source = 0, .target = 1, .hops = 1'000'000};
  graph.edges.insert(graph.edges.end(), 20, {0, 0});  // 21 arcs a layer, 21 million in all
  EXPECT_EQ(WalkNetwork(graph).fault(), Fault::kTooLarge);
}

}  // namespace shortest_path_test
}  // namespace hannan::detail
