// `hannan solve`: a mixture of actions with a certified worst case over scenarios. Scenarios are the problem's
// outcomes, rows or groups of rows of data, a file, or a budget of disruptions. Exit status 0 where the bounds met, 1
// where the oracle or a limit left them open. Ctrl-C ends the search after the round, with what is certified so far.
#include <fmt/format.h>
#include <cstdio>
#include <memory>
#include <optional>

#include "action_names.hpp"
#include "command.hpp"
#include "data.hpp"
#include "hannan/core/error.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/csv.hpp"
#include "hannan/io/lines.hpp"
#include "hannan/io/table.hpp"
#include "hannan/oracles/search_threads.hpp"
#include "hannan/problems/cost_rows.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/version.hpp"
#include "hannan/solve/solve_request.hpp"
#include "interrupt.hpp"
#include "live_input.hpp"
#include "output_file.hpp"
#include "solution_text.hpp"
#include "threads_flag.hpp"

namespace hannan::detail::cli {
namespace {

struct SolveFlags {
  ProblemFlags problem;
  DataFlags data;
  MoneyFlags money;
  std::string scenarios, base, rise, oracle, out;
  std::vector<std::string> group;
  std::optional<double> worst, cap;
  std::optional<std::uint64_t> budget;
  double slack = 0, tolerance = 1e-6, hold = 0;
  std::uint64_t rounds = 10'000;
  unsigned threads = 1;
  bool regret = false, keep_data = false, json = false, quiet = false;
};

// The one row of a table.
std::vector<double> row_of_file(const std::string& path) {
  const auto table = open_table(live_input(path), input_name(path));
  std::vector<double> row, second;
  if (!table->next(row)) throw Error(Code::kEmpty, "found no row, expected one row of costs", path);
  if (table->next(second)) throw Error(Code::kMalformed, "found a second row, expected one row of costs", path);
  return row;
}

// One scenario a line, as JSON.
ScenarioSet scenarios_of_file(const std::shared_ptr<const Game>& game, const std::string& path) {
  ScenarioList list(game);
  LineReader lines(live_input(path), input_name(path));
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      list.add(parse_json(line), "");
    } catch (const Error& e) {
      throw Error(e.code(), e.message(), lines.where() + (e.at().empty() ? "" : ": " + e.at()));
    }
  }
  return list.finish(path);
}

class SolveCommand {
 public:
  explicit SolveCommand(const SolveFlags& flags) : flags_(flags), data_(flags.data) {}

  int operator()() {
    const SearchThreads threads(flags_.threads);
    for (const auto* input : {&flags_.data.path, &flags_.problem.from, &flags_.problem.file, &flags_.scenarios,
                              &flags_.base, &flags_.rise}) {
      if (same_file(flags_.out, *input))
        throw Error(Code::kUsage, "found the same file twice, expected another: it would be overwritten", flags_.out);
    }
    const bool quiet = takes_standard_output({{"--json", flags_.json ? "-" : ""}, {"-o", flags_.out}}) || flags_.quiet;
    read_request();
    const ScenarioSet set = scenarios();
    // The slack is stated in the problem's own unit.
    request_.options.slack = flags_.slack / unit_of_money();
    catch_interrupts();
    SolveProgress progress(stdout);
    SolveWatch watch{.progress = {}, .stop = [] { return interrupted(); }};
    if (!quiet) watch.progress = [&](const SolveRound& round) { progress.show(round); };
    const ActionNames names(problem_->kind(), columns_);
    const Json solution = answer_request(game(), {.set = set,
                                                  .request = request_,
                                                  .prefix = "--",
                                                  .program = std::string("hannan ") + kVersion,
                                                  .watch = watch,
                                                  .money = money_json(set),
                                                  .name = [&](const Json& action) { return names.name(action); }});
    if (!flags_.out.empty()) write_whole_file(flags_.out, dump(solution) + "\n");
    if (flags_.json) std::puts(dump(solution).c_str());
    if (!quiet) show_solution(stdout, solution, problem_->game().ln_size());
    if (!quiet && log_) log_->print();
    return solution.at("open").as_bool() ? 1 : 0;
  }

 private:
  // Lives as long as its problem.
  std::shared_ptr<const Game> game() const { return {problem_, &problem_->game()}; }

  void read_request() {
    request_.cap = flags_.cap;
    request_.worst = flags_.worst;
    if (flags_.budget) request_.budget = static_cast<std::int64_t>(std::min<std::uint64_t>(*flags_.budget, 1u << 30));
    request_.options = {.cap = 1,
                        .base = flags_.regret ? Base::kLeastLoss : Base::kZero,
                        .tolerance = flags_.tolerance,
                        .slack = flags_.slack,
                        .rounds = flags_.rounds};
    request_.oracle = flags_.oracle;
    if (!flags_.base.empty()) request_.base.emplace();
    if (!flags_.rise.empty()) request_.rise.emplace();
    check_request(request_, "--");
    const bool rows = !flags_.data.path.empty();
    int ways = 0;
    for (const bool given : {rows, !flags_.scenarios.empty(), flags_.budget.has_value()}) ways += given ? 1 : 0;
    if (ways > 1)
      throw Error(Code::kUsage, "found more than one of -d, --scenarios and --budget, expected one of them",
                  flags_.budget ? "--budget" : "--scenarios");
    if (flags_.hold != 0 && flags_.group.empty())
      throw Error(Code::kUsage, "found --hold, expected --group with it: the last rows of each group are held",
                  "--hold");
    if (flags_.hold != 0 && !(flags_.hold > 0 && flags_.hold < 1))
      throw Error(Code::kOutOfRange, "found " + number_text(flags_.hold) + ", expected a share above 0 and below 1",
                  "--hold");
    if (flags_.hold != 0 && flags_.keep_data)
      throw Error(Code::kUsage, "found --keep-data and --hold, expected one of them: held rows are not kept inside",
                  "--keep-data");
    data_.by = flags_.group;
  }

  ScenarioSet scenarios() {
    if (!data_.path.empty() || (!flags_.problem.from.empty() && !flags_.budget && flags_.scenarios.empty() &&
                                !flags_.problem.read().outcomes.empty()))
      return scenarios_of_rows();
    if (!flags_.group.empty())
      throw Error(Code::kUsage, "found --group and no rows, expected a file of outcomes with -d", "--group");
    problem_ = make_problem(flags_.problem.kind, flags_.problem.json(), "--param");
    if (!flags_.scenarios.empty()) return scenarios_of_file(game(), flags_.scenarios);
    if (!flags_.base.empty()) request_.base = row_of_file(flags_.base);
    if (!flags_.rise.empty()) request_.rise = row_of_file(flags_.rise);
    const bool costs = has_cost_rows(flags_.problem.kind);
    return scenarios_of(game(), request_, costs ? Rows::kCosts : Rows::kOther);
  }

  ScenarioSet scenarios_of_rows() {
    ProblemAndData opened = open_data({.problem = flags_.problem, .data = data_, .money = flags_.money});
    problem_ = opened.problem;
    columns_ = opened.names;
    log_ = opened.log;
    RowScenarios rows(game(), {.group = flags_.group,
                               .skipped = opened.rehearsed,
                               .hold = flags_.hold,
                               .data = flags_.keep_data ? RowScenarios::Options::Data::kInside
                                                        : RowScenarios::Options::Data::kDigest});
    AnyOutcome y;
    // Rounds that prices were taken from do not decide.
    for (std::uint64_t i = 0; i < opened.rehearsed && opened.source->next(y); ++i) {
    }
    while (opened.source->next(y)) rows.add(y, opened.source->context());
    if (log_ && log_->knows_money()) log_->check_hidden();
    facts_ = log_ ? flags_.money.facts(log_->facts()) : flags_.money.facts_of_table(columns_, data_.path);
    return rows.finish(data_.path);
  }

  double unit_of_money() const { return problem_->game().normaliser() * facts_.cap; }

  // What a loss of 1 is in money, where the problem or the log says that losses are money; weights other than 1 a
  // scenario are no means, and have none.
  Json money_json(const ScenarioSet& set) const {
    const Game& game = problem_->game();
    if (!game.money()) return {};
    const bool inside = game.loss_range() == LossRange::kUnitInterval;
    for (std::size_t g = 0; inside && g < set.scenarios->size(); ++g) {
      if (std::abs(set.scenarios->weight(g) - 1) > 1e-9) return {};
    }
    Json money = Json::object({{"currency", facts_.currency},
                               {"unit", unit_of_money()},
                               {"origin", inside ? 1 : 0},
                               {"reward", game.form() == Form::kReward}});
    if (!facts_.slots.empty() && facts_.slots.size() == game.money()->amounts.owners)
      money.set("owners", Json(facts_.slots));
    return money;
  }

  const SolveFlags& flags_;
  DataFlags data_;
  SolveRequest request_;
  std::shared_ptr<AnyProblem> problem_;
  std::vector<std::string> columns_;
  std::shared_ptr<LogData> log_;
  LogFacts facts_;
};

}  // namespace

void define_solve(Command& command) {
  auto flags = std::make_shared<SolveFlags>();
  add_problem_flags(command, flags->problem);
  add_data_flags(command, flags->data);
  add_column_flags(command, flags->problem);
  command
      .add("--group", &flags->group,
           "columns of the data: rows of equal values are one scenario, their mean; also @hour, @weekday, @day and "
           "@month of --timestamp. Without it every row is a scenario")
      .split_at(',');
  command.add("--hold", &flags->hold,
              "with --group: this share of each group's rows, the last ones, does not decide and is shown apart");
  command.add("--keep-data", &flags->keep_data, "keep the rows inside the solution, at most 10,000 distinct ones");
  command.add("--scenarios", &flags->scenarios,
              "scenarios, one a line: {\"name\":N,\"data\":[{\"weight\":W,\"outcome\":Y},...]}");
  command.add("--budget", &flags->budget, "so many costs of a row rise at once, the worst ones (routing, experts)");
  command.add("--base", &flags->base, "with --budget: a table of one row, the usual costs; 0 where it is left out");
  command.add("--rise", &flags->rise, "with --budget: a table of one row, what each cost rises by; 1 - base");
  command.add("--worst", &flags->worst,
              "the mean of this many worst scenarios, or of this share of them below 1; left out: the worst one");
  command.add("--cap", &flags->cap, "the same as the most that the opponent may put on one scenario, 1/n to 1");
  command.add("--regret", &flags->regret, "losses are counted from the least that the scenario allows");
  command.add("--slack", &flags->slack,
              "what may be given up in the worst case for a better average, in the problem's own unit");
  command.add("--tolerance", &flags->tolerance, "end when the bounds are this close, in the unit of losses")
      .show_default();
  command.add("--rounds", &flags->rounds, "at most so many questions to the oracle").show_default();
  command.add("--oracle", &flags->oracle, "which oracle searches; the default is the problem's first");
  add_threads_flag(command, flags->threads);
  command.add("--log-cap", &flags->money.cap, "money that a bid of 1 stands for, as --cap of `hannan run`");
  command.add("--currency", &flags->money.currency, "its currency, three letters");
  command.add("-o,--out", &flags->out, "write the solution to this file, which `hannan verify` checks");
  command.add("--json", &flags->json, "print the solution as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing; the exit status says whether the bounds met");
  command.notes =
      "Without data every outcome of the problem is a scenario. The answer is a mixture of few actions and two "
      "numbers\n"
      "that `hannan verify` checks from the file: no mixture at all has a worst case below `lower`, this one has "
      "`upper`.";
  command.examples = {"hannan solve finite-game --params game.json",
                      "hannan solve vcg-reserves --param levels=20 -d bids.csv --group region -o robust.json",
                      "hannan solve routing --params town.json --budget 2", "hannan verify robust.json -d bids.csv"};
  command.run = [flags, &command] {
    flags->data.log.first_given = first_log_flag(command, {"--timestamp", "--zone"});
    return SolveCommand(*flags)();
  };
}

}  // namespace hannan::detail::cli
