// JSON to text. Numbers by append_number: the shortest decimal that reads back as the same double, the same on every
// machine. Recursion is as deep as the value, at most kMaxJsonDepth for values that were parsed. Bytes that are not
// UTF-8 become U+FFFD, so output is always valid.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

// Length of the valid UTF-8 sequence at text[i], 0 if there is none: no overlong forms, no
// surrogates, nothing above U+10FFFF.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
  };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return follows(1) ? 2 : 0;
  if (lead < 0xF0) {
    if (!follows(1) || !follows(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) >= 0xA0) return 0;
    return 3;
  }
  if (lead > 0xF4 || !follows(1) || !follows(2) || !follows(3)) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) >= 0x90) return 0;
  return 4;
}

// Of the run at text[i] that is written as it is: ASCII without quotes, backslashes and control characters.
std::size_t plain_length(std::string_view text, std::size_t i) {
  std::size_t end = i;
  while (end < text.size() && text[end] >= 0x20 && text[end] < 0x7F && text[end] != '"' && text[end] != '\\') ++end;
  return end - i;
}

void write_text(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t plain = plain_length(text, i); plain > 0) {
      out.append(text, i, plain);
      i += plain;
      continue;
    }
    const char c = text[i];
    const std::size_t length = utf8_length(text, i);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
      continue;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (length == 1 && static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out.append(text, i, length);
    }
    i += length;
  }
  out += '"';
}

bool is_plain(const Json& value) { return !value.is_array() && !value.is_object(); }

// Writes on one line when indent < 0, else for people, `indent` being the depth of this value.
void write(std::string& out, const Json& value, int indent) {
  const bool flat = indent < 0 || (value.is_array() && std::ranges::all_of(value.as_array(), is_plain));
  const int inner = indent < 0 ? -1 : indent + 1;
  const auto separate = [&](std::size_t i, int depth) {
    if (i > 0) out += indent >= 0 && flat ? ", " : ",";
    if (!flat) out.append(1, '\n').append(2 * static_cast<std::size_t>(depth), ' ');
  };
  if (value.is_null()) {
    out += "null";
  } else if (value.is_bool()) {
    out += value.as_bool() ? "true" : "false";
  } else if (value.is_number()) {
    const double x = value.as_number();
    if (std::isinf(x)) {
      out += x > 0 ? "\"inf\"" : "\"-inf\"";
    } else {
      append_number(out, x);
    }
  } else if (value.is_string()) {
    write_text(out, value.as_string());
  } else if (value.is_array()) {
    out += '[';
    std::size_t i = 0;
    for (const Json& item : value.as_array()) {
      separate(i++, inner);
      write(out, item, inner);
    }
    if (i > 0) separate(0, indent);
    out += ']';
  } else {
    out += '{';
    std::size_t i = 0;
    for (const auto& [name, field] : value.as_object()) {
      separate(i++, inner);
      write_text(out, name);
      out += indent < 0 ? ":" : ": ";
      write(out, field, inner);
    }
    if (i > 0) separate(0, indent);
    out += '}';
  }
}

}  // namespace

// One line, without blanks: the form of records, digests and answers, so its bytes never change.
std::string dump(const Json& value) {
  std::string out;
  if (value.is_object()) out.reserve(256);  // a line of a record, an answer
  write(out, value, -1);
  return out;
}

// For people: a field a line, lists of plain values on one line.
std::string pretty(const Json& value) {
  std::string out;
  write(out, value, 0);
  return out;
}

// For messages: what kind of value, and so much of it as fits.
std::string describe(const Json& value) {
  constexpr std::size_t kShown = 40;
  if (value.is_null()) return "null";
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_number()) return "the number " + number_text(value.as_number());
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return fmt::format("an object of {}", value.size());
  const std::string& text = value.as_string();
  return "a string " + dump(Json(text.size() > kShown ? text.substr(0, kShown) + "..." : text));
}

}  // namespace hannan::detail
