// Rounds of a portfolio as requests and answers (runtime/portfolio_requests.hpp), for python/hannan/_portfolio.py.
#pragma once

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/runtime/portfolio_requests.hpp"
#include "learner.hpp"
#include "values.hpp"

namespace hannan::detail::python {

inline PortfolioLearner& portfolio_of(const AnyTurn& turn) {
  if (PortfolioLearner* found = turn.as<PortfolioLearner>()) return *found;
  throw Error(Code::kUnavailable, "found another learner, expected a portfolio", "kind");
}

// `answer` is one of the functions of portfolio_requests.hpp.
inline py::object portfolio_answer(PyLearner& learner, const py::object& request,
                                   Json (*answer)(PortfolioLearner&, Fields&)) {
  return learner.held([&](const AnyTurn& turn) {
    const Json json = to_json(request, "request");
    Fields in(json, "");
    return from_json(answer(portfolio_of(turn), in));
  });
}

inline py::object portfolio_strategies(PyLearner& learner) {
  return learner.held([](const AnyTurn& turn) { return from_json(portfolio_of(turn).strategies_json()); });
}

}  // namespace hannan::detail::python
