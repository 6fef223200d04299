// Manual pages in roff from the same definitions as the help. No character of a text is taken for a request of roff.
#include "manual.hpp"

#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "help_text.hpp"

namespace hannan::detail::cli {
namespace {

// Text as it is: no character of it is taken for a command of roff, and dashes and quotes stay those of a keyboard.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '.':  // a request where it begins a line
        out += out.empty() || out.ends_with('\n') ? "\\&." : ".";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Lines that begin with a space keep their breaks; the others are filled.
std::string paragraphs(const std::string& text) {
  std::string out;
  bool as_is = false;
  for (const auto& line : lines_of(text)) {
    if (line.empty()) continue;
    const bool indented = line[0] == ' ';
    if (indented != as_is) out += indented ? ".PP\n.nf\n" : ".fi\n.PP\n";
    as_is = indented;
    out += roff(line) + "\n";
  }
  return out + (as_is ? ".fi\n" : "");
}

std::string header(const Program& program, const std::string& page) {
  return ".TH " + roff(upper(page)) + " 1 \"\" \"" + roff(program.version) + "\" \"Hannan\"\n";
}

std::string flag_entry(const Flag& flag) {
  const std::string heading = flag_heading(flag);  // "-d,--data TEXT"
  const std::size_t end = heading.find(' ');
  std::string names = bold(heading.substr(0, end));
  if (end != std::string::npos) names += " \\fI" + roff(heading.substr(end + 1)) + "\\fR";
  std::string text = ".TP\n" + names + "\n" + roff(flag_about(flag)) + (flag.values.empty() ? "" : ":") + "\n";
  if (flag.values.empty()) return text;
  text += ".RS\n";
  for (const auto& value : flag.values) text += ".TP\n" + bold(value.name) + "\n" + roff(value.about) + "\n";
  return text + ".RE\n";
}

template <class Accepts>
std::string section(const Command& command, const std::string& title, Accepts accepts) {
  std::string text;
  for (const Flag& flag : command.flags) {
    if (accepts(flag)) text += flag_entry(flag);
  }
  return text.empty() ? "" : ".SH " + roff(title) + "\n" + text;
}

std::string examples(const std::vector<std::string>& lines) {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const auto& line : lines) text += roff(line) + "\n";
  return text + ".fi\n";
}

}  // namespace

std::string manual_page(const Program& program) {
  std::string text = header(program, program.name) + ".SH NAME\n" + roff(program.name) +
                     " \\- online decisions over large action sets, with a proof beside every run\n.SH SYNOPSIS\n" +
                     bold(program.name) + " \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" +
                     paragraphs(program.about) + ".SH COMMANDS\n";
  for (const Command& command : program.commands) {
    if (!command.is_listed()) continue;
    text += ".TP\n" + bold(program.name + "-" + command.name) + "(1)\n" + roff(command.about) + "\n";
  }
  text += ".SH OPTIONS\n.TP\n" + bold("-h,--help") + "\nprint a short help, of a command where one is given\n.TP\n" +
          bold("--help-all") + "\nprint the whole help\n.TP\n" + bold("--version") + "\nprint the version\n";
  std::vector<std::string> lines;
  std::string rest;
  for (const auto& line : lines_of(program.footer)) {
    if (line.starts_with("  ")) {
      lines.push_back(line.substr(2));
    } else if (!line.empty() && line != "Examples:") {
      rest += line + "\n";
    }
  }
  return text + examples(lines) + ".SH EXIT STATUS\n" + paragraphs(rest);
}

std::string manual_page(const Program& program, const Command& command) {
  const std::string page = program.name + "-" + command.name;
  const std::string usage = usage_line(program, command);
  const std::string called = program.name + " " + command.name;
  std::string text = header(program, page) + ".SH NAME\n" + roff(page) + " \\- " + roff(command.about) +
                     "\n.SH SYNOPSIS\n" + bold(called) + roff(usage.substr(called.size())) + "\n";
  if (!command.notes.empty() || !command.see.empty())
    text += ".SH DESCRIPTION\n" + paragraphs(command.notes) + paragraphs(command.see);
  text += section(command, "ARGUMENTS", [](const Flag& flag) { return flag.is_positional(); });
  text += section(command, "OPTIONS", [](const Flag& flag) { return !flag.is_positional() && flag.group.empty(); });
  std::set<std::string> done;
  for (const Flag& flag : command.flags) {
    if (flag.group.empty() || !done.insert(flag.group).second) continue;
    text += section(command, upper(flag.group), [&](const Flag& other) { return other.group == flag.group; });
  }
  std::vector<std::string> lines;
  for (const auto& example : command.examples) {
    for (const auto& line : lines_of(example)) lines.push_back(line);
  }
  return text + examples(lines) + ".SH SEE ALSO\n.BR " + roff(program.name) + " (1)\n";
}

}  // namespace hannan::detail::cli
