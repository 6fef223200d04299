// The learners of the service and the threads that work for them.
//
// Whatever is done to a learner is a job of its lane (workers.hpp), so that learners do not wait for one another. A job
// with outcomes takes all that wait for its learner and applies them in memory; the thread that has done so commits
// them together with whatever others have ready, or leaves them to one that is about to (host_writer.cpp), which
// publishes and answers; only then is the lane free again. Where a commit fails nothing is published: the learners of
// the group are dropped from memory and built again from the log. All other threads see what was published
// (Entry::now), which never changes, and read the log on readers of their own.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "service/cluster.hpp"
#include "service/combiner_entry.hpp"
#include "service/commit_queue.hpp"
#include "service/entry.hpp"
#include "service/journal.hpp"
#include "service/metrics.hpp"
#include "service/store.hpp"
#include "service/workers.hpp"

namespace hannan::detail::service {

// Sets of floors are rows of the table of learners with such a name and status.
inline constexpr std::string_view kSetPrefix = "floors/", kSetStatus = "set";
// The status of a learner that was quarantined by hand, with the reason behind it.
inline constexpr std::string_view kQuarantinedStatus = "quarantined: ";

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
  std::size_t workers = 2;                    // threads for the work of learners
  std::uint64_t search_nodes = 200'000;       // that a learner may ask for
  const Journal* journal = nullptr;           // null: none
};

// Thrown out of a search that was left. No Error: it says nothing about the learner or its log.
class WorkStopped : public std::runtime_error {
 public:
  WorkStopped() : std::runtime_error("work was stopped") {}
};

inline constexpr double kStalledSeconds = 10;  // of work for one learner, from which on it counts as stalled

class Host {
 public:
  Host(std::unique_ptr<Store> store, HostLimits limits, Metrics& metrics);
  ~Host();  // stop()
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Answers come on a thread of the host's, each exactly once. A failure is what was thrown.
  template <class T>
  using Answer = std::function<void(T, std::exception_ptr)>;

  // Where the store has leases: takes shards and serves their learners from now on.
  void join(ClusterSetting setting);
  const Cluster* cluster() const { return cluster_.get(); }  // null: this process has all learners

  EntryPointer find(const std::string& name) const;  // kUndefined where there is none, kOtherNode where another has it
  // The same for one that was ended too, as long as its log is kept.
  EntryPointer find_log(const std::string& name) const;
  // In order of names, behind `after`: pages of a list stay right while learners are made and ended.
  std::vector<EntryPointer> list(const std::string& after, std::size_t limit) const;
  std::size_t size() const;
  std::size_t count(Status status) const;                // of its learners
  bool ready() const { return cold_ == 0 && !stale(); }  // every learner was loaded once
  bool writable() const { return writable_; }            // the last commit went through, or a probe after it
  bool stale() const { return cluster_ && cluster_->stale(); }
  std::size_t waiting_bytes() const { return waiting_bytes_; }

  // Refuses at once, by throwing, where too much waits or the service stops; otherwise answers when the group is
  // committed.
  void submit(Submission submission, Answer<Accepted> answer);
  enum class Made { kNew, kSame };
  void make(std::string name, Json body, Answer<Made> answer);
  // Without `purge` rows and snapshots stay and the name may be made again, as a new generation.
  void end(std::string name, bool purge, Answer<bool> answer);
  // A new generation with an empty log; only if this is the current decision, where one is named, and once for a key.
  struct Reset {
    std::string if_decision, key;  // empty: none
  };
  void reset(std::string name, Reset reset, Answer<bool> answer);
  // Ends what it is doing and keeps it from work until it is released; its log stays readable.
  void quarantine(std::string name, std::string why, Answer<bool> answer);
  void release(std::string name, Answer<bool> answer);
  // With the learner itself, in its lane: reports, states, decisions for a context.
  void with(EntryPointer entry, std::function<Json(HostedLearner&)> question, Answer<Json> answer);

  // With a learner that is built from the log for this question alone, as far as its rows come out again; `why` says
  // why some were left out. Of any generation; of a learner that was ended or is quarantined too.
  using PastQuestion = std::function<Json(HostedLearner&, const std::string& why)>;
  void with_past(EntryPointer entry, std::uint64_t generation, PastQuestion question, Answer<Json> answer);

  // Sets of floors (floor_set.hpp), as JSON. kUndefined where there is none.
  Json find_set(const std::string& name) const;
  void make_set(std::string name, const Json& set, Answer<Made> answer);
  void end_set(std::string name, Answer<bool> answer);

  // Learners that combine forecasts (host_combiners.cpp). They have names as the others have, and entries of their own.
  bool combines(const std::string& name) const { return combiner_of(name) != nullptr; }  // also one that was ended
  CombinerPointer combiner_of(const std::string& name) const;                            // null: there is none
  CombinerPointer find_combiner(const std::string& name) const;  // as find(): kUndefined, kOtherNode
  std::vector<CombinerPointer> combiners() const;                // that live, in order of names
  void make_combiner(std::string name, Json body, Answer<Made> answer);
  enum class LogAfterEnd { kKept, kPurged };
  void end_combiner(const std::string& name, LogAfterEnd log, Answer<bool> answer);
  void reset_combiner(const std::string& name, Reset reset, Answer<bool> answer);
  void quarantine_combiner(const std::string& name, std::string why, Answer<bool> answer);
  void release_combiner(const std::string& name, Answer<bool> answer);
  // With these learners, loaded, in order of their names and in their lanes; the rows that the work makes are on disk,
  // all or none, when it is answered.
  using CombinerWork = std::function<HostedCombiner::Done(std::span<CombinerEntry* const>, RowReader& log)>;
  void with_combiners(std::set<std::string> names, CombinerWork work, Answer<Json> answer);
  // The configuration of a generation, as JSON. kTrimmed where it is not kept.
  std::string combiner_config(const CombinerEntry& entry, std::uint64_t generation);

  // Work that is none of a learner's, on the threads for learners, as a long job; what has one name is done in turn.
  void work_aside(const std::string& name, std::function<void()> work);

  std::unique_ptr<RowReader> reader();  // for another thread
  // The learner whose work has taken longest, if any works now.
  std::optional<Workers::Running> longest() const { return workers_.longest(); }
  std::size_t stalled() const;  // learners whose work takes longer than kStalledSeconds
  std::size_t waiting_jobs() const { return workers_.waiting(); }
  double used_memory() const;  // estimated, of the learners
  double most_memory() const { return limits_.memory; }

  using Clock = std::chrono::steady_clock;
  // Finishes what waits, until end.work at most; what is not done by then ends where a search can be left, and is not
  // kept. Writes snapshots, until end.snapshots at most, ends the threads and closes the log. What comes after is
  // refused with kNotReady.
  struct End {
    Clock::time_point work = Clock::time_point::max(), snapshots = Clock::time_point::max();
  };
  void stop() { stop(End{}); }
  void stop(const End& end);

 private:
  // Between submit() and the answer; owned by the queue, then by the group.
  struct Waiting {
    Submission submission;
    Answer<Accepted> answer;
  };
  class Group;
  // While it lives, work of this thread gives way to others, and ends with WorkStopped where one of the learners, or
  // the service, is to stop.
  class StopPoint {
   public:
    StopPoint(Host& host, std::vector<const Entry*> entries)
        : question_([&host, entries = std::move(entries)] {
            do {
              if (host.at_once_.load(std::memory_order_relaxed)) throw WorkStopped();
              for (const Entry* entry : entries) {
                if (entry->stopped.load(std::memory_order_relaxed)) throw WorkStopped();
              }
            } while (!host.workers_.give_way());
          }),
          scope_(question_) {}

   private:
    std::function<void()> question_;
    Interruption scope_;
  };
  using GroupPointer = std::shared_ptr<Group>;
  using Place = Workers::Place;

  // host.cpp: entries, what waits, commits.
  EntryPointer make_entry(const StoredLearner& stored);
  EntryPointer entry_of(const std::string& name) const;  // null: there is none
  EntryPointer current(const Entry& entry) const;
  void say(Level level, std::string_view event, const Json& what) const;  // to the operator
  void check_open() const;                                                // kNotReady once it stops
  void check_waiting(const Submission& submission) const;
  void count_waiting(const Submission& submission);
  void add_job(const EntryPointer& entry, const Workers::Job& job, Place place = Place::kLast);
  Workers::Length length_of_next(const std::string& lane) const;  // of the submissions that wait
  void add_group(const std::string& lane, Place place = Place::kLast);
  std::size_t waiting_of(const std::string& lane) const;
  std::vector<std::string> waiting_ids(const std::string& lane, const HostedLearner& learner) const;
  std::optional<Waiting> next_waiting(const std::string& lane, std::size_t rows_so_far);
  void run_together(const std::shared_ptr<Waiting>& waiting);
  void apply_waiting(const std::string& lane, const Workers::Hold& hold);
  void refuse_waiting(const std::string& lane, const std::exception_ptr& why);
  void hand_over(const GroupPointer& group);
  // Exactly once for each submission, whatever became of it: the counts of what waits depend on it.
  void settle(Waiting& waiting, Accepted accepted, const std::exception_ptr& failure);
  Workers::Left after_job(Workers::Thread thread);
  Workers::Left write_few();
  void write_many();
  // What one or several commits write.
  struct Writing {
    std::vector<GroupPointer> groups;
    std::vector<Row> rows = {};
    std::size_t written = 0;               // rows
    std::exception_ptr failure = nullptr;  // why they could not be written
  };
  enum class Extent { kPart, kAll };
  bool write_rows(Writing& writing, Extent extent);
  static void answer(const Writing& writing);
  static void gather(Writing& writing);
  void probe();
  void save_last(Clock::time_point end);

  // host_load.cpp: from the log into memory, and snapshots.
  static constexpr std::size_t kReplayRows = 256;  // at a time; other learners come between
  // A learner with the rows that its newest snapshot has, of those up to `to`, or none.
  struct Begun {
    std::unique_ptr<HostedLearner> learner;
    bool moved = false;  // the snapshot is of another program, which may have decided otherwise
  };
  Begun begin_from_log(const StoredLearner& stored, std::uint64_t to = ~std::uint64_t{0});
  // The last decision that the rows have, but for that of `differs`; none where they have none, or with contexts.
  std::optional<DecidedAction> last_decision(const Entry& entry, std::uint64_t differs = 0);
  void load_in_time(const EntryPointer& entry);
  bool prepared(Entry& entry);
  bool load_some(Entry& entry);
  // Throws kInternal where it is quarantined, kUndefined where it was ended, kNotReady where the log cannot be read
  // now.
  HostedLearner& loaded(Entry& entry);
  void drop(Entry& entry);
  void after_commit(const EntryPointer& entry, std::shared_ptr<const Published> published);
  void take_snapshot(Entry& entry);
  void trim(const Entry& entry, std::uint64_t older, std::uint64_t position);

  // host_past.cpp
  struct Past;
  void add_past(const std::shared_ptr<Past>& past);
  bool build_past(Past& past);
  StoredLearner stored_generation(const Entry& entry, std::uint64_t generation, Past& past);
  void keep_end(Entry& entry);

  // host_shards.cpp
  void replace(const std::vector<Shard>& shards, const std::vector<EntryPointer>& entries);
  void set_shards(const std::vector<Shard>& shards, Cluster::State state);
  void adopt(const std::vector<Shard>& shards, const Workers::Hold& hold);
  void release_shards(const std::vector<Shard>& shards, const Workers::Hold& hold);
  void forget(const std::vector<Shard>& shards, const Workers::Hold& hold);

  // host_tasks.cpp, host_sets.cpp
  template <class T>
  void add_task(const std::string& name, std::function<T()> task, Answer<T> answer, Place place = Place::kLast);
  Made make_now(const std::string& name, const Json& body);
  static EntryPointer new_entry(const StoredLearner& stored, MadeLearner made);
  void show(EntryPointer entry);
  void check_number() const;
  void end_now(const std::string& name, bool purge);
  void reset_now(const std::string& name, const Reset& reset);
  void check_decision(const EntryPointer& entry, std::uint64_t round);
  void keep_set(const StoredLearner& stored);
  // host_combiners.cpp
  void show_combiner(const CombinerPointer& entry);
  void adopt_combiner(const StoredLearner& stored);  // with its memory
  HostedCombiner& loaded_combiner(CombinerEntry& entry);
  void keep_combiner_snapshot(CombinerEntry& entry, std::uint64_t rows);  // where so many came since the last
  void take_memory(double bytes);
  void give_memory(double bytes);
  // host_memory.cpp: segments, which come with the outcomes.
  void reserve_segments(Entry& entry, double bytes);  // kNoMemory where they do not fit
  void count_segments(Entry& entry, double bytes);    // they are there

  std::unique_ptr<Store> store_;  // any thread
  HostLimits limits_;
  Metrics& metrics_;

  mutable std::mutex entries_mutex_;
  std::map<std::string, EntryPointer> entries_;
  std::map<std::string, StoredLearner> sets_;
  std::map<std::string, CombinerPointer> combiners_;
  double used_memory_ = 0;

  mutable std::mutex queue_mutex_;
  std::map<std::string, std::deque<Waiting>> waiting_;  // submissions of one learner each, by lane
  bool stopping_ = false;
  CommitQueue<GroupPointer> ready_;
  std::mutex writing_mutex_;         // of whoever commits rows
  Clock::time_point few_rows_last_;  // written; under writing_mutex_
  std::atomic<std::size_t> waiting_bytes_ = 0;
  std::atomic<std::size_t> cold_ = 0;  // learners that are to be loaded without being asked
  std::atomic<bool> writable_ = true;
  std::atomic<bool> at_once_ = false;  // all work ends where it can be left
  std::unique_ptr<Cluster> cluster_;
  Workers workers_;
  std::thread writer_;
};

}  // namespace hannan::detail::service
