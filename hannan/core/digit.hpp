// Whether a character is one of 0 to 9, in every locale.
#pragma once

namespace hannan::detail {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace hannan::detail
