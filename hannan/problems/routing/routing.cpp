#include "hannan/problems/routing/routing.hpp"

#include <cassert>
#include <map>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/oracles/shortest_path.hpp"
#include "hannan/oracles/tabulate.hpp"

namespace hannan {

Routing::Routing(Parts parts, WalkNetwork network) : parts_(std::move(parts)), network_(std::move(network)) {
  assert(network_.fault() == WalkNetwork::Fault::kNone);
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
    sums.resize(cursor.shared() + 1);
    for (std::size_t i = cursor.shared(); i < walk.size(); ++i)
      sums.push_back(sums[i] + y[static_cast<std::size_t>(walk[i])]);
    total += weight * (sums.back() / normaliser());
    cursor.advance();
  }
}

Routing::Outcome Routing::simulated(const MarketDraws& draws) const {
  Outcome y(edges());
  for (std::size_t e = 0; e < y.size(); ++e) y[e] = (0.2 + 0.8 * draws.lasting(e)) * draws.value(e);
  return y;
}

namespace {

// Numbers the vertices in the order in which they are first named.
class Vertices {
 public:
  int number(const Json& json, std::string_view path) {
    if (!json.is_string()) to_integer(json, path);
    const auto [at, added] = numbers_.try_emplace(dump(json), static_cast<int>(names_.size()));
    if (added) names_.push_back(json);
    return at->second;
  }
  std::vector<Json> names() && { return std::move(names_); }
  std::size_t size() const { return names_.size(); }

 private:
  std::map<std::string, int> numbers_;  // by JSON text: 1 and "1" are two vertices
  std::vector<Json> names_;
};

// The end of the way must be the end of an edge.
int parse_end(Fields& params, const char* name, Vertices& vertices) {
  const std::size_t known = vertices.size();
  const int end = vertices.number(params.need(name), params.at(name));
  if (vertices.size() == known) return end;
  throw Error(Code::kOutOfRange, "found vertex " + dump(params.need(name)) + ", expected an end of one of the edges",
              params.at(name));
}

void refuse(WalkNetwork::Fault fault, const WalkNetwork::Graph& graph, const Fields& params) {
  const std::string limit = graph.hops ? " of at most " + std::to_string(*graph.hops) + " edges" : "";
  switch (fault) {
    case WalkNetwork::Fault::kNone:
      return;
    case WalkNetwork::Fault::kUnreachable:
      throw Error(Code::kOutOfRange, "found no way" + limit + " from the source, expected at least one",
                  params.at("target"));
    case WalkNetwork::Fault::kCyclic:
      throw Error(Code::kMissingField, "found a cycle between source and target, expected none or a limit \"hops\"",
                  params.at("hops"));
    case WalkNetwork::Fault::kTooLarge:
      throw Error(Code::kOutOfRange,
                  "found a limit of " + std::to_string(*graph.hops) + " hops, expected one with at most " +
                      std::to_string(WalkNetwork::kMaxArcs) + " edges times hops",
                  params.at("hops"));
  }
}

}  // namespace

std::shared_ptr<const Routing> Routing::parse(Fields& params) {
  Parts parts;
  Vertices vertices;
  const auto& list = params.list("edges");
  if (list.empty() || list.size() > kMaxEdges) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(list.size()) + " edges, expected 1 to " + std::to_string(kMaxEdges),
                params.at("edges"));
  }
  for (std::size_t e = 0; e < list.size(); ++e) {
    const std::string path = path_of(params.at("edges"), e);
    const auto& ends = to_list(list[e], path);
    if (ends.size() != 2) throw Error(Code::kWrongType, "found " + describe(list[e]) + ", expected [from, to]", path);
    const int from = vertices.number(ends[0], path_of(path, std::size_t{0}));
    parts.graph.edges.push_back({from, vertices.number(ends[1], path_of(path, std::size_t{1}))});
  }
  parts.graph.source = parse_end(params, "source", vertices);
  parts.graph.target = parse_end(params, "target", vertices);
  if (parts.graph.source == parts.graph.target) {
    throw Error(Code::kOutOfRange, "found the source again, expected another vertex", params.at("target"));
  }
  if (params.has("hops")) parts.graph.hops = static_cast<std::uint64_t>(params.integer("hops", {1, kMaxHops}));
  parts.graph.vertices = vertices.size();
  parts.vertices = std::move(vertices).names();
  WalkNetwork network(parts.graph);
  refuse(network.fault(), parts.graph, params);
  return std::make_shared<Routing>(std::move(parts), std::move(network));
}

Json Routing::params() const {
  const auto name = [&](int v) { return parts_.vertices[static_cast<std::size_t>(v)]; };
  Json list = Json::array();
  for (const auto& edge : parts_.graph.edges) list.push_back(Json::array({name(edge.from), name(edge.to)}));
  Json json = Json::object(
      {{"edges", std::move(list)}, {"source", name(parts_.graph.source)}, {"target", name(parts_.graph.target)}});
  if (parts_.graph.hops) json.set("hops", *parts_.graph.hops);
  return json;
}

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

Routing::Action Routing::parse_action(const Json& json, std::string_view path) const {
  const auto list = to_integers(json, path, {0, static_cast<std::int64_t>(edges()) - 1});
  const auto name = [&](int v) { return dump(parts_.vertices[static_cast<std::size_t>(v)]); };
  int at = parts_.graph.source;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& edge = parts_.graph.edges[static_cast<std::size_t>(list[i])];
    if (edge.from != at || at == parts_.graph.target) {
      throw Error(Code::kBadAction,
                  "found an edge that leaves vertex " + name(edge.from) + ", expected " +
                      (at == parts_.graph.target ? "the end of the walk at the target " + name(at)
                                                 : "one that leaves " + name(at)),
                  path_of(path, i));
    }
    at = edge.to;
  }
  if (at != parts_.graph.target) {
    throw Error(Code::kBadAction,
                "found a walk that ends at vertex " + name(at) + ", expected the target " + name(parts_.graph.target),
                std::string(path));
  }
  if (list.size() > network_.longest()) {
    throw Error(
        Code::kBadAction,
        "found " + std::to_string(list.size()) + " edges, expected at most " + std::to_string(network_.longest()),
        std::string(path));
  }
  return {list.begin(), list.end()};
}

Routing::Outcome Routing::parse_outcome(const Json& json, std::string_view path) const {
  Outcome y = to_numbers(json, path, kUnit);
  if (y.size() != edges()) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(y.size()) + " costs, expected one per edge, " + std::to_string(edges()),
                std::string(path));
  }
  return y;
}

std::vector<std::shared_ptr<const AnyOracle<Routing>>> Routing::oracles(std::shared_ptr<const Routing> p) {
  std::vector<std::shared_ptr<const AnyOracle<Routing>>> all{make_oracle("shortest_path", p, ShortestPath<Routing>{})};
  if (p->network_.count() <= kMaxTabulated) all.push_back(make_oracle("tabulate", p, Tabulate<Routing>{}));
  return all;
}

}  // namespace hannan
