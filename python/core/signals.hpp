// Ctrl-C during a run that has released the lock of the interpreter.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "values.hpp"

namespace hannan::detail::python {

// Asks Python now and then whether a signal came; the first that did ends the run.
class Signals {
 public:
  // Called without the lock of the interpreter.
  bool stop() {
    if (++rounds_ < every_) return false;
    rounds_ = 0;
    const auto now = std::chrono::steady_clock::now();
    const auto passed = now - last_;
    using namespace std::chrono_literals;
    if (passed < 2ms && every_ < 4096) every_ *= 2;
    if (passed > 20ms) every_ = std::max<std::uint64_t>(1, every_ / 2);
    if (passed < 5ms) return false;
    last_ = now;
    const py::gil_scoped_acquire lock;
    came_ = PyErr_CheckSignals() != 0;
    if (came_) error_.emplace();  // takes the exception until the run has ended
    return came_;
  }
  void rethrow() {
    if (came_) throw py::error_already_set(std::move(*error_));
  }

 private:
  std::uint64_t rounds_ = 0, every_ = 1;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool came_ = false;
  std::optional<py::error_already_set> error_;
};

}  // namespace hannan::detail::python
