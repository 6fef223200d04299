// The quick way into JSON: what programs write by the million, read at several times the speed of the full parser.
//
// Plain is: strings of printable ASCII without a backslash, objects of at most 16 fields, nesting up to 8. Anything
// else, and anything that is wrong, is left to the full parser, which also finds the words for it; so this one
// never decides that a text is bad, and where it answers, the two agree (plain_json_test.cpp).
#pragma once

#include <optional>
#include <string_view>

#include "hannan/io/json.hpp"

namespace hannan {

// The value, or nothing where the text is not plain.
std::optional<Json> parse_plain_json(std::string_view text);

}  // namespace hannan
