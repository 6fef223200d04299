// The threads that do the work of learners.
//
// Each learner has a lane, by its name: jobs of a lane run one after the other in their order, on whichever thread is
// free. A lane is held from the start of a job until the job and all whom it gave its Hold to are done with it, so that
// a job may wait for a commit without a thread. Lanes take turns by the CPU time that their jobs have used: a learner
// that searches for seconds comes after those that need microseconds, whatever the number of their requests.
//
// Invariant: at least `threads` threads are there for jobs that are short, besides one that does what follows a job
// (After). A job that runs for longer than kLong keeps its thread, which from then on has a low priority, and another
// takes that one's place. Because a process without privileges may not take back a lowered priority, the thread
// from then on takes only jobs that are known to be long, and ends when there was none for a while. A job that is known
// to be long is added as such, or says so: until kLong it would keep others from a core.
//
// Even a thread of low priority keeps a core for milliseconds when one of the others is woken. Therefore one core is
// left without long jobs: all others of them, and never less than one, have a place, and a long job works only while it
// has one. Those that wait get one in their order, after kPlace at the latest where the jobs call give_way().
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace hannan::detail::service {

class Workers {
 public:
  // The lanes of a job stay held until the last copy is gone. Given to every job; must not outlive the Workers.
  using Hold = std::shared_ptr<void>;
  using Job = std::function<void(const Hold&)>;  // what it throws is forgotten
  enum class Place { kLast, kFirst };
  enum class Length { kShort, kLong };  // as far as it is known beforehand

  // What a thread does after each of its jobs, when the job counts as done, until there is nothing of it left; one
  // thread at a time is expected to be long in it. A lowered thread has the low priority of long jobs.
  enum class Thread { kUsual, kLowered };
  enum class Left { kNothing, kSome };
  using After = std::function<Left(Thread)>;  // throws nothing

  explicit Workers(std::size_t threads, After after = nullptr);
  ~Workers();  // finish() without an end
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Any thread may call, jobs too.
  void add(const std::string& lane, Job job, Place place = Place::kLast, Length length = Length::kShort);
  // Runs once it is the first of all of these lanes, and holds them all. Names that are given twice count once.
  void add(const std::set<std::string>& lanes, const Job& job, Place place = Place::kLast);
  // In a job: it counts as one that has run for longer than kLong. Returns when it has a place.
  void expect_long();
  // In a job, where it keeps no lock: a long one waits here for its place. False: it has waited for a while and has
  // none yet; it asks again, unless it is to end.
  bool give_way();

  // The job that has run for longest.
  struct Running {
    std::string lane;
    double seconds = 0;
  };
  std::optional<Running> longest() const;
  std::size_t longer_than(double seconds) const;  // jobs that have run for longer
  std::size_t waiting() const;                    // jobs that have not begun

  // Waits until no job is left, at most until then; false: some are. Jobs may still be added.
  bool wait_until(std::chrono::steady_clock::time_point end);
  // Does all jobs that are left, those that they add too, and ends the threads.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  struct Lane {
    struct Added {
      Job job;
      Length length;
    };
    std::string name;
    std::deque<Added> jobs;
    bool held = false;
    double used = 0;  // seconds of CPU time, counted from where the others were when it had something to do again
  };
  using LanePointer = std::shared_ptr<Lane>;
  struct Turn {  // of the queue of lanes: the one that has used least, and of equals the one that waits for longest
    double used;
    std::uint64_t number;
    LanePointer lane;
    friend bool operator<(const Turn& a, const Turn& b) {
      return a.used != b.used ? a.used < b.used : a.number < b.number;
    }
  };
  struct Began {
    std::string lane;
    Clock::time_point when;
    int system_thread = 0;               // as the scheduler knows it
    std::atomic<bool> replaced = false;  // another thread does short jobs in place of this one's
    // Of a long job, where it has or waits for a place.
    enum class Place { kNone, kAwaited, kTaken } place = Place::kNone;
    Clock::time_point placed = {};
  };

  Lane& lane_of(const std::string& name, LanePointer& into);
  void queue(const LanePointer& lane);
  bool has_turns() const { return !turns_.empty() || !long_turns_.empty(); }
  bool is_idle() const { return !has_turns() && held_ == 0; }
  void wake_one();
  void wake_lowered();
  void do_after(std::unique_lock<std::mutex>& lock, Thread thread);
  std::set<Turn>* wait_for_turn(std::unique_lock<std::mutex>& lock);
  std::set<Turn>* wait_for_long_turn(std::unique_lock<std::mutex>& lock);
  void release(const LanePointer& lane);
  void start_thread();
  void work(std::uint64_t thread);
  void watch();
  void replace(Began& began);
  bool take_place(std::unique_lock<std::mutex>& lock, Began& began);
  void leave_place(Began& began);

  static constexpr auto kLong = std::chrono::milliseconds(10);
  static constexpr auto kPlace = std::chrono::milliseconds(10);
  static constexpr auto kRest = std::chrono::seconds(1);  // of a lowered thread, before it ends
  static constexpr std::size_t kMostThreads = 256;

  const std::size_t threads_;
  const After after_;
  mutable std::mutex mutex_;
  std::condition_variable idle_, begun_, place_free_;
  std::vector<std::condition_variable*> resting_, lowered_;  // of threads without a turn; lowered ones apart
  std::size_t lowered_called_ = 0;                           // woken, and not yet at a turn
  std::map<std::string, LanePointer> lanes_;
  std::set<Turn> turns_, long_turns_;  // lanes that have a job and are not held, by what the job is known to be
  std::uint64_t next_turn_ = 0, next_thread_ = 0;
  double least_used_ = 0;  // of the lane that had the last turn: where a lane begins that had nothing to do
  std::map<std::uint64_t, Began> running_;  // by thread
  std::size_t free_places_;
  std::deque<const Began*> want_place_;
  static thread_local Began* job_here_;
  std::map<std::uint64_t, std::thread> all_;
  std::vector<std::thread> ended_;  // to be joined
  std::size_t held_ = 0;            // lanes
  bool stopping_ = false;
  bool watching_ = false;  // the watcher looks again within kLong; else it waits for begun_
  std::thread watcher_;
};

}  // namespace hannan::detail::service
