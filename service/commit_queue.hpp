// What is ready to be committed, by many threads.
//
// Work with few rows is written by one of the threads that have some ready, for all of them. Work with many rows takes
// milliseconds, for which the others would wait: a thread of its own takes one at a time and writes it in parts, and
// all that is ready with few rows between any two of them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace hannan::detail::service {

// Chosen: larger commits cost fewer syncs, and make the first of their rows wait longer.
inline constexpr std::size_t kCommitRows = 512;
// Of one submission: more take longer than a thread takes to start.
inline constexpr std::size_t kManyRows = 64;
// Of such a one that are written at a time while others write few: these wait for them.
inline constexpr std::size_t kPartRows = 16;

template <typename Work>
class CommitQueue {
 public:
  enum class Size { kFew, kMany };

  // Few rows wake no thread: the thread that adds them writes them, or calls wake().
  void add(Work work, std::size_t rows, Size size) {
    const std::lock_guard lock(mutex_);
    if (size == Size::kFew) {
      few_.push_back({std::move(work), rows});
    } else {
      many_.push_back(std::move(work));
      changed_.notify_one();
    }
  }
  void wake() {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_one();
  }
  // Nothing will be added any more.
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_one();
  }
  // Waits until there is work with many rows, or wake() was called since the last wait, and no longer than this.
  void wait(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [&] { return ended_ || woken_ || !many_.empty(); });
    woken_ = false;
  }
  bool has_few() const {
    const std::lock_guard lock(mutex_);
    return !few_.empty();
  }
  // Those with few rows that go into one commit, in their order.
  std::vector<Work> take_few() {
    const std::lock_guard lock(mutex_);
    std::vector<Work> taken;
    for (std::size_t rows = 0; !few_.empty(); few_.pop_front()) {
      rows += few_.front().rows;
      if (!taken.empty() && rows > kCommitRows) break;
      taken.push_back(std::move(few_.front().work));
    }
    return taken;
  }
  std::optional<Work> take_many() {
    const std::lock_guard lock(mutex_);
    if (many_.empty()) return std::nullopt;
    std::optional<Work> taken = std::move(many_.front());
    many_.pop_front();
    return taken;
  }
  bool is_done() const {  // nothing is left, and nothing will come
    const std::lock_guard lock(mutex_);
    return ended_ && few_.empty() && many_.empty();
  }

 private:
  struct Ready {
    Work work;
    std::size_t rows;
  };
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Ready> few_;
  std::deque<Work> many_;
  bool ended_ = false, woken_ = false;
};

}  // namespace hannan::detail::service
