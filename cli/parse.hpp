// Reads a command line into the flags of the command that it names.
#pragma once

#include <string>

#include "flags.hpp"

namespace hannan::detail::cli {

// What a command line asks for: a command whose flags have been filled in, a text to print, or neither: then the
// text says what is wrong.
struct Parsed {
  enum class What { kRun, kPrint, kWrong } what = What::kWrong;
  Command* command = nullptr;
  std::string text;
};
Parsed parse(Program& program, int argc, const char* const* argv);

}  // namespace hannan::detail::cli
