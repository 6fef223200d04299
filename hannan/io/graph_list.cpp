// An edge list through the CSV reader: comments become blanks of the same length first, so that lines and columns in
// messages stay right.
#include <algorithm>
#include <array>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/small_letters.hpp"
#include "hannan/io/csv.hpp"
#include "hannan/io/graph_file.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

// Names of the two columns, in pairs. Short words that could be places themselves are not among them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kHeaders{{{"from", "to"},
                                                                                 {"source", "target"},
                                                                                 {"source_id", "target_id"},
                                                                                 {"src", "dst"},
                                                                                 {"from_id", "to_id"},
                                                                                 {"origin", "destination"},
                                                                                 {"tail", "head"},
                                                                                 {"init_node", "term_node"}}};

// The text with its comments blank: the reader skips empty lines and still counts them.
std::string without_comments(std::string_view text) {
  std::string plain(text);
  bool comment = false, start = true;
  for (char& c : plain) {
    if (start && c == '#') comment = true;
    start = c == '\n' || (start && (c == ' ' || c == '\t'));
    if (c == '\n') comment = false;
    if (comment && c != '\r') c = ' ';
  }
  return plain;
}

// By the first line that is not blank: tab, then semicolon, then comma, else spaces.
char separator_in(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return ',';
  const std::string_view line = text.substr(first, text.find('\n', first) - first);
  for (const char c : {'\t', ';', ','}) {
    if (line.find(c) != std::string_view::npos) return c;
  }
  return ' ';
}

struct Columns {
  std::size_t from = 0;
  std::size_t to = 1;
};

// Where the two columns of a header stand; none: the first row is an edge.
std::optional<Columns> header_columns(const std::vector<std::string_view>& cells) {
  std::vector<std::string> words;
  for (const auto cell : cells) words.push_back(small_letters(cell));
  for (const auto& [from, to] : kHeaders) {
    const auto f = std::find(words.begin(), words.end(), from), t = std::find(words.begin(), words.end(), to);
    if (f != words.end() && t != words.end()) {
      return Columns{static_cast<std::size_t>(f - words.begin()), static_cast<std::size_t>(t - words.begin())};
    }
  }
  return std::nullopt;
}

}  // namespace

// Without a flag for the header the first row is one exactly if it has names of kHeaders. With the flag true it is one
// whatever it says, and the first two columns are the ends if their names are not known.
Graph parse_edge_list(std::string_view text, const std::string& name, const GraphOptions& options) {
  const std::string plain = without_comments(text);
  const char separator = separator_in(plain);
  CsvReader reader(bytes_of_memory(plain), name, {.separator = separator});
  GraphBuilder builder(name);
  const auto ways = options.directed.value_or(true) ? GraphBuilder::Ways::kOne : GraphBuilder::Ways::kBoth;
  Columns columns;
  bool first = true;
  for (std::vector<std::string_view> cells; reader.next(cells); first = false) {
    for (auto& cell : cells) cell = trimmed(cell);
    if (separator == ' ') std::erase(cells, std::string_view{});  // several spaces are one separator
    if (first && options.header.value_or(true)) {
      const auto named = header_columns(cells);
      if (named) columns = *named;
      if (named || options.header) continue;
    }
    if (cells.size() <= std::max(columns.from, columns.to)) {
      builder.malformed("found " + std::to_string(cells.size()) + (cells.size() == 1 ? " column" : " columns") +
                            ", expected a vertex to come from and one to go to",
                        reader.line());
    }
    const std::string_view from = cells[columns.from], to = cells[columns.to];
    if (from.empty() || to.empty())
      builder.malformed("found an empty cell, expected the name of a vertex", reader.line());
    builder.edge({std::string(from), std::string(to), reader.line(), ways});
  }
  builder.name_vertices_by_edges();
  return std::move(builder).finish();
}

}  // namespace hannan::detail
