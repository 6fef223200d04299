// Contexts of learners with a decision for every segment, as Python gives and takes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/runtime/context_learner.hpp"
#include "hannan/runtime/portfolio_learner.hpp"
#include "values.hpp"

namespace hannan::detail::python {

using ContextValues = std::vector<std::string>;

inline ContextValues context_of(const py::object& given, const ContextLearner& learner, const std::string& at) {
  if (given.is_none())
    throw Error(Code::kMissingField, "found none, expected a value for each of " + joined(learner.by()), at);
  ContextValues context;
  read_context(to_json(given, at), learner.by().size(), at, context);
  return context;
}

// Of a portfolio: empty where none of its strategies needs one, or where none is given.
inline ContextValues portfolio_context(const py::object& given, const PortfolioLearner& learner) {
  std::size_t columns = 0;
  for (const auto& order : learner.orders()) columns += order.size();
  ContextValues context;
  if (given.is_none()) return context;
  if (columns == 0)
    throw Error(Code::kUnavailable, "found a context, expected none: no strategy has columns", "context");
  read_context(to_json(given, "context"), columns, "context", context);
  return context;
}

// The round of an outcome without proposals: rehearsed where the portfolio's parameters say so.
inline const Round& told(PortfolioLearner& learner, const PortfolioLearner::Seen& seen, const AnyOutcome& outcome) {
  if (learner.rehearses()) return learner.rehearse(seen, outcome);
  learner.act(seen);
  return learner.observe(outcome);
}

// A context for every outcome.
inline std::shared_ptr<std::vector<ContextValues>> contexts_of(const py::object& given, const ContextLearner& learner,
                                                               std::size_t outcomes) {
  if (given.is_none())
    throw Error(Code::kMissingField, "found none, expected one for every outcome, each with " + joined(learner.by()),
                "contexts");
  auto all = std::make_shared<std::vector<ContextValues>>();
  for (const py::handle item : given)
    all->push_back(
        context_of(py::reinterpret_borrow<py::object>(item), learner, "contexts[" + std::to_string(all->size()) + "]"));
  if (all->size() != outcomes)
    throw Error(Code::kColumnCount,
                "found " + std::to_string(all->size()) + " contexts, expected " + std::to_string(outcomes) +
                    ", one for every outcome",
                "contexts");
  return all;
}

// What the open segments of a context would play: {segment, action, weight, picked}, the root first.
inline py::list nodes_of(ContextLearner& learner, const ContextValues& context) {
  const Round& round = learner.act(context);
  py::list nodes;
  for (const Round& of : round.nodes()) {
    py::dict node;
    node["segment"] = py::cast(learner.tree().path_of(*of.segment));
    node["action"] = from_json(of.action_json());
    node["weight"] = of.weight;
    node["picked"] = of.segment == round.segment;
    nodes.append(std::move(node));
  }
  return nodes;
}

}  // namespace hannan::detail::python
