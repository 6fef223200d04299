// Numbers as the shortest text that reads back as the same double (std::to_chars), and places in files. Independent of
// the locale. -0 is written as 0, because integers go through int64.
#include "hannan/core/text.hpp"

#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace hannan::detail {

void append_number(std::string& out, double x) {
  assert(!std::isnan(x));
  if (std::isnan(x)) {  // where asserts are off, at least stay JSON
    out += "null";
    return;
  }
  // The shortest text of a double has at most 24 letters, an integer up to 2^53 has 17 with its sign.
  char buffer[32];
  std::to_chars_result end{};
  if (x == std::trunc(x) && std::fabs(x) <= 0x1p53) {
    end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(x));
  } else {
    end = std::to_chars(buffer, buffer + sizeof buffer, x);
  }
  out.append(buffer, end.ptr);
}

std::string number_text(double number) {
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  std::string out;
  append_number(out, number);
  return out;
}

std::string path_of(std::string_view path, std::string_view name) {
  std::string joined(path);
  if (!joined.empty()) joined += '.';
  return joined.append(name);
}

std::string path_of(std::string_view path, std::size_t index) {
  return std::string(path) + "[" + std::to_string(index) + "]";
}

}  // namespace hannan::detail
