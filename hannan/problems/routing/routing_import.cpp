// `routing` from a graph file.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/graph_file.hpp"
#include "hannan/problems/routing/routing_codec.hpp"

namespace hannan::detail {
namespace {

// A name that is written as an integer is one, so that --param source=3 means vertex 3 of the file.
Json name_json(const std::string& name) {
  const bool negative = name.starts_with("-");
  const std::string digits = name.substr(negative ? 1 : 0);
  const bool whole =
      // 15 digits are below 2^53, so the number survives JSON; longer ones stay names.
      !digits.empty() && digits.size() <= 15 && digits.find_first_not_of("0123456789") == std::string::npos;
  const bool canonical = whole && (digits == "0" ? !negative : digits[0] != '0');
  return canonical ? Json(static_cast<std::int64_t>(std::stoll(name))) : Json(name);
}

// Vertices of a file have ids, which are unique, and labels, which need not be. The problem calls a vertex by its label
// where that is unique and no other vertex has it as id.
class Names {
 public:
  Names(const Graph& graph, const std::string& file) : graph_(graph), file_(file) {
    for (std::size_t v = 0; v < graph.vertices.size(); ++v) {
      ids_.emplace(graph.vertices[v].id, v);
      if (!graph.vertices[v].label.empty()) labels_[graph.vertices[v].label].push_back(v);
    }
  }

  Json name(std::size_t v) const {
    const auto& [id, label] = graph_.vertices[v];
    if (label.empty() || labels_.at(label).size() > 1) return name_json(id);
    const auto same = ids_.find(label);
    return name_json(same == ids_.end() || same->second == v ? label : id);
  }

  // Ids come before labels.
  std::size_t find(const Json& json, const char* param) const {
    if (!json.is_string()) to_integer(json, param);
    const std::string text = json.is_string() ? json.as_string() : dump(json);
    if (const auto id = ids_.find(text); id != ids_.end()) return id->second;
    const auto label = labels_.find(text);
    if (label == labels_.end()) {
      throw Error(Code::kUnknownName,
                  "found vertex " + dump(json) + ", expected an id or label in " + file_ + ": " + some(), param);
    }
    if (label->second.size() > 1) {
      std::string all;
      for (const std::size_t v : label->second) all += (all.empty() ? "" : ", ") + dump(Json(graph_.vertices[v].id));
      throw Error(
          Code::kUnknownName,
          "found the label " + dump(json) + " of several vertices in " + file_ + ", expected one of their ids: " + all,
          param);
    }
    return label->second.front();
  }

 private:
  std::string some() const {
    constexpr std::size_t kShown = 8;
    std::string list;
    for (std::size_t v = 0; v < graph_.vertices.size() && v < kShown; ++v) list += (v ? ", " : "") + dump(name(v));
    return list + (graph_.vertices.size() > kShown ? ", ..." : "");
  }

  const Graph& graph_;
  const std::string& file_;
  std::map<std::string, std::size_t> ids_;
  std::map<std::string, std::vector<std::size_t>> labels_;
};

}  // namespace

// Reads the graph and puts its edges in place of the file; source and target may be given as ids or labels and are
// translated to the names that the edges use. There are no outcomes in a graph file.
Imported Codec<Routing>::import(Json params, const std::string& file) {
  Json completed = Json::object();
  GraphOptions options;
  for (const auto& [name, value] : params.as_object()) {
    if (name == "edges")
      throw Error(Code::kUsage, "found edges beside the graph of " + file + ", expected one of the two", "edges");
    if (name == "directed") {
      options.directed = to_flag(value, name);
    } else if (name == "header") {
      options.header = to_flag(value, name);
    } else {
      completed.set(name, value);
    }
  }
  const Graph graph = read_graph(file, options);
  const Names names(graph, file);
  for (const char* end : {"source", "target"}) {
    if (const Json* given = params.find(end)) completed.set(end, names.name(names.find(*given, end)));
  }
  Json edges = Json::array();
  for (const auto& edge : graph.edges) edges.push_back(Json::array({names.name(edge.from), names.name(edge.to)}));
  completed.set("edges", std::move(edges));
  return {std::move(completed), {}};
}

}  // namespace hannan::detail
