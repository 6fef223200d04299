// Threads that do the tasks of one batch after the other, and wait in between.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hannan::detail {

class WorkerTeam {
 public:
  // work(worker, task) does a task; worker 0 is the thread that calls run. It must not throw. Fewer threads than asked
  // for are started where the system has no more.
  WorkerTeam(unsigned workers, std::function<void(std::size_t worker, std::size_t task)> work);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  // Does tasks 0..tasks-1, each once, in any order, and returns when all are done.
  void run(std::size_t tasks);

 private:
  void serve(std::size_t worker);
  // Takes tasks until none is left; holds the lock except during a task.
  void take_tasks(std::size_t worker, std::unique_lock<std::mutex>& lock);

  std::function<void(std::size_t, std::size_t)> work_;
  std::mutex mutex_;
  std::condition_variable begun_, done_;
  std::size_t tasks_ = 0, next_ = 0, left_ = 0;  // of the batch: all, the first that was not taken, not yet done
  bool ended_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace hannan::detail
