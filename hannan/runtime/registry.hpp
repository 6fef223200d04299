// Problems by name: one row for every line of problems/all.hpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "hannan/game/log_use.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/imported.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {

struct ProblemKind {
  std::string_view name;
  std::string_view about;
  std::string_view columns_param;  // the parameter that a table's number of columns gives; empty: none
  std::unique_ptr<AnyProblem> (*make)(const Json& params, std::string_view path) = nullptr;
  std::string_view file_about;  // what file the problem can be read from; empty: none
  // Fills in what the file says; null where there is no such file.
  Imported (*import)(Json params, const std::string& file) = nullptr;
  ActionLabels action_labels;
  ProblemInstances instances;  // to test and measure it with; may be empty
  ProblemHelp help;            // its parameters and an example; may be empty
  // What is known of all problems of the kind.
  LogUse log;               // what a log is to them
  bool money = false;       // they say something of money (game/money.hpp)
  std::string_view rivals;  // who plays them without a learner, for help texts; empty: there are none
  Simulation simulation = Simulation::kMarket;
  bool takes_table = false;      // `losses` or `rewards` of all actions and outcomes, and a `matrix`, are parameters
  bool decided_in_file = false;  // the file may have a column of what was decided
  // Whether all numbers of an outcome are amounts. Null: they are not.
  bool (*is_amounts)(const Json& outcome) = nullptr;
  // An action for people. Null: its JSON is.
  std::string (*action_words)(const Json& action) = nullptr;
};

// Every line of problems/all.hpp, in its order.
std::span<const ProblemKind> problem_kinds();
// "a, b and c": the names of those that `fits` says, for messages and help.
std::string kinds_text(bool (*fits)(const ProblemKind&));
// The first kind that `fits` says. One is registered.
const ProblemKind& first_kind(bool (*fits)(const ProblemKind&));
// That whose outcomes are rows of losses, one for each action: what loss streams are played with, and the default of
// experiments.
const ProblemKind& loss_kind();
// A problem of it with so many actions.
std::unique_ptr<AnyProblem> make_loss_problem(std::size_t actions, std::string_view path);
// Whether gamma and the like may be checked on tables given as they are.
const ProblemKind& table_kind();
// An action of the problem for people.
std::string action_words(std::string_view kind, const Json& action);

// The row of a kind. Throws kUnknownName with the list of kinds.
const ProblemKind& problem_kind(const std::string& kind);
// Throws that too, and kMissingField with all needed parameters that are missing, a value to begin with for each.
std::unique_ptr<AnyProblem> make_problem(const std::string& kind, const Json& params, std::string_view path);
// The problem's parameters, and maybe its outcomes, from a file of its own kind.
Imported import_problem(const std::string& kind, Json params, const std::string& file);
// A learner from what AnyLearner::save gave; it goes on exactly as the saved one would have.
AnyTurn load_turn(const Json& state);
// The same where it has to be of one of the kinds of Wanted, or of one kind: kUnavailable otherwise.
template <class Wanted>
Wanted load_turn_of(const Json& state) {
  return Wanted(load_turn(state), "state.learner.params");
}
template <class Kind = PlainLearner>
std::unique_ptr<Kind> load_learner(const Json& state) {
  return load_turn(state).template take<Kind>("state.learner.params");
}

}  // namespace hannan::detail
