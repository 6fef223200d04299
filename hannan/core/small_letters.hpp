// Letters of ASCII made small, whatever the locale; all other bytes stay.
#pragma once

#include <string>
#include <string_view>

namespace hannan::detail {

inline char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = small_letter(c);
  return out;
}

}  // namespace hannan::detail
