// One lock for the queues, which is never held while a job runs. A lane is in turns_ or long_turns_ exactly where it
// has a job and is not held; lanes_ keeps a lane while it has a job, is held, or has used more than the others.
#include "service/workers.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace {

thread_local bool takes_turns_itself = false;  // this thread is about to look for a turn, and then wakes others

}  // namespace

thread_local Workers::Began* Workers::job_here_ = nullptr;

Workers::Workers(std::size_t threads, After after)
    : threads_(std::max<std::size_t>(1, threads) + (after ? 1 : 0)),
      after_(std::move(after)),
      free_places_(std::max<std::size_t>(2, threads) - 1) {
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
  const bool is_long = lane->jobs.front().length == Length::kLong;
  (is_long ? long_turns_ : turns_).insert({lane->used, next_turn_++, lane});
  if (is_long && !lowered_.empty()) return wake_lowered();
  if (!takes_turns_itself) wake_one();
}

// The one that began to wait last: the caches hold what it needs.
void Workers::wake_one() {
  if (resting_.empty()) return;
  resting_.back()->notify_one();
  resting_.pop_back();
}

void Workers::wake_lowered() {
  ++lowered_called_;
  lowered_.back()->notify_one();
  lowered_.pop_back();
}

// The turns that this thread takes the next of; null: it ends. What lowered threads were woken for is left to them.
std::set<Workers::Turn>* Workers::wait_for_turn(std::unique_lock<std::mutex>& lock) {
  std::condition_variable called;
  for (;;) {
    if (!turns_.empty()) return &turns_;
    if (long_turns_.size() > lowered_called_) return &long_turns_;
    if (stopping_) return nullptr;
    resting_.push_back(&called);
    called.wait(lock, [&] { return std::find(resting_.begin(), resting_.end(), &called) == resting_.end(); });
  }
}

// The same of a lowered thread.
std::set<Workers::Turn>* Workers::wait_for_long_turn(std::unique_lock<std::mutex>& lock) {
  std::condition_variable called;
  while (long_turns_.empty()) {
    if (stopping_) return nullptr;
    lowered_.push_back(&called);
    const auto is_called = [&] { return std::find(lowered_.begin(), lowered_.end(), &called) == lowered_.end(); };
    if (!called.wait_for(lock, kRest, is_called)) {
      std::erase(lowered_, &called);
      return nullptr;
    }
    --lowered_called_;
  }
  return &long_turns_;
}

void Workers::add(const std::string& name, Job job, Place place, Length length) {
  const std::lock_guard lock(mutex_);
  LanePointer lane;
  const bool queued = !lane_of(name, lane).jobs.empty();
  if (place == Place::kFirst) {
    lane->jobs.push_front({std::move(job), length});
  } else {
    lane->jobs.push_back({std::move(job), length});
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
      lane->jobs.push_front({token, Length::kShort});
    } else {
      lane->jobs.push_back({token, Length::kShort});
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
  if (is_idle()) idle_.notify_all();
}

void Workers::start_thread() {
  const std::uint64_t number = next_thread_++;
  all_.emplace(number, std::thread([this, number] { work(number); }));
}

void Workers::work(std::uint64_t thread) {
  const int system_thread = ::gettid();
  bool lowered = false;
  std::unique_lock lock(mutex_);
  for (;;) {
    std::set<Turn>* const turns = lowered ? wait_for_long_turn(lock) : wait_for_turn(lock);
    if (!turns) break;
    const LanePointer lane = turns->begin()->lane;
    least_used_ = std::max(least_used_, lane->used);
    turns->erase(turns->begin());
    auto [job, length] = std::move(lane->jobs.front());
    lane->jobs.pop_front();
    lane->held = true;
    ++held_;
    Began& began = running_[thread];
    began.lane = lane->name;
    began.when = Clock::now();
    began.system_thread = system_thread;
    began.replaced = lowered;
    job_here_ = &began;
    if (!watching_) begun_.notify_one();
    lock.unlock();

    const double before = thread_seconds();
    {
      const Hold hold(nullptr, [this, lane](void*) { release(lane); });
      try {
        if (length == Length::kLong) expect_long();
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
    lowered = began.replaced;
    leave_place(began);
    job_here_ = nullptr;
    running_.erase(thread);
    if (after_) do_after(lock, lowered ? Thread::kLowered : Thread::kUsual);
  }
  ended_.push_back(std::move(all_.at(thread)));
  all_.erase(thread);
  idle_.notify_all();
}

// Lanes that are free by it are left to this thread, as far as it comes to them next: another would have to be woken,
// and the caches of this one hold what their jobs need.
void Workers::do_after(std::unique_lock<std::mutex>& lock, Thread thread) {
  for (Left left = Left::kSome; left == Left::kSome;) {
    lock.unlock();
    takes_turns_itself = true;
    left = after_(thread);
    takes_turns_itself = false;
    lock.lock();
    const bool comes_next = left == Left::kNothing && thread == Thread::kUsual;
    const std::size_t turns = turns_.size() + long_turns_.size();
    for (std::size_t i = comes_next ? 1 : 0; i < turns && !resting_.empty(); ++i) wake_one();
  }
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
    if (stopping_ && !has_turns()) return;
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
  lower_priority(began.system_thread);
}

void Workers::expect_long() {
  std::unique_lock lock(mutex_);
  replace(*job_here_);
  while (job_here_->replaced && job_here_->place != Began::Place::kTaken) take_place(lock, *job_here_);
}

bool Workers::give_way() {
  if (!job_here_ || !job_here_->replaced.load(std::memory_order_relaxed)) return true;
  Began& began = *job_here_;
  const bool has_place = began.place == Began::Place::kTaken;  // written by this thread alone
  const auto now = Clock::now();
  if (has_place && now - began.placed < kPlace) return true;
  std::unique_lock lock(mutex_);
  if (has_place) {
    began.placed = now;
    if (want_place_.empty()) return true;
    leave_place(began);
  }
  return take_place(lock, began);
}

bool Workers::take_place(std::unique_lock<std::mutex>& lock, Began& began) {
  if (began.place == Began::Place::kNone) {
    want_place_.push_back(&began);
    began.place = Began::Place::kAwaited;
  }
  const auto is_next = [&] { return free_places_ > 0 && want_place_.front() == &began; };
  if (!place_free_.wait_for(lock, kPlace, is_next)) return false;
  want_place_.pop_front();
  --free_places_;
  began.place = Began::Place::kTaken;
  began.placed = Clock::now();
  if (free_places_ > 0) place_free_.notify_all();
  return true;
}

void Workers::leave_place(Began& began) {
  if (began.place == Began::Place::kTaken) ++free_places_;
  if (began.place == Began::Place::kAwaited) std::erase(want_place_, &began);
  if (began.place != Began::Place::kNone) place_free_.notify_all();
  began.place = Began::Place::kNone;
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
  return idle_.wait_until(lock, end, [&] { return is_idle(); });
}

void Workers::finish() {
  {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return is_idle(); });
    stopping_ = true;
    while (!resting_.empty()) wake_one();
    while (!lowered_.empty()) wake_lowered();
    begun_.notify_all();
    idle_.wait(lock, [&] { return all_.empty(); });
  }
  if (watcher_.joinable()) watcher_.join();
  for (auto& one : ended_) one.join();
  ended_.clear();
}

}  // namespace hannan::detail::service
