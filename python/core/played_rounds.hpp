// What a batch of rounds gives back to Python.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "hannan/runtime/round.hpp"
#include "hannan/runtime/round_json.hpp"
#include "values.hpp"

namespace hannan::detail::python {

// Filled without the lock of the interpreter.
struct PlayedRounds {
  explicit PlayedRounds(std::size_t rounds) {
    losses.reserve(rounds);
    totals.reserve(rounds);
  }
  // NaN is what was not seen.
  void add(const Round& seen) {
    constexpr double kUnseen = std::numeric_limits<double>::quiet_NaN();
    losses.push_back(round_fields::seen_loss(seen).value_or(kUnseen));
    totals.push_back(seen.looked ? kUnseen : seen.elements ? seen.total / seen.of->game->normaliser() : seen.total);
    if (!seen.best && best.empty()) return;
    best.resize(losses.size() - 1, std::numeric_limits<double>::quiet_NaN());
    best.push_back(seen.best.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  // A row of whole numbers goes into one flat list, its end into `ends`; any other action is kept as JSON.
  void take(const Round& decided, std::vector<std::int32_t>& row) {
    if (decided.of->game->action_row(*decided.action, row)) {
      numbers.insert(numbers.end(), row.begin(), row.end());
      ends.push_back(static_cast<std::int64_t>(numbers.size()));
    } else {
      others.push_back(decided.action_json());
    }
  }
  py::dict dict(py::list progress) {
    // An action that was chosen for a round that did not come is no part of the run.
    const std::size_t rounds = losses.size();
    py::dict all;
    all["losses"] = array(losses);
    all["totals"] = array(totals);
    all["best"] = best.empty() ? py::object(py::none()) : py::object(array(best));
    if (ends.size() > rounds) ends.resize(rounds);
    if (!ends.empty()) numbers.resize(static_cast<std::size_t>(ends.back()));
    all["numbers"] = array(numbers);
    all["ends"] = array(ends);
    py::list rest;
    for (std::size_t i = 0; i < others.size() && i < rounds; ++i) rest.append(from_json(others[i]));
    all["others"] = std::move(rest);
    all["progress"] = std::move(progress);
    return all;
  }
  // The memory of the list goes over to the array.
  template <class T>
  static py::array_t<T> array(std::vector<T>& list) {
    auto* kept = new std::vector<T>(std::move(list));
    const py::capsule owner(kept, [](void* held) { delete static_cast<std::vector<T>*>(held); });
    return py::array_t<T>({static_cast<py::ssize_t>(kept->size())}, kept->data(), owner);
  }

  std::vector<double> losses, totals;
  std::vector<double> best;  // empty until one is known
  std::vector<std::int32_t> numbers;
  std::vector<std::int64_t> ends;
  std::vector<Json> others;
};

}  // namespace hannan::detail::python
