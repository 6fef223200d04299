// The pipe protocol: one JSON request in, one JSON answer out, state kept between them.
//
// Bad input never ends the session: the answer carries the error and nothing has changed. Names given
// with `as` live until they are given again; what was made from the old one keeps it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/pipe_forecasts.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail {

class Pipe {
 public:
  // One line in, one line out, without the newline.
  std::string answer_line(std::string_view line);
  Json answer(const Json& request);

 private:
  using Verb = Json (Pipe::*)(Fields&);
  static const std::map<std::string, Verb, std::less<>>& verbs();

  Json hello(Fields&);
  Json problem(Fields&);
  Json actions(Fields&);
  Json loss(Fields&);
  Json range(Fields&);
  Json row(Fields&);
  Json column(Fields&);
  Json best(Fields&);
  Json conditions(Fields&);
  Json noise_size(Fields&);
  Json learner(Fields&);
  Json act(Fields&);
  Json observe(Fields&);
  Json report(Fields&);
  Json save(Fields&);
  Json load(Fields&);
  Json bound(Fields&);
  Json segments(Fields&);
  Json strategies(Fields&);
  Json floors(Fields&);
  Json solve(Fields&);

  ContextLearner& context_learner_in(Fields&);

  std::shared_ptr<AnyProblem> problem_in(Fields&);
  AnyTurn& learner_in(Fields&);

  std::map<std::string, std::shared_ptr<AnyProblem>> problems_;
  std::map<std::string, AnyTurn> learners_;
  PipeForecasts forecasts_;
};

// Of a learner that looks (pipe_looks.cpp).
Json act_in_part(PartLearner& learner, Fields& in);
Json observe_in_part(PartLearner& learner, Fields& in);

// {"ok":false,"error":{...}}.
Json error_answer(const Error& error);

}  // namespace hannan::detail
