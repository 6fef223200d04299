// The flags of each command are given to CLI11 and its errors become ours: a wrong value names what was expected, an
// unknown flag the nearest one that the command has. Values are checked by wrong_with before they are stored.
#include "parse.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "built.hpp"
#include "hannan/core/near_name.hpp"
#include "help_text.hpp"

namespace hannan::detail::cli {
namespace {

std::string found(const std::string& text) { return "found \"" + text + "\", expected "; }

// 18 digits fit any 64 bits.
std::optional<std::uint64_t> whole_number(const std::string& text) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos) return {};
  return std::stoull(text);
}

std::optional<double> real_number(const std::string& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) ? std::optional(value) : std::nullopt;
}

// Says what is wrong with the value of a flag, or nothing.
std::string wrong_with(const Flag& flag, const std::string& text) {
  if (!flag.choices.empty() && std::find(flag.choices.begin(), flag.choices.end(), text) == flag.choices.end()) {
    std::string names;
    for (const auto& name : flag.choices) names += (names.empty() ? "" : ", ") + name;
    return found(text) + "one of " + names + near_hint(text, flag.choices);
  }
  switch (flag.limit) {
    case Flag::Limit::kRange: {
      const auto number = whole_number(text);
      if (number && *number >= flag.lowest && *number <= flag.highest) return {};
      return found(text) + "a whole number from " + std::to_string(flag.lowest) + " to " + std::to_string(flag.highest);
    }
    case Flag::Limit::kPositive:
    case Flag::Limit::kNotNegative: {
      const bool zero = flag.limit == Flag::Limit::kNotNegative;
      const auto number = real_number(text);
      if (number && std::isfinite(*number) && (*number > 0 || (zero && *number == 0))) return {};
      return found(text) + (zero ? "a number from 0 on" : "a number above 0");
    }
    case Flag::Limit::kNone:
      if (flag.is_whole()) return whole_number(text) ? "" : found(text) + "a whole number from 0 on";
      if (flag.is_real()) return real_number(text) ? "" : found(text) + "a number";
  }
  return {};
}

// "compare forecasts" as CLI11 has names: without blanks.
std::string one_word(std::string name) {
  std::ranges::replace(name, ' ', '-');
  return name;
}

// Switches take no value; everything else does.
CLI::Option* declare(CLI::App& app, Flag& flag) {
  return std::visit(
      [&](auto* to) -> CLI::Option* {
        if constexpr (std::is_same_v<decltype(to), bool*>) {
          return app.add_flag(flag.names, *to);
        } else {
          return app.add_option(flag.names, *to);
        }
      },
      flag.to);
}

CLI::Option* add_to(CLI::App& app, Flag& flag) {
  CLI::Option* option = declare(app, flag);
  if (flag.is_required) option->required();
  if (flag.is_list()) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (flag.is_repeated) option->allow_extra_args(false);
  if (flag.separator) option->delimiter(flag.separator);
  if (!flag.is_switch()) option->check([&flag](const std::string& text) { return wrong_with(flag, text); });
  return option;
}

// What was not expected: a flag that the command does not have is named, with the nearest one that it has.
Parsed unexpected(const Command& command, const CLI::App& app, const CLI::ExtrasError& e) {
  for (const std::string& word : app.remaining()) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known{"--help", "--help-all"};
    for (const Flag& flag : command.flags) {
      if (!flag.is_positional()) known.push_back(flag.long_name());
    }
    return {
        .what = Parsed::What::kWrong,
        .text = "found the flag \"" + name + "\", which " + command.name + " does not have" + near_hint(name, known)};
  }
  return {.what = Parsed::What::kWrong, .text = e.what()};
}

}  // namespace

// CLI11 writes values straight to their destinations. Exceptions of it are its way to say that help was asked for, or
// that something is wrong.
Parsed parse(Program& program, int argc, const char* const* argv) {
  CLI::App app{program.about, program.name};
  app.set_version_flag("--version", program.version);
  app.set_help_all_flag("--help-all");
  app.require_subcommand(1);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  std::vector<std::pair<Flag*, CLI::Option*>> options;
  std::vector<std::pair<Command*, CLI::App*>> commands;
  for (Command& command : program.commands) {
    CLI::App* sub = app.add_subcommand(one_word(command.name));
    commands.emplace_back(&command, sub);
    for (Flag& flag : command.flags) options.emplace_back(&flag, add_to(*sub, flag));
  }
  const auto chosen = [&]() -> Command* {
    for (const auto& [command, sub] : commands) {
      if (sub->parsed()) return command;
    }
    return nullptr;
  };
  std::vector<std::string> words;  // from the last one back, as CLI11 takes them
  for (int i = argc - 1; i > 0; --i) words.push_back(i == 1 ? one_word(argv[i]) : argv[i]);
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return {.what = Parsed::What::kPrint, .text = help_text(program, chosen(), HelpSize::kShort)};
  } catch (const CLI::CallForAllHelp&) {
    return {.what = Parsed::What::kPrint, .text = help_text(program, chosen(), HelpSize::kFull)};
  } catch (const CLI::CallForVersion&) {
    return {.what = Parsed::What::kPrint, .text = program.version + "\n" + built_text() + "\n"};
  } catch (const CLI::ExtrasError& e) {
    for (const auto& [command, sub] : commands) {
      if (sub->parsed()) return unexpected(*command, *sub, e);
    }
    return {.what = Parsed::What::kWrong, .text = e.what()};
  } catch (const CLI::ParseError& e) {
    return {.what = Parsed::What::kWrong, .text = e.what()};
  }
  for (const auto& [flag, option] : options) flag->is_given = option->count() > 0;
  return {.what = Parsed::What::kRun, .command = chosen()};
}

}  // namespace hannan::detail::cli
