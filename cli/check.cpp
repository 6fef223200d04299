// `hannan check`: collects outcomes (listed, sampled, given or extreme ones), asks the checker for gamma, data sets and
// noises, and prints or writes what was found. Exit status 1 where a claim fails or something is left open. Progress
// goes to standard error after two seconds.
#include <fmt/format.h>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "check_report.hpp"
#include "command.hpp"
#include "data.hpp"
#include "hannan/check/check.hpp"
#include "hannan/check/check_outcomes.hpp"
#include "hannan/core/error.hpp"
#include "hannan/fold/parts.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/io/table.hpp"
#include "hannan/runtime/registry.hpp"
#include "sums.hpp"

namespace hannan::detail::cli {
namespace {

struct CheckFlags {
  ProblemFlags problem;
  std::string gamma, losses, rewards;  // tables of the user's own
  std::string data, sums;
  std::string perturbation, oracle, method = "auto", noise = "laplace";
  std::uint64_t outcomes = 1000, pairs = 200, seed = 0;
  std::optional<double> claimed, best;
  std::optional<std::uint64_t> rounds;
  double c = 1;
  bool json = false;
  bool quiet = false;
};

// A table of the user's own in memory: these are small, since the full programme is over them.
Json rows_of(const std::string& path, Interval range) {
  const auto table = open_table(path);
  Json rows = Json::array();
  std::vector<double> row;
  while (table->next(row)) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] >= range.lo && row[i] <= range.hi) continue;
      throw Error(Code::kLossRange, fmt::format("found {}, expected a number in [0,1]", row[i]), table->where(i));
    }
    rows.push_back(Json(row));
  }
  return rows;
}

// After two seconds of work, a line on standard error that is written over; gone at the end.
class Ticker {
 public:
  explicit Ticker(std::FILE* to) : to_(to) {}
  ~Ticker() {
    if (shown_) fmt::print(to_, "{:60}\r", "");
  }
  void show(std::string_view what, std::size_t done, std::size_t of) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(500);
    shown_ = true;
    fmt::print(to_, "{:60}\r", fmt::format("{}: {} of {}", what, done, of));
    std::fflush(to_);
  }

 private:
  std::FILE* to_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  bool shown_ = false;
};

class CheckCommand {
 public:
  explicit CheckCommand(const CheckFlags& flags) : flags_(flags) {}

  // Three sources of a problem: tables of the user's own, a fold's sums, or its name; then outcomes, unless they came
  // with it. Exit status 1 where something fails or is left open.
  int operator()() {
    check_flags();
    to_number(Json(flags_.c), "-c", limits::kTuning);
    const std::shared_ptr<const AnyProblem> problem = own_tables()           ? game()
                                                      : !flags_.sums.empty() ? of_sums()
                                                                             : named();
    if (!listed_) list(*problem);
    Ticker ticker(stderr);
    CheckRequest request{.perturbation = perturbation(),
                         .oracle = nullptr,
                         .noise = flags_.noise,
                         .outcomes = found_.outcomes,
                         .every_outcome = found_.all,
                         .method = method(),
                         .pairs = flags_.pairs,
                         .seed = flags_.seed,
                         .claimed = flags_.claimed,
                         .c = flags_.c,
                         .rounds = flags_.rounds,
                         .best = flags_.best,
                         .watch = {}};
    if (!flags_.quiet)
      request.watch = [&](std::string_view what, std::size_t done, std::size_t of) { ticker.show(what, done, of); };
    Json answer = problem->check(request, flags_.oracle);
    answer.set("outcomes", Json(answer.at("outcomes")).set("from", found_.words));
    if (flags_.json) {
      std::puts(dump(answer).c_str());
    } else if (!flags_.quiet) {
      show_check(stdout, answer, found_.words);
    }
    return answer.at("holds").as_bool() && answer.at("open").size() == 0 ? 0 : 1;
  }

 private:
  bool own_tables() const { return !flags_.gamma.empty(); }

  void check_flags() const {
    const bool table = !flags_.losses.empty() || !flags_.rewards.empty();
    if (own_tables() != table)
      throw Error(Code::kUsage, "found one of --gamma and --losses (or --rewards), expected both", "--gamma");
    if (!flags_.losses.empty() && !flags_.rewards.empty())
      throw Error(Code::kUsage, "found --losses and --rewards, expected one of them", "--losses");
    if (own_tables() == !flags_.problem.kind.empty()) {
      throw Error(Code::kUsage,
                  own_tables() ? "found a problem and tables, expected one of them"
                               : "found no problem, expected its name, or --gamma and --losses",
                  "problem");
    }
    if (!flags_.sums.empty() && (own_tables() || !flags_.data.empty() || !flags_.problem.from.empty()))
      throw Error(Code::kUsage, "found --sums with other outcomes, expected one of them", "--sums");
    if (own_tables() && !flags_.data.empty())
      throw Error(Code::kUsage, "found -d with tables, expected none: their columns are the outcomes", "-d");
    if (flags_.rounds && flags_.best && *flags_.best > static_cast<double>(*flags_.rounds)) {
      throw Error(Code::kUsage,
                  fmt::format("found L* = {} in {} rounds, expected at most 1 a round", *flags_.best, *flags_.rounds),
                  "--best");
    }
  }

  std::string perturbation() const {
    return own_tables() && flags_.perturbation.empty() ? "dense" : flags_.perturbation;
  }

  CheckRequest::Method method() const {
    return flags_.method == "full"   ? CheckRequest::Method::kFull
           : flags_.method == "cuts" ? CheckRequest::Method::kCuts
                                     : CheckRequest::Method::kAuto;
  }

  // The user's tables as a finite game with the perturbation "dense".
  std::shared_ptr<AnyProblem> game() {
    const bool rewards = flags_.losses.empty();
    Json table = rows_of(rewards ? flags_.rewards : flags_.losses, kUnit);
    Json matrix = rows_of(flags_.gamma, kAnyFinite);
    if (table.size() != matrix.size()) {
      throw Error(Code::kColumnCount,
                  fmt::format("found {} rows, expected {} as in {}: a row per action", matrix.size(), table.size(),
                              rewards ? flags_.rewards : flags_.losses),
                  flags_.gamma);
    }
    return make_problem(
        std::string(table_kind().name),
        Json::object({{rewards ? "rewards" : "losses", std::move(table)}, {"matrix", std::move(matrix)}}), "--gamma");
  }

  // The distinct outcomes of a fold; what the parameters leave open it says.
  std::shared_ptr<const AnyProblem> of_sums() {
    const Folded folded = read_sums(flags_.sums);
    check_problem_of_sums(flags_.problem, folded.summary, flags_.sums);
    found_.outcomes = distinct(folded.summary.outcomes(), flags_.outcomes);
    found_.words = fmt::format("the first different ones of {}", flags_.sums);
    listed_ = true;
    return folded.summary.shared_problem();
  }

  // A problem by name. With data, its different outcomes in the order of their first appearance; without, what the
  // problem lists itself.
  std::shared_ptr<AnyProblem> named() {
    if (flags_.data.empty() && flags_.problem.from.empty())
      return make_problem(flags_.problem.kind, flags_.problem.json(), "--param");
    if (flags_.data.empty() && flags_.problem.read().outcomes.empty())
      return make_problem(flags_.problem.kind, flags_.problem.json(), "--param");
    ProblemAndData opened = open_data(flags_.problem, flags_.data);
    std::shared_ptr<AnyProblem> problem = std::move(opened.problem);
    Json all = Json::array();
    AnyOutcome outcome;
    while (opened.source->next(outcome)) all.push_back(problem->game().outcome_json(outcome));
    if (all.size() == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", flags_.data);
    found_.outcomes = distinct(all, flags_.outcomes);
    found_.words =
        fmt::format("the first different ones of {}", flags_.data.empty() ? flags_.problem.from : flags_.data);
    listed_ = true;
    const Json every = problem->outcomes();
    found_.all = every.is_array() && distinct(every, flags_.outcomes + 1).size() == found_.outcomes.size();
    return problem;
  }

  void list(const AnyProblem& problem) {
    found_ = problem.listed_outcomes(perturbation(), flags_.outcomes);
    if (found_.outcomes.size() == 0)
      throw Error(Code::kUsage, "found no outcomes, expected a file of them: this problem cannot list its own", "-d");
  }

  const CheckFlags& flags_;
  OutcomeList found_;
  bool listed_ = false;
};

}  // namespace

void define_check(Command& command) {
  auto flags = std::make_shared<CheckFlags>();
  add_problem_flags(command, flags->problem);
  command.flag("problem").optional();
  command.add("--gamma", &flags->gamma, "a perturbation matrix of your own: CSV or .npy, a row per action");
  command.add("--losses", &flags->losses, "and its losses in [0,1]: a row per action, a column per outcome");
  command.add("--rewards", &flags->rewards, "rewards in place of losses");
  command.add("-d,--data", &flags->data,
              "outcomes to check on: CSV, .npy or JSON lines; left out: all, or extreme ones");
  command.add("--sums", &flags->sums,
              "instead of outcomes: the folder of `hannan fold --oracle outcomes`, or a file of such sums");
  command.add("--outcomes", &flags->outcomes, "look at no more than this many different outcomes")
      .range(1, 1000000)
      .show_default();
  command.add("--perturbation", &flags->perturbation, "which matrix; the default is the problem's first");
  command.add("--claimed", &flags->claimed, "the gamma to hold against the exact one, in place of the problem's claim")
      .not_negative();
  command.add("--method", &flags->method, "auto; full: one linear programme with all rivals; cuts: cutting planes")
      .one_of({"auto", "full", "cuts"})
      .show_default();
  command
      .add("--pairs", &flags->pairs, "cutting planes over this many sampled pairs of action and outcome; 0: over all")
      .show_default();
  command.add("--seed", &flags->seed, "of the sample").show_default();
  command.add("--oracle", &flags->oracle, "which oracle separates; e.g. branch_bound:100000");
  command.add("--noise", &flags->noise, "the noise of M and the bounds").show_default();
  command.add("--rounds", &flags->rounds, "show the closed forms of the expected regret for T rounds")
      .range(1, std::uint64_t{1} << 53);
  command.add("--best", &flags->best, "and for this loss L* of the best action; left out: T").not_negative();
  command.add("-c", &flags->c, "the tuning constant of gftpl").positive().show_default();
  command.add("--json", &flags->json, "print everything found as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing; the exit status says it all");
  command.notes = "Exit status: 0 every condition holds and no gamma is above its claim, 1 one fails or is left open.";
  command.examples = {"hannan check experts --param experts=8 --rounds 1000 --best 100",
                      "hannan check vcg-reserves --param bidders=2 --param levels=4 --perturbation one-hot",
                      "hannan check multi-unit --param bidders=6 --param units=60 --pairs 50",
                      "hannan check --gamma G.csv --losses F.csv --claimed 3"};
  command.see = "What each line means: docs/check.md.";
  command.run = [flags] { return CheckCommand(*flags)(); };
}

}  // namespace hannan::detail::cli
