// From the words of a command line to an exit status. Errors become one line on standard error, "hannan: H205: ...",
// with the status of their code; output that could not be written fails the program when it ends; where the reader has
// gone, the status is 141.
#include "entry.hpp"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

#include "command_list.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/runtime/version.hpp"
#include "parse.hpp"
#include "program_beside.hpp"
#include "standard_output.hpp"

namespace hannan::detail::cli {
namespace {

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const Error& e) {
    return report_error(e);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "hannan: H208: there is not enough memory for this\n");
    return 3;
  } catch (const std::system_error& e) {  // of printing, mostly: finish_output() reports it
    if (!flush_output()) return 0;
    return report_error(Error(Code::kInternal, e.what()));
  }
}

// Flags in front of the command ask for help or the version, so that a command which runs is the first word.
int run(const Command& command, const std::vector<const char*>& words) {
  if (command.program.empty()) return command.run();
  assert(words.size() > 1 && command.name == words[1]);
  run_beside(command.program, {words.begin() + 2, words.end()});
}

int run_program(const std::function<Program(const Wanted&)>& make, std::vector<const char*> words) {
  // A command with a kind of data that has flags of its own is one word from here on.
  std::string joined;
  const auto says = [&](std::string_view word) {
    if (const std::size_t blank = word.find(' '); blank != std::string_view::npos)
      return words.size() > 2 && word.substr(0, blank) == words[1] && word.substr(blank + 1) == words[2];
    return std::find(words.begin() + 1, words.end(), word) != words.end();
  };
  const bool all = says("--help-all");
  Program program = make([&](std::string_view name) { return all || says(name); });
  for (const auto& command : program.commands) {
    if (command.name.find(' ') == std::string::npos || !says(command.name)) continue;
    joined = command.name;
    words.erase(words.begin() + 2);
    words[1] = joined.c_str();
    break;
  }
  std::string names;
  std::vector<std::string> listed;
  bool known = words.size() < 2 || words[1][0] == '-';
  for (const auto& command : program.commands) {
    if (command.is_listed()) {
      names += (names.empty() ? "" : ", ") + command.name;
      listed.push_back(command.name);
    }
    known = known || command.name == words[1];
  }
  if (!known) {
    std::fprintf(stderr, "hannan: H100: found the command \"%s\", expected one of %s%s\n", printable(words[1]).c_str(),
                 names.c_str(), near_hint(words[1], listed).c_str());
    return 2;
  }
  const Parsed parsed = parse(program, static_cast<int>(words.size()), words.data());
  switch (parsed.what) {
    case Parsed::What::kPrint:
      std::fputs(parsed.text.c_str(), stdout);
      return 0;
    case Parsed::What::kWrong:
      std::fprintf(stderr, "hannan: H100: %s; hannan COMMAND --help shows usage and examples\n",
                   printable(parsed.text).c_str());
      return 2;
    case Parsed::What::kRun:
      break;
  }
  return run(*parsed.command, words);
}

}  // namespace

int run_main(const std::function<Program(const Wanted&)>& make, const std::vector<const char*>& words) {
  outlive_readers();
  return finish_output(guarded([&] { return run_program(make, words); }));
}

int run_one_command(const OneCommand& command, const std::vector<const char*>& words) {
  const auto make = [&](const Wanted&) {
    const auto row = std::ranges::find(listed_commands(), command.name, &NamedValue::name);
    assert(row != listed_commands().end());
    Program program{
        .name = "hannan", .about = {}, .footer = {}, .version = std::string("hannan ") + kVersion, .commands = {}};
    Command& one = program.commands.emplace_back();
    one.name = row->name;
    one.about = row->about;
    command.define(one);
    return program;
  };
  std::vector<const char*> with_name = words;
  const bool version = words.size() == 2 && std::strcmp(words[1], "--version") == 0;
  if (!version) with_name.insert(with_name.begin() + 1, command.name.c_str());
  return run_main(make, with_name);
}

}  // namespace hannan::detail::cli
