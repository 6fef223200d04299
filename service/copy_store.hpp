// Stores by their address, and the way from one to another.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "service/store.hpp"

namespace hannan::detail::service {

// "postgresql://..." or a file of SQLite, which has no shards (kUsage).
std::unique_ptr<Store> open_store(const std::string& where, Shard shards = 0);

struct CopiedCounts {
  std::uint64_t learners = 0, rows = 0;
};
// Learners, rows and snapshots, into an empty store. No other process may be at work on either (kCannotWrite).
CopiedCounts copy_store(Store& from, Store& to);

}  // namespace hannan::detail::service
