// GML by tokens: words, quoted texts and brackets. Unknown keys and lists are passed over, however deep, without
// recursion. line_ counts line ends up to at_, for messages.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/graph_file.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

struct Token {
  enum class Kind { kEnd, kWord, kText, kOpen, kClose };  // a number is a word
  Kind kind;
  std::string text;
  std::size_t line;
};

// The character of a code point below 0x110000, one to four bytes.
void append_utf8(std::string& to, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { to.push_back(static_cast<char>(byte)); };
  const auto rest = [&](int shift) { put(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) return put(0xC0 | (code >> 6)), rest(0);
  if (code < 0x10000) return put(0xE0 | (code >> 12)), rest(6), rest(0);
  put(0xF0 | (code >> 18)), rest(12), rest(6), rest(0);
}

constexpr std::size_t kLongestCode = 9;  // "#1114111;"

// GML is ASCII and writes other characters as in HTML: by number, and & and the quote by name.
std::string unescaped(std::string_view text) {
  std::string plain;
  // A code that is not closed within kLongestCode characters, or is unknown, stays as it stands.
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text[i] == '&' ? text.substr(i + 1, kLongestCode) : "";
    const std::string_view name = rest.substr(0, std::min(rest.find(';'), rest.size()));
    std::uint32_t code = name == "amp"    ? '&'
                         : name == "quot" ? '"'
                         : name == "lt"   ? '<'
                         : name == "gt"   ? '>'
                         : name == "apos" ? '\''
                                          : 0;
    const char* const name_end = name.data() + name.size();
    if (name.starts_with("#") && std::from_chars(name.data() + 1, name_end, code).ptr != name_end) code = 0;
    if (code == 0 || code > 0x10FFFF || name.size() == rest.size()) {
      plain.push_back(text[i]);
      continue;
    }
    append_utf8(plain, code);
    i += name.size() + 1;
  }
  return plain;
}

// The text as tokens, without copying it: words are copied only as they are handed out.
class Tokens {
 public:
  Tokens(std::string_view text, const GraphBuilder& builder) : text_(text), builder_(builder) {}

  Token next() {
    skip_blanks();
    if (at_ == text_.size()) return {Token::Kind::kEnd, "", line_};
    const char c = text_[at_];
    if (c == '[' || c == ']') {
      ++at_;
      return {c == '[' ? Token::Kind::kOpen : Token::Kind::kClose, "", line_};
    }
    if (c == '"') return quoted();
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n[]\"", at_), text_.size());
    Token word{Token::Kind::kWord, std::string(text_.substr(at_, end - at_)), line_};
    at_ = end;
    return word;
  }

 private:
  // Leaves at_ at the next token or at the end. `start` is true as long as only blanks stand before at_ on its line.
  void skip_blanks() {
    bool start = at_ == 0 || text_[at_ - 1] == '\n';  // a comment is a line that begins with #
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#' && start) {
        at_ = std::min(text_.find('\n', at_), text_.size());
        if (at_ == text_.size()) return;
        ++line_;
        continue;
      }
      if (c == '\n') ++line_, start = true;
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
    }
  }

  // A text ends at the next quote: GML has no escape for it but &quot;.
  Token quoted() {
    const std::size_t line = line_, end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) builder_.malformed("found a quote that is never closed, expected its end", line);
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    for (const char c : inside) line_ += c == '\n' ? 1 : 0;
    at_ = end + 1;
    return {Token::Kind::kText, unescaped(inside), line};
  }

  std::string_view text_;
  const GraphBuilder& builder_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

// Nodes and edges of the one graph in the file. Edges wait until the end, because an edge may stand before its nodes
// and the word `directed` behind both.
class GmlReader {
 public:
  GmlReader(std::string_view text, const std::string& name, const GraphOptions& options)
      : name_(name), options_(options), builder_(name), tokens_(text, builder_) {}

  Graph read() && {
    bool found = false;
    for (Token key = tokens_.next(); key.kind != Token::Kind::kEnd; key = tokens_.next()) {
      const Token value = pair(key);
      if (value.kind != Token::Kind::kOpen) continue;
      if (key.text != "graph") {
        skip(key);
        continue;
      }
      if (std::exchange(found, true)) builder_.malformed("found a second graph, expected one", key.line);
      read_graph(key);
    }
    const auto ways = options_.directed.value_or(directed_) ? GraphBuilder::Ways::kOne : GraphBuilder::Ways::kBoth;
    for (auto& edge : edges_) {  // `directed` may stand behind them
      edge.ways = ways;
      builder_.edge(std::move(edge));
    }
    return std::move(builder_).finish();
  }

 private:
  // The fields of a node or edge that matter.
  struct Entry {
    std::optional<std::string> id, label, source, target;
  };

  // GML is a list of pairs of a key and a value, which is a word, a text or a list in brackets.
  Token pair(const Token& key) {
    if (key.kind != Token::Kind::kWord) builder_.malformed("found " + shown(key) + ", expected a key", key.line);
    Token value = tokens_.next();
    if (value.kind == Token::Kind::kClose || value.kind == Token::Kind::kEnd) {
      builder_.malformed("found " + shown(value) + ", expected the value of \"" + key.text + "\"", value.line);
    }
    return value;
  }

  static std::string shown(const Token& token) {
    switch (token.kind) {
      case Token::Kind::kEnd:
        return "the end of the file";
      case Token::Kind::kOpen:
        return "[";
      case Token::Kind::kClose:
        return "]";
      default:
        return dump(Json(token.text));
    }
  }

  // Calls visit(key, value) for the pairs of the list that `opener` opened; visit reads or skips lists.
  template <class Visit>
  void list(const Token& opener, Visit&& visit) {
    for (Token key = tokens_.next(); key.kind != Token::Kind::kClose; key = tokens_.next()) {
      if (key.kind == Token::Kind::kEnd) {
        throw Error(Code::kTruncated,
                    "found the end of the file in the list \"" + opener.text + "\" of line " +
                        std::to_string(opener.line) + ", expected ]",
                    name_ + ":" + std::to_string(key.line));
      }
      visit(key, pair(key));
    }
  }

  // Passes over a list whatever is in it, however deep.
  void skip(const Token& opener) {
    for (std::size_t depth = 1; depth > 0;) {
      const Token token = tokens_.next();
      if (token.kind == Token::Kind::kEnd) {
        throw Error(Code::kTruncated,
                    "found the end of the file in the list \"" + opener.text + "\" of line " +
                        std::to_string(opener.line) + ", expected ]",
                    name_ + ":" + std::to_string(token.line));
      }
      depth += token.kind == Token::Kind::kOpen ? 1 : 0;
      depth -= token.kind == Token::Kind::kClose ? 1 : 0;
    }
  }

  // The pairs of the graph: nodes, edges and `directed`; everything else is passed over.
  void read_graph(const Token& opener) {
    list(opener, [&](const Token& key, const Token& value) {
      const bool opens = value.kind == Token::Kind::kOpen;
      if (opens && key.text == "node") {
        const Entry node = entry(key);
        builder_.vertex(need(node.id, "id", key), node.label.value_or(""), key.line);
      } else if (opens && key.text == "edge") {
        const Entry edge = entry(key);
        edges_.push_back(
            {need(edge.source, "source", key), need(edge.target, "target", key), key.line, GraphBuilder::Ways::kOne});
      } else if (opens) {
        skip(key);
      } else if (key.text == "directed") {
        if (value.text != "0" && value.text != "1")
          builder_.malformed("found directed " + shown(value) + ", expected 0 or 1", value.line);
        directed_ = value.text == "1";
      }
    });
  }

  // The last of several equal keys counts.
  Entry entry(const Token& opener) {
    Entry entry;
    list(opener, [&](const Token& key, const Token& value) {
      if (value.kind == Token::Kind::kOpen) return skip(key);
      auto* field = key.text == "id"       ? &entry.id
                    : key.text == "label"  ? &entry.label
                    : key.text == "source" ? &entry.source
                    : key.text == "target" ? &entry.target
                                           : nullptr;
      if (field) *field = value.text;
    });
    return entry;
  }

  std::string need(const std::optional<std::string>& value, const char* field, const Token& opener) {
    if (!value) builder_.malformed("found " + opener.text + " without \"" + field + "\", expected one", opener.line);
    return *value;
  }

  const std::string& name_;
  const GraphOptions& options_;
  GraphBuilder builder_;
  Tokens tokens_;
  std::vector<GraphBuilder::NewEdge> edges_;
  bool directed_ = false;  // as GML has it
};

}  // namespace

Graph parse_gml(std::string_view text, const std::string& name, const GraphOptions& options) {
  return GmlReader(text, name, options).read();
}

}  // namespace hannan::detail
