// A round as the NamedTuples of the package: Decision before its outcome, Step after it.
#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <string>
#include <utility>

#include "hannan/play/play.hpp"
#include "hannan/runtime/round.hpp"
#include "values.hpp"

namespace hannan::detail::python {

inline py::object optional_float(const std::optional<double>& value) {
  return value ? py::object(py::float_(*value)) : py::object(py::none());
}

// The NamedTuples of the package, which its own files define.
struct TupleClasses {
  PyTypeObject* step = nullptr;
  PyTypeObject* decision = nullptr;
};
inline TupleClasses& tuple_classes() {
  static TupleClasses classes;
  return classes;
}
// A tuple of a subclass, filled in place.
template <class... Items>
py::object tuple_of(PyTypeObject* type, Items&&... items) {
  auto tuple = py::reinterpret_steal<py::object>(type->tp_alloc(type, sizeof...(Items)));
  if (!tuple) throw py::error_already_set();
  Py_ssize_t i = 0;
  (PyTuple_SET_ITEM(tuple.ptr(), i++, py::object(std::forward<Items>(items)).release().ptr()), ...);
  return tuple;
}

inline py::object step_tuple(const Round& seen) {
  py::object stability = py::none(), discounted = py::none();
  if (seen.stability.parts == 1) stability = py::float_(seen.stability.value[0]);
  if (seen.stability.parts == 2) stability = py::make_tuple(seen.stability.value[0], seen.stability.value[1]);
  if (seen.discounted) discounted = py::make_tuple(seen.discounted->total, seen.discounted->best);
  return tuple_of(tuple_classes().step, py::float_(seen.loss), py::float_(seen.total), optional_float(seen.best),
                  optional_float(seen.regret), py::bool_(seen.switched), py::int_(seen.oracle_calls),
                  std::move(stability), optional_float(seen.gap), std::move(discounted), optional_float(seen.realised));
}

inline py::object decision_tuple(const Round& decided, py::object action) {
  py::object weights = py::none();
  if (!decided.weights.empty()) weights = py::array_t<double>(decided.weights.size(), decided.weights.data());
  py::object regime = py::none();
  if (!decided.regime.empty()) regime = py::str(std::string(decided.regime));
  return tuple_of(tuple_classes().decision, py::int_(decided.number), std::move(action), optional_float(decided.eta),
                  optional_float(decided.multiplier), std::move(regime), std::move(weights));
}

// The least bound of a report.
inline std::optional<double> least_bound(const Json& report) {
  std::optional<double> least;
  for (const Json& bound : report.at("certificate").at("bounds").as_array()) {
    const double value = bound.at("value").as_number();
    if (!least || value < *least) least = value;
  }
  return least;
}

// A line of the progress table.
inline py::dict progress_dict(const ProgressRow& row, const RoundSetting& setting) {
  py::dict dict;
  dict["round"] = row.round;
  dict["loss"] = row.loss;
  dict["best"] = optional_float(row.best);
  dict["regret"] = optional_float(row.regret);
  dict["bound"] = optional_float(row.bound ? std::optional(row.bound->value) : std::nullopt);
  dict["bound_of"] = row.bound ? py::object(py::str(row.bound->word())) : py::object(py::none());
  dict[setting.adapts_multiplier ? "multiplier" : "eta"] = optional_float(row.rate);
  if (!row.regime.empty()) dict["regime"] = row.regime;
  dict["oracle_calls"] = row.oracle_calls;
  return dict;
}

}  // namespace hannan::detail::python
