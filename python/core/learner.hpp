// A learner as Python holds it. One caller at a time: a second one gets RuntimeError.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "action_names.hpp"
#include "contexts.hpp"
#include "hannan/play/hindsight.hpp"
#include "hannan/play/play.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/best_known.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/row_reader.hpp"
#include "outcomes.hpp"
#include "played_rounds.hpp"
#include "record_file.hpp"
#include "refused_arguments.hpp"
#include "round_tuples.hpp"
#include "signals.hpp"
#include "values.hpp"

namespace hannan::detail::python {

class PyLearner {
 public:
  PyLearner(std::shared_ptr<AnyProblem> problem, const std::string& kind, const py::dict& params)
      : PyLearner(problem, problem->turn(kind, to_json(params, "params"))) {}
  PyLearner(std::shared_ptr<AnyProblem> problem, AnyTurn learner)
      : problem_(std::move(problem)), learner_(std::move(learner)), reader_(learner_->game()) {
    for (const auto& row : problem_kinds()) {
      if (row.name == learner_->game().kind()) index_ = row.action_labels.shape == ActionLabels::Shape::kIndex;
    }
  }

  static std::unique_ptr<PyLearner> load(const std::string& text) {
    const Json state = parse_json(text);
    AnyTurn learner = load_turn(state);
    const Json& named = state.at("problem");
    std::shared_ptr<AnyProblem> problem = make_problem(named.at("kind").as_string(), named.at("params"), "state");
    return std::make_unique<PyLearner>(std::move(problem), std::move(learner));
  }

  AnyLearner& learner() { return *learner_; }
  const AnyTurn& turn() const { return learner_; }
  const std::shared_ptr<AnyProblem>& problem() const { return problem_; }
  bool index() const { return index_; }

  // `awake`: for experts that sleep, those that can be chosen; None: as it was said before, or all of them.
  py::object act(const py::object& context, const py::object& round, const py::object& awake) {
    const Use use(*this);
    return learner_.visit(
        [&](PlainLearner& learner) {
          refuse_awake(awake);
          refuse_context(context);
          refuse_round(round);
          return action_of(learner.act());
        },
        [&](DelayedLearner& learner) {
          refuse_awake(awake);
          refuse_context(context);
          return action_of(learner.act(round_number(round)).action_json());
        },
        [&](ContextLearner& learner) {
          refuse_awake(awake);
          refuse_round(round);
          const ContextValues values = context_of(context, learner, "context");
          return action_of(learner.act(values).action_json());
        },
        [&](SleepingLearner& learner) {
          if (!awake.is_none()) learner.wake(to_integers(names_.places(to_json(awake, "awake"), "awake"), "awake"));
          refuse_context(context);
          refuse_round(round);
          return action_of(learner.act().action_json());
        },
        [&](PortfolioLearner& learner) {
          refuse_awake(awake);
          refuse_round(round);
          seen_context_ = portfolio_context(context, learner);
          return action_of(learner.act({seen_context_, {}}).action_json());
        },
        [&](PartLearner& learner) {
          refuse_awake(awake);
          refuse_context(context);
          refuse_round(round);
          return action_of(learner.act().action_json());
        });
  }
  // Actions are shown by these names from now on; only where they are places of columns.
  void name_actions(std::vector<std::string> names) { names_.set(std::move(names)); }
  // Calls `what` with the learner, while no other thread may use it (portfolio.hpp).
  template <class What>
  py::object held(const What& what) {
    const Use use(*this);
    return what(learner_);
  }
  // What each open segment of a context would play.
  py::list nodes(const py::object& context) {
    const Use use(*this);
    ContextLearner& learner = tree();
    return nodes_of(learner, context_of(context, learner, "context"));
  }
  // Segments at or below one, in order of their paths: {segments, complete}.
  py::object segments(const std::vector<std::string>& under, std::uint64_t limit) {
    const Use use(*this);
    auto listing = tree().segments(under, limit);
    return from_json(Json::object({{"segments", std::move(listing.list)}, {"complete", listing.complete}}));
  }
  py::object decision(const py::object& round) {
    const Use use(*this);
    return learner_.visit(
        [&](PlainLearner& learner) {
          refuse_round(round);
          const Round& decided = learner.act();
          return decision_tuple(decided, action_of(decided));
        },
        [&](DelayedLearner& learner) { return decision_of(learner.act(round_number(round))); },
        [&](ContextLearner&) -> py::object {
          refuse_round(round);
          throw Error(Code::kMissingField,
                      "found no context, expected one: this learner has a decision for every segment", "context");
        },
        [&](auto& learner) {  // asleep, by proposals, seen in part
          refuse_round(round);
          return decision_of(learner.act());
        });
  }
  // Numbers of the action of the coming round, without a new array: [3, 1, 4], or [2] for an index.
  void action_row(py::array_t<std::int32_t, py::array::c_style> into) {
    const Use use(*this);
    PlainLearner* const learner = learner_.as<PlainLearner>();
    if (!learner || !learner->game().action_row(*learner->act().action, row_))
      throw Error(Code::kUnavailable, "the actions of this problem are no rows of whole numbers", "problem");
    if (static_cast<std::size_t>(into.size()) != row_.size())
      throw Error(
          Code::kColumnCount,
          "found an array of " + std::to_string(into.size()) + " numbers, expected " + std::to_string(row_.size()),
          "into");
    std::copy(row_.begin(), row_.end(), into.mutable_data());
  }

  // A row with names is left to the next function of this name (module.cpp). `warm`: the round is rehearsed.
  py::object observe(const py::object& outcome, const py::object& context, const py::object& round, bool warm) {
    if (reader_.width() > 1 && has_names(outcome)) throw py::reference_cast_error();
    const Use use(*this);
    if (warm) learner_->check_rehearsal("warm");
    py::object step = observed(outcome, context, round);
    if (warm) learner_->count_as_rehearsed();
    return step;
  }

  struct Wanted {
    bool actions = false;
    py::object progress;     // called with a dict; None: not at all
    std::string record;      // a file; empty: none
    py::object contexts;     // one for every outcome, where the learner takes them; None: without
    std::size_t first = 0;   // the number of the first outcome, for messages
    std::uint64_t warm = 0;  // rounds of the learner up to this one are rehearsed
  };
  // Plays every outcome of the list. {losses, best, actions, progress}; actions as a flat list with its offsets, since
  // those of some problems differ in length.
  py::dict play(const py::object& given, const Wanted& wanted) {
    const Use use(*this);
    Outcomes outcomes = outcomes_of(given, learner_->game(), wanted.first);
    const ContextLearner* const tree = learner_.as<ContextLearner>();
    if (!tree) refuse_context(wanted.contexts);
    if (tree) outcomes.contexts = contexts_of(wanted.contexts, *tree, outcomes.size());
    const auto source = outcomes.open(learner_->game());
    PlayedRounds played(outcomes.size());
    std::optional<Hindsight> hindsight;
    Signals signals;
    std::unique_ptr<RecordFile> record;
    if (!wanted.record.empty()) record = std::make_unique<RecordFile>(wanted.record, *problem_, *learner_);
    Listeners to;
    to.stop = [&signals] { return signals.stop(); };
    if (wanted.warm > learner_->rounds()) learner_->check_rehearsal("warm");
    to.observed = [&, warm = wanted.warm](const Round& seen) {
      if (learner_->rounds() <= warm) return learner_->count_as_rehearsed();
      played.add(seen);
    };
    py::list rows;
    if (!wanted.progress.is_none()) {
      to.progress = [&](const ProgressRow& row) {
        const py::gil_scoped_acquire lock;
        py::dict dict = progress_dict(row, learner_->setting());
        rows.append(dict);
        if (PyCallable_Check(wanted.progress.ptr())) wanted.progress(dict);
      };
    }
    if (learner_.as<PartLearner>()) {
      hindsight.emplace(learner_->game());
      to.hidden = [&hindsight](const Round& round, const AnyOutcome& y) { hindsight->round(*round.action, y); };
    }
    listen(to, wanted.actions ? &played : nullptr, record.get());
    if (to.acted && wanted.warm > learner_->rounds()) {  // what is rehearsed is no action of the run
      to.acted = [this, keep = std::move(to.acted), warm = wanted.warm](const Round& round) {
        if (learner_->rounds() >= warm) keep(round);
      };
    }
    {
      const py::gil_scoped_release free;
      hannan::detail::play(learner_, *source, to, outcomes.size());
      if (record) record->end(*learner_);
    }
    signals.rethrow();
    py::dict all = played.dict(std::move(rows));
    if (hindsight) all["hindsight"] = from_json(hindsight->json());
    return all;
  }

  py::object report() {
    const Use use(*this);
    return from_json(with_best_range(learner_->report(), learner_->game()));
  }
  py::bytes save() {
    const Use use(*this);
    return py::bytes(dump(learner_->save()));
  }
  // {total, best, regret, rounds, bound}: looks for L* if need be. Of a learner that sees a part, what is not seen is
  // None. Experts that sleep have no best: the regret is the
  // largest of theirs, as in the report.
  py::dict facts() {
    const Use use(*this);
    const RunFacts run = learner_->facts();
    const SleepingLearner* const sleepers = learner_.as<SleepingLearner>();
    py::dict facts;
    facts["total"] = run.total;
    facts["best"] = sleepers ? py::object(py::none()) : py::object(py::float_(run.best));
    facts["regret"] = sleepers ? *std::ranges::max_element(sleepers->regrets()) : run.total - run.best;
    facts["rounds"] = run.rounds;
    facts["oracle_calls"] = run.oracle_calls;
    if (learner_.as<PartLearner>()) {
      for (const char* name : {"total", "best", "regret", "bound"}) facts[name] = py::none();
      return facts;
    }
    const auto stated = learner_->bound();
    facts["bound"] = optional_float(sleepers ? least_bound(learner_->report())
                                    : stated ? std::optional(stated->value)
                                             : std::nullopt);
    return facts;
  }

 private:
  py::object observed(const py::object& outcome, const py::object& context, const py::object& round) {
    return learner_.visit(
        [&](PlainLearner& learner) {
          refuse_context(context);
          refuse_round(round);
          learner.act();
          return step_tuple(learner.observe(read(outcome)));
        },
        [&](DelayedLearner& learner) {
          refuse_context(context);
          const std::uint64_t number = round_number(round);
          return step_tuple(learner.observe(number, read(outcome)));
        },
        [&](ContextLearner& learner) {
          refuse_round(round);
          const ContextValues values = context_of(context, learner, "context");
          return step_tuple(learner.observe(values, read(outcome)));
        },
        [&](SleepingLearner& learner) {  // without act, the outcome says who is awake
          refuse_context(context);
          refuse_round(round);
          return step_tuple(learner.observe(read(outcome)));
        },
        [&](PortfolioLearner& learner) {
          refuse_round(round);
          seen_context_ = portfolio_context(context, learner);
          return step_tuple(told(learner, {seen_context_, {}}, read(outcome)));
        },
        [&](PartLearner& learner) {
          refuse_context(context);
          refuse_round(round);
          PartLearner::Seen seen;
          if (!outcome.is_none()) seen.outcome = &read(outcome);
          return step_tuple(learner.observe(seen));
        });
  }

  // Held while a call is running.
  // Python may call from several threads: the second one is refused at once, since waiting under the interpreter's lock
  // could deadlock with a call that needs that lock.
  class Use {
   public:
    explicit Use(PyLearner& learner) : learner_(learner) {
      if (learner_.busy_.exchange(true))
        throw std::runtime_error("another thread is using this learner; give every thread a learner of its own");
    }
    ~Use() { learner_.busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    PyLearner& learner_;
  };

  // `played` keeps the actions, `record` the lines, where they are there.
  void listen(Listeners& to, PlayedRounds* played, RecordFile* record) {
    const auto keep = [played](const Round& round) {
      if (played && !round.rehearsed()) played->others.push_back(round.action_json());
    };
    const auto keep_and_record = [=](const Round& round) {
      if (record) record->round(round);
      keep(round);
    };
    const auto record_alone = [record](const Round& round) { record->round(round); };
    learner_.visit(
        [&](PlainLearner&) {
          if (played) to.acted = [this, played](const Round& round) { played->take(round, row_); };
          if (record) to.round = record_alone;
        },
        [&](DelayedLearner&) {  // a decision has a line of its own
          to.acted = [=](const Round& round) {
            keep(round);
            if (record) record->decided(round);
          };
          if (record) to.round = [record](const Round& round) { record->arrived(round); };
        },
        [&](auto&) {  // by context, asleep, by proposals, seen in part
          if (played || record) to.round = keep_and_record;
        });
  }

  py::object action_of(const Round& decided) {
    if (!learner_->game().action_row(*decided.action, row_)) return action_of(decided.action_json());
    if (index_) return names_.shown(row_[0]);
    return py::array_t<std::int32_t>(row_.size(), row_.data());
  }

  // The same, from JSON.
  py::object action_of(const Json& chosen) const {
    const auto whole = [](const Json& value) {
      return value.is_number() && value.as_number() == std::floor(value.as_number());
    };
    if (index_ && whole(chosen)) return names_.shown(static_cast<std::int64_t>(chosen.as_number()));
    if (!chosen.is_array() || !std::ranges::all_of(chosen.as_array(), whole)) return from_json(chosen);
    py::array_t<std::int32_t> row(static_cast<py::ssize_t>(chosen.size()));
    for (std::size_t i = 0; i < chosen.size(); ++i)
      row.mutable_data()[i] = static_cast<std::int32_t>(chosen[i].as_number());
    return row;
  }
  ContextLearner& tree() {
    if (ContextLearner* tree = learner_.as<ContextLearner>()) return *tree;
    throw Error(Code::kUnavailable, "found a learner without contexts, expected one with by=[...]", "by");
  }

  // A row of doubles is read where it lies; everything else is a JSON value. Valid until the next one.
  const AnyOutcome& read(const py::object& outcome) {
    const Game& game = learner_->game();
    if (reader_.width() > 0 && py::isinstance<py::array>(outcome)) {
      const auto row = Rows::ensure(with_gaps(outcome));
      if (!row) throw py::error_already_set();
      if (row.ndim() != 1 || static_cast<std::size_t>(row.size()) != reader_.width())
        throw Error(Code::kColumnCount,
                    "found an array of " + std::to_string(row.size()) + " numbers in " + std::to_string(row.ndim()) +
                        " dimensions, expected a row of " + std::to_string(reader_.width()),
                    "outcome");
      const std::span<const double> numbers(row.data(), reader_.width());
      const auto where = [](std::size_t j) { return "outcome[" + std::to_string(j) + "]"; };
      for (std::size_t j = 0; j < numbers.size() && !reader_.wants_gaps(); ++j) {
        if (std::isnan(numbers[j])) throw Error(Code::kNotANumber, "found NaN, expected a finite number", where(j));
      }
      reader_.check(numbers, where);
      reader_.read(numbers, outcome_);
      return outcome_;
    }
    return learner_->read(json_of_outcome(outcome, "outcome", game), "outcome");
  }

  py::object decision_of(const Round& decided) const {
    return decision_tuple(decided, action_of(decided.action_json()));
  }

  std::shared_ptr<AnyProblem> problem_;
  AnyTurn learner_;
  RowReader reader_;
  bool index_ = false;  // actions are indices
  ActionNames names_;
  std::atomic<bool> busy_ = false;
  AnyOutcome outcome_;
  std::vector<std::int32_t> row_;
  ContextValues seen_context_;  // of the coming round of a portfolio
};

}  // namespace hannan::detail::python
