// Any bytes are a graph or an error that says what was expected. A graph has an edge, its edges have
// both ends, ids are unique, and reading it twice gives it twice.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "drip.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/graph_file.hpp"

namespace hannan::detail {
namespace {

using fuzz::require;

void check(std::string_view text, const GraphOptions& options) {
  try {
    const Graph graph = parse_graph(text, "graph", options);
    require(!graph.edges.empty());
    std::set<std::string> ids;
    for (const auto& vertex : graph.vertices) require(ids.insert(vertex.id).second);
    for (const auto& edge : graph.edges) {
      require(edge.from < graph.vertices.size() && edge.to < graph.vertices.size() && edge.line >= 1);
    }
    require(parse_graph(text, "graph", options).edges.size() == graph.edges.size());
  } catch (const Error& e) {
    require(e.code() == Code::kMalformed || e.code() == Code::kEmpty || e.code() == Code::kTruncated ||
            e.code() == Code::kTooLarge);
    require(e.at().starts_with("graph"));
  }
}

}  // namespace
}  // namespace hannan::detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  hannan::detail::check(text, {});
  hannan::detail::check(text, {.directed = false, .header = false});
  return 0;
}
