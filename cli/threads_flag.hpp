// --threads of the commands that search: run, oracle, compare and pipe.
#pragma once

#include "command.hpp"

namespace hannan::detail::cli {

inline void add_threads_flag(Command& command, unsigned& threads) {
  command.add("--threads", &threads, "threads of a search by boxes; no result depends on it")
      .range(1, 1024)
      .show_default();
}

}  // namespace hannan::detail::cli
