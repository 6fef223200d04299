// The session of one rank (experiment.hpp). Invariants: next_, played_ and failure_ are touched under lock_ alone; a
// task is finished when its line is in the folder, by whoever. A batch may be played twice, which changes no result,
// since a result is a function of its task.
#include "hannan/experiment/experiment.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

class Session {
 public:
  Session(const ExperimentCells& cells, FinishedTasks& finished, const ExperimentRun& run)
      : cells_(cells), finished_(finished), run_(run) {
    const std::size_t batches = cells.batches().size();
    // Its own first, in order; then those of the ranks after it, each backwards and from another place than its other
    // helpers: where batches are shorter than the time to hear of each other, they would play the same ones side by
    // side.
    for (std::size_t i = run.rank; i < batches; i += run.ranks) order_.push_back(i);
    own_ = order_.size();
    for (std::uint64_t next = 1; next < run.ranks; ++next) {
      const std::size_t first = (run.rank + next) % run.ranks, from = order_.size();
      for (std::size_t i = batches; i-- > 0;) {
        if (i % run.ranks == first) order_.push_back(i);
      }
      // ranks > 1 here, as the loop body is not entered otherwise. The rotation starts each pair of ranks at another
      // place.
      const std::size_t place = (order_.size() - from) * (next - 1) / (run.ranks - 1);
      std::rotate(order_.begin() + static_cast<std::ptrdiff_t>(from),
                  order_.begin() + static_cast<std::ptrdiff_t>(from + place), order_.end());
    }
    for (const auto& task : cells.tasks()) rounds_ += rounds_of(task);
  }

  // The loop of every thread. The first failure ends all of them, and is thrown by results().
  void work() {
    while (const auto place = take()) {
      try {
        play(*place);
      } catch (...) {
        const std::lock_guard lock(lock_);
        if (!failure_) failure_ = std::current_exception();
      }
    }
  }

  // In the order of the tasks; none where some task is not finished, because of a stop or because another rank has it.
  std::optional<std::vector<SimulatedRun>> results() {
    if (failure_) std::rethrow_exception(failure_);
    finished_.refresh();
    std::vector<SimulatedRun> all;
    for (const auto& task : cells_.tasks()) {
      auto found = finished_.find(task.key);
      if (!found) return std::nullopt;
      all.push_back(std::move(*found));
    }
    return all;
  }

 private:
  double rounds_of(const ExperimentTask& task) const {
    return static_cast<double>(cells_.cells()[task.cell].scene->rounds());
  }

  // What is not finished of a batch.
  ExperimentBatch missing(const ExperimentBatch& batch) const {
    ExperimentBatch some;
    for (const std::size_t i : batch) {
      if (!finished_.has(cells_.tasks()[i].key)) some.push_back(i);
    }
    return some;
  }

  // The next place in the order whose batch is not finished.
  std::optional<std::size_t> take() {
    const std::lock_guard lock(lock_);
    for (; next_ < order_.size(); ++next_) {
      if (failure_ || (run_.stop && run_.stop())) return std::nullopt;
      if (run_.ranks > 1) look_around();  // another may have played ours meanwhile
      if (!missing(cells_.batches()[order_[next_]]).empty()) return next_++;
    }
    return std::nullopt;
  }

  // What others have written, at most five times a second.
  void look_around() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return;
    // Only how often others' files are read; no result depends on time.
    next_look_ = now + std::chrono::milliseconds(200);
    finished_.refresh();
  }

  // Results go to the folder before anything else: what is there is never played again.
  void play(std::size_t place) {
    const ExperimentBatch some = missing(cells_.batches()[order_[place]]);
    if (some.empty()) return;
    const bool of_another = place >= own_;
    const auto results = cells_.play(some, [&] {
      if (run_.stop && run_.stop()) return true;
      if (!of_another) return false;
      {
        const std::lock_guard lock(lock_);
        look_around();
      }
      return std::all_of(some.begin(), some.end(), [&](std::size_t i) { return finished_.has(cells_.tasks()[i].key); });
    });
    if (!results) return;
    for (std::size_t i = 0; i < some.size(); ++i) finished_.add(cells_.tasks()[some[i]].key, (*results)[i]);
    const std::lock_guard lock(lock_);
    for (const std::size_t i : some) played_ += rounds_of(cells_.tasks()[i]);
    // Counting looks at every task: twice a second is enough.
    const auto now = std::chrono::steady_clock::now();
    if (!run_.progress || now < next_progress_) return;
    next_progress_ = now + std::chrono::milliseconds(500);
    run_.progress(progress());
  }

  ExperimentProgress progress() const {
    ExperimentProgress now{
        .tasks = cells_.tasks().size(), .finished = 0, .share_left = 0, .share_played = played_ / rounds_};
    for (const auto& task : cells_.tasks()) {
      if (finished_.has(task.key)) {
        ++now.finished;
      } else {
        now.share_left += rounds_of(task) / rounds_;
      }
    }
    return now;
  }

  const ExperimentCells& cells_;
  FinishedTasks& finished_;
  const ExperimentRun& run_;
  std::vector<std::size_t> order_;
  std::size_t own_ = 0;
  double rounds_ = 0;
  std::mutex lock_;
  std::size_t next_ = 0;
  double played_ = 0;
  std::chrono::steady_clock::time_point next_look_{}, next_progress_{};
  std::exception_ptr failure_;
};

}  // namespace

// The calling thread works too. jthreads are joined at the end of the block, before results are looked for.
std::optional<std::vector<SimulatedRun>> play_experiment(const ExperimentCells& cells, FinishedTasks& finished,
                                                         const ExperimentRun& run) {
  Session session(cells, finished, run);
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < run.threads; ++i) threads.emplace_back([&] { session.work(); });
    session.work();
  }
  return session.results();
}

}  // namespace hannan::detail
