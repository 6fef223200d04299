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
// A heading, and text beside it from column 28 on.
std::string help_entry(const std::string& heading, const std::string& text);
// One paragraph, broken at spaces: `first` begins its first line, `indent` spaces the others.
std::string help_lines(const std::string& first, std::size_t indent, const std::string& text);
// The flags of one group, each with what it means.
std::string group_help(const Command& command, const std::string& group);
// The text beside it, with limits and choices that the heading has no place for.
std::string flag_about(const Flag& flag);

}  // namespace hannan::detail::cli
