// The flags of `hannan serve`: its help, manual page and completion come from the program hannan, where HTTP and
// databases are not linked, and the program hannan-serve reads the same ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "flags.hpp"

namespace hannan::detail::cli {

struct ServeFlags {
  std::string database, listen = "127.0.0.1:8080", tokens, metrics_learners, copy_from, url;
  std::uint64_t body_mib = 8, batch = 10'000, queue = 10'000, learners = 10'000, memory_mib = 4096, grace = 10,
                snapshot_every = 10'000, connections = 1024, keep = 0, keep_ids = 7, shards = 0, stale = 60,
                workers = 0, work_limit = 200'000;
  unsigned threads = 2;
  std::uint64_t rate = 0;
  std::string log_level = "warning";
  std::vector<std::string> hosts;
  bool database_given = false, copy_given = false;  // --db, --copy-from
  bool check_config = false, metrics_public = false, allow_external = false, forward = false, redirect = false,
       replay_outcomes = false;
};

// Defines the command but for what it runs.
std::shared_ptr<ServeFlags> add_serve_flags(Command& command);

}  // namespace hannan::detail::cli
