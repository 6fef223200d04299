// The flags of `hannan run`, and checks of them that need no data: files that would overwrite each other, standard
// output asked for twice, and a resumed learner that is not the one of the flags.
#include "run_flags.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/play/part_log.hpp"
#include "hannan/runtime/registry.hpp"
#include "outputs.hpp"
#include "threads_flag.hpp"

namespace hannan::detail::cli {

void add_run_flags(Command& command, RunFlags& flags) {
  add_problem_flags(command, flags.problem);
  add_data_flags(command, flags.data);
  add_column_flags(command, flags.problem);
  add_learner_flags(command, flags.learner);
  command.add("-p,--decisions", &flags.decisions,
              "write every decision to this file: JSON lines if it ends in .jsonl, else CSV");
  command.add("--record", &flags.record, "write all that `hannan verify` needs to this file");
  command.add("--summary", &flags.summary,
              "write the report, the next decision and the facts of --log to this JSON file");
  constexpr const char* kSaving = "Saving a run and going on";
  command.add("--save", &flags.save, "save the learner's state here at the end, also when interrupted")
      .in_group(kSaving);
  command
      .add("--save-every", &flags.save_every,
           "save the state, the record and the decisions after every N rounds too: a kill or a power cut loses at "
           "most the N rounds since")
      .in_group(kSaving);
  command
      .add("--resume", &flags.resume,
           "go on from a saved state; the data is the same file, from its beginning; --record and -p are cut back "
           "to its round and go on")
      .in_group(kSaving);
  command.add("--rounds", &flags.rounds, "play at most this many rounds, after those of a resumed run");
  command.add("--as-logged", &flags.as_logged,
              "of a portfolio whose today is logged: the column with what was done, where the data are no log");
  add_money_flags(command, flags.money);
  add_context_flags(command, flags.contexts);
  add_threads_flag(command, flags.threads);
  command.add("--json", &flags.json, "print the report as JSON and nothing else");
  command.add("-q,--quiet", &flags.quiet, "print nothing");
}

bool check_run_files(const RunFlags& flags) {
  if (flags.save == "-")
    throw Error(Code::kUsage, "found -, expected a file: a state is read back with --resume", "--save");
  if (flags.save_every > 0 && (flags.save.empty() || !regular_or_none(flags.save)))
    throw Error(Code::kUsage, "found no file for the state, expected --save with a regular file", "--save-every");
  const bool quiet = takes_standard_output({{"--json", flags.json ? "-" : ""},
                                            {"-p", flags.decisions},
                                            {"--record", flags.record},
                                            {"--summary", flags.summary},
                                            {"--floors", flags.money.floors}}) ||
                     flags.quiet;
  const std::pair<const char*, const std::string*> files[] = {
      {"-d", &flags.data.path},    {"--params", &flags.problem.file}, {"--from", &flags.problem.from},
      {"--log", &flags.money.log}, {"--resume", &flags.resume},       {"-p", &flags.decisions},
      {"--record", &flags.record}, {"--summary", &flags.summary},     {"--floors", &flags.money.floors},
      {"--save", &flags.save}};
  for (std::size_t i = 0; i < std::size(files); ++i) {
    for (std::size_t j = std::max<std::size_t>(i + 1, 5); j < std::size(files); ++j) {
      const bool state = files[i].first == std::string_view("--resume") && files[j].first == std::string_view("--save");
      if (files[i].second->empty() || state || !same_file(*files[i].second, *files[j].second)) continue;
      throw Error(Code::kUsage,
                  std::string("found the same file for ") + files[i].first + " and " + files[j].first +
                      ", expected another: it would be overwritten",
                  *files[j].second);
    }
  }
  return quiet;
}

bool learns_from_log(const Json& params) {
  const Json *feedback = params.find("feedback"), *share = params.find("share");
  return feedback && *feedback == Json("looks") && share && *share == Json("logged");
}

ProblemAndData open_control_log(const RunFlags& flags) {
  if (flags.data.path.empty()) throw Error(Code::kUsage, "found no log, expected -d FILE", "-d");
  if (!flags.save.empty())
    throw Error(
        Code::kUnavailable,
        "found --save, expected none: a log with a control group is read as a whole, and a line of it may be of "
        "many rounds",
        "--save");
  auto problem = make_problem(flags.problem.kind, flags.problem.json(), "--param");
  return {.problem = std::move(problem), .source = part_log_source(flags.data.path), .log = nullptr, .names = {}};
}

ColumnOrders orders_of(const ReplayTurn& learner) {
  if (const ContextLearner* tree = learner.as<ContextLearner>()) return tree->orders();
  const PortfolioLearner* portfolio = learner.as<PortfolioLearner>();
  return portfolio ? portfolio->orders() : ColumnOrders{};
}

Json next_action(const ReplayTurn& learner) {
  return learner.visit([](PlainLearner& plain) { return plain.action(); }, [](ContextLearner&) { return Json(); },
                       [](SleepingLearner& sleeping) { return sleeping.act().action_json(); },
                       [](PortfolioLearner&) { return Json(); },
                       [](PartLearner& part) { return part.act().action_json(); });
}

void check_same_learner(const RunFlags& flags, const AnyLearner& learner) {
  const auto differs = [&](const std::string& flag, const std::string& found, const std::string& saved) {
    throw Error(Code::kUsage,
                "found " + flag + " " + found + ", expected " + saved + " as in " + flags.resume +
                    ": the learner comes with the saved state",
                "--resume");
  };
  if (flags.learner.kind_given && flags.learner.name() != learner.kind())
    differs("-l", flags.learner.name(), learner.kind());
  Json said = object_of_pairs(flags.learner.set, "--set");
  if (flags.learner.seed_given) said.set("seed", flags.learner.seed);
  if (flags.learner.track_given) said.set("track", flags.learner.track);
  for (const auto& [name, value] : said.as_object()) {
    const Json* saved = learner.params().find(name);
    // "branch_bound" and "branch_bound:2000" are one oracle, the limit being a default.
    const bool limited =
        saved && saved->is_string() && value.is_string() && saved->as_string().starts_with(value.as_string() + ":");
    if (!saved || (!limited && dump(*saved) != dump(value)))
      differs("--set " + name, dump(value), saved ? dump(*saved) : "nothing");
  }
}

}  // namespace hannan::detail::cli
