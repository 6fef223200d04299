// Values of a context as checked text. 1024 bytes and 16 columns: chosen; a path then stays below 17 KB.
#include "hannan/contexts/context_values.hpp"

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {

// Why a value is refused, as the end of a sentence "found a value that"; empty if it is fine.
std::string value_objection(std::string_view value) {
  if (value.size() > kMostValueBytes) return "is longer than " + std::to_string(kMostValueBytes) + " bytes";
  if (value.find('\0') != std::string_view::npos) return "holds a NUL character";
  return is_utf8(value) ? "" : "is not UTF-8";
}

// A value that is too long is out of range; one that is no text is reported as an unreadable cell.
void check_value(std::string_view value, const std::string& at) {
  const std::string objection = value_objection(value);
  if (objection.empty()) return;
  const bool too_long = value.size() > kMostValueBytes;
  throw Error(too_long ? Code::kOutOfRange : Code::kNotANumber,
              "found a value that " + objection + ", expected at most " + std::to_string(kMostValueBytes) +
                  " bytes of UTF-8 without NUL",
              at);
}

// Numbers are written in their shortest form, so that 1 and 1.0 are one segment; null is the empty value.
std::string value_text(const Json& value, const std::string& path) {
  std::string text;
  if (value.is_string()) {
    text = value.as_string();
  } else if (value.is_number()) {
    text = number_text(value.as_number());
  } else if (value.is_bool()) {
    text = value.as_bool() ? "true" : "false";
  } else if (!value.is_null()) {
    throw Error(Code::kWrongType, "found " + describe(value) + ", expected a string, a number, true, false or null",
                path);
  }
  check_value(text, path);
  return text;
}

// `into` changes only if all values are fine.
void read_context(const Json& list, std::size_t depth, const std::string& path, std::vector<std::string>& into) {
  const auto& values = to_list(list, path);
  if (values.size() != depth) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(values.size()) + " values, expected " + std::to_string(depth) +
                    ", one per column of `by`",
                path);
  }
  std::vector<std::string> read;
  for (std::size_t i = 0; i < depth; ++i) read.push_back(value_text(values[i], path_of(path, i)));
  into = std::move(read);
}

// The name of a segment's learner. Values may hold a slash themselves, so a name need not be unique.
std::string joined(std::span<const std::string> values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? "/" : "") + values[i];
  return text;
}

// For people: an empty value is shown as "(none)".
std::string shown_segment(std::span<const std::string> values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i > 0 ? "/" : "") + (values[i].empty() ? "(none)" : values[i]);
  return text;
}

}  // namespace hannan::detail
