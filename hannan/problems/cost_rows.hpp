// Problems whose outcomes are rows of costs: what an action loses is linear in the row, with factors of at least 0. A
// budget of disruptions (hannan/solve) is for those alone.
#pragma once

#include <string_view>

namespace hannan::detail {

bool has_cost_rows(std::string_view kind);

}  // namespace hannan::detail
