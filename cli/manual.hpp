// Manual pages, in the language of man(7), made from the definitions of the commands.
#pragma once

#include <string>

#include "flags.hpp"

namespace hannan::detail::cli {

// hannan.1
std::string manual_page(const Program& program);
// hannan-COMMAND.1
std::string manual_page(const Program& program, const Command& command);

}  // namespace hannan::detail::cli
