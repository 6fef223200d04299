// Every operator new of this program is counted.
#pragma once

#include <cstdint>

namespace hannan::detail {

std::uint64_t allocations();  // since the program began

}  // namespace hannan::detail
