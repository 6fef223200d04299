// Long calls that their caller may end early.
//
// The caller opens a scope with a question; loops of unknown length in calls of the same thread ask it by
// interruption_point(), and what the question throws ends the call. Outside of a scope a point costs one comparison.
//
// Points stand only where a call that ends early changes nothing that its caller keeps: searches, checks, reading of
// lines. Whoever changes a learner opens no scope: a round is played to its end.
#pragma once

#include <functional>

namespace hannan::detail {

// The scope, of one thread; scopes may be nested, and the inner one is asked. `question` outlives it.
class Interruption {
 public:
  explicit Interruption(const std::function<void()>& question) : before_(present) { present = &question; }
  ~Interruption() { present = before_; }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static void point() {
    if (present) (*present)();
  }

 private:
  inline static thread_local const std::function<void()>* present = nullptr;
  const std::function<void()>* before_;
};

inline void interruption_point() { Interruption::point(); }

}  // namespace hannan::detail
