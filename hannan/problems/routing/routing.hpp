// `routing`: a way from s to t in a directed graph, every round; the costs of all edges come afterwards.
//
// An action is a walk as the list of its edge indices: it starts at the source, arrives at the target
// and stops there. Without cycles between the two these are the paths. With cycles a limit `hops` is
// needed, and the actions are the walks of at most so many edges, which may come by a vertex again
// (then an edge costs every time): so the oracle stays exact for costs of any sign. An outcome is one
// cost in [0,1] per edge. Loss = summed cost over R, the largest number of edges of an action.
// K is counted, not listed: a grid of 25 by 25 crossings has 3.2e13 paths. Edges on no walk from
// s to t are allowed and do not matter.
//
// Perturbation `outcomes`: a column per edge, Gamma_e(x) = uses of e by x over U, U = the most uses of
// an edge (1 without cycles: 0/1 incidence). It is made by unit cost on e alone with weight R/U.
// gamma = U, with s >= 0 (none is needed for K = 1): for action x and outcome y take s_e = (U/R) y_e
// on the edges of x and 0 elsewhere. Then for every x'
//   <Gamma_x - Gamma_x', s> = f(x,y) - f(x',y) + (1/R) sum over e not in x of y_e * uses of e by x'
// which is at least f(x,y) - f(x',y), and x has at most R edges, so |s|_1 <= U.
// Minus a column, without negative weights: where there is no cycle, the edges that leave the vertices
// up to e's tail in topological order are crossed exactly once by every path, so unit cost on all of
// them but e makes 1 - Gamma_e. With cycles no such set is known.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/game/elements.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/oracles/walk_network.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {

using VertexName = std::variant<std::int64_t, std::string>;

class Routing {
 public:
  using Action = Walk;
  using Outcome = std::vector<double>;  // one cost per edge
  static constexpr std::string_view kFileAbout =
      "the graph: an edge list, GraphML or GML; with --param source= and target=";
  static constexpr std::size_t kMaxEdges = 100'000;
  static constexpr std::int64_t kMaxHops = 1'000'000;
  static constexpr std::uint64_t kMaxTabulated = 100'000;  // actions up to which `tabulate` is offered

  struct Parts {
    WalkNetwork::Graph graph;
    std::vector<VertexName> names;  // of the vertices; none: 0, 1, ...
  };
  // Throws kOutOfRange or, where a cycle needs a limit of hops, kMissingField.
  explicit Routing(Parts parts);
  static void expect_edge_count(std::size_t edges);  // part of what the constructor checks

  const WalkNetwork::Graph& graph() const { return parts_.graph; }
  VertexName name(int vertex) const;

  const WalkNetwork& network() const { return network_; }
  std::size_t edges() const { return parts_.graph.edges.size(); }

  double loss(const Action& x, const Outcome& y) const { return raw(x, y) / normaliser(); }
  double ln_size() const { return network_.ln_count(); }
  std::optional<double> action_count() const;  // none above 2^53
  std::vector<Action> first_actions(std::uint64_t limit) const;
  std::uint64_t size() const { return network_.count(); }  // only where action_count() is small
  Action action(std::uint64_t k) const { return network_.walk(k); }
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const;

  // The edges, where no walk takes one twice: who travels sees the costs of the edges taken.
  std::optional<Elements> elements() const {
    if (network_.most_uses() > 1) return std::nullopt;
    return Elements{.count = edges(), .longest = network_.longest(), .noise = "outcomes"};
  }

  // Is it one of the actions? Asked of saved states.
  bool allows(const Action& x) const;

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kLoss; }
  double normaliser() const { return static_cast<double>(network_.longest()); }
  double raw(const Action& x, const Outcome& y) const;
  std::size_t row_width() const { return edges(); }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y.assign(row.begin(), row.end()); }
  // A cost per edge: the market's value times a factor in [0.2,1] that stays with the edge, so that there is
  // something to learn.
  Outcome simulated(const MarketDraws& draws) const;

  static std::vector<std::shared_ptr<const Perturbation<Routing>>> perturbations(std::shared_ptr<const Routing> p);
  static std::vector<std::shared_ptr<const AnyOracle<Routing>>> oracles(std::shared_ptr<const Routing> p);

 private:
  Parts parts_;
  WalkNetwork network_;
};

}  // namespace hannan::detail
