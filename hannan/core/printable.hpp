// Text from elsewhere (file names, column names, names in data) made safe to print on a terminal: no character of it
// can move the cursor, start a new line or change a setting.
#pragma once

#include <string>
#include <string_view>

namespace hannan::detail {

// Control characters become \n, \r, \t, \x1b (two hexadecimal digits), those above 127 \u009b, and bytes that are not
// UTF-8 \xff. All else, backslashes included, stays as it is: the result is for people, not to be read back.
std::string printable(std::string_view text);
// The same for a text of several lines: its line ends stay.
std::string printable_lines(std::string_view text);
// Is all of it UTF-8 (RFC 3629)?
bool is_utf8(std::string_view text);

}  // namespace hannan::detail
