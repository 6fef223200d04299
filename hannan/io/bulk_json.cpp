// simdjson to our values (bulk_json.hpp). Anything that the two parsers might judge differently returns nothing and is
// left to the full one. Depth 8 and 16 fields: chosen, above what records and the protocol need.
#include "hannan/io/bulk_json.hpp"

#include <simdjson.h>

#include <utility>

namespace hannan::detail {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr int kDeepest = 8;
constexpr std::size_t kMostFields = 16;
// 1 MiB: a thread's parser keeps its buffers for texts up to this size; larger ones get a parser of their own.
constexpr std::size_t kKeptBytes = std::size_t{1} << 20;

std::optional<Json> value_of(element from, int depth);

std::optional<Json> array_of(const simdjson::dom::array& from, int depth) {
  if (depth == kDeepest) return std::nullopt;
  Json::Array items;
  items.reserve(from.size());
  for (const element item : from) {
    auto value = value_of(item, depth + 1);
    if (!value) return std::nullopt;
    items.push_back(*std::move(value));
  }
  return Json(std::move(items));
}

std::optional<Json> object_of(const simdjson::dom::object& from, int depth) {
  if (depth == kDeepest || from.size() > kMostFields) return std::nullopt;
  Json fields = Json::object();
  for (const auto field : from) {
    auto value = value_of(field.value, depth + 1);
    if (!value) return std::nullopt;
    const std::size_t before = fields.size();
    fields.set(field.key, *std::move(value));
    if (fields.size() == before) return std::nullopt;  // the key was there
  }
  return fields;
}

// The type is known where a value is taken, so that none of the takings fails.
std::optional<Json> value_of(element from, int depth) {
  switch (from.type()) {
    case element_type::ARRAY:
      return array_of(from.get_array().value_unsafe(), depth);
    case element_type::OBJECT:
      return object_of(from.get_object().value_unsafe(), depth);
    case element_type::STRING:
      return Json(from.get_string().value_unsafe());
    case element_type::BOOL:
      return Json(from.get_bool().value_unsafe());
    case element_type::NULL_VALUE:
      return Json();
    // Integers come whole and are rounded to the nearest double here; the integer -0 is 0.
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE:
      return Json(from.get_double().value_unsafe());
  }
  return std::nullopt;
}

std::optional<Json> parse_with(simdjson::dom::parser& parser, std::string_view text) {
  element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return std::nullopt;
  return value_of(root, 0);
}

}  // namespace

// None says nothing about the text: the full parser then reads it, or says what is wrong with it.
std::optional<Json> parse_bulk_json(std::string_view text) {
  if (text.empty()) return std::nullopt;  // its parser copies the text, which may be nowhere
  // A parser is memory to work in: one that has grown is quicker than a new one, and is not to stay huge.
  if (text.size() > kKeptBytes) {
    simdjson::dom::parser once;
    return parse_with(once, text);
  }
  thread_local simdjson::dom::parser kept;
  return parse_with(kept, text);
}

}  // namespace hannan::detail
