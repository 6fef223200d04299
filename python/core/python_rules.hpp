// The rules of a problem that are methods of a Python object: functions of the texts of an action and an outcome.
//
// What they raise becomes an error: one of the package keeps its code and place, any other is an error of the user's
// own code (H702) with the exception as its cause.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "own_oracle.hpp"
#include "own_problem.hpp"
#include "problem.hpp"
#include "values.hpp"

namespace hannan::detail::python {

class PythonRules final : public OwnRules {
 private:
  // Every call of a rule takes the interpreter's lock, since searches run without it.
  template <class Call>
  auto called(const char* what, const Call& call) const {
    const py::gil_scoped_acquire lock;
    try {
      return call();
    } catch (py::error_already_set& e) {
      if (e.matches(py::handle(error_classes().error))) throw error_of(e.value());
      keep_cause(e.value());
      throw Error(Code::kOracleEnded, std::string(what) + " raised " + text_of(e), name_);
    }
  }

 public:
  // loss(action, outcome) -> float, and check(action), which raises where the value is no action.
  PythonRules(std::string name, py::object loss, py::object check)
      : name_(std::move(name)), loss_(std::move(loss)), check_(std::move(check)) {}
  ~PythonRules() override {
    let_go(loss_);
    let_go(check_);
  }
  PythonRules(const PythonRules&) = delete;
  PythonRules& operator=(const PythonRules&) = delete;

  double loss(const OwnAction& x, const OwnOutcome& y) const override {
    return called("loss", [&] { return loss_(x.text, y.text).cast<double>(); });
  }
  void check(const OwnAction& x, std::string_view path) const override {
    called("allows", [&] { return check_(x.text, std::string(path)).is_none(); });
  }

 private:
  std::string name_;
  py::object loss_;
  py::object check_;
};

struct OwnProblemGiven {
  std::string name;
  std::string oracle;
  py::object loss;
  py::object check;
  double ln_size = 0;
  py::object outcomes;  // how many are listed; None: not listed
  py::list columns;     // lists of (weight, outcome)
};
// Registered by its name first: the problem is then made through the registry like any other, so that saved states can
// name it.
inline std::unique_ptr<PyProblem> make_own_problem(const OwnProblemGiven& given) {
  OwnProblem::Parts parts{.name = given.name,
                          .oracle = given.oracle,
                          .rules = std::make_shared<PythonRules>(given.name, given.loss, given.check),
                          .ln_size = given.ln_size,
                          .outcomes = {},
                          .columns = {}};
  if (!given.outcomes.is_none()) parts.outcomes = given.outcomes.cast<std::uint64_t>();
  for (const py::handle column : given.columns) {
    Dataset<OwnOutcome> set;
    for (const py::handle point : column) {
      const auto pair = point.cast<py::tuple>();
      set.push_back({to_number(to_json(pair[0], "columns"), "columns"), {dump(to_json(pair[1], "columns"))}});
    }
    parts.columns.push_back(std::move(set));
  }
  const auto problem = std::make_shared<const OwnProblem>(std::move(parts));
  register_own_problem(problem);
  return std::make_unique<PyProblem>(
      make_problem(std::string(Codec<OwnProblem>::kKind), Codec<OwnProblem>::params(*problem), "params"));
}

}  // namespace hannan::detail::python
