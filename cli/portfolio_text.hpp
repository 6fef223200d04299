// What a portfolio did, in a few lines and a table.
#pragma once

#include "hannan/compare/result.hpp"

namespace hannan::detail::cli {

// Nothing where the result has none.
void show_portfolio(const ComparisonResult& result);

}  // namespace hannan::detail::cli
