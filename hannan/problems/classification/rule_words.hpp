// A classifier in words, from its JSON (classification_codec.hpp): "1 where age >= 43, else 0".
#pragma once

#include <string>

#include "hannan/io/json.hpp"

namespace hannan::detail {

// The JSON itself where it is no rule of a class.
std::string rule_words(const Json& rule);

}  // namespace hannan::detail
