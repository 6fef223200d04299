// The learners of the service and the one thread that changes them.
//
// The writer takes all that waits, applies it in memory, commits it as one group, publishes and answers. Where a commit
// fails nothing is published: the learners of the group are dropped from memory and built again from the log. All
// other threads see what was published (Entry::now), which never changes, and read the log on readers of their own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "hannan/core/error.hpp"
#include "service/cluster.hpp"
#include "service/hosted_learner.hpp"
#include "service/http_message.hpp"
#include "service/metrics.hpp"
#include "service/store.hpp"

namespace hannan::detail::service {

// Sets of floors are rows of the table of learners with such a name and status.
inline constexpr std::string_view kSetPrefix = "floors/", kSetStatus = "set";

enum class Status { kCold, kReady, kQuarantined, kEnded };
std::string_view status_name(Status status);

// A learner as every thread may see it.
class Entry {
 public:
  Entry(StoredLearner stored, LearnerConfig config, std::shared_ptr<const AnyProblem> problem, std::size_t columns);

  const std::string& name() const { return stored_.name; }
  const StoredLearner& stored() const { return stored_; }
  const LearnerConfig& config() const { return config_; }
  const AnyProblem& problem() const { return *problem_; }
  std::size_t columns() const { return columns_; }
  LogName log() const { return {stored_.id, stored_.generation}; }

  struct Now {
    Status status = Status::kCold;
    std::string why;                             // it is quarantined
    std::shared_ptr<const Published> published;  // null while cold, unless a snapshot was found
    bool behind = false;                         // it is that of a snapshot, and rows follow
  };
  Now now() const;
  void set(Now now);  // and wakes those who wait
  // Woken once, at the next change. Those that are gone by then are forgotten.
  void when_changed(std::weak_ptr<Wake> sleeper);
  void wake();

  std::atomic<std::size_t> waiting = 0;  // outcomes that are not committed

 private:
  StoredLearner stored_;
  LearnerConfig config_;
  std::shared_ptr<const AnyProblem> problem_;
  std::size_t columns_;
  mutable std::mutex mutex_;
  Now now_;
  std::vector<std::weak_ptr<Wake>> sleepers_;
  std::size_t most_sleepers_ = 16;  // before those that are gone are looked for
};
using EntryPointer = std::shared_ptr<Entry>;

// Outcomes that are accepted together or not at all.
struct Submission {
  struct Part {
    EntryPointer entry;
    std::vector<Incoming> outcomes;
    std::string path;  // of its outcomes in the request, for errors
  };
  std::vector<Part> parts;
  std::optional<std::uint64_t> if_round;  // only if this is the round of the current decision; of a single part
  std::size_t bytes = 0;
};
struct Accepted {
  struct Each {
    std::uint64_t round = 0;
    double loss = 0;
    bool duplicate = false;
    Json decision;  // where one was asked for
  };
  struct Part {
    std::size_t accepted = 0, duplicates = 0;
    std::uint64_t first = 0, last = 0;  // rounds; 0: none
    std::shared_ptr<const Published> published;
    std::vector<Each> each;
  };
  std::vector<Part> parts;
};

// What one process takes on. Beyond `learners` and `memory` new learners are refused, beyond `waiting` outcomes are:
// nothing that was accepted is ever dropped.
struct HostLimits {
  std::size_t learners = 10'000;
  double memory = 4.0 * (1ULL << 30);
  std::size_t waiting_of_learner = 10'000;                // outcomes
  std::size_t waiting_bytes = 64U << 20U;                 // of all
  std::uint64_t snapshot_every = 10'000;                  // rounds
  std::uint64_t keep_rounds = 0;                          // of a learner that says nothing itself; 0: all
  std::int64_t keep_ids_milliseconds = 7LL * 86'400'000;  // a row is kept for so long at least, and so is its id
  ExternalOracles oracles = ExternalOracles::kRefused;
  Differing differing = Differing::kRefused;  // rows that come out otherwise when they are replayed
};

class Host {
 public:
  Host(std::unique_ptr<Store> store, HostLimits limits, Metrics& metrics);
  ~Host();  // stop()
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Answers come on the writer's thread, each exactly once. A failure is what was thrown.
  template <class T>
  using Answer = std::function<void(T, std::exception_ptr)>;

  // Where the store has leases: takes shards and serves their learners from now on.
  void join(ClusterSetting setting);
  const Cluster* cluster() const { return cluster_.get(); }  // null: this process has all learners

  EntryPointer find(const std::string& name) const;  // kUndefined where there is none, kOtherNode where another has it
  // In order of names, behind `after`: pages of a list stay right while learners are made and ended.
  std::vector<EntryPointer> list(const std::string& after, std::size_t limit) const;
  std::size_t size() const;
  bool ready() const { return ready_ && !stale(); }  // every learner was loaded once
  bool writable() const { return writable_; }        // the last commit went through, or a probe after it
  bool stale() const { return cluster_ && cluster_->stale(); }
  std::size_t waiting_bytes() const { return waiting_bytes_; }

  // Refuses at once, by throwing, where too much waits or the service stops; otherwise answers when the group is
  // committed.
  void submit(Submission submission, Answer<Accepted> answer);
  enum class Made { kNew, kSame };
  void make(std::string name, Json body, Answer<Made> answer);
  // Without `purge` rows and snapshots stay and the name may be made again, as a new generation.
  void end(std::string name, bool purge, Answer<bool> answer);
  // A new generation with an empty log; only if this is the round of the current decision, where one is named.
  void reset(std::string name, std::optional<std::uint64_t> if_round, Answer<bool> answer);
  // With the learner itself, on the writer's thread: reports, states, decisions for a context.
  void with(EntryPointer entry, std::function<Json(HostedLearner&)> question, Answer<Json> answer);

  // Sets of floors (floor_set.hpp), as JSON. kUndefined where there is none.
  Json find_set(const std::string& name) const;
  void make_set(std::string name, const Json& set, Answer<Made> answer);
  void end_set(std::string name, Answer<bool> answer);

  std::unique_ptr<RowReader> reader();  // for another thread
  // Finishes what waits, writes snapshots, ends the thread. What comes after is refused with kNotReady.
  void stop();

 private:
  // Between submit() and the answer; owned by the queue, then by the group.
  struct Waiting {
    Submission submission;
    Answer<Accepted> answer;
  };
  using Task = std::function<void()>;
  class Group;

  void work();
  void probe();
  EntryPointer make_entry(const StoredLearner& stored);
  void replace(const std::vector<Shard>& shards, const std::vector<EntryPointer>& entries);
  void set_shards(const std::vector<Shard>& shards, Cluster::State state);
  EntryPointer entry_of(const std::string& name) const;  // null: there is none
  EntryPointer current(const Entry& entry) const;
  void adopt(const std::vector<Shard>& shards);
  void save_shards(const std::vector<Shard>& shards);
  void release(const std::vector<Shard>& shards);
  void forget(const std::vector<Shard>& shards);
  // Loads one learner that nothing has asked for; false: there is none, or the log cannot be read now.
  bool load_next_cold();
  void save_last();
  void run_group(std::deque<Waiting> group);
  // Loads it where need be. Throws kInternal where it is quarantined, kUndefined where it was ended, kNotReady where
  // the log cannot be read now.
  HostedLearner& loaded(Entry& entry);
  void load(Entry& entry);
  // From memory, after a commit that failed: the next use builds it again from the log.
  void drop(const std::string& name);
  // Publishes, and takes a snapshot where one is due.
  void after_commit(Entry& entry, HostedLearner& learner);
  void take_snapshot(const std::string& name, HostedLearner& learner);
  // Rows that may be deleted are at or below the older of the two snapshots, so that a damaged newest one costs
  // nothing.
  void trim(const Entry& entry, std::uint64_t older, std::uint64_t position);
  void add_task(Task task);
  void check_waiting(const Submission& submission) const;
  void keep_set(const StoredLearner& stored);
  void make_now(const std::string& name, const Json& body, const Answer<Made>& answer);

  std::unique_ptr<Store> store_;
  HostLimits limits_;
  Metrics& metrics_;

  mutable std::mutex entries_mutex_;
  std::map<std::string, EntryPointer> entries_;
  std::map<std::string, StoredLearner> sets_;

  // Of the writer alone.
  std::map<std::string, std::unique_ptr<HostedLearner>> learners_;
  std::map<std::string, std::uint64_t> snapshots_;  // round of the newest one
  double used_memory_ = 0;

  std::mutex queue_mutex_;
  std::condition_variable queue_changed_;
  std::deque<Waiting> queue_;
  std::deque<Task> tasks_;
  bool stopping_ = false;
  std::atomic<std::size_t> waiting_bytes_ = 0;
  std::atomic<bool> ready_ = false, writable_ = true;
  std::atomic<bool> cold_left_ = false;  // some learners are to be loaded when there is time
  std::string cold_after_;               // the name of the last that was looked at for that
  std::unique_ptr<Cluster> cluster_;
  std::thread writer_;
};

}  // namespace hannan::detail::service
