// This node among the others: a thread that looks twice a second which nodes there are, takes shards that are free and
// gives back what is more than its part. What a shard's coming or going means for the learners is done by the writer
// (Actions); any thread may ask where a learner is.
//
//   part = ceil(shards / nodes) + 1, and without the one more while a node has fewer than floor(shards / nodes)
//
// The one more keeps nodes from passing shards to and fro. While a node has too few, the one with the most gives one.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "hannan/io/json.hpp"
#include "service/exposition.hpp"
#include "service/leases.hpp"

namespace hannan::detail::service {

struct ClusterSetting {
  std::string url;  // where other nodes send clients of this one's learners; "": nowhere
  std::chrono::milliseconds look_every{500};
  std::chrono::milliseconds stale{60'000};      // so long decisions are answered without the database
  std::function<void(const std::string&)> say;  // for the operator; may be empty
};

class Cluster {
 public:
  // Called by the looking thread; the writer does them in this order.
  struct Actions {
    using Step = std::function<void(std::vector<Shard>)>;
    Step adopt;    // their locks are ours: reads their learners, then set(shard, kHere)
    Step release;  // keeps snapshots, forgets, gives the locks back, then set(shard, kAway)
    Step forget;   // they were lost
  };
  Cluster(Leases& leases, ClusterSetting setting, Actions actions);
  ~Cluster();  // stop()
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  void look();   // once, on the calling thread
  void start();  // again and again, on a thread of its own
  void stop();
  void wake();  // looks now: something failed

  enum class State : unsigned char { kAway, kComing, kHere, kGoing };
  State state(Shard shard) const { return states_[shard].load(); }
  void set(Shard shard, State state) { states_[shard] = state; }
  Shard shard(std::string_view name) const { return shard_of(name, leases_.shards()); }
  // Its learners are in this process and may be asked.
  bool here(std::string_view name) const;
  std::string url_of(std::string_view name) const;  // of the node that has it; "": none is known
  std::vector<std::string> others() const;          // addresses of the other nodes that live

  bool stale() const;    // the database was not reached lately: another node may have gone on
  bool expired() const;  // for longer than decisions may be answered

  const std::string& node() const { return leases_.node(); }
  Json json() const;                        // GET /v1/nodes
  void add_to(Exposition& out) const;       // its figures
  void say(const std::string& what) const;  // to the operator
  void fenced(const std::string& why);      // another process wrote what was ours

 private:
  using Clock = std::chrono::steady_clock;
  void look_at(const NodeList& list);
  void take_back(const NodeList& list);
  void balance(const NodeList& list);
  void give_back(const NodeList& list, std::size_t number);
  void take_free(const NodeList& list, std::size_t most);
  std::size_t count(State state) const;

  Leases& leases_;
  ClusterSetting setting_;
  Actions actions_;
  std::vector<std::atomic<State>> states_;
  std::uint64_t session_ = 0;  // of the looking thread

  mutable std::mutex mutex_;  // of the next two
  NodeList seen_;
  std::vector<std::string> urls_;  // of each shard
  std::atomic<Clock::rep> contact_ = 0;
  std::atomic<bool> failed_ = false;
  std::atomic<std::uint64_t> taken_ = 0, given_ = 0, lost_ = 0, fenced_ = 0;

  std::mutex thread_mutex_;
  std::condition_variable changed_;
  bool stopping_ = false, woken_ = false;
  std::thread thread_;
};

}  // namespace hannan::detail::service
