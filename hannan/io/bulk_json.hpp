// The quick way into JSON: what programs write by the million, read at several times the speed of the full parser.
//
// simdjson finds the structure of a text with vector instructions and reads strings and numbers exactly; it is the
// library for bulk input. The full parser stays behind it because it says where and why a text is bad, in words, and
// keeps our rules. So this one never decides that a text is bad: it answers or gives nothing, and where it answers,
// the two agree (bulk_json_test.cpp). It gives nothing for
//   what simdjson refuses: all that is no JSON, and integers beyond 64 bits, which are JSON;
//   a key given twice, and objects of more than 16 fields, since keys are compared one by one;
//   nesting deeper than 8, since it recurses; the protocol needs six.
// Cost: linear time. Each thread keeps the memory of one parser, for texts of up to a mebibyte.
#pragma once

#include <optional>
#include <string_view>

#include "hannan/io/json.hpp"

namespace hannan::detail {

// The value, or nothing where the full parser has to look.
std::optional<Json> parse_bulk_json(std::string_view text);

}  // namespace hannan::detail
