// `hannan run`: plays a learner over data and writes decisions, record, state and report. Durability: a state of round
// n is written only after decisions and record hold n rounds on disk (save_with_files), and replaces the old state as a
// whole, so that --resume always finds files that are at or ahead of the state and cuts them back to it. Signals and
// failures end the run after the current round; what was asked for is written all the same.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "command.hpp"
#include "data.hpp"
#include "floors.hpp"
#include "hannan/core/error.hpp"
#include "hannan/oracles/search_threads.hpp"
#include "hannan/play/hindsight.hpp"
#include "hannan/play/play.hpp"
#include "hannan/runtime/best_known.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/state_digest.hpp"
#include "interrupt.hpp"
#include "logged_today.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "run_flags.hpp"
#include "standard_output.hpp"
#include "threads_flag.hpp"

namespace hannan::detail::cli {
namespace {

class RunCommand {
 public:
  explicit RunCommand(const RunFlags& flags) : flags_(flags), data_(flags.data) {}

  // Flags are checked and everything is opened before interrupts are caught: until then Ctrl-C ends the program at
  // once, and nothing has been written.
  int operator()() {
    const SearchThreads threads(flags_.threads);
    quiet_ = check_run_files(flags_);
    open();
    add_today();
    catch_interrupts();
    open_floors();
    begin();
    std::optional<Error> stopped;
    try {
      play(learner_, today_ ? *today_ : *source_, listeners(), most_rounds());
    } catch (const Error& e) {
      stopped = e;  // what was played before it is kept
    }
    if (stopped && stopped->code() == Code::kCannotWrite) throw Error(stopped->code(), lost(*stopped), stopped->at());
    keep();
    if (stopped && !(interrupted() && stopped->code() == Code::kWorkLimit)) {
      const std::string kept = "; the " + std::to_string(learner_->rounds()) + " rounds before it are kept" +
                               (flags_.save.empty() ? "" : " in " + flags_.save);
      throw Error(stopped->code(), stopped->message() + kept + print_after_failure(), stopped->at());
    }
    print();
    if (!flush_output()) return 0;  // which fails where the program ends
    if (interrupted()) {
      throw Error(Code::kWorkLimit, "interrupted after " + std::to_string(learner_->rounds()) + " rounds" +
                                        (flags_.save.empty() ? "" : "; go on with --resume " + flags_.save));
    }
    if (learner_->rounds() == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", flags_.data.path);
    if (learner_->rounds() <= rehearsed_ && flags_.rounds > 0)
      throw Error(Code::kEmpty,
                  "found " + std::to_string(learner_->rounds()) + " rounds, expected more than the first " +
                      std::to_string(rehearsed_) + ", which are rehearsed and not played",
                  "--warm");
    // A search stopped early, of a choice or of the best there was, and the report says so.
    return left_unproven(learner_->facts()) > 0 ? 1 : 0;
  }

 private:
  DataRequest request() const { return {.problem = flags_.problem, .data = data_, .money = flags_.money}; }
  void take(ProblemAndData opened) {
    problem_ = std::move(opened.problem);
    source_ = std::move(opened.source);
    bids_ = std::move(opened.log);
    names_ = std::move(opened.names);
    logged_ = std::move(opened.logged);
    rehearsed_ = opened.rehearsed;
  }
  // A portfolio whose today is logged is told its loss in every round.
  void add_today() {
    const auto* portfolio = learner_.as<PortfolioLearner>();
    if (!portfolio || !portfolio->takes_today()) {
      if (flags_.as_logged.empty()) return;
      throw Error(Code::kUsage, "found no portfolio whose today is logged, expected one with it", "--as-logged");
    }
    today_ = with_logged_today(*source_, {.column = flags_.as_logged,
                                          .problem = *problem_,
                                          .names = names_,
                                          .losses = std::move(logged_),
                                          .bids = bids_,
                                          .log = log_,
                                          .played = learner_->rounds()});
  }
  // Rounds that are rehearsed are not counted among those of --rounds.
  std::uint64_t most_rounds() const {
    const std::uint64_t more = rehearsed_ - std::min(rehearsed_, learner_->rounds());
    return flags_.rounds + std::min(more, std::numeric_limits<std::uint64_t>::max() - flags_.rounds);
  }

  // The parameters of the learner, with the columns of --by.
  Json learner_params() const {
    Json params = flags_.learner.params(0);
    if (rehearsed_ > 0 && takes(flags_.learner.name(), "warm")) params.set("warm", rehearsed_);
    for (const char* name : {"by", "open", "most"}) {
      if (params.find(name))
        throw Error(Code::kUsage, std::string("found --set ") + name + ", expected the flag --" + name, "--set");
    }
    if (!data_.by.empty())
      params.set("by", orders_json(flags_.contexts.orders()))
          .set("open", flags_.contexts.open)
          .set("most", flags_.contexts.most);
    return params;
  }

  // The columns come with the saved state; those that are given again must be the same.
  void check_same_columns() {
    const ColumnOrders saved = orders_of(learner_), given = flags_.contexts.orders();
    if (!given.empty() && given != saved) {
      throw Error(Code::kBadState,
                  "found --by " + dump(orders_json(given)) + ", expected " + dump(orders_json(saved)) +
                      " as in the saved state: its learner has these columns",
                  flags_.resume);
    }
    data_.by = all_columns(saved);
  }

  // A resumed run reads the data from the beginning: the rounds that were played are passed over and their digest is
  // held against the state's.
  void open() {
    if (flags_.resume.empty()) {
      take(learns_from_log(learner_params()) ? open_control_log(flags_) : open_data(request()));
      learner_ = problem_->turn<ReplayTurn>(flags_.learner.name(), learner_params());
      if (!flags_.save.empty()) source_->keep_digest();
      return open_files(nullptr);
    }
    const Json state = read_json_file(flags_.resume);
    learner_ = load_turn_of<ReplayTurn>(state);
    check_same_learner(flags_, *learner_);
    check_same_columns();
    const Json& problem = state.at("problem");
    if (problem.at("kind").as_string() != flags_.problem.kind) {
      throw Error(
          Code::kBadState,
          "found a run of \"" + problem.at("kind").as_string() + "\", expected one of \"" + flags_.problem.kind + "\"",
          flags_.resume);
    }
    take(open_source(make_problem(problem.at("kind").as_string(), problem.at("params"), flags_.resume), request()));
    if (const auto saved = state.find_number("warm")) rehearsed_ = static_cast<std::uint64_t>(*saved);
    if (learner_->rounds() > learner_->rehearsed().rounds) rehearsed_ = learner_->rehearsed().rounds;
    const std::uint64_t played = learner_->rounds();
    source_->keep_digest();
    for (std::uint64_t t = 0; t < played; ++t) {
      if (!source_->skip()) {
        throw Error(Code::kTruncated,
                    "found " + std::to_string(t) + " outcomes, expected at least the " + std::to_string(played) +
                        " that were played",
                    flags_.data.path);
      }
    }
    if (const Json* data = state.find("data");
        data && data->is_string() && data->as_string() != source_->digest_of(played)) {
      throw Error(Code::kBadState, "the first " + std::to_string(played) + " outcomes are not those that were played",
                  flags_.data.path);
    }
    open_files(&state);
  }

  // Nothing is changed before both are found to be those of this run. Whoever sees a part has no ledger, but a digest.
  void open_files(const Json* state) {
    log_ = bids_ ? flags_.money.facts(bids_->facts()) : flags_.money.facts_of_table(names_, flags_.data.path);
    const auto earlier = [&](const char* name) -> std::optional<EarlierRounds> {
      if (!state) return std::nullopt;
      const Json* ledger = state->at("state").find("ledger");
      EarlierRounds found{.rounds = learner_->rounds(),
                          .total = ledger ? ledger->at("total").as_number() : 0.0,
                          .digest = std::nullopt};
      const Json* files = state->find("files");
      const Json* digest = files && files->is_object() ? files->find(name) : nullptr;
      if (digest && digest->is_string()) found.digest = digest->as_string();
      return found;
    };
    // Rounds that are rehearsed have no line there.
    const auto earlier_decisions = [&] {
      auto found = earlier("decisions");
      if (found && learner_->rounds() == learner_->rehearsed().rounds) found->rounds = 0;
      return found;
    };
    if (!flags_.decisions.empty())
      decisions_ = std::make_unique<DecisionsFile>(
          flags_.decisions,
          learner_.as<ContextLearner>() ? DecisionsFile::Decides::kBySegment : DecisionsFile::Decides::kForAll,
          earlier_decisions(),
          ActionMoney(problem_->game().money().get(), log_.priced ? std::optional(log_.cap) : std::nullopt));
    // Where a part of the data was seen the record says nothing of the rest, not even a digest.
    const std::string data = data_.path.empty() ? flags_.problem.from : data_.path;
    if (!flags_.record.empty())
      record_ = std::make_unique<RecordFile>(
          flags_.record, RecordFile::Run{*problem_, *learner_, learner_.as<PartLearner>() ? "" : data},
          earlier("record"));
  }

  // The state first, so that it is never ahead of the files: the state of an earlier run over a record that starts
  // anew could not be resumed.
  void begin() {
    if (flags_.resume.empty() && !flags_.save.empty() && regular_or_none(flags_.save)) save();
    saved_ = learner_->rounds();
    if (decisions_) decisions_->begin();
    if (record_) record_->begin();
    if (const auto* portfolio = learner_.as<PortfolioLearner>(); portfolio && !quiet_ && !flags_.json)
      show_risk(stdout, *portfolio);
  }

  // Order within a round: decisions and record first, then, when the round is settled, the state.
  Listeners listeners() {
    Listeners to;
    to.stop = [this] { return interrupted() || !printed_; };
    if (rehearsed_ > learner_->rehearsed().rounds) {
      to.observed = [this](const Round&) {
        if (learner_->rounds() <= rehearsed_) learner_->count_as_rehearsed();
      };
    }
    if (!quiet_ && !flags_.json) {
      to.progress = [this](const ProgressRow& row) {
        if (row.round > rehearsed_) printed_ = table_.show(row);
      };
    }
    if (learner_.as<PartLearner>() && learner_->rounds() == 0 && !source_->tells()) {
      hindsight_.emplace(problem_->game());
      to.hidden = [this](const Round& round, const AnyOutcome& y) { hindsight_->round(*round.action, y); };
    }
    if (flags_.save_every > 0) {
      to.settled = [this] {
        if (learner_->rounds() % flags_.save_every == 0) save_with_files();
      };
    }
    if (decisions_ || record_) {
      to.round = [this](const Round& round) {
        if (decisions_ && !round.rehearsed()) decisions_->round(round);
        if (record_) record_->round(round);
      };
    }
    return to;
  }

  // What needs no search, first: decisions and state.
  void keep() {
    save_with_files();
    if (decisions_) decisions_->close();
  }

  // A state of round n is on disk only when both files hold n rounds there.
  void save_with_files() {
    try {
      if (decisions_) decisions_->sync();
      if (record_) record_->sync();
      if (!flags_.save.empty()) save();
    } catch (const Error& e) {
      throw Error(e.code(), lost(e), e.at());
    }
  }
  // Whole or not at all: the old state stays until the new one is on disk.
  void save() {
    Json state = learner_->save().set("data", source_->digest_of(learner_->rounds()));
    if (rehearsed_ > 0) state.set("warm", rehearsed_);
    if (learner_->rounds() > 0 && (decisions_ || record_)) {
      Json files = Json::object();
      if (decisions_) files.set("decisions", decisions_->digest());
      if (record_) files.set("record", record_->digest());
      state.set("files", std::move(files));
    }
    write_whole_file(flags_.save, dump(sealed(state)) + "\n");
    saved_ = learner_->rounds();
  }
  // What a failed write has cost.
  std::string lost(const Error& e) const {
    if (flags_.save.empty() || !regular_or_none(flags_.save) || e.message().find("--resume") != std::string::npos)
      return e.message();
    return e.message() + "; the state of round " + std::to_string(saved_) + " stands: go on with --resume " +
           flags_.save;
  }

  // An oracle that has failed may be needed once more, for L*, and fail again: then there is no report.
  std::string print_after_failure() {
    try {
      print();
      return {};
    } catch (const Error& e) {
      return "; no report: " + code_name(e.code()) + " again";
    }
  }

  // The record ends with the report, so it is written here and not with the rounds.
  void print() {
    if (record_) record_->end(*learner_);
    if (learner_->rounds() == 0) return;
    const ActionNames names(problem_->kind(), names_);
    Json report = learner_->report();
    names.add_to(report);
    report = with_best_range(std::move(report), problem_->game());
    if (learner_.as<PartLearner>() && !source_->tells())
      report.set("hindsight", hindsight_ ? hindsight_->json() : Json());
    if (bids_) log_.summary = bids_->summary();  // now that the log has been read
    if (!flags_.summary.empty()) write_whole_file(flags_.summary, pretty(summary(report)) + "\n");
    if (flags_.json) {
      std::puts(dump(report).c_str());
    } else if (!quiet_) {
      show_report(stdout, report, names);
      const auto sets_c = [](const std::string& setting) { return setting.starts_with("c="); };
      if (std::ranges::none_of(flags_.learner.set, sets_c)) show_suggestion(stdout, report);
      if (bids_) bids_->print();
    }
    if (!floors_) return;
    floors_->write(report, log_);
    if (!flags_.json && !quiet_) show_floor_functions(*floors_);
  }

  // The report, the problem, the decision for the next round, and where the data came from.
  Json summary(Json report) {
    if (!data_.by.empty()) report.set("rows", Json::object({{"context_not_a_number", source_->context_not_numbers()}}));
    return report.set("problem_params", problem_->params())
        .set("next_action", next_action(learner_))
        .set("cap", log_.cap)
        .set("currency", log_.currency)
        .set("slots", Json(log_.slots))
        .set("data", log_.summary);
  }

  void open_floors() {
    if (flags_.money.floors.empty()) return;
    const ContextLearner* tree = learner_.as<ContextLearner>();
    floors_.emplace(FloorsFile::Of{.flags = flags_.money,
                                   .problem = FloorProblem::of(problem_->game()),
                                   .orders = tree ? tree->orders() : ColumnOrders{},
                                   .zone = zone_seconds(flags_.data.log.zone, "--zone")},
                    log_);
  }

  const RunFlags& flags_;
  DataFlags data_;  // with the columns of --by, or of the saved state
  LogFacts log_;
  std::shared_ptr<AnyProblem> problem_;
  std::unique_ptr<Source> source_;
  std::unique_ptr<Source> today_;   // the same with the loss of what is done today, where a portfolio needs it
  std::vector<std::string> names_;  // of the columns of a table
  std::vector<double> logged_;      // losses of what was decided, where the problem's own file says them
  std::shared_ptr<LogData> bids_;   // where the outcomes are made from a bid log
  ReplayTurn learner_;
  std::unique_ptr<DecisionsFile> decisions_;
  std::unique_ptr<RecordFile> record_;
  std::optional<FloorsFile> floors_;
  ProgressTable table_{stdout};
  std::optional<Hindsight> hindsight_;  // of a learner that sees a part, from its first round on
  std::uint64_t rehearsed_ = 0;         // the first rounds, so many, are learned from and not played
  std::uint64_t saved_ = 0;             // the round of the state on disk
  bool quiet_ = false;
  bool printed_ = true;  // standard output can be written
};

}  // namespace

void define_run(Command& command) {
  auto flags = std::make_shared<RunFlags>();
  add_run_flags(command, *flags);
  command.examples = {"hannan run experts -d losses.csv",
                      "hannan run experts -d losses.csv.gz -l gftpl --set c=0.5 --set perturbation=one-hot --seed 7",
                      "hannan run experts -d losses.csv --rounds 500 --save state.json -p decisions.csv",
                      "hannan run experts -d losses.csv --resume state.json -p decisions.csv",
                      "hannan run finite-game --params game.json -d outcomes.csv --json",
                      "hannan run vcg-reserves --param levels=50 -d log.csv.gz --format long --bidder buyer \\\n"
                      "    --bid amount -n 5 --cap-quantile 0.99",
                      "hannan run experts -d losses.csv -l portfolio --set risk=4 --set today=0",
                      "hannan run item-pricing --param levels=20 -d log.csv --format long --item good --cap 100",
                      "hannan run vcg-reserves --param bidders=2 --param levels=50 -d bids.csv --by country,site"};
  command.run = [flags, &command] {
    if (!flags->problem.from.empty() && flags->data.path.empty() && problem_kind(flags->problem.kind).decided_in_file)
      flags->problem.decided = flags->as_logged;
    flags->learner.kind_given = command.given("--learner");
    flags->learner.seed_given = command.given("--seed");
    flags->learner.track_given = command.given("--track");
    settle_data_flags({.command = command,
                       .problem = flags->problem,
                       .data = flags->data,
                       .money = flags->money,
                       .contexts = flags->contexts});
    return RunCommand(*flags)();
  };
}

}  // namespace hannan::detail::cli
