// Completion of commands, flags and the names they take, for bash and zsh, made from the definitions of the commands.
#pragma once

#include <string>

#include "flags.hpp"

namespace hannan::detail::cli {

std::string bash_completion(const Program& program);
std::string zsh_completion(const Program& program);

}  // namespace hannan::detail::cli
