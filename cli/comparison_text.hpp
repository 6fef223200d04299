// A result of `hannan compare` for people, within 100 columns.
#pragma once

#include "hannan/io/json.hpp"

namespace hannan::detail::cli {

// What the log brought, what to do, a table of all players, what each chose; on standard output.
void show_comparison(const Json& result);

}  // namespace hannan::detail::cli
