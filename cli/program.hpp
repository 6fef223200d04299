// The program as data: its commands, in the order of all.hpp, and the text of its help.
#pragma once

#include <functional>
#include <string_view>

#include "flags.hpp"

namespace hannan::detail::cli {

// All commands by name; those that `wanted` asks for have their flags too. To define a command costs little, but most
// command lines need one of them only.
Program make_program(const std::function<bool(std::string_view)>& wanted);

}  // namespace hannan::detail::cli
