// Problems and learners of forecasts in the pipe: they have no actions, so they are kept beside the others.
//
// A name is that of the problem, or learner, that was made last under it: one of forecasts is looked for first, and is
// forgotten when its name is given to another.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "hannan/runtime/combine_learner.hpp"

namespace hannan::detail {

class PipeForecasts {
 public:
  // The answer of a request about forecasts, none where it is about something else. Throws kUnavailable for what a
  // problem of forecasts, or its learner, does not have, and for its learner with other problems.
  std::optional<Json> answer(const std::string& op, Fields& in);
  void forget_problem(const std::string& name) { problems_.erase(name); }
  void forget_learner(const std::string& name) { learners_.erase(name); }

 private:
  Json of_problem(const ForecastsProblem& problem, const std::string& op, Fields& in);
  Json keep(const std::string& name, CombineLearner learner);

  std::map<std::string, ForecastsProblem> problems_;
  std::map<std::string, CombineLearner> learners_;
};

}  // namespace hannan::detail
