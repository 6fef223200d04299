// What a start would find of a log, looked at without changing anything: for `hannan serve --check-config`.
#pragma once

#include <string>
#include <vector>

#include "service/store.hpp"

namespace hannan::detail::service {

struct InspectedStore {
  std::string name;        // for people; no secret is in it
  bool is_made = false;    // false: a start makes it
  bool is_in_use = false;  // by another process
  std::vector<StoredLearner> learners;
};

// Of an address as open_store takes it; throws what opening it would.
InspectedStore inspect_store(const std::string& where, Shard shards);

InspectedStore inspect_sqlite(const std::string& path);
InspectedStore inspect_postgres(const std::string& url, Shard shards);

}  // namespace hannan::detail::service
