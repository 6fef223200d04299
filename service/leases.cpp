// Which shard a learner is in: FNV-1a of its name modulo the number of shards. It must never change: the learners of a
// database are where this function put them when they were made.
#include "service/leases.hpp"

#include "hannan/core/digest.hpp"

namespace hannan::detail::service {

Shard shard_of(std::string_view name, Shard shards) {
  Digest digest;
  digest.add(name);
  return static_cast<Shard>(digest.value() % shards);
}

}  // namespace hannan::detail::service
