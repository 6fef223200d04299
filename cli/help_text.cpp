// Help texts laid out to 100 columns from the definitions of commands and flags.
#include "help_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <sstream>

namespace hannan::detail::cli {
namespace {

constexpr std::size_t kWidth = 100;       // columns of a line
constexpr std::size_t kIndent = 28;       // of the text beside a flag
constexpr std::size_t kMostChoices = 44;  // characters of choices in a heading; more stand in the text

std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

std::vector<std::string> names_of(const std::vector<NamedValue>& values) {
  std::vector<std::string> names;
  for (const auto& value : values) names.push_back(value.name);
  return names;
}

// A text on one line: its first clause, cut at a word where even that is too long.
std::string one_line(const std::string& text, std::size_t width) {
  std::size_t end = text.size();
  for (const std::string_view sign : {"; ", ", e.g. ", ". "}) end = std::min(end, text.find(sign));
  const std::string clause = text.substr(0, end);
  if (clause.size() <= width) return clause;
  constexpr std::string_view kMore = " ...";
  std::string cut = clause.substr(0, clause.rfind(' ', width - kMore.size()));
  while (!cut.empty() && (cut.back() == ',' || cut.back() == ':')) cut.pop_back();
  return cut + std::string(kMore);
}

// The short help: one line a flag, so that a command is on one screen. A long list of choices gives way to the text.
std::string short_entry(const Flag& flag) {
  std::string first = "  " + flag_heading(flag);
  if (first.size() + 2 > kIndent && !flag.is_switch()) first = "  " + flag.names + " " + flag.value_word();
  first.resize(std::max(first.size() + 2, kIndent), ' ');
  std::string text = flag_about(flag);
  if (!flag.values.empty()) text += ": " + join(names_of(flag.values), ", ");
  return first + one_line(text, kWidth - first.size()) + "\n";
}

// In the full help each value of a flag has a line.
std::string flag_entry(const Flag& flag, HelpSize size) {
  if (size == HelpSize::kShort) return short_entry(flag);
  if (flag.values.empty()) return help_entry(flag_heading(flag), flag_about(flag));
  std::string text = help_entry(flag_heading(flag), flag_about(flag) + ":");
  for (const auto& value : flag.values)
    text += help_lines(std::string(kIndent + 2, ' '), kIndent + 6, value.name + ": " + value.about);
  return text;
}

// Lines as they are; those that are too long are broken.
std::string broken_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string all, line;
  while (std::getline(lines, line)) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    all += line.size() <= kWidth ? line + "\n" : help_lines(std::string(indent, ' '), indent + 2, line);
  }
  return all;
}

// The short help has the first examples and leaves notes to the full one.
std::string footer(const Command& command, HelpSize size) {
  constexpr std::size_t kShortExamples = 2;
  const std::size_t count = size == HelpSize::kFull ? command.examples.size() : kShortExamples;
  std::string text = size == HelpSize::kFull ? broken_lines(command.notes) : "";
  if (!command.examples.empty()) text += command.examples.size() == 1 ? "Example:\n" : "Examples:\n";
  for (const auto& example : command.examples | std::views::take(count)) text += "  " + example + "\n";
  return text + broken_lines(command.see);
}

// Arguments, options without a group, then groups; of these the short help has only the names.
std::string command_help(const Program& program, const Command& command, HelpSize size) {
  std::string positionals, options, groups;
  std::vector<std::string> done;
  for (const Flag& flag : command.flags) {
    if (flag.is_positional()) {
      positionals += flag_entry(flag, size);
    } else if (flag.group.empty()) {
      options += flag_entry(flag, size);
    } else if (std::find(done.begin(), done.end(), flag.group) == done.end()) {
      done.push_back(flag.group);
      std::vector<std::string> names;
      for (const Flag& other : command.flags) {
        if (other.group == flag.group) names.push_back(other.long_name());
      }
      if (size == HelpSize::kFull || groups.empty()) groups += "\n";
      groups += flag.group + ":\n" +
                (size == HelpSize::kFull ? group_help(command, flag.group) : help_lines("  ", 2, join(names, " ")));
    }
  }
  std::string text = help_lines("", 0, command.about) + "\nUsage: " + usage_line(program, command) + "\n";
  if (!positionals.empty()) text += (size == HelpSize::kFull ? "\nArguments:\n" : "") + positionals;
  text += "\nOptions:\n" + options +
          help_entry("-h,--help", "print this help; --help-all: with every flag and name explained");
  return text + groups + "\n" + footer(command, size);
}

std::string program_help(const Program& program) {
  std::string text = program.about + "\nUsage: " + program.name + " COMMAND [OPTIONS]\n\nOptions:\n";
  text += help_entry("-h,--help", "print this help; COMMAND --help: that of a command; help TOPIC: more");
  text += help_entry("--help-all", "print the help of all commands, with every flag and name explained");
  text += help_entry("--version", "print the version and what was built");
  text += "\nCommands:\n";
  for (const Command& command : program.commands) {
    if (command.is_listed()) text += help_entry(command.name, command.about);
  }
  return text + "\n" + program.footer;
}

}  // namespace

// Words broken at kWidth columns; `first` begins the first line, later ones are indented.
std::string help_lines(const std::string& first, std::size_t indent, const std::string& text) {
  std::istringstream words(text);
  std::string all, line = first, word;
  bool begins = true;
  while (words >> word) {
    if (!begins && line.size() + 1 + word.size() > kWidth) {
      all += line + "\n";
      line = std::string(indent, ' ');
      begins = true;
    }
    line += (begins ? "" : " ") + word;
    begins = false;
  }
  return all + line + "\n";
}

// A heading with its text beside it, or below it where the heading is too long.
std::string help_entry(const std::string& heading, const std::string& text) {
  std::string first = "  " + heading;
  std::string all;
  if (first.size() + 1 > kIndent) {
    all = first + "\n";
    first.clear();
  }
  first.resize(kIndent, ' ');
  return all + (text.empty() && !all.empty() ? "" : help_lines(first, kIndent, text));
}

std::string group_help(const Command& command, const std::string& group) {
  std::string text;
  for (const Flag& flag : command.flags) {
    if (flag.group == group) text += flag_entry(flag, HelpSize::kFull);
  }
  return text;
}

std::string usage_line(const Program& program, const Command& command) {
  std::string line = program.name + " " + command.name + " [OPTIONS]";
  for (const Flag& flag : command.flags) {
    if (!flag.is_positional()) continue;
    const std::string word = flag.names + (flag.is_list() ? "..." : "");
    line += flag.is_required ? " " + word : " [" + word + "]";
  }
  return line;
}

std::string flag_heading(const Flag& flag) {
  if (flag.is_switch()) return flag.names;
  const std::string choices = join(flag.choices, ",");
  const bool fits = !choices.empty() && choices.size() <= kMostChoices;
  std::string text = flag.names + " " + (fits ? "{" + choices + "}" : flag.value_word());
  if (!flag.default_text.empty()) text += "=" + flag.default_text;
  return text + (flag.is_list() ? " ..." : "");
}

std::string flag_about(const Flag& flag) {
  std::string text = flag.about;
  if (flag.limit == Flag::Limit::kRange) text += fmt::format(" ({} to {})", flag.lowest, flag.highest);
  if (const std::string choices = join(flag.choices, ", "); join(flag.choices, ",").size() > kMostChoices)
    text += ": " + choices;
  return text;
}

std::string help_text(const Program& program, const Command* command, HelpSize size) {
  if (command) return command_help(program, *command, size);
  std::string text = program_help(program);
  if (size == HelpSize::kShort) return text;
  for (const Command& each : program.commands) {
    if (each.is_listed()) text += "\n\n" + command_help(program, each, size);
  }
  return text;
}

}  // namespace hannan::detail::cli
