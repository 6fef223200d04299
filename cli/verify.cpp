// `hannan verify`: computes a record again with separate code (hannan/verify), and holds its outcomes against the data
// file where one is given. Exit status 0 only if everything agrees.
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "data.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/lines.hpp"
#include "hannan/play/record_data.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/verify/forecasts.hpp"
#include "hannan/verify/solution_check.hpp"
#include "hannan/verify/verifier.hpp"
#include "live_input.hpp"

namespace hannan::detail::cli {
namespace {

struct VerifyFlags {
  std::vector<std::string> files;
  ProblemFlags problem;  // how the data is read: its kind comes from the record
  DataFlags data;
  MoneyFlags money;
  std::vector<std::string> group;  // of a solution
  bool quiet = false;
};

// The outcomes of -d, as the problem and the columns of the record's header read them.
HeldAgainstData::Opened open_recorded(const VerifyFlags& flags, const Json& header) {
  const Json& problem = header.at("problem");
  std::shared_ptr<AnyProblem> made =
      make_problem(problem.at("kind").as_string(), problem.at("params"), "problem.params");
  DataFlags data = flags.data;
  if (const Json* by = header.at("learner").at("params").find("by")) data.by = all_columns(read_orders(*by, "by"));
  ProblemFlags of = flags.problem;
  of.kind = made->kind();
  auto opened = open_source(made, {.problem = of, .data = data, .money = flags.money});
  return {.owner = made, .game = &made->game(), .source = std::move(opened.source)};
}

// Null where no data file is given: then the outcomes stand as recorded, and the output says so.
std::shared_ptr<HeldAgainstData> against_data(const VerifyFlags& flags) {
  const std::string& data = flags.data.path.empty() ? flags.problem.from : flags.data.path;
  if (data.empty()) return nullptr;
  if (flags.files.size() > 1)
    throw Error(Code::kUsage, "found a data file and several parts, expected one record with it", "-d");
  std::function<HeldAgainstData::Opened(const Json&)> open;
  if (!flags.data.path.empty()) open = [&flags](const Json& header) { return open_recorded(flags, header); };
  return std::make_shared<HeldAgainstData>(flags.files.front(), data, std::move(open));
}

// The solution that a file holds; null where it holds something else, a record above all. A record's first line is a
// whole JSON value; a solution is one value on one line or on many.
Json solution_in(const std::string& path) {
  if (read_once(path)) return {};
  LineReader lines(bytes_of_file(path), path);
  std::string_view line;
  if (!lines.next(line)) return {};
  try {
    Json first = parse_json(line);
    return is_solution(first) ? first : Json();
  } catch (const Error&) {
    // Not a record; maybe one value on many lines.
  }
  std::string text(line);
  while (lines.next(line) && text.size() < kMaxLine) {
    text += '\n';
    text += line;
  }
  try {
    Json whole = parse_json(text);
    return is_solution(whole) ? whole : Json();
  } catch (const Error&) {
    return {};
  }
}

// A solution of `hannan solve`, held against its data where its scenarios are rows of it.
int verify_solved(const VerifyFlags& flags, const Json& solution) {
  const std::string& file = flags.files.front();
  std::unique_ptr<Source> source;
  std::shared_ptr<AnyProblem> made;
  SolutionRows rows;
  if (!flags.data.path.empty() || !flags.problem.from.empty()) {
    const Json& problem = solution.at("problem");
    made = make_problem(problem.at("kind").as_string(), problem.at("params"), "problem.params");
    DataFlags data = flags.data;
    if (const Json* group = solution.at("scenarios").find("group")) data.by = to_words(*group, "scenarios.group");
    if (!flags.group.empty() && flags.group != data.by)
      throw Error(Code::kRejected, "found other columns than those of the solution, expected the same", "--group");
    ProblemFlags of = flags.problem;
    of.kind = made->kind();
    source = open_source(made, {.problem = of, .data = data, .money = flags.money}).source;
    rows = [&](AnyOutcome& y, std::vector<std::string>& labels) {
      if (!source->next(y)) return false;
      labels.assign(source->context().begin(), source->context().end());
      return true;
    };
  }
  const SolutionVerification found = verify_solution(solution, file, rows);
  const int status = found.trusted.empty() ? 0 : 1;
  if (flags.quiet) return status;
  fmt::print("{} {}: a mixture of {} action{}, worst case {} over {} scenarios, no mixture below {}{}\n",
             printable(file), found.trusted.empty() ? "verifies" : "is consistent, in part on trust", found.actions,
             found.actions == 1 ? "" : "s", brief(found.upper), found.scenarios, brief(found.lower),
             found.open ? "; the bounds are open" : "");
  for (const auto& what : found.trusted) fmt::print("  - on trust: {}\n", what);
  for (const auto& what : found.checked) fmt::print("  - {}\n", what);
  for (const auto& what : found.recorded) fmt::print("  - as recorded: {}\n", what);
  return status;
}

// The record of a run of forecasts; false: it is another one.
bool verify_forecast_file(const VerifyFlags& flags) {
  std::string first;
  if (flags.files.size() != 1 || read_once(flags.files[0]) ||
      !lines_of_record(bytes_of_file(flags.files[0]), flags.files[0])(first) || !is_forecast_record(first))
    return false;
  const std::string& file = flags.files.front();
  const VerifiedForecasts found = verify_forecasts(lines_of_record(bytes_of_file(file), file), file);
  if (flags.quiet) return true;
  fmt::print("{} verifies: {} rounds, {} rows, loss {}, best fixed mixture {}, none below {}\n", printable(file),
             found.rounds, found.rows, brief(found.total), brief(found.value), brief(found.floor));
  fmt::print(
      "  - computed again: members, weights, forecasts, losses, Deltas, certificates, the mixture's value and floor\n");
  fmt::print("  - as recorded: what the models said and what came, and that it was said before it came\n");
  return true;
}

// A record is read once; each line goes to the data first, where there is some, and then to the verifier.
int verify(const VerifyFlags& flags) {
  if (verify_forecast_file(flags)) return 0;
  std::vector<RecordPart> parts;
  std::string names;
  const auto held = against_data(flags);
  for (const auto& file : flags.files) {
    parts.push_back({file, [file, held]() -> LineSource {
                       LineSource lines = lines_of_record(bytes_of_file(file), file);
                       if (!held) return lines;
                       return [lines, held](std::string& line) {
                         if (!lines(line)) return false;
                         held->line(line);
                         return true;
                       };
                     }});
    names += (names.empty() ? "" : ", ") + printable(file);
  }
  const Verification found = verify_parts(parts);
  const int status = found.trusted.empty() ? 0 : 1;
  if (flags.quiet) return status;
  const bool range = found.floor < found.best;
  const std::string verdict = (parts.size() > 1 ? "together: " : "") + verdict_of(found);
  if (!found.in_part.empty()) {
    fmt::print("{} {}: {} rounds, {}\n", names, verdict, found.rounds, found.in_part);
  } else {
    fmt::print("{} {}: {} rounds, loss {}, {}\n", names, verdict, found.rounds, brief(found.total),
               range ? fmt::format("best from {} to {}, regret from {} to {}", brief(found.floor), brief(found.best),
                                   brief(found.regret), brief(found.total - found.floor))
                     : fmt::format("best {}, regret {}", brief(found.best), brief(found.regret)));
  }
  for (const auto& what : found.trusted) fmt::print("  - on trust: {}\n", what);
  for (const auto& what : found.checked) fmt::print("  - {}\n", what);
  if (held) {
    fmt::print("  - {}\n", held->words());
  } else if (!found.data.empty()) {
    fmt::print("  - as recorded: that the outcomes are those of {}; -d FILE holds them against it\n", found.data);
  } else {
    fmt::print("  - as recorded: the outcomes; the record names no data file, for they came from none\n");
  }
  for (const auto& what : found.recorded) fmt::print("  - as recorded: {}\n", what);
  return status;
}

}  // namespace

void define_verify(Command& command) {
  auto flags = std::make_shared<VerifyFlags>();
  command
      .add("file", &flags->files,
           "what `hannan run --record` wrote, or its parts in order; or a solution of `hannan solve`")
      .required();
  add_data_flags(command, flags->data);
  command.add("--from", &flags->problem.from,
              "the file that `hannan run --from` read its outcomes from: its digest is held against the record's");
  command.add("--drop", &flags->problem.drop, "columns of the data that are no losses, as in the run");
  command.add("--cap", &flags->money.cap, "the largest bid of the scale, as in the run");
  command.add("--group", &flags->group, "of a solution: the columns of its groups; those that it names where left out")
      .split_at(',');
  command.add("-q,--quiet", &flags->quiet,
              "print nothing; the exit status says it all: 0 verified, 1 in part on trust");
  command.notes =
      "Shares no code with the learners: losses, L*, rates, regret and bounds are derived again from\n"
      "the recorded outcomes and decisions, the noise is drawn again and every choice held against all\n"
      "actions where they can be listed, and any altered field is rejected with its line. What cannot be derived\n"
      "again (choices from sets too large to search in every round, what an oracle that stops early left open) is\n"
      "named \"on trust\", and the exit status is 1. With -d the digest that the record names of its data, and each\n"
      "outcome, are held against the file, which is read with the flags of the run. Several files are the parts of one "
      "record: each goes on from\n"
      "the state of the learner in the one before it. Of a solution both bounds and every other figure are\n"
      "computed again; one whose scenarios are rows of data needs -d, read with the flags of `hannan solve`.";
  command.examples = {"hannan run experts -d losses.csv --record run.jsonl && hannan verify run.jsonl",
                      "hannan verify run.jsonl -d losses.csv", "hannan verify before.jsonl moved.jsonl",
                      "hannan solve finite-game --params game.json -o solution.json && hannan verify solution.json"};
  command.run = [flags, &command] {
    if (flags->files.size() == 1) {
      if (const Json solution = solution_in(flags->files.front()); !solution.is_null()) {
        flags->data.log.first_given = first_log_flag(command, {"--timestamp", "--zone"});
        return verify_solved(*flags, solution);
      }
    }
    if (!flags->group.empty())
      throw Error(Code::kUsage, "found --group and a record, expected a solution of `hannan solve` with it", "--group");
    return verify(*flags);
  };
}

}  // namespace hannan::detail::cli
