// A result of `hannan compare` for people, within 100 columns.
#pragma once

#include "hannan/compare/result.hpp"

namespace hannan::detail::cli {

// What the log brought, what to do, a table of all players, what each chose; on standard output.
void show_comparison(const ComparisonResult& result);

}  // namespace hannan::detail::cli
