// The kinds of problems by name, one line each of problems/all.hpp; made when first asked for. Unknown names get the
// list and the nearest one.
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/name_list.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/own_kinds.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/state_digest.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail {

#define HANNAN_PROBLEM(file, Type) ProblemKind kind_##file();
#include "hannan/problems/all.hpp"
#undef HANNAN_PROBLEM

std::span<const ProblemKind> problem_kinds() {
  static const std::vector<ProblemKind> kinds{
#define HANNAN_PROBLEM(file, Type) kind_##file(),
#include "hannan/problems/all.hpp"
#undef HANNAN_PROBLEM
  };
  return kinds;
}

std::span<const LogKind> log_kinds() {
  static const std::vector<LogKind> kinds = [] {
    std::vector<LogKind> found;
    for (const ProblemKind& row : problem_kinds()) {
      if (row.log.shape != LogShape::kNone) found.push_back({row.name, row.log});
    }
    return found;
  }();
  return kinds;
}

std::string kinds_text(bool (*fits)(const ProblemKind&)) {
  std::vector<std::string_view> names;
  for (const ProblemKind& row : problem_kinds()) {
    if (fits(row)) names.push_back(row.name);
  }
  return name_list(names);
}

const ProblemKind& first_kind(bool (*fits)(const ProblemKind&)) {
  for (const ProblemKind& row : problem_kinds()) {
    if (fits(row)) return row;
  }
  throw Error(Code::kUnavailable, "found no problem of this kind, expected one in the registry", "kind");
}

const ProblemKind& loss_kind() {
  return first_kind([](const ProblemKind& row) { return row.simulation == Simulation::kLosses; });
}

std::unique_ptr<AnyProblem> make_loss_problem(std::size_t actions, std::string_view path) {
  const ProblemKind& row = loss_kind();
  return row.make(Json::object({{std::string(row.columns_param), actions}}), path);
}

const ProblemKind& table_kind() {
  return first_kind([](const ProblemKind& row) { return row.takes_table; });
}

std::string action_words(std::string_view kind, const Json& action) {
  for (const ProblemKind& row : problem_kinds()) {
    if (row.name == kind && row.action_words) return row.action_words(action);
  }
  return dump(action);
}

// Names of the list come before those that the process has added.
const ProblemKind& problem_kind(const std::string& kind) {
  std::string names;
  for (const auto& row : problem_kinds()) {
    if (row.name == kind) return row;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  if (const ProblemKind* own = own_kind(kind)) return *own;
  if (kind == kCustomKind) {
    throw Error(
        Code::kUnavailable,
        "found \"" + kind +
            "\", a problem whose rules are Python code; load or verify it in a Python process that has made the "
            "problem by hannan.custom",
        "kind");
  }
  throw Error(Code::kUnknownName,
              "found \"" + kind + "\", expected one of " + names + near_hint(kind, problem_kinds(), &ProblemKind::name),
              "kind");
}

namespace {

// Calls `make`. Where it misses a parameter, the message has all that are missing.
template <class Make>
auto with_missing_listed(const ProblemKind& row, const Json& params, ParameterSource source, std::string_view path,
                         const Make& make) {
  try {
    return make();
  } catch (const Error& e) {
    if (e.code() != Code::kMissingField || !params.is_object()) throw;
    const auto missing = missing_parameters(row.help, params, source);
    bool ours = false;  // not a field inside one that is there
    for (const auto& parameter : missing) ours = ours || e.at() == path_of(path, parameter.name) || e.at() == path;
    if (!ours) throw;
    throw Error(e.code(),
                e.message() + "; " + std::string(row.name) + " needs " +
                    suggested_text(missing, path == "--param" ? "--param " : "") + "; hannan help " +
                    std::string(row.name) + " explains them",
                e.at());
  }
}

}  // namespace

std::unique_ptr<AnyProblem> make_problem(const std::string& kind, const Json& params, std::string_view path) {
  const ProblemKind& row = problem_kind(kind);
  return with_missing_listed(row, params, ParameterSource::kParameters, path, [&] { return row.make(params, path); });
}

Imported import_problem(const std::string& kind, Json params, const std::string& file) {
  const ProblemKind& row = problem_kind(kind);
  if (row.import) {
    return with_missing_listed(row, params, ParameterSource::kFile, "--param",
                               [&] { return row.import(params, file); });
  }
  std::string names;
  for (const auto& other : problem_kinds()) {
    if (other.import) names += (names.empty() ? "" : ", ") + std::string(other.name);
  }
  throw Error(Code::kUnavailable, "\"" + kind + "\" is not read from a file of its own; " + names + " are", "--from");
}

// The digest is looked at first: a state that was changed by hand is said to be that, whatever it was changed to.
AnyTurn load_turn(const Json& state) {
  check_state(state);
  Fields problem(state.at("problem"), "state.problem");
  const auto face = make_problem(problem.word("kind"), problem.need("params"), "state.problem.params");
  problem.done();
  return face->load(state);
}

}  // namespace hannan::detail
