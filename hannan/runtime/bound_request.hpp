// A bound that is asked for by its name: {"name", "params"}.
#pragma once

#include "hannan/io/fields.hpp"

namespace hannan::detail {

// A number, or a list of one for each round. Throws kUnknownName, and what is wrong with the parameters.
Json bound_value(Fields& in);

}  // namespace hannan::detail
