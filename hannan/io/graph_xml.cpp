// GraphML through expat's events. Exceptions must not pass through the C library: guarded() keeps the first one, stops
// the parser, and read() throws it. path_ is the stack of open elements, at most kDeepest.
#include <expat.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/graph_file.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

// The name without its prefix: y:NodeLabel and NodeLabel are one.
std::string_view local(const char* name) {
  const std::string_view whole(name);
  return whole.substr(whole.find(':') == std::string_view::npos ? 0 : whole.find(':') + 1);
}

// Attributes come as a list of names and values in turn, ended by a null.
std::optional<std::string> attribute(const char** attributes, std::string_view name) {
  for (; *attributes; attributes += 2) {
    if (name == attributes[0]) return std::string(attributes[1]);
  }
  return std::nullopt;
}

// Reads by expat's calls. Nothing may be thrown through a C library, so the first complaint is kept,
// the parser stopped, and the complaint thrown behind it.
class GraphmlReader {
 public:
  GraphmlReader(const std::string& name, const GraphOptions& options)
      : name_(name), options_(options), builder_(name), parser_(XML_ParserCreate(nullptr)) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* element, const XML_Char** attributes) {
          static_cast<GraphmlReader*>(self)->guarded([&](GraphmlReader& r) { r.open(local(element), attributes); });
        },
        [](void* self, const XML_Char* element) {
          static_cast<GraphmlReader*>(self)->guarded([&](GraphmlReader& r) { r.close(local(element)); });
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int length) {
      auto& reader = *static_cast<GraphmlReader*>(self);
      if (reader.in_label_) reader.label_.append(text, static_cast<std::size_t>(length));
    });
    // A graph needs no entities of its own, and they are how small files become huge ones.
    XML_SetEntityDeclHandler(parser_.get(), [](void* self, const XML_Char*, int, const XML_Char*, int, const XML_Char*,
                                               const XML_Char*, const XML_Char*, const XML_Char*) {
      static_cast<GraphmlReader*>(self)->guarded(
          [](GraphmlReader& r) { r.malformed("found an entity declaration, expected none"); });
    });
  }

  // The whole text at once. What was wrong first is reported: a complaint of ours stops the parser, whose own error is
  // then a consequence of it.
  Graph read(std::string_view text) && {
    const auto status = XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
    if (fault_) std::rethrow_exception(fault_);
    if (status != XML_STATUS_OK) {
      const auto code = XML_GetErrorCode(parser_.get());
      const bool cut = code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN;
      throw Error(
          cut ? Code::kTruncated : Code::kMalformed,
          std::string("found broken XML (") + XML_ErrorString(code) + "), expected GraphML",
          name_ + ":" + std::to_string(line()) + ":" + std::to_string(XML_GetCurrentColumnNumber(parser_.get()) + 1));
    }
    return std::move(builder_).finish();
  }

 private:
  using Ways = GraphBuilder::Ways;
  static constexpr std::size_t kDeepest = 1000;  // nested graphs are rare, and nested elements few

  std::size_t line() const { return static_cast<std::size_t>(XML_GetCurrentLineNumber(parser_.get())); }
  [[noreturn]] void malformed(const std::string& message) const { builder_.malformed(message, line()); }

  template <class Step>
  // Events that come after a complaint are ignored.
  void guarded(Step&& step) {
    if (fault_) return;
    try {
      step(*this);
    } catch (...) {
      fault_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  // Labels are known in three forms: <data> under a key called label or name, and the NodeLabel of yEd.
  void open(std::string_view element, const char** attributes) {
    if (path_.empty() && element != "graphml") malformed("found <" + std::string(element) + ">, expected <graphml>");
    if (path_.size() > kDeepest) malformed("found more than 1000 elements inside each other, expected fewer");
    if (element == "key") {
      const std::string called = attribute(attributes, "attr.name").value_or("");
      if (called == "label" || called == "name") label_keys_.push_back(need(attributes, "id", element));
    } else if (element == "graph") {
      open_graph(attributes);
    } else if (element == "node") {
      nodes_.push_back({need(attributes, "id", element), "", line()});
    } else if (element == "edge") {
      if (directed_.empty()) malformed("found <edge> outside of <graph>, expected it inside");
      const auto said = attribute(attributes, "directed");
      if (said && *said != "true" && *said != "false")
        malformed("found directed=\"" + *said + "\", expected true or false");
      const bool directed = options_.directed.value_or(said ? *said == "true" : directed_.back());
      builder_.edge({need(attributes, "source", element), need(attributes, "target", element), line(),
                     directed ? Ways::kOne : Ways::kBoth});
    } else if (element == "hyperedge") {
      malformed("found a hyperedge, expected edges of two ends");
    } else if (!nodes_.empty()) {
      const bool data = element == "data" && !path_.empty() && path_.back() == "node";
      const std::string key = data ? attribute(attributes, "key").value_or("") : "";
      const bool labels = std::find(label_keys_.begin(), label_keys_.end(), key) != label_keys_.end();
      in_label_ = (data && labels) || element == "NodeLabel";
      if (in_label_) label_.clear();
    }
    path_.emplace_back(element);
  }

  // Graphs may be nested, a second one beside the first may not be.
  void open_graph(const char** attributes) {
    if (directed_.empty() && std::exchange(found_, true)) malformed("found a second graph, expected one");
    const std::string mode = need(attributes, "edgedefault", "graph");
    if (mode != "directed" && mode != "undirected")
      malformed("found edgedefault=\"" + mode + "\", expected directed or undirected");
    directed_.push_back(mode == "directed");
  }

  void close(std::string_view element) {
    path_.pop_back();
    if (in_label_ && (element == "data" || element == "NodeLabel")) {
      in_label_ = false;
      const std::size_t first = label_.find_first_not_of(" \t\r\n");
      if (first != std::string::npos && nodes_.back().label.empty()) {
        nodes_.back().label = label_.substr(first, label_.find_last_not_of(" \t\r\n") - first + 1);
      }
    } else if (element == "node") {  // known with its label, which stands inside
      auto& node = nodes_.back();
      builder_.vertex(std::move(node.id), std::move(node.label), node.line);
      nodes_.pop_back();
    } else if (element == "graph") {
      directed_.pop_back();
    }
  }

  std::string need(const char** attributes, std::string_view name, std::string_view element) const {
    auto value = attribute(attributes, name);
    if (!value) malformed("found <" + std::string(element) + "> without \"" + std::string(name) + "\", expected one");
    return *std::move(value);
  }

  struct OpenNode {
    std::string id;
    std::string label;
    std::size_t line;
  };
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  const std::string& name_;
  const GraphOptions& options_;
  GraphBuilder builder_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
  std::exception_ptr fault_;
  std::vector<std::string> path_;
  std::vector<std::string> label_keys_;
  std::vector<OpenNode> nodes_;  // that are being read, a nested one behind its parent
  std::string label_;
  bool in_label_ = false;
  bool found_ = false;
  std::vector<bool> directed_;  // of the graphs around, the innermost last
};

}  // namespace

Graph parse_graphml(std::string_view text, const std::string& name, const GraphOptions& options) {
  return GraphmlReader(name, options).read(text);
}

}  // namespace hannan::detail
