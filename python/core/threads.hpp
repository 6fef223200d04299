// Threads of searches for a block of Python code: the scope of SearchThreads as a context manager.
#pragma once

#include <optional>

#include "hannan/io/fields.hpp"
#include "hannan/oracles/search_threads.hpp"
#include "values.hpp"

namespace hannan::detail::python {

class PySearchThreads {
 public:
  explicit PySearchThreads(const py::object& most)
      : most_(static_cast<unsigned>(to_integer(to_json(most, "search_threads"), "search_threads", {1, 1024}))) {}
  void enter() { scope_.emplace(most_); }
  void leave() { scope_.reset(); }

 private:
  unsigned most_;
  std::optional<SearchThreads> scope_;
};

}  // namespace hannan::detail::python
