// Problems by name: one row for every line of problems/all.hpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

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
};

// Every line of problems/all.hpp, in its order.
std::span<const ProblemKind> problem_kinds();
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
