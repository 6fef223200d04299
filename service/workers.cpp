// One lock for the queues, which is never held while a job runs. A lane is in turns_ exactly where it has a job and is
// not held; lanes_ keeps a lane while it has a job, is held, or has used more than the others.
#include "service/workers.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "service/host_values.hpp"

namespace hannan::detail::service {
Workers::Workers(std::size_t threads) : threads_(std::max<std::size_t>(1, threads)) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < threads_; ++i) start_thread();
  watcher_ = std::thread([this] { watch(); });
}

Workers::~Workers() { finish(); }

Workers::Lane& Workers::lane_of(const std::string& name, LanePointer& into) {
  auto& lane = lanes_[name];
  if (!lane) {
    lane = std::make_shared<Lane>();
    lane->name = name;
  }
  into = lane;
  return *lane;
}

// A lane that had nothing to do begins where the others are: time that it did not use is not kept for it.
void Workers::queue(const LanePointer& lane) {
  if (lane->held || lane->jobs.empty()) return;
  lane->used = std::max(lane->used, least_used_);
  turns_.insert({lane->used, next_turn_++, lane});
  changed_.notify_one();
}

void Workers::add(const std::string& name, Job job, Place place) {
  const std::lock_guard lock(mutex_);
  LanePointer lane;
  const bool queued = !lane_of(name, lane).jobs.empty();
  if (place == Place::kFirst) {
    lane->jobs.push_front(std::move(job));
  } else {
    lane->jobs.push_back(std::move(job));
  }
  if (!queued) queue(lane);  // else it is queued already, or held
}

// A token in each lane; the last lane to come to its token runs the job, and the Holds of all go with it. All tokens
// are put under one lock and in one order, so that two such jobs come in the same order in every lane that they share.
void Workers::add(const std::set<std::string>& names, const Job& job, Place place) {
  if (names.size() == 1) return add(*names.begin(), job, place);
  struct Meeting {
    std::mutex mutex;
    std::size_t missing;
    std::vector<Hold> holds;
  };
  auto meeting = std::make_shared<Meeting>();
  meeting->missing = names.size();
  const Job token = [meeting, job](const Hold& hold) {
    {
      const std::lock_guard lock(meeting->mutex);
      meeting->holds.push_back(hold);
      if (--meeting->missing > 0) return;
    }
    auto all = std::make_shared<std::vector<Hold>>(std::move(meeting->holds));
    job(all);
  };
  const std::lock_guard lock(mutex_);
  for (const std::string& name : names) {
    LanePointer lane;
    const bool queued = !lane_of(name, lane).jobs.empty();
    if (place == Place::kFirst) {
      lane->jobs.push_front(token);
    } else {
      lane->jobs.push_back(token);
    }
    if (!queued) queue(lane);
  }
}

void Workers::release(const LanePointer& lane) {
  const std::lock_guard lock(mutex_);
  lane->held = false;
  --held_;
  if (!lane->jobs.empty()) {
    queue(lane);
  } else if (lane->used <= least_used_) {
    lanes_.erase(lane->name);
  }
  if (turns_.empty() && held_ == 0) idle_.notify_all();
}

void Workers::start_thread() {
  const std::uint64_t number = next_thread_++;
  all_.emplace(number, std::thread([this, number] { work(number); }));
}

void Workers::work(std::uint64_t thread) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !turns_.empty() || stopping_; });
    if (turns_.empty()) break;
    const LanePointer lane = turns_.begin()->lane;
    least_used_ = std::max(least_used_, lane->used);
    turns_.erase(turns_.begin());
    Job job = std::move(lane->jobs.front());
    lane->jobs.pop_front();
    lane->held = true;
    ++held_;
    running_[thread] = {.lane = lane->name, .when = Clock::now(), .system_thread = ::gettid()};
    if (!watching_) begun_.notify_one();
    lock.unlock();

    const double before = thread_seconds();
    {
      const Hold hold(nullptr, [this, lane](void*) { release(lane); });
      try {
        job(hold);
      } catch (...) {  // NOLINT(bugprone-empty-catch)
        // A job answers for what it does. Where memory is short even that may fail: whoever waits for it sees his
        // connection end, and the lane goes on.
      }
      job = nullptr;  // with all that it holds
      const double used = thread_seconds() - before;
      const std::lock_guard again(mutex_);
      lane->used += used;
    }

    lock.lock();
    const bool replaced = running_.at(thread).replaced;
    running_.erase(thread);
    if (replaced) break;
  }
  ended_.push_back(std::move(all_.at(thread)));
  all_.erase(thread);
  idle_.notify_all();
}

// Looks every kLong while jobs run. A job that begins after a look has run for at least kLong at the next but one.
void Workers::watch() {
  std::unique_lock lock(mutex_);
  for (;;) {
    watching_ = false;
    begun_.wait(lock, [&] { return stopping_ || !running_.empty(); });
    watching_ = true;
    for (auto& one : ended_) one.join();
    ended_.clear();
    if (stopping_ && turns_.empty()) return;
    begun_.wait_for(lock, kLong);
    const auto now = Clock::now();
    for (auto& [thread, began] : running_) {
      if (now - began.when >= kLong) replace(began);
    }
  }
}

void Workers::replace(Began& began) {
  if (began.replaced || all_.size() >= kMostThreads) return;
  began.replaced = true;
  start_thread();  // first: a thread begins with the priority of the one that starts it, which may be this one
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(began.system_thread), kLowered);  // where it fails: as before
}

void Workers::expect_long() {
  const std::lock_guard lock(mutex_);
  for (auto& [thread, began] : running_) {
    if (began.system_thread == ::gettid()) return replace(began);
  }
}

std::optional<Workers::Running> Workers::longest() const {
  const std::lock_guard lock(mutex_);
  const auto oldest = std::min_element(running_.begin(), running_.end(),
                                       [](const auto& a, const auto& b) { return a.second.when < b.second.when; });
  if (oldest == running_.end()) return std::nullopt;
  const std::chrono::duration<double> seconds = Clock::now() - oldest->second.when;
  return Running{.lane = oldest->second.lane, .seconds = seconds.count()};
}

std::size_t Workers::longer_than(double seconds) const {
  const std::lock_guard lock(mutex_);
  const auto begin = Clock::now() - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  return static_cast<std::size_t>(
      std::count_if(running_.begin(), running_.end(), [&](const auto& one) { return one.second.when < begin; }));
}

std::size_t Workers::waiting() const {
  const std::lock_guard lock(mutex_);
  std::size_t jobs = 0;
  for (const auto& [name, lane] : lanes_) jobs += lane->jobs.size();
  return jobs;
}

bool Workers::wait_until(Clock::time_point end) {
  std::unique_lock lock(mutex_);
  return idle_.wait_until(lock, end, [&] { return turns_.empty() && held_ == 0; });
}

void Workers::finish() {
  {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return turns_.empty() && held_ == 0; });
    stopping_ = true;
    changed_.notify_all();
    begun_.notify_all();
    idle_.wait(lock, [&] { return all_.empty(); });
  }
  if (watcher_.joinable()) watcher_.join();
  for (auto& one : ended_) one.join();
  ended_.clear();
}

}  // namespace hannan::detail::service
