// Ctrl-C during a call that has released the lock of the interpreter.
//
// A signal is taken once by PyErr_CheckSignals: the answer is kept here, so that every loop that asks after it ends
// too, and the exception of the handler reaches the caller whatever the call has made by then.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "hannan/core/interruption.hpp"
#include "values.hpp"

namespace hannan::detail::python {

// Thrown through the library by a call that a signal ends; not an std::exception, which some loops catch and keep.
struct EndedBySignal {};

// Asks Python now and then whether a signal came; the first that did ends the call. Used by one thread at a time.
class Signals {
 public:
  // Called without the lock of the interpreter. Once true, always true.
  bool stop() {
    if (error_) return true;
    if (++calls_ < every_) return false;
    calls_ = 0;
    const auto now = std::chrono::steady_clock::now();
    const auto passed = now - last_;
    using namespace std::chrono_literals;
    // Looking at the clock costs about 25 ns. Calls may become slow at any time, so that not many go by without it.
    constexpr std::uint64_t kMostUnasked = 16;
    if (passed < 2ms && every_ < kMostUnasked) every_ *= 2;
    if (passed > 20ms) every_ = std::max<std::uint64_t>(1, every_ / 2);
    if (passed < 5ms) return false;
    last_ = now;
    return look();
  }
  // The same without regard to the time that has passed.
  bool look() {
    if (error_) return true;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return false;
    error_.emplace();  // takes the exception until the call has ended
    return true;
  }
  // Called with the lock.
  void rethrow() {
    if (error_) throw py::error_already_set(std::move(*error_));
  }

 private:
  std::uint64_t calls_ = 0, every_ = 1;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::optional<py::error_already_set> error_;
};

// Calls without the lock of the interpreter; a signal ends the call at its next interruption point, and its exception
// comes out. For calls that change nothing their caller keeps.
template <class Call>
auto without_lock(const Call& call) {
  Signals signals;
  const std::function<void()> question = [&signals] {
    if (signals.stop()) throw EndedBySignal();
  };
  try {
    const py::gil_scoped_release free;
    const Interruption scope(question);
    return call();
  } catch (const EndedBySignal&) {
    signals.rethrow();
    throw;
  }
}

}  // namespace hannan::detail::python
