// The commands of all.hpp by name, without their definitions: what `hannan help` lists, and what a program of one
// command knows of its own.
#pragma once

#include <vector>

#include "flags.hpp"

namespace hannan::detail::cli {

const std::vector<NamedValue>& listed_commands();

}  // namespace hannan::detail::cli
