// Formats by content, and the builder that all three readers fill. Nodes may come after the edges that name them, so
// edges wait as ids until finish(). Cost: O(file log nodes).
#include "hannan/io/graph_file.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// GML has the key `graph` with a list behind it; in an edge list no line begins so.
bool looks_like_gml(std::string_view text) {
  for (std::size_t at = text.find("graph"); at != std::string_view::npos; at = text.find("graph", at + 1)) {
    const bool starts = at == 0 || kSpace.find(text[at - 1]) != std::string_view::npos;
    const std::size_t next = text.find_first_not_of(kSpace, at + 5);
    if (starts && next != std::string_view::npos && text[next] == '[') return true;
  }
  return false;
}

}  // namespace

void GraphBuilder::malformed(const std::string& message, std::size_t line) const {
  throw Error(Code::kMalformed, message, file_ + ":" + std::to_string(line));
}

// Names are compared as JSON text later on, which knows no broken characters: two names must not become one.
void GraphBuilder::check_text(const std::string& name, std::size_t line) const {
  if (std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return;
  if (parse_json(dump(Json(name))).as_string() != name)
    malformed("found a name that is not UTF-8, expected UTF-8 text", line);
}

// Ids are unique, labels need not be.
void GraphBuilder::vertex(std::string id, std::string label, std::size_t line) {
  check_text(id, line);
  check_text(label, line);
  if (!numbers_.try_emplace(id, graph_.vertices.size()).second) {
    malformed("found a second node " + dump(Json(id)) + ", expected another id", line);
  }
  graph_.vertices.push_back({std::move(id), std::move(label)});
}

// For edge lists, which have no list of vertices: numbered in the order in which edges name them first.
void GraphBuilder::name_vertices_by_edges() {
  for (const NewEdge& edge : edges_) {
    for (const std::string& id : {edge.from, edge.to}) {
      if (!numbers_.contains(id)) vertex(id, "", edge.line);
    }
  }
}

// Resolves the ends of all edges, now that all nodes are known.
Graph GraphBuilder::finish() && {
  if (edges_.empty()) throw Error(Code::kEmpty, "found no edge, expected at least one", file_);
  for (const NewEdge& edge : edges_) {
    const auto number = [&](const std::string& id) {
      const auto at = numbers_.find(id);
      if (at == numbers_.end())
        malformed("found an edge of node " + dump(Json(id)) + ", expected the id of a node", edge.line);
      return at->second;
    };
    const std::size_t from = number(edge.from), to = number(edge.to);
    graph_.edges.push_back({from, to, edge.line});
    // An undirected edge is two, one each way; a loop is one.
    if (edge.ways == Ways::kBoth && from != to) graph_.edges.push_back({to, from, edge.line});
  }
  return std::move(graph_);
}

// GraphML begins with <, GML has a graph [...]; everything else is an edge list.
Graph parse_graph(std::string_view text, const std::string& name, const GraphOptions& options) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) throw Error(Code::kEmpty, "found no edge, expected at least one", name);
  const bool wide = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");  // only XML may be UTF-16
  if (text[first] == '<' || wide) return parse_graphml(text, name, options);
  return looks_like_gml(text) ? parse_gml(text, name, options) : parse_edge_list(text, name, options);
}

// The file may be compressed; the limit counts what comes out.
Graph read_graph(const std::string& path, const GraphOptions& options) {
  const auto source = unzipped(bytes_of_file(path), path);
  std::string text;
  char block[1 << 16];
  while (const std::size_t got = source->read(block, sizeof block)) {
    text.append(block, got);
    if (text.size() > kMaxGraphFile) {
      throw Error(Code::kTooLarge,
                  "found a graph of more than " + std::to_string(kMaxGraphFile >> 20) + " MiB, expected a smaller one",
                  path);
    }
  }
  return parse_graph(text, path, options);
}

}  // namespace hannan::detail
