// Threads of searches for a block of Python code: the scope of SearchThreads as a context manager.
#pragma once

#include <optional>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/oracles/search_threads.hpp"

namespace hannan::detail::python {

class PySearchThreads {
 public:
  explicit PySearchThreads(long most) {
    constexpr long kMost = 1024;
    if (most < 1 || most > kMost)
      throw Error(Code::kOutOfRange, "found " + std::to_string(most) + ", expected 1 to " + std::to_string(kMost),
                  "search_threads");
    most_ = static_cast<unsigned>(most);
  }
  void enter() { scope_.emplace(most_); }
  void leave() { scope_.reset(); }

 private:
  unsigned most_;
  std::optional<SearchThreads> scope_;
};

}  // namespace hannan::detail::python
