// One pass over the letters: the end of a value is the comma or bracket at its own depth that is not within quotes.
#include "hannan/io/json_span.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

[[noreturn]] void refuse_span(const char* what) {
  throw Error(Code::kNotJson, std::string("found ") + what + ", expected JSON");
}

bool is_json_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void skip_json_blanks(std::string_view& text) {
  while (!text.empty() && is_json_blank(text.front())) text.remove_prefix(1);
}

// Behind the closing quote of the string that begins at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  refuse_span("a string without an end");
}

// The value at the start of the text, which goes behind it; without the blanks around it.
std::string_view take_value(std::string_view& text) {
  skip_json_blanks(text);
  std::size_t at = 0, depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = string_end(text, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == ']' || c == '}')) break;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    ++at;
  }
  if (depth > 0) refuse_span("brackets that are not closed");
  std::string_view value = text.substr(0, at);
  text.remove_prefix(at);
  while (!value.empty() && is_json_blank(value.back())) value.remove_suffix(1);
  if (value.empty()) refuse_span("nothing where a value should be");
  return value;
}

}  // namespace

std::vector<std::pair<std::string, std::string_view>> object_fields(std::string_view text) {
  skip_json_blanks(text);
  if (!text.starts_with('{')) refuse_span("another value than an object");
  std::vector<std::pair<std::string, std::string_view>> fields;
  text.remove_prefix(1);
  skip_json_blanks(text);
  if (text.starts_with('}')) return fields;
  for (;;) {
    skip_json_blanks(text);
    if (!text.starts_with('"')) refuse_span("no name of a field");
    const std::size_t end = string_end(text, 0);
    std::string name = parse_json(text.substr(0, end)).as_string();
    const auto same = [&](const auto& field) { return field.first == name; };
    if (std::any_of(fields.begin(), fields.end(), same)) refuse_span("a name for the second time");
    text.remove_prefix(end);
    skip_json_blanks(text);
    if (!text.starts_with(':')) refuse_span("no colon behind a name");
    text.remove_prefix(1);
    fields.emplace_back(std::move(name), take_value(text));
    if (text.empty()) refuse_span("an object without an end");
    const char next = text.front();
    if (next == '}') return fields;
    if (next != ',') refuse_span("no comma between fields");
    text.remove_prefix(1);
  }
}

bool next_item(std::string_view& rest, std::string_view& item) {
  skip_json_blanks(rest);
  if (rest.empty()) refuse_span("an array without an end");
  const char begin = rest.front();  // of the array, or behind an element
  if (begin != '[' && begin != ',') return false;
  rest.remove_prefix(1);
  skip_json_blanks(rest);
  if (begin == '[' && rest.starts_with(']')) return false;
  item = take_value(rest);
  if (rest.empty()) refuse_span("an array without an end");
  return true;
}

}  // namespace hannan::detail
