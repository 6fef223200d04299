#include "service/leases.hpp"

#include "hannan/core/digest.hpp"

namespace hannan::detail::service {

Shard shard_of(std::string_view name, Shard shards) {
  Digest digest;
  digest.add(name);
  return static_cast<Shard>(digest.value() % shards);
}

}  // namespace hannan::detail::service
