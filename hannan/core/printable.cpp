// Text from files and requests made safe to print: control characters, which could move a terminal's cursor or forge a
// line of a log, and bytes that are no UTF-8 become escapes; everything else stays. One pass, O(bytes).
#include "hannan/core/printable.hpp"

#include <cstddef>

namespace hannan::detail {
namespace {

void add_hex(std::string& to, unsigned value, unsigned digits) {
  while (digits-- > 0) to += "0123456789abcdef"[(value >> (4 * digits)) & 15U];
}

// How many bytes the UTF-8 character at the start of the text has; 0 where there is none. Overlong forms, surrogates
// and code points beyond 0x10ffff are none (RFC 3629, section 4).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto between = [&](std::size_t i, unsigned lo, unsigned hi) { return byte(i) >= lo && byte(i) <= hi; };
  const auto follows = [&](std::size_t i) { return between(i, 0x80, 0xbf); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool second = between(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    return second && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool second = between(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

// Every byte belongs to a whole character.
bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// One line: line ends become \n as well. C1 control characters, U+0080 to U+009F, are escaped too, since some terminals
// obey them.
std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const unsigned first = static_cast<unsigned char>(text[0]);
    if (length == 0 || (length == 1 && (first < 0x20 || first == 0x7f))) {
      if (first == '\n') {
        out += "\\n";
      } else if (first == '\r') {
        out += "\\r";
      } else if (first == '\t') {
        out += "\\t";
      } else {
        out += "\\x";
        add_hex(out, first, 2);
      }
    } else if (length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0) {  // U+0080 to U+009F
      out += "\\u";
      add_hex(out, static_cast<unsigned char>(text[1]), 4);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

// The same with line ends kept, for text of several lines.
std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    out += printable(text.substr(0, end)) + "\n";
    text.remove_prefix(end + 1);
  }
  return out + printable(text);
}

}  // namespace hannan::detail
