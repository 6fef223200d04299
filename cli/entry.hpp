// From the words of a command line to an exit status: the command is found, its flags are read, it runs, or the program
// beside this one that has it takes over. Errors are printed with their numbers, one line each, and output that could
// not be written makes the program fail (standard_output.hpp).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "flags.hpp"

namespace hannan::detail::cli {

// A word for which it is true may name a command whose flags are needed; of the others the names are enough.
using Wanted = std::function<bool(std::string_view)>;
// words[0] is the program itself.
int run_main(const std::function<Program(const Wanted&)>& make, const std::vector<const char*>& words);

// A command of all.hpp as a program of its own: `hannan-NAME FLAGS` does what `hannan NAME FLAGS` does.
struct OneCommand {
  std::string name;
  std::function<void(Command&)> define;
};
int run_one_command(const OneCommand& command, const std::vector<const char*>& words);

}  // namespace hannan::detail::cli
