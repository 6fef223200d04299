// Stores by their address, and the way from one to another.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "service/store.hpp"

namespace hannan::detail::service {

// "postgresql://..." or a file of SQLite.
std::unique_ptr<Store> open_store(const std::string& where);

struct CopiedCounts {
  std::uint64_t learners = 0, rows = 0;
};
// Learners, rows and snapshots, into an empty store.
CopiedCounts copy_store(Store& from, Store& to);

}  // namespace hannan::detail::service
