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
#include "hannan/play/record_data.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/verify/verifier.hpp"

namespace hannan::detail::cli {
namespace {

struct VerifyFlags {
  std::vector<std::string> files;
  ProblemFlags problem;  // how the data is read: its kind comes from the record
  DataFlags data;
  MoneyFlags money;
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

// A record is read once; each line goes to the data first, where there is some, and then to the verifier.
int verify(const VerifyFlags& flags) {
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
  fmt::print("{} {}{}: {} rounds, loss {}, {}\n", names, parts.size() > 1 ? "together: " : "", verdict_of(found),
             found.rounds, brief(found.total),
             range ? fmt::format("best from {} to {}, regret from {} to {}", brief(found.floor), brief(found.best),
                                 brief(found.regret), brief(found.total - found.floor))
                   : fmt::format("best {}, regret {}", brief(found.best), brief(found.regret)));
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
  command.add("file", &flags->files, "what `hannan run --record` wrote, or its parts in order").required();
  add_data_flags(command, flags->data);
  command.add("--from", &flags->problem.from,
              "the file that `hannan run --from` read its outcomes from: its digest is held against the record's");
  command.add("--drop", &flags->problem.drop, "columns of the data that are no losses, as in the run");
  command.add("--cap", &flags->money.cap, "the largest bid of the scale, as in the run");
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
      "the state of the learner in the one before it.";
  command.examples = {"hannan run experts -d losses.csv --record run.jsonl && hannan verify run.jsonl",
                      "hannan verify run.jsonl -d losses.csv", "hannan verify before.jsonl moved.jsonl"};
  command.run = [flags] { return verify(*flags); };
}

}  // namespace hannan::detail::cli
