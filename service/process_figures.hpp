// Figures of this process, under the names that other programs give them (process_*), from /proc. What cannot be read
// there is left out.
#pragma once

#include "service/exposition.hpp"

namespace hannan::detail::service {

void add_process_figures(Exposition& out, double seconds_up);

}  // namespace hannan::detail::service
