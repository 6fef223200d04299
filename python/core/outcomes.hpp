// Arrays of NumPy as a source of outcomes, read where they lie.
#pragma once

#include <pybind11/numpy.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/table.hpp"
#include "hannan/streams/source.hpp"
#include "values.hpp"

namespace hannan::detail::python {

// A row of a frame, whose numbers have names.
inline bool has_names(const py::object& outcome) {
  if (PyList_CheckExact(outcome.ptr()) || py::isinstance<py::array>(outcome)) return false;
  return py::hasattr(outcome, "index") && py::hasattr(outcome, "to_frame");
}

using Rows = py::array_t<double, py::array::c_style>;

// Rows of an array that its owner keeps alive. Places are written as Python indexes them: outcomes[3, 0].
class ArrayTable final : public Table {
 public:
  struct View {
    const double* numbers;
    std::size_t rows;
    std::size_t columns;
    std::size_t first = 0;  // the number of the first row, for messages
  };
  // `taken` counts the rows that were read.
  ArrayTable(const View& view, std::shared_ptr<std::size_t> taken) : view_(view), taken_(std::move(taken)) {}

  void allow_gaps() override { gaps_ = true; }
  bool next(std::vector<double>& row) override {
    if (*taken_ == view_.rows) return false;
    const double* begin = view_.numbers + *taken_ * view_.columns;
    ++*taken_;
    row.assign(begin, begin + view_.columns);
    // Counted without leaving the loop, so that it becomes vector code.
    std::uint64_t outside = 0;
    for (const double value : row) outside += !(std::abs(value) <= std::numeric_limits<double>::max());
    if (outside == 0) return true;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (std::isfinite(row[j])) continue;
      if (gaps_ && std::isnan(row[j])) {
        row[j] = std::numeric_limits<double>::quiet_NaN();  // one NaN for all, whatever bits the array has
        continue;
      }
      throw Error(
          Code::kNotANumber,
          std::string("found ") + (std::isnan(row[j]) ? "NaN" : "an infinite number") + ", expected a finite number",
          where(j));
    }
    return true;
  }
  std::size_t columns() const override { return view_.columns; }
  const std::vector<std::string>& names() const override { return names_; }
  std::string where(std::size_t column) const override {
    const std::size_t row = view_.first + (*taken_ > 0 ? *taken_ - 1 : 0);
    return "outcomes[" + std::to_string(row) + ", " + std::to_string(column) + "]";
  }

 private:
  View view_;
  bool gaps_ = false;  // a NaN is an empty cell
  std::shared_ptr<std::size_t> taken_;
  std::vector<std::string> names_;
};

// Without copying: the array is C-contiguous and of doubles by its type.
inline ArrayTable::View view_of(const Rows& rows) {
  if (rows.ndim() != 2)
    throw Error(Code::kColumnCount,
                "found an array of " + std::to_string(rows.ndim()) + " dimensions, expected 2: a row is an outcome",
                "outcomes");
  return {.numbers = rows.data(),
          .rows = static_cast<std::size_t>(rows.shape(0)),
          .columns = static_cast<std::size_t>(rows.shape(1))};
}

// Outcomes of a run: rows of an array, or JSON values, with a context each where the learner takes them. The array and
// the game outlive the source.
struct Outcomes {
  py::object held;          // keeps the array alive
  ArrayTable::View view{};  // where they are rows
  std::shared_ptr<std::vector<Json>> list;
  std::size_t first = 0;           // the number of the first one, for messages
  std::shared_ptr<Error> refused;  // why the one after the list is none; thrown where it would be read
  std::size_t beyond = 0;          // how many came after that one
  std::shared_ptr<std::vector<std::vector<std::string>>> contexts;  // null: without
  // With a refused one it counts those behind it too, so that lists of weights and contexts are held against what was
  // given.
  std::size_t size() const { return list ? list->size() + (refused ? 1 + beyond : 0) : view.rows; }

  std::unique_ptr<Source> open(const Game& game) const {
    const auto taken = std::make_shared<std::size_t>(0);
    ContextView context;
    context.values = [all = contexts, taken]() -> std::span<const std::string> {
      if (!all || *taken == 0) return {};
      return (*all)[*taken - 1];
    };
    context.not_numbers = [] { return std::uint64_t{0}; };
    if (!list) {
      auto table = std::make_unique<ArrayTable>(view, taken);
      return contexts ? table_source(std::move(table), game, std::move(context)) : table_source(std::move(table), game);
    }
    auto next = [all = list, why = refused, taken](Json& outcome) {
      if (*taken == all->size() && why) throw Error(*why);
      if (*taken == all->size()) return false;
      outcome = (*all)[(*taken)++];
      return true;
    };
    auto where = [taken, from = first] { return "outcomes[" + std::to_string(from + *taken - 1) + "]"; };
    return contexts ? made_source(std::move(next), std::move(where), game, std::move(context))
                    : made_source(std::move(next), std::move(where), game);
  }
};

// An outcome as JSON. Where the problem takes rows with gaps, a NaN among the numbers is one.
inline Json json_of_outcome(py::handle given, const std::string& path, const Game& game) {
  if (game.row_gaps() == RowGaps::kRefused) return to_json(given, path);
  py::object plain = py::reinterpret_borrow<py::object>(given);
  if (py::hasattr(given, "tolist")) plain = given.attr("tolist")();
  if (!PyList_Check(plain.ptr()) && !PyTuple_Check(plain.ptr())) return to_json(plain, path);
  Json row = Json::array();
  for (const py::handle item : plain) {
    const bool gap = PyFloat_Check(item.ptr()) && std::isnan(PyFloat_AS_DOUBLE(item.ptr()));
    row.push_back(gap ? Json() : to_json(item, path + "[" + std::to_string(row.size()) + "]"));
  }
  return row;
}

// An array of two dimensions is taken as it lies; everything else is a sequence of JSON values. `first` is the number
// of the first one. A value that is none is refused when it is reached, so that a run keeps the rounds before it.
inline Outcomes outcomes_of(const py::object& given, const Game& game, std::size_t first = 0) {
  Outcomes outcomes;
  outcomes.first = first;
  if (py::isinstance<py::array>(given) && game.row_width() > 0) {
    const auto rows = Rows::ensure(given);
    if (!rows) throw py::error_already_set();
    outcomes.held = rows;
    outcomes.view = view_of(rows);
    outcomes.view.first = first;
    return outcomes;
  }
  outcomes.list = std::make_shared<std::vector<Json>>();
  for (const py::handle item : given) {
    if (outcomes.refused) {
      ++outcomes.beyond;
      continue;
    }
    const std::string path = "outcomes[" + std::to_string(first + outcomes.list->size()) + "]";
    try {
      outcomes.list->push_back(json_of_outcome(item, path, game));
    } catch (const Error& error) {
      outcomes.refused = std::make_shared<Error>(error);
    }
  }
  return outcomes;
}

// Of a masked array, the numbers with NaN in the place of those that are masked; any other as it is.
inline py::object with_gaps(const py::object& row) {
  const bool plain = Py_TYPE(row.ptr()) == py::detail::npy_api::get().PyArray_Type_;
  if (plain || !py::hasattr(row, "filled")) return row;
  return row.attr("astype")("float64").attr("filled")(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace hannan::detail::python
