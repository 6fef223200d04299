// The oracle for walks in a network: shortest paths by one backward pass, exact for any sign, flat in T.
//
// The loss of walk x is (1/R) * sum of the costs of its edges, so the history is one number per edge,
// the summed weighted costs, however many rounds there were: a round adds O(E). On the acyclic network
//   ahead(n) = min over arcs (n -> n', e) of cost(e) + ahead(n'),   ahead(end) = 0
// is exact without any assumption on signs. The choice follows the first arc behind which a walk
// within the tie window still exists: the smallest walk among the best. The pool comes by deviation:
// each walk found, best first, leaves the first arcs it did not take as prefixes whose best endings
// are known, so the k best walks are k pops of a heap.
// Cost: O(arcs) for the pass, O(k * length * degree * log) for the pool.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/long_sums.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/oracles/walk_network.hpp"

namespace hannan::detail {

class PathProgram {
 public:
  // Keeps a reference to the network. One cost per edge of the graph, of any sign.
  PathProgram(const WalkNetwork& network, std::vector<double> costs) : PathProgram(network) {
    costs_ = std::move(costs);
    solve();
  }
  // To be solved when costs() are filled in, again and again in the same buffers.
  explicit PathProgram(const WalkNetwork& network) : network_(network), ahead_(network.nodes(), 0.0) {}
  std::vector<double>& costs() { return costs_; }
  void solve();

  double least() const { return ahead_.front(); }
  double value(const Walk& walk) const;
  // The first walk in order whose cost is at most `limit` >= least().
  void first_within(double limit, Walk& walk) const;
  Walk first_within(double limit) const {
    Walk walk;
    first_within(limit, walk);
    return walk;
  }
  // The `keep` walks of least cost (fewer if there are fewer), ordered by cost, then walk.
  std::vector<Ranked<Walk>> best(std::size_t keep) const;

 private:
  struct Found;
  class Deviations;

  double through(const WalkNetwork::Arc& arc) const { return costs_[arc.edge] + ahead_[arc.to]; }

  const WalkNetwork& network_;
  std::vector<double> costs_;
  std::vector<double> ahead_;
};

template <class P>
concept Routed =
    Problem<P> && std::same_as<typename P::Action, Walk> && requires(const P& p, const typename P::Outcome& y) {
      { p.network() } -> std::same_as<const WalkNetwork&>;
      { p.edges() } -> std::convertible_to<std::size_t>;
      { p.normaliser() } -> std::convertible_to<double>;
      { y[std::size_t{}] } -> std::convertible_to<double>;  // the cost of an edge
    };

template <Routed P>
class ShortestPath {
 public:
  static constexpr bool kSigned = true;

  struct History {
    LongSums costs;                              // per edge, not yet divided by R, so that equal sums stay equal
    mutable std::optional<PathProgram> program;  // buffer of a search
    void scale(double factor) { costs.scale(factor); }
    void clear() { costs.clear(); }
    void archive(Archive& a) { costs.archive(a, "costs", "carries"); }
  };

  History empty(const P& p) const { return {LongSums(p.edges()), std::nullopt}; }

  void add(const P&, History& h, const typename P::Outcome& y, double weight) const {
    h.costs.add([&](std::span<double> terms) {
      for (std::size_t e = 0; e < terms.size(); ++e) terms[e] = weight * y[e];
    });
  }

  // A walk stands on each of its edges: values[e] is added to its value every time it takes edge e.
  void add_table(const P& p, History& h, std::size_t, std::span<const double> values) const {
    const std::span<double> costs = h.costs.plain();
    for (std::size_t e = 0; e < values.size(); ++e) costs[e] += p.normaliser() * values[e];
  }

  Answer<Walk> best(const P& p, Evidence<History> e, std::size_t keep) const {
    Answer<Walk> answer;
    choose(p, e, answer);
    if (keep == 0) return answer;
    const double unit = p.normaliser();
    answer.pool.push_back({answer.action, answer.value});
    answer.rest = std::numeric_limits<double>::infinity();
    for (auto& [walk, cost] : e.data.program->best(keep + 1)) {
      if (walk == answer.action) continue;
      if (answer.pool.size() == keep) {
        answer.rest = cost / unit;
        break;
      }
      answer.pool.push_back({std::move(walk), cost / unit});
    }
    return answer;
  }
  void choose(const P& p, Evidence<History> e, Answer<Walk>& answer) const {
    if (!e.data.program) e.data.program.emplace(p.network());
    PathProgram& program = *e.data.program;
    std::vector<double>& costs = program.costs();
    costs = e.data.costs.values();
    if (e.scale != 0) {
      for (std::size_t i = 0; i < costs.size(); ++i) costs[i] += e.scale * e.noise.costs[i];
    }
    program.solve();
    const double unit = p.normaliser();
    answer.floor = answer.rest = program.least() / unit;
    program.first_within(program.least() + unit * tie_window(answer.floor), answer.action);
    answer.value = program.value(answer.action) / unit;
  }
};

}  // namespace hannan::detail
