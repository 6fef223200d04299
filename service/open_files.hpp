// How many files and sockets the process may have open.
#pragma once

#include <cstddef>

namespace hannan::detail::service {

// Raises the soft limit towards `wanted`, as far as the hard limit allows; the limit that holds then.
std::size_t raise_open_files(std::size_t wanted);

// How many connections may be served, of those wanted, with what else the process needs to open.
std::size_t possible_connections(std::size_t wanted);

}  // namespace hannan::detail::service
