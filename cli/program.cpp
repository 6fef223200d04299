// The program with its commands in order. Only wanted commands are defined: the flags of all others would be built for
// nothing at every start.
#include "program.hpp"

#include <iterator>
#include <string>
#include <string_view>

#include "hannan/runtime/version.hpp"

namespace hannan::detail::cli {

#define HANNAN_COMMAND(name, about) void define_##name(Command& command);
#define HANNAN_HIDDEN_COMMAND(name, about) void define_##name(Command& command);
#define HANNAN_KIND_COMMAND(name, kind, about) void define_##name##_##kind(Command& command);
#include "all.hpp"
#undef HANNAN_COMMAND
#undef HANNAN_HIDDEN_COMMAND
#undef HANNAN_KIND_COMMAND

namespace {

struct CommandRow {
  std::string_view name, about;
  Command::Visibility visibility;
  void (*define)(Command&);
};

#define HANNAN_COMMAND(name, about) {#name, about, Command::Visibility::kListed, define_##name},
#define HANNAN_HIDDEN_COMMAND(name, about) {#name, about, Command::Visibility::kHidden, define_##name},
#define HANNAN_KIND_COMMAND(name, kind, about) \
  {#name " " #kind, about, Command::Visibility::kHidden, define_##name##_##kind},
constexpr CommandRow kCommands[] = {
#include "all.hpp"
};
#undef HANNAN_COMMAND
#undef HANNAN_HIDDEN_COMMAND
#undef HANNAN_KIND_COMMAND

constexpr const char* kAbout =
    "Hannan chooses again and again from sets too large to list, nearly as well as the best fixed\n"
    "choice in hindsight, and proves it beside every run.\n";

constexpr const char* kFooter =
    "Examples:\n"
    "  hannan demo                                      see what it does\n"
    "  hannan run experts -d losses.csv                 play on your own data, one column per expert\n"
    "  hannan oracle experts -d losses.csv              the best action in hindsight\n"
    "  hannan compare vcg-reserves -d log.csv --format long --prices linear:20:10   a bid log, in money\n"
    "  hannan compare forecasts -d load.csv --actual actual    one forecast out of several models\n"
    "  hannan run experts -d losses.csv --record run.jsonl && hannan verify run.jsonl\n"
    "  hannan report run.jsonl -o report.html           the same run as one page to look at\n"
    "  hannan help                                      topics: commands, problems, learners, logs\n"
    "  hannan help vcg-reserves                         a problem's parameters, with an example\n"
    "\n"
    "Exit status: 0 ok, 1 a limit was reached or interrupted, 2 usage, 3 bad data or cannot write,\n"
    "141 the reader of the output has gone, as in `| head`. Error codes: docs/errors.md.\n";

}  // namespace

Program make_program(const std::function<bool(std::string_view)>& wanted) {
  Program program{.name = "hannan",
                  .about = kAbout,
                  .footer = kFooter,
                  .version = std::string("hannan ") + kVersion,
                  .commands = {}};
  program.commands.reserve(std::size(kCommands));  // their own `run` refers to them
  for (const CommandRow& row : kCommands) {
    Command& command = program.commands.emplace_back();
    command.name = row.name;
    command.about = row.about;
    command.visibility = row.visibility;
    if (wanted(row.name)) row.define(command);
  }
  return program;
}

}  // namespace hannan::detail::cli
