// Tasks of a batch are numbers; a thread takes the next one under the lock and does it without. Invariant: left_ =
// tasks not yet done, next_ = the first not taken; run() returns when left_ is 0, so all writes of the tasks happen
// before it returns. The destructor ends waiting threads; it is never called while a batch runs.
#include "hannan/oracles/worker_team.hpp"

#include <exception>
#include <utility>

namespace hannan::detail {

// Where the system refuses a thread the team goes on with those it has: the caller is always one of them.
WorkerTeam::WorkerTeam(unsigned workers, std::function<void(std::size_t, std::size_t)> work) : work_(std::move(work)) {
  threads_.reserve(workers);
  for (unsigned worker = 1; worker < workers; ++worker) {
    try {
      threads_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::exception&) {
      return;
    }
  }
}

WorkerTeam::~WorkerTeam() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  begun_.notify_all();
  threads_.clear();
}

void WorkerTeam::run(std::size_t tasks) {
  std::unique_lock lock(mutex_);
  tasks_ = left_ = tasks;
  next_ = 0;
  begun_.notify_all();
  take_tasks(0, lock);
  done_.wait(lock, [&] { return left_ == 0; });
}

// Called and left with the lock held; work runs without it. `work_` must not throw: nothing here would catch it.
void WorkerTeam::take_tasks(std::size_t worker, std::unique_lock<std::mutex>& lock) {
  while (next_ < tasks_) {
    const std::size_t task = next_++;
    lock.unlock();
    work_(worker, task);
    lock.lock();
    if (--left_ == 0) done_.notify_one();
  }
}

void WorkerTeam::serve(std::size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return ended_ || next_ < tasks_; });
    if (ended_) return;
    take_tasks(worker, lock);
  }
}

}  // namespace hannan::detail
