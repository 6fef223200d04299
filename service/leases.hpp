// Shards of a log that several processes (nodes) write. The learners of a shard are written by one node at a time: the
// one whose writing session holds the shard's lock. The session ends with its connection, and with it end the lock and
// the way to write, so no clock and no second system decides who writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "service/store.hpp"

namespace hannan::detail::service {

inline constexpr Shard kDefaultShards = 64;

Shard shard_of(std::string_view name, Shard shards);  // fnv1a(name) mod shards

struct Node {
  std::string id, url;
  std::vector<Shard> shards;  // whose locks it holds
};
struct NodeList {
  std::uint64_t session = 0;  // another number than last time: the locks of the earlier session are gone
  std::vector<Node> nodes;    // with a session that lives, this one among them
};

// Any thread may call; each call is one use of the writing connection, and throws StoreFailure where that is lost.
class Leases {
 public:
  virtual ~Leases() = default;
  virtual Shard shards() const = 0;
  virtual const std::string& node() const = 0;  // the id of this one
  // Says that this node lives and where it is reached, and reads which nodes there are. The only call that connects
  // again.
  virtual NodeList look(const std::string& url) = 0;
  virtual std::vector<Shard> take(const std::vector<Shard>& wanted) = 0;  // those that were free; they are ours now
  // The learners of shards that were taken. From now on, and until the session ends, they may be written.
  virtual std::vector<StoredLearner> adopt(const std::vector<Shard>& shards) = 0;
  virtual void give_back(Shard shard) = 0;
  virtual void leave() = 0;  // gives all back, and is no node any more
};

}  // namespace hannan::detail::service
