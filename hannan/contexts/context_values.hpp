// The values of a context as text, checked: at most 1024 bytes of UTF-8 without NUL; "" is a value like any other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

inline constexpr std::size_t kMostColumns = 16;
inline constexpr std::size_t kMostValueBytes = 1024;

// What is wrong with a value ("is longer than 1024 bytes"); empty: nothing.
std::string value_objection(std::string_view value);
// Throws kOutOfRange for one that is too long, kNotANumber for one that is not UTF-8 or holds NUL.
void check_value(std::string_view value, const std::string& at);
// A string as it is, a number by its shortest decimal text, true, false, and null as "". Throws kWrongType for others.
std::string value_text(const Json& value, const std::string& path);
// `depth` values; another number of them is kBadOutcome at `path`. Nothing is written where one is refused.
void read_context(const Json& list, std::size_t depth, const std::string& path, std::vector<std::string>& into);
// The values joined by "/": the name of a segment in given noise and in messages.
std::string joined(std::span<const std::string> values);
// The same for people: an empty value is (none), so that no segment but the root has an empty name.
std::string shown_segment(std::span<const std::string> values);

}  // namespace hannan::detail
