// The help of the program and of its commands, made from their definitions: no line is longer than 100 columns.
#pragma once

#include <string>

#include "flags.hpp"

namespace hannan::detail::cli {

// Short (--help): names of values and of flags in groups alone. Full (--help-all): each with what it means.
enum class HelpSize { kShort, kFull };
// Of a command, or of the program where that is null; the program's full help has all commands.
std::string help_text(const Program& program, const Command* command, HelpSize size);

// "hannan run [OPTIONS] problem"
std::string usage_line(const Program& program, const Command& command);
// "-d,--data TEXT", "--track {every,powers,end}=every"
std::string flag_heading(const Flag& flag);
// The text beside it, with limits and choices that the heading has no place for.
std::string flag_about(const Flag& flag);

}  // namespace hannan::detail::cli
