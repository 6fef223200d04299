// Both scripts are made from the flags of the commands, so that they know what the program knows. Names hold no blanks
// or quotes; texts for zsh are quoted by zsh_text.
#include "completion.hpp"

#include <set>
#include <string_view>
#include <vector>

namespace hannan::detail::cli {
namespace {

// The names that a flag takes, each once; empty: none are known.
std::vector<std::string> names_for(const Flag& flag) {
  if (!flag.choices.empty()) return flag.choices;
  if (flag.long_name() == "--from") return {};  // a file: its values only say for which problems
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const auto& value : flag.values) {
    if (seen.insert(value.name).second) names.push_back(value.name);
  }
  return names;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

// A branch of the script for one command: its flags, the words for its arguments, and the values of flags that have
// names.
std::string bash_case(const Command& command) {
  std::vector<std::string> flags{"--help", "--help-all"}, names;
  std::string values, valued;
  for (const Flag& flag : command.flags) {
    if (flag.is_positional()) {
      for (const auto& name : names_for(flag)) names.push_back(name);
      continue;
    }
    for (const auto& name : split(flag.names, ',')) flags.push_back(name);
    if (flag.is_switch()) continue;
    const std::string pattern = join(split(flag.names, ','), "|");
    valued += (valued.empty() ? "" : "|") + pattern;
    if (const auto known = names_for(flag); !known.empty())
      values += "        " + pattern + ") names='" + join(known, " ") + "' ;;\n";
  }
  std::string text =
      "    " + command.name + ")\n      flags='" + join(flags, " ") + "'\n      arguments='" + join(names, " ") + "'\n";
  if (!valued.empty()) text += "      case $prev in " + valued + ") takes=value ;; esac\n";
  if (!values.empty()) text += "      case $prev in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

// Between single quotes, in a field of a specification of _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh_action(const Flag& flag) {
  if (const auto names = names_for(flag); !names.empty()) return "(" + join(names, " ") + ")";
  return flag.value_word() == "TEXT" ? "_files" : " ";
}

// Names of one flag exclude each other, unless it may be given again.
std::string zsh_spec(const Flag& flag) {
  if (flag.is_positional())
    return std::string(flag.is_list() ? "'*" : "'") + ":" + zsh_text(flag.names) + ":" + zsh_action(flag) + "'";
  const auto names = split(flag.names, ',');
  const std::string value = flag.is_switch() ? "" : ":" + flag.value_word() + ":" + zsh_action(flag);
  const std::string about = "[" + zsh_text(flag.about) + "]" + value + "'";
  if (flag.is_list()) {  // each name may be given again
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "'*" : " '*") + name + about;
    return text;
  }
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "'(" : " '(") + join(names, " ") + ")" + name + about;
  return text;
}

}  // namespace

std::string bash_completion(const Program& program) {
  std::vector<std::string> commands;
  std::string cases;
  for (const Command& command : program.commands) {
    if (!command.is_listed()) continue;
    commands.push_back(command.name);
    cases += bash_case(command);
  }
  const std::string& name = program.name;
  return "# Completion of " + name +
         " for bash; made by the program itself.\n"
         "_" +
         name +
         "() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local flags= arguments= names= takes=\n"
         "  COMPREPLY=()\n"
         "  # bash parts words at '=': --flag=value is three of them.\n"
         "  if [[ $cur == '=' ]]; then\n"
         "    cur=\n"
         "  elif [[ $prev == '=' ]] && ((COMP_CWORD > 2)); then\n"
         "    prev=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W '" +
         join(commands, " ") +
         " --help --help-all --version' -- \"$cur\"))\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  if [[ $takes ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$names\" -- \"$cur\"))\n"
         "  elif [[ $cur == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W \"$arguments\" -- \"$cur\"))\n"
         "  fi\n"
         "}\n"
         "# Where there is nothing to offer, names of files.\n"
         "complete -o default -F _" +
         name + " " + name + "\n";
}

std::string zsh_completion(const Program& program) {
  std::string commands, cases;
  for (const Command& command : program.commands) {
    if (!command.is_listed()) continue;
    commands += "    '" + command.name + ":" + zsh_text(command.about) + "'\n";
    cases += "    " + command.name + ")\n      _arguments";
    for (const Flag& flag : command.flags) cases += " \\\n        " + zsh_spec(flag);
    cases +=
        " \\\n        '(- *)'{-h,--help}'[print a short help]' '(- *)--help-all[print the whole help]'\n      ;;\n";
  }
  const std::string& name = program.name;
  return "#compdef " + name + "\n# Completion of " + name +
         " for zsh; made by the program itself.\n"
         "_" +
         name +
         "() {\n"
         "  local -a commands=(\n" +
         commands +
         "  )\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_" +
         name + " \"$@\"\n";
}

}  // namespace hannan::detail::cli
