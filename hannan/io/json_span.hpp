// The parts of a JSON text by their places: nothing is parsed and nothing is copied.
//
// Only brackets, quotes and commas are looked at. What stands between them is for parse_json() to judge; of a text that
// is no JSON the parts may be wrong, or kNotJson is thrown.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hannan::detail {

// The fields of an object in their order, with the text of each value. kNotJson where a name stands twice, or the text
// is no object.
std::vector<std::pair<std::string, std::string_view>> object_fields(std::string_view text);

// Takes the next element from an array, at first the text of the whole array; false: there is none. `rest` is then
// what stands behind it.
bool next_item(std::string_view& rest, std::string_view& item);

}  // namespace hannan::detail
