// A graph from a file: an edge list, GraphML or GML, plain or gzipped. What it is, its content says.
//
//   edge list  one edge a line, "from to" or "from,to,more": separated by tabs, semicolons, commas or
//              spaces as the first line is; quotes as in CSV; empty lines and those that start with #
//              are skipped. The first line is a header when it names the two columns (from and to,
//              source and target, src and dst, origin and destination, tail and head, ..._id).
//   GraphML    nodes with ids, edges by edgedefault and `directed`; a node's label is its data under a
//              key called "label" or "name". No hyperedges, one graph.
//   GML        graph [ directed 0|1 node [ id label ] edge [ source target ] ], the rest passed over.
//
// An undirected edge becomes two directed ones, as written and then back; a loop stays one. Edges keep
// the order of the file, parallel ones too. Ids are unique, labels need not be.
// Cost: the whole file in memory, at most kMaxGraphFile bytes; one pass.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hannan::detail {

inline constexpr std::size_t kMaxGraphFile = std::size_t{64} << 20;

struct Graph {
  struct Vertex {
    std::string id;
    std::string label;  // may be empty
  };
  struct Edge {
    std::size_t from;
    std::size_t to;
    std::size_t line;  // where the file says so
  };
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
};

// What the file leaves open, said by who reads it.
struct GraphOptions {
  std::optional<bool> directed;  // edge lists are directed, the others say it themselves
  std::optional<bool> header;    // of an edge list; else it is guessed from the first line
};

// Throws kCannotRead, kMalformed (with file and line), kEmpty for no edge, kTooLarge, kTruncated.
Graph read_graph(const std::string& path, const GraphOptions& options = {});
// The same over text in memory; `name` stands for the file in messages.
Graph parse_graph(std::string_view text, const std::string& name, const GraphOptions& options = {});

// Puts a graph together in the order of a file, whose nodes may come after the edges that use them.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string file) : file_(std::move(file)) {}

  enum class Ways { kOne, kBoth };
  struct NewEdge {
    std::string from;  // ids
    std::string to;
    std::size_t line;
    Ways ways;
  };
  // kMalformed where the id has been there.
  void vertex(std::string id, std::string label, std::size_t line);
  void edge(NewEdge edge) { edges_.push_back(std::move(edge)); }
  // The vertices are those the edges name.
  void name_vertices_by_edges();
  // kMalformed where an edge names a vertex that is not there, kEmpty where there is no edge.
  Graph finish() &&;

  [[noreturn]] void malformed(const std::string& message, std::size_t line) const;

 private:
  void check_text(const std::string& name, std::size_t line) const;

  std::string file_;
  Graph graph_;
  std::map<std::string, std::size_t, std::less<>> numbers_;  // by id
  std::vector<NewEdge> edges_;
};

// One reader per format; `name` stands for the file in messages.
Graph parse_edge_list(std::string_view text, const std::string& name, const GraphOptions& options);
Graph parse_graphml(std::string_view text, const std::string& name, const GraphOptions& options);
Graph parse_gml(std::string_view text, const std::string& name, const GraphOptions& options);

}  // namespace hannan::detail
