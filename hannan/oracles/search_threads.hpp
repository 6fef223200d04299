// How many threads a search may use that is called from this thread: one, unless said otherwise for a scope.
//
// What a search answers does not depend on it, so it is no parameter of problems, learners or oracles, and no record or
// state holds it. It belongs to the calling thread: the threads of a simulation or an experiment, which begin with one,
// do not start more of them.
#pragma once

namespace hannan::detail {

class SearchThreads {
 public:
  explicit SearchThreads(unsigned most) : before_(present) { present = most; }
  ~SearchThreads() { present = before_; }
  SearchThreads(const SearchThreads&) = delete;
  SearchThreads& operator=(const SearchThreads&) = delete;

  static unsigned most() { return present; }

 private:
  inline static thread_local unsigned present = 1;
  unsigned before_;
};

}  // namespace hannan::detail
