// Numbers and places as they are written in messages and files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hannan::detail {

// The shortest form that reads back as the same double, integers up to 2^53 without an exponent, -0 as 0, "inf" and
// "-inf"; NaN is a broken invariant and becomes "null".
std::string number_text(double number);
// The same, appended; the number is finite.
void append_number(std::string& out, double number);

// "params" and "levels" give "params.levels"; an empty path gives the name alone.
std::string path_of(std::string_view path, std::string_view name);
// "items" and 2 give "items[2]".
std::string path_of(std::string_view path, std::size_t index);

}  // namespace hannan::detail
