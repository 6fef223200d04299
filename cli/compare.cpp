// `hannan compare`: opens data or a log, builds the plan (learners, rivals, what was done today, segments, hold-out),
// plays it twice through compare(), and hands out the result as text, JSON, price floors or decisions. A log that
// cannot be replayed is stated and not played (stated_log.cpp). Order matters: what can be refused is refused before
// anything is played, and files are written only after the result is complete. Exit status 1 where the best fixed
// action is not proven.
#include <fmt/format.h>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "action_names.hpp"
#include "command.hpp"
#include "compare_part.hpp"
#include "comparison_text.hpp"
#include "data.hpp"
#include "exported.hpp"
#include "floors.hpp"
#include "hannan/compare/comparison.hpp"
#include "hannan/compare/judged_players.hpp"
#include "hannan/core/error.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/oracles/search_threads.hpp"
#include "hannan/runtime/loss_rows.hpp"
#include "interrupt.hpp"
#include "live_input.hpp"
#include "output_file.hpp"
#include "portfolio_flags.hpp"
#include "preparing.hpp"
#include "progress.hpp"
#include "stated_log.hpp"
#include "threads_flag.hpp"

namespace hannan::detail::cli {
namespace {

struct CompareFlags {
  ProblemFlags problem;
  MoneyFlags money;
  DataFlags data;
  ContextFlags contexts;
  ExportFlags exported;
  PortfolioFlags portfolio;
  bool learner_given = false;
  std::string out;
  std::vector<std::string> learners{default_learner()};
  std::vector<std::string> fixed;
  std::vector<std::string> set;  // of --feedback
  std::string feedback = "full", look;
  std::string rivals = "all", track = "every", as_logged;
  std::uint64_t seed = 0, rounds = 0, block = 0, hedge_most = 1024;
  unsigned threads = 1;
  bool json = false, quiet = false;
};

bool decides_in_file(const ProblemKind& kind) { return kind.decided_in_file; }

// "no reserve, monopoly price (kind), ...", each with a comma behind it.
std::string rivals_text() {
  std::string text, before;
  for (const ProblemKind& kind : problem_kinds()) {
    if (kind.rivals.empty()) continue;
    text += before + std::string(kind.rivals) + " (" + std::string(kind.name) + ")";
    before = ", ";
  }
  return text.empty() ? text : text + " ";
}

// Every player with the name of the action that it ends with, and the names of best actions in reports.
void set_names(ComparisonResult& result, const ActionNames& names) {
  if (names.empty()) return;
  for (ResultPlayer& player : result.players) {
    player.final_action_name = names.name(player.final_action);
    if (!player.report.is_null()) names.add_to(player.report);
  }
  for (std::size_t k = 0; result.portfolio && k < result.portfolio->strategies.size(); ++k) {
    ResultStrategy& strategy = result.portfolio->strategies[k];
    strategy.final_action_name = names.name(strategy.final_action);
  }
}

// What goes to standard output as a file must be alone there: text is then left out.
bool is_quiet(const CompareFlags& flags) {
  return takes_standard_output({{"--json", flags.json ? "-" : ""},
                                {"-o", flags.out},
                                {"--floors", flags.money.floors},
                                {"--decisions", flags.exported.decisions},
                                {"--save", flags.portfolio.save}}) ||
         flags.quiet;
}

// Prints and writes a result; `log`, where there is one, says what was read of it.
void hand_out(const CompareFlags& flags, const ComparisonResult& result, const LogData* log) {
  const std::string text = flags.out.empty() && !flags.json ? std::string() : dump(result_json(result));
  if (!flags.out.empty()) write_whole_file(flags.out, text + "\n");
  if (flags.json) {
    std::puts(text.c_str());
  } else if (!is_quiet(flags)) {
    show_comparison(result);
    if (log) log->print(LogData::Money::kElsewhere);
  }
}

int compare_command(const CompareFlags& flags) {
  for (const auto* path : {&flags.out, &flags.money.floors, &flags.exported.decisions, &flags.portfolio.save}) {
    for (const auto* other : {&flags.data.path, &flags.money.log, &flags.problem.from, &flags.problem.file}) {
      if (same_file(*path, *other))
        throw Error(Code::kUsage, "found the same file twice, expected another: it would be overwritten", *path);
    }
  }
  const bool quiet = is_quiet(flags);  // first, as it refuses two files on standard output
  if (read_once(flags.data.path)) {
    throw Error(Code::kUsage,
                std::string("found ") + (flags.data.path == "-" ? "standard input" : "a pipe") +
                    ", which is read once, expected a file: the best fixed action needs a second pass; save it to a "
                    "file first",
                "-d");
  }
  if (const auto stated = stated_log({.problem = flags.problem,
                                      .data = flags.data,
                                      .money = flags.money,
                                      .exported = flags.exported,
                                      .rounds = flags.rounds})) {
    if (flags.portfolio.any())
      throw Error(Code::kUnavailable,
                  "found a log of which nothing is played, expected none of the flags of portfolios", "--risk");
    hand_out(flags, stated->result, stated->log.get());
    if (!flags.exported.decisions.empty()) write_tested_prices(stated->result, flags.exported);
    return 0;
  }
  ProblemAndData opened = open_data({.problem = flags.problem, .data = flags.data, .money = flags.money});
  LogFacts log =
      opened.log ? flags.money.facts(opened.log->facts()) : flags.money.facts_of_table(opened.names, flags.data.path);
  const auto& problem = opened.problem;
  // How much of the log's money is hidden is known before anything is played.
  const Json whole = opened.log && opened.log->knows_money() ? opened.log->whole_summary() : log.summary;
  if (opened.log && opened.log->knows_money()) opened.log->check_hidden(whole.at("hidden"));
  // The currency of a column is known once the log has been read.
  if (const Json* found = whole.is_object() ? whole.find("currency") : nullptr;
      found && found->is_string() && log.currency.empty())
    log.currency = found->as_string();
  ComparisonPlan plan{.problem = problem,
                      .segments = flags.contexts.params(),
                      .holdout = flags.exported.share(flags.money),
                      .rivals = flags.rivals == "none" ? Rivals::kNone : Rivals::kAll,
                      .hedge_most = flags.hedge_most,
                      .seed = flags.seed,
                      .track = flags.track,
                      .rounds = flags.rounds,
                      .rehearsed = opened.rehearsed};
  // The source that is open serves the first pass; every later one opens the data anew.
  plan.open = [&] { return opened.source ? std::move(opened.source) : opened.again(flags.problem, flags.data); };
  if (opened.log && opened.log->knows_money()) {
    plan.as_logged = as_logged_of_log(*problem, log.cap, [source = opened.log] { return source->last_logged(); });
  } else {
    plan.as_logged = as_logged_of_rows(*problem, log.summary, log.cap);
  }
  if (opened.log && opened.log->knows_times()) plan.time = [source = opened.log] { return source->last_time(); };
  if (!opened.names.empty() && !flags.data.log.timestamp.empty())
    plan.time = [times = opened.times] { return times->last; };
  if (!flags.as_logged.empty())
    plan.as_logged = opened.logged.empty() ? as_logged_of_column(*problem, opened.names, flags.as_logged, "--as-logged")
                                           : as_logged_of_list(std::move(opened.logged));
  if (opened.log && !opened.log->rows() && opened.log->shares_slots())
    plan.slot_bids = [source = opened.log] { return source->last_slot_bids(); };
  if (flags.data.log.payment == "posted") {
    plan.most = [source = opened.log, problem](const AnyOutcome&) {
      AnyOutcome most;
      problem->game().read_outcome(source->last_most(), "most", most);
      return most;
    };
  }
  if (flags.data.log.top_hidden) {
    plan.most = most_of_hidden_top(*problem);
    if (!plan.most)
      throw Error(Code::kUnavailable, "found bids in [0,1], expected prices in money (--prices)", "--top-hidden");
  }
  const ActionMoney money(problem->game().money().get(), log.priced ? std::optional(log.cap) : std::nullopt);
  check_decisions(money, flags.exported);
  for (const auto& text : flags.learners) {
    plan.learners.push_back(parse_simulated_learner(text));
    for (const char* name : {"by", "open", "most"}) {
      if (plan.learners.back().params.find(name))
        throw Error(Code::kUsage, std::string("found ") + name + " of a learner, expected the flag --" + name, "-l");
    }
  }
  const ActionNames names(problem->kind(), opened.names);
  for (const auto& text : flags.fixed) {
    auto [name, action] = names.fixed(text, "--fixed");
    // Of two with one name the later one counts.
    std::erase_if(plan.fixed, [&](const NamedAction& earlier) { return earlier.name == name; });
    plan.fixed.push_back({std::move(name), std::move(action)});
  }
  const LogDoubts doubts = doubts_of_log(whole);
  const MoneyScale scale{.unit = log.cap,
                         .currency = log.currency,
                         .block = flags.block,
                         .seed = flags.seed,
                         .doubts = doubts,
                         .outside = most_outside(whole),
                         .largest = largest_amount(whole)};
  take_portfolio_flags(
      flags.portfolio,
      {.unit = problem->game().normaliser() * log.cap, .cap = log.cap, .largest = largest_gain(*problem, scale)}, plan);
  plan.open_aside = [&]() -> std::unique_ptr<Source> {
    TodaySource::Of of{
        .source = nullptr, .today = plan.as_logged, .proposals = plan.proposals, .hidden = plan.proposal_columns};
    if (opened.log) {
      const auto aside = opened.log->aside();
      of.source = aside->open(*problem);
      if (opened.log->knows_money() && flags.as_logged.empty())
        of.today = as_logged_of_log(*problem, log.cap, [aside] { return aside->last_logged(); });
    } else {
      of.source = opened.again(flags.problem, flags.data);
    }
    return std::make_unique<TodaySource>(std::move(of));
  };
  if (flags.learner_given) {
    check_named_portfolio(plan, doubts);
  } else {
    add_default_portfolio(plan, doubts);
  }
  // A portfolio hands on one decision for all, whatever its strategies do.
  const ColumnOrders orders = plan.segments.is_null() ? ColumnOrders{} : flags.contexts.orders();
  // Made before anything is played: a problem without floors is refused here and not after an hour.
  std::optional<FloorsFile> floors;
  if (!flags.money.floors.empty()) {
    floors.emplace(FloorsFile::Of{.flags = flags.money,
                                  .problem = FloorProblem::of(problem->game()),
                                  .orders = orders,
                                  .zone = zone_seconds(flags.data.log.zone, "--zone")},
                   log);
  }
  if (!flags.quiet && !flags.json) {
    plan.progress = [start = std::chrono::steady_clock::now()](std::uint64_t rounds) {
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (seconds > 2) fmt::print(stderr, "{:>10} rounds {:>8.0f} s\n", rounds, seconds);
    };
  }
  std::optional<PreparingNote> note;
  if (!flags.quiet && !flags.json) note.emplace();
  // An interrupt ends the program at once while learners are prepared, and between two rounds once they play.
  plan.stop = [&note, begun = false]() mutable {
    if (!begun) {
      begun = true;
      catch_interrupts();
      if (note) note->playing();
    }
    return interrupted();
  };
  const Comparison comparison = compare(plan);
  if (interrupted())
    throw Error(Code::kWorkLimit, "interrupted after " + std::to_string(comparison.rounds) + " rounds");
  if (comparison.rounds == 0 && comparison.rehearsed > 0)
    throw Error(Code::kEmpty,
                "found " + std::to_string(comparison.rehearsed) + " rounds, expected more than the first " +
                    std::to_string(opened.rehearsed) + ", which are rehearsed and not played",
                "--warm");
  if (comparison.rounds == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", flags.data.path);
  ComparisonResult result = comparison_result(comparison, *problem, scale);
  if (opened.log) log.summary = opened.log->summary();  // now that the log has been read
  if (!flags.contexts.by.empty())
    result.rows = {.context_not_a_number = static_cast<double>(comparison.context_not_numbers)};
  result.slots = log.slots;
  result.data = log.summary;
  if (opened.log) result.not_played = static_cast<double>(opened.log->not_played());
  if (looks_at_all_bids(flags.problem.prices)) result.prices_from = "all bids";
  result.first_gave_prices = opened.log && opened.log->gave_prices() && opened.rehearsed > 0;
  if (opened.times && !opened.times->first.empty())
    result.times = {.first = opened.times->first, .last = opened.times->last};
  set_names(result, names);
  result.take_money_facts(whole);
  hand_out(flags, result, opened.log.get());
  if (!flags.portfolio.save.empty()) write_whole_file(flags.portfolio.save, dump(comparison.portfolio->state) + "\n");
  // A best that is not proven ends as it does in `run` and `oracle`: a limit of work was reached.
  const int status = result.best.proven ? 0 : 1;
  if (!floors && flags.exported.decisions.empty()) return status;
  const ExportedDecision decision =
      exported_decision(result, {.which = flags.exported.which, .orders = orders, .words = [&](const Json& action) {
                                   const std::string name = names.name(action);
                                   return name.empty() ? action_words(problem->kind(), action) : name;
                                 }});
  if (!flags.exported.anyway)
    refuse_loss(decision, {.currency = log.currency,
                           .at = floors ? flags.money.floors : flags.exported.decisions,
                           .otherwise = "--anyway writes it"});
  if (!flags.exported.decisions.empty()) write_decisions(decision, money, log, flags.exported.decisions);
  if (floors) {
    floors->write(result.players[0].report, log, {decision.segments[0].action, model_text(decision)});
    if (!flags.json && !quiet) show_floor_functions(*floors);
  }
  return status;
}

}  // namespace

void define_compare(Command& command) {
  auto flags = std::make_shared<CompareFlags>();
  add_problem_flags(command, flags->problem);
  add_data_flags(command, flags->data);
  add_column_flags(command, flags->problem);
  command
      .add("-l,--learner", &flags->learners,
           "kind or kind:name=value,...; may be given again; else portfolio and " + default_learner())
      .again();
  command.add("--rivals", &flags->rivals, "all: besides the learners " + rivals_text() + "and hedge; or none")
      .one_of({"all", "none"})
      .show_default();
  command
      .add("--fixed", &flags->fixed,
           "an action to hold the others against, name=action as JSON, e.g. --fixed 'today=[12,10,8]'; of " +
               kinds_text(rows_are_losses) + " also the name of a column; may be given again")
      .again();
  command.add("--hedge-most", &flags->hedge_most, "hedge joins up to this many actions").show_default();
  command.add("--as-logged", &flags->as_logged,
              kinds_text(rows_are_losses) + ": the column that is in use today; " + kinds_text(decides_in_file) +
                  ": the column of --from with the labels that were decided, no feature. The baseline of all others");
  constexpr const char* kPart = "Rounds that are seen in part";
  command.add("--feedback", &flags->feedback, "what learners see of each outcome")
      .one_of({"full", "looks", "elements"})
      .in_group(kPart);
  command.add("--look", &flags->look, "what is played in a look, or null").in_group(kPart);
  command.add("--set", &flags->set, "a parameter of all learners, e.g. share=logged").again().in_group(kPart);
  add_money_flags(command, flags->money);
  add_context_flags(command, flags->contexts);
  add_export_flags(command, flags->exported);
  add_portfolio_flags(command, flags->portfolio);
  command.add("--block", &flags->block, "rounds in a block of the bootstrap, about; 0: a hundredth of all")
      .show_default();
  command.add("--seed", &flags->seed, "seed of all randomness").show_default();
  command
      .add("--track", &flags->track,
           "when the learners look for the best action in hindsight: every round, powers, end")
      .one_of({"every", "powers", "end"})
      .show_default();
  command.add("--rounds", &flags->rounds, "play at most this many rounds; 0: all").show_default();
  add_threads_flag(command, flags->threads);
  command.add("-o,--out", &flags->out, "write the result, paths included, to this JSON file");
  command.add("--json", &flags->json, "print the result as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing");
  command.examples = {"hannan convert log.csv --cap 50 -o bids.csv --summary bids.json",
                      "hannan compare vcg-reserves --param levels=100 -d bids.csv --log bids.json -o result.json",
                      "hannan compare vcg-reserves --param levels=20 -d bids.csv -l flipflop -l gftpl:c=0.5 --cap 50",
                      "hannan compare vcg-reserves --param levels=50 -d log.csv --format long --round auction \\\n"
                      "    --cap-quantile 0.99 -n 5 -o result.json",
                      "hannan compare vcg-reserves --param bidders=2 --param levels=50 -d bids.csv --by country,site"};
  command.run = [flags, &command] {
    if (!flags->problem.from.empty() && flags->data.path.empty() && decides_in_file(problem_kind(flags->problem.kind)))
      flags->problem.decided = flags->as_logged;
    settle_data_flags({.command = command,
                       .problem = flags->problem,
                       .data = flags->data,
                       .money = flags->money,
                       .contexts = flags->contexts});
    for (const std::string& column : flags->portfolio.context()) flags->data.by.push_back(column);
    flags->data.proposed = flags->portfolio.columns();
    flags->learner_given = command.given("--learner");
    const SearchThreads threads(flags->threads);
    if (flags->feedback == "full") {
      if (!flags->set.empty() || !flags->look.empty())
        throw Error(Code::kUsage, "found --set or --look, expected --feedback looks or elements with it", "--feedback");
      return compare_command(*flags);
    }
    return compare_part({.problem = flags->problem,
                         .data = flags->data,
                         .money = flags->money,
                         .learners = flags->learners,
                         .set = flags->set,
                         .feedback = flags->feedback,
                         .look = flags->look,
                         .seed = flags->seed,
                         .out = flags->out,
                         .json = flags->json,
                         .quiet = flags->quiet});
  };
}

}  // namespace hannan::detail::cli
