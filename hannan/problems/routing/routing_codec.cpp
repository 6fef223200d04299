// Routing problems from and to JSON: vertices by name or number, walks as lists of edges, costs per edge.
#include "hannan/problems/routing/routing_codec.hpp"

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// Numbers the vertices in the order in which they are first named.
class Vertices {
 public:
  int number(const Json& json, std::string_view path) {
    VertexName name = json.is_string() ? VertexName(json.as_string()) : VertexName(to_integer(json, path));
    const auto [at, added] = numbers_.try_emplace(name, static_cast<int>(names_.size()));
    if (added) names_.push_back(std::move(name));
    return at->second;
  }
  std::vector<VertexName> names() && { return std::move(names_); }
  std::size_t size() const { return names_.size(); }

 private:
  std::map<VertexName, int> numbers_;  // 1 and "1" are two vertices
  std::vector<VertexName> names_;
};

Json name_json(const VertexName& name) {
  const auto* number = std::get_if<std::int64_t>(&name);
  return number ? Json(*number) : Json(std::get<std::string>(name));
}

// The end of the way must be the end of an edge.
int parse_end(Fields& params, const char* name, Vertices& vertices) {
  const std::size_t known = vertices.size();
  const int end = vertices.number(params.need(name), params.at(name));
  if (vertices.size() == known) return end;
  throw Error(Code::kOutOfRange, "found vertex " + dump(params.need(name)) + ", expected an end of one of the edges",
              params.at(name));
}

}  // namespace

// Edges first: they name the vertices. Source and target must then be known.
std::shared_ptr<const Routing> Codec<Routing>::parse(Fields& params) {
  Routing::Parts parts;
  Vertices vertices;
  const auto& list = params.list("edges");
  made_from(params, [&] { Routing::expect_edge_count(list.size()); });
  for (std::size_t e = 0; e < list.size(); ++e) {
    const std::string path = path_of(params.at("edges"), e);
    const auto& ends = to_list(list[e], path);
    if (ends.size() != 2) throw Error(Code::kWrongType, "found " + describe(list[e]) + ", expected [from, to]", path);
    const int from = vertices.number(ends[0], path_of(path, std::size_t{0}));
    parts.graph.edges.push_back({from, vertices.number(ends[1], path_of(path, std::size_t{1}))});
  }
  parts.graph.source = parse_end(params, "source", vertices);
  parts.graph.target = parse_end(params, "target", vertices);
  if (params.has("hops")) parts.graph.hops = static_cast<std::uint64_t>(params.integer("hops", {1, Routing::kMaxHops}));
  parts.graph.vertices = vertices.size();
  parts.names = std::move(vertices).names();
  return made_from(params, [&] { return std::make_shared<const Routing>(std::move(parts)); });
}

// With the names that were given, so that parse(params(p)) numbers the vertices as p does.
Json Codec<Routing>::params(const Routing& p) {
  const WalkNetwork::Graph& graph = p.graph();
  Json list = Json::array();
  for (const auto& edge : graph.edges)
    list.push_back(Json::array({name_json(p.name(edge.from)), name_json(p.name(edge.to))}));
  Json json = Json::object({{"edges", std::move(list)},
                            {"source", name_json(p.name(graph.source))},
                            {"target", name_json(p.name(graph.target))}});
  if (graph.hops) json.set("hops", *graph.hops);
  return json;
}

Json Codec<Routing>::action_json(const Routing&, const Routing::Action& x) { return Json(x); }

// A walk is the list of its edges, by number. The message says at which edge the walk breaks off and from which vertex
// it should go on.
Routing::Action Codec<Routing>::parse_action(const Routing& p, const Json& json, std::string_view path) {
  const WalkNetwork::Graph& graph = p.graph();
  const auto list = to_integers(json, path, {0, static_cast<std::int64_t>(p.edges()) - 1});
  const auto name = [&](int v) { return dump(name_json(p.name(v))); };
  int at = graph.source;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& edge = graph.edges[static_cast<std::size_t>(list[i])];
    if (edge.from != at || at == graph.target) {
      throw Error(
          Code::kBadAction,
          "found an edge that leaves vertex " + name(edge.from) + ", expected " +
              (at == graph.target ? "the end of the walk at the target " + name(at) : "one that leaves " + name(at)),
          path_of(path, i));
    }
    at = edge.to;
  }
  if (at != graph.target) {
    throw Error(Code::kBadAction,
                "found a walk that ends at vertex " + name(at) + ", expected the target " + name(graph.target),
                std::string(path));
  }
  if (list.size() > p.network().longest()) {
    throw Error(
        Code::kBadAction,
        "found " + std::to_string(list.size()) + " edges, expected at most " + std::to_string(p.network().longest()),
        std::string(path));
  }
  return {list.begin(), list.end()};
}

Json Codec<Routing>::outcome_json(const Routing&, const Routing::Outcome& y) { return Json(y); }

// A cost in [0,1] for every edge, in the order of the parameter "edges".
Routing::Outcome Codec<Routing>::parse_outcome(const Routing& p, const Json& json, std::string_view path) {
  Routing::Outcome y = to_numbers(json, path, kUnit);
  if (y.size() != p.edges()) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(y.size()) + " costs, expected one per edge, " + std::to_string(p.edges()),
                std::string(path));
  }
  return y;
}

ProblemInstances Codec<Routing>::instances() {
  return {
      .tested =
          {R"({"edges":[[0,1]],"source":0,"target":1})",
           R"({"edges":[["s","a"],["a","t"],["s","b"],["b","t"],["a","b"],["s","t"],["b","c"],["t","s"],["s","a"]],"source":"s","target":"t"})",
           R"({"edges":[[0,1],[1,2],[0,3],[1,4],[2,5],[3,4],[4,5],[3,6],[4,7],[5,8],[6,7],[7,8]],"source":0,"target":8})",
           R"({"edges":[[0,1],[1,2],[2,3],[0,2],[1,3],[0,3]],"source":0,"target":3,"hops":2})",
           R"({"edges":[[0,1],[1,0],[1,1],[1,2],[0,2]],"source":0,"target":2,"hops":5})"},
      .signature =
          R"({"edges":[[0,1],[1,2],[0,3],[1,4],[2,5],[3,4],[4,5],[3,6],[4,7],[5,8],[6,7],[7,8]],"source":0,"target":8})",
      .flat =
          R"({"edges":[[0,1],[0,5],[1,2],[1,6],[2,3],[2,7],[3,4],[3,8],[4,9],[5,6],[5,10],[6,7],[6,11],[7,8],[7,12],[8,9],[8,13],[9,14],
        [10,11],[10,15],[11,12],[11,16],[12,13],[12,17],[13,14],[13,18],[14,19],[15,16],[15,20],[16,17],[16,21],[17,18],[17,22],[18,19],[18,23],[19,24],[20,21],[21,22],[22,23],[23,24]],"source":0,"target":24})"};
}

ProblemHelp Codec<Routing>::help() {
  using enum ParameterHelp::Need;
  return {.parameters = {{"edges", "the graph, each edge [from, to]; --from reads it from a file",
                          R"([["home","mill"],["mill","port"],["home","port"]])", kNeeded, "--from"},
                         {"source", "the vertex where every path begins", "home", kNeeded},
                         {"target", "the vertex where it ends", "port", kNeeded},
                         {"hops", "at most so many edges; needed where the graph has a cycle", "6"}},
          .file_options = {{"directed", "an edge list: false where edges go both ways", "true"},
                           {"header", "an edge list: true where its first row names the columns", "false"}},
          .data = "JSON lines or a table with the cost of every edge, in [0,1], in their order",
          .outcome = "[0.5,0.25,1]",
          .example = "hannan run routing --from town.graphml --param source=home --param target=port -d costs.csv"};
}

}  // namespace hannan::detail
