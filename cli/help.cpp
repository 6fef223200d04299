// hannan help: a topic explained. Commands are described by their definitions, problems and learners by the tables of
// the library, so that nothing is written twice.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "command_list.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/runtime/registry.hpp"
#include "help_text.hpp"
#include "log_flags.hpp"
#include "program.hpp"

namespace hannan::detail::cli {
namespace {

constexpr std::string_view kLogs = "logs";
constexpr std::string_view kForecasts = "forecasts";
constexpr std::string_view kForecastsAbout = "how a table of forecasts is combined: run, compare and oracle forecasts";
constexpr std::string_view kLogsAbout = "how a bid log is read: formats, columns, slots, money";

std::vector<NamedValue> problem_topics() {
  std::vector<NamedValue> topics;
  for (const auto& kind : problem_kinds()) topics.push_back({std::string(kind.name), std::string(kind.about)});
  return topics;
}

std::vector<NamedValue> learner_topics() {
  std::vector<NamedValue> topics;
  for (const auto& kind : learner_kinds()) topics.push_back({std::string(kind.name), std::string(kind.about)});
  return topics;
}

std::vector<NamedValue> all_topics() {
  std::vector<NamedValue> topics = listed_commands();
  for (const auto& more : {problem_topics(), learner_topics()}) topics.insert(topics.end(), more.begin(), more.end());
  topics.push_back({std::string(kLogs), std::string(kLogsAbout)});
  topics.push_back({std::string(kForecasts), std::string(kForecastsAbout)});
  return topics;
}

std::string entries(const std::vector<NamedValue>& topics) {
  std::string text;
  for (const auto& topic : topics) text += help_entry(topic.name, topic.about);
  return text;
}

// What people come with, and where to go on.
constexpr const char* kQuestions =
    "What do you have?\n"
    "  a log of bids, prices or purchases             hannan help logs\n"
    "  prices that were drawn at random: a test       hannan help logs\n"
    "  forecasts of several models                    hannan help forecasts\n"
    "  what each of several choices would have cost   hannan help experts\n"
    "  rows with labels, and a simple rule is wanted  hannan help classification\n"
    "  a network and the costs of its links           hannan help routing\n"
    "  targets to watch, units to give, bids to make  one of the problems below\n"
    "  one decision that must stand every scenario    hannan help solve\n"
    "  a live system that asks for decisions          hannan help serve\n"
    "  a program in another language                  hannan help pipe\n"
    "  a record that you doubt                        hannan help verify\n"
    "  nothing yet                                    hannan demo\n";

// The first of these are all that one needs to start with; the others are for comparisons and research.
constexpr std::string_view kFirstLearners[] = {"flipflop", "ada", "leader", "adahedge", "portfolio"};

std::string list_of_learners() {
  std::vector<NamedValue> first, others;
  for (const NamedValue& topic : learner_topics()) {
    const bool to_start = std::ranges::find(kFirstLearners, topic.name) != std::end(kFirstLearners);
    (to_start ? first : others).push_back(topic);
  }
  return entries(first) + "\nLearners for comparisons and research:\n" + entries(others);
}

std::string list_of_topics() {
  return std::string("Usage: hannan help TOPIC\n\n") + kQuestions + "\nCommands, the same as hannan COMMAND --help:\n" +
         entries(listed_commands()) + "\nProblems, with their parameters and an example:\n" +
         entries(problem_topics()) + "\nFurther:\n" +
         entries(
             {{std::string(kLogs), std::string(kLogsAbout)}, {std::string(kForecasts), std::string(kForecastsAbout)}}) +
         "\nLearners (-l; the first is the default and needs no setting):\n" + list_of_learners() +
         "\nhannan COMMAND --help-all explains every flag of a command.\n";
}

// From the raw file to what to do: a command for each kind of log. docs/decide.md runs them.
constexpr const char* kLogCommands =
    "From a raw log to what to do, by what was logged. Each prints what the log brought, then what to do;\n"
    "-o result.json with hannan report result.json makes a page, --decisions next.csv a file to deploy.\n\n"
    "  all bids of auctions; the winner pays the second highest\n"
    "    hannan compare vcg-reserves -d LOG --format long --round auction --bidder buyer --bid amount\n"
    "  the same, of the winner's bid only the price is shown (eBay); one reserve for all bidders\n"
    "    ... --slots all --opening openbid --paid price --top-hidden\n"
    "  bids of which winners pay their own (tenders: --reverse; quotas: --quantity, --won, --paid)\n"
    "    ... --payment pay-as-bid --won status=Awarded --sort-by contract\n"
    "  purchases at the second lowest price, with the estimate of each\n"
    "    ... --payment second-price --reverse --scale estimate\n"
    "  prices on a shelf and what was bought\n"
    "    hannan compare item-pricing --payment posted -d LOG --format wide --choice bought\n"
    "  offers at prices that were drawn at random: a price test\n"
    "    hannan compare item-pricing --payment posted --randomised -d LOG --format long --bid price\n"
    "      --won bought\n"
    "  what one bidder paid, and what it was worth to it\n"
    "    hannan compare first-price-bidding -d LOG --format long --bid price --value worth\n\n";

// "a b c" as "a, b, c".
std::string commas(std::string_view words) {
  std::string text;
  for (const char c : words) text += c == ' ' ? std::string(", ") : std::string(1, c);
  return text;
}

std::string parameter_entries(const std::vector<ParameterHelp>& parameters) {
  std::string text;
  for (const ParameterHelp& parameter : parameters) {
    const bool needed = parameter.need == ParameterHelp::Need::kNeeded;
    // A long value has a line of its own below.
    const bool fits = !parameter.example.empty() && parameter.example.size() <= 12;
    std::string heading(parameter.name), about(parameter.about);
    if (fits) heading += "=" + std::string(parameter.example);
    if (needed) about += parameter.unless.empty() ? " (needed)" : " (needed without " + commas(parameter.unless) + ")";
    text += help_entry(heading, about);
    if (!fits && !parameter.example.empty()) text += "    e.g. " + std::string(parameter.example) + "\n";
  }
  return text;
}

std::string problem_help(const ProblemKind& kind) {
  const std::string name(kind.name);
  const ProblemHelp& help = kind.help;
  std::string text = help_lines("", 0, name + ": " + std::string(kind.about));
  if (!help.parameters.empty())
    text += "\nParameters, each as --param NAME=VALUE, or all in a JSON file with --params:\n" +
            parameter_entries(help.parameters);
  if (kind.import) {
    text += "\n" + help_lines("", 2, "With --from FILE it is read from a file: " + std::string(kind.file_about));
    if (!help.file_options.empty()) text += "Further parameters then:\n" + parameter_entries(help.file_options);
  }
  if (!help.data.empty()) text += "\n" + help_lines("Data (-d): ", 2, std::string(help.data));
  if (!help.outcome.empty()) text += "  as a JSON line: " + std::string(help.outcome) + "\n";
  if (!help.example.empty()) text += "\nExample:\n  " + std::string(help.example) + "\n";
  return text + "\n" + help_lines("", 0, "More: docs/problems/" + name + ".md");
}

std::string learner_help(const LearnerKind& kind) {
  std::string text = help_lines("", 0, std::string(kind.name) + ": " + std::string(kind.about));
  if (!kind.params.empty())
    text += "\nParameters, each as --set NAME=VALUE:\n" + help_lines("  ", 2, std::string(kind.params));
  text += kind.of_strategies ? "Besides them: seed run\n" : "Every learner takes: seed run oracle pool track\n";
  if (kind.by_context) text += "It plays the segments of --by.\n";
  if (kind.any_range) text += "It plays losses of unknown range.\n";
  return text + "\nExample:\n  hannan run experts -d losses.csv -l " + std::string(kind.name) +
         (kind.of_strategies ? " --set today=0\n\nMore: docs/pipe.md, docs/theory-portfolio.md\n"
                             : "\n\nMore: docs/theory.md, docs/theory-run.md\n");
}

std::string topic_text(const std::string& topic) {
  if (topic.empty()) return list_of_topics();
  const Program program = make_program([](std::string_view) { return true; });
  const auto command_of = [&](std::string_view name) {
    const auto found = std::ranges::find(program.commands, name, &Command::name);
    return found == program.commands.end() || !found->is_listed() ? nullptr : &*found;
  };
  if (topic == kLogs) {
    const Command& convert = *command_of("convert");
    std::string text = kLogCommands +
                       std::string("Flags of convert, and with --format of run and compare, for reading a bid log:\n") +
                       group_help(convert, convert.explained) + "\nExamples:\n";
    for (const auto& example : convert.examples) text += "  " + example + "\n";
    return text + "\nMore: docs/decide.md, docs/logs.md\n";
  }
  if (topic == kForecasts) {
    std::string text;
    for (const Command& command : program.commands) {
      if (command.name.ends_with(" forecasts"))
        text += (text.empty() ? "" : "\n") + help_text(program, &command, HelpSize::kShort);
    }
    return text;
  }
  if (const Command* command = command_of(topic)) return help_text(program, command, HelpSize::kShort);
  for (const auto& kind : problem_kinds()) {
    if (kind.name == topic) return problem_help(kind);
  }
  for (const auto& kind : learner_kinds()) {
    if (kind.name == topic) return learner_help(kind);
  }
  throw Error(Code::kUnknownName,
              "found the topic \"" + topic +
                  "\", expected a command, a problem, a learner or logs; `hannan help` lists "
                  "them" +
                  near_hint(topic, all_topics(), &NamedValue::name),
              "topic");
}

}  // namespace

void define_help(Command& command) {
  auto topic = std::make_shared<std::string>();
  command.add("topic", topic.get(), "what to explain; left out: the list of topics").such_as(all_topics());
  command.examples = {"hannan help", "hannan help vcg-reserves", "hannan help logs"};
  command.run = [topic] {
    std::fputs(topic_text(*topic).c_str(), stdout);
    return 0;
  };
}

}  // namespace hannan::detail::cli
