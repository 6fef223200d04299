// Three kinds of use, so that a commit waits for little:
//   rows that are looked for   by readers of their own, beside the writer; few rows where the writer is free by the
//                              writer, which has the pages at hand; where several processes may write always by the
//                              writer, whose connection knows whether this one still may
//   commits and learners       by the thread that asks, under the lock of the writer
//   snapshots, purges, trims   some at a time, under that lock, by a thread of their own: the thread that asks may have
//                              a low priority (workers.hpp), and must not keep the lock while others have the cores
//   upkeep                     without that lock, by another thread, after every kUpkeepBytes that were written, and
//                              with it for the last few pages, so that the log begins again
// Leases lock for themselves (leases.hpp).
#include "service/locked_store.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>

#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace {

// A lock that is taken in the order in which it was asked for: one who takes it again and again lets others in between.
class TurnLock {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const std::uint64_t turn = next_++;
    changed_.wait(lock, [&] { return turn == serving_; });
  }
  bool try_lock() {
    const std::lock_guard lock(mutex_);
    if (next_ != serving_) return false;
    ++next_;
    return true;
  }
  void unlock() {
    const std::lock_guard lock(mutex_);
    ++serving_;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0, serving_ = 0;
};

// A thread that does what others ask for, in their order, while they wait.
class Errands {
 public:
  Errands() : thread_([this] { work(); }) {}
  ~Errands() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }
  Errands(const Errands&) = delete;
  Errands& operator=(const Errands&) = delete;

  template <typename Work>
  auto run(const Work& work) {  // throws what it throws
    std::packaged_task<decltype(work())()> task(work);
    auto done = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      asked_.emplace([&task] { task(); });
      changed_.notify_all();
    }
    return done.get();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopping_ || !asked_.empty(); });
      if (asked_.empty()) return;
      const auto next = std::move(asked_.front());
      asked_.pop();
      lock.unlock();
      next();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> asked_;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses the others
};

// Of a commit: it writes every page that it changed, and one row alone changes two or three.
constexpr std::size_t kBytesBesides = 8192;

std::size_t bytes_of(std::span<const Row> rows) {
  std::size_t bytes = kBytesBesides;
  for (const Row& row : rows) bytes += row.id.size() + row.line.size();
  return bytes;
}

// A thread that does the upkeep of a store.
class Caretaker {
 public:
  static constexpr std::size_t kUpkeepBytes = std::size_t{1} << 20U;

  Caretaker(Store::Upkeep upkeep, TurnLock& writer) : upkeep_(std::move(upkeep)), writer_(writer) {
    if (upkeep_) thread_ = std::thread([this] { work(); });
  }
  ~Caretaker() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Caretaker(const Caretaker&) = delete;
  Caretaker& operator=(const Caretaker&) = delete;

  void wrote(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ += bytes;
    if (bytes_ >= kUpkeepBytes) changed_.notify_all();
  }

 private:
  // Each call leaves what was written during it, and so less than the one before. A log that was never copied to its
  // end would become so long that a commit copies, for which its clients wait: many pages, and their sync.
  static constexpr std::size_t kFewPages = 64, kManyPages = 1000;
  static constexpr int kMostCalls = 4;

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopping_ || bytes_ >= kUpkeepBytes; });
      if (stopping_) return;
      bytes_ = 0;
      lock.unlock();
      Store::Remains left = upkeep_();
      for (int calls = 1; calls < kMostCalls && left.waiting > kFewPages; ++calls) left = upkeep_();
      if (left.all >= kManyPages && left.waiting > 0) {
        const std::lock_guard turn(writer_);
        upkeep_();
      }
      lock.lock();
    }
  }

  const Store::Upkeep upkeep_;
  TurnLock& writer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t bytes_ = 0;  // since the last
  bool stopping_ = false;
  std::thread thread_;  // last: it uses the others
};

class LockedStore final : public Store {
  static constexpr std::size_t kReadersKept = 4;
  static constexpr std::size_t kFewIds = 32;  // chosen: a commit that comes meanwhile waits for them

  // A reader that was there before may have lost its file or server meanwhile: where it fails a new one is asked.
  template <typename Question>
  auto ask(const Question& question) {
    if (leases()) {
      const std::lock_guard lock(mutex_);
      return question(*store_);
    }
    if (auto kept = take_reader()) {
      try {
        auto answer = question(*kept);
        give_back(std::move(kept));
        return answer;
      } catch (const StoreFailure&) {  // NOLINT(bugprone-empty-catch)
        // See above.
      }
    }
    auto fresh = reader();
    auto answer = question(*fresh);
    give_back(std::move(fresh));
    return answer;
  }
  std::unique_ptr<RowReader> take_reader() {
    const std::lock_guard lock(readers_mutex_);
    if (readers_.empty()) return nullptr;
    auto last = std::move(readers_.back());
    readers_.pop_back();
    return last;
  }
  void give_back(std::unique_ptr<RowReader> reader) {
    const std::lock_guard lock(readers_mutex_);
    if (readers_.size() < kReadersKept) readers_.push_back(std::move(reader));
  }

 public:
  explicit LockedStore(std::unique_ptr<Store> store) : store_(std::move(store)), caretaker_(store_->upkeep(), mutex_) {}

  std::vector<StoredLearner> learners() override {
    const std::lock_guard lock(mutex_);
    return store_->learners();
  }
  std::int64_t add_learner(const StoredLearner& learner) override {
    const std::lock_guard lock(mutex_);
    return store_->add_learner(learner);
  }
  void change_learner(const StoredLearner& learner) override {
    const std::lock_guard lock(mutex_);
    store_->change_learner(learner);
  }
  void begin_generation(const StoredLearner& learner, const std::string& ended_by) override {
    const std::lock_guard lock(mutex_);
    store_->begin_generation(learner, ended_by);
  }
  std::vector<StoredGeneration> generations(std::int64_t learner) override {
    const std::lock_guard lock(mutex_);
    return store_->generations(learner);
  }
  void keep_generation(std::int64_t learner, const StoredGeneration& generation) override {
    const std::lock_guard lock(mutex_);
    store_->keep_generation(learner, generation);
  }
  void purge(std::int64_t learner) override {
    return errands_.run([&] {
      const std::lock_guard lock(mutex_);
      return store_->purge(learner);
    });
  }
  bool purge_more(std::int64_t learner) override {
    return errands_.run([&] {
      const std::lock_guard lock(mutex_);
      return store_->purge_more(learner);
    });
  }
  void append(std::span<const Row> rows) override {
    {
      const std::lock_guard lock(mutex_);
      store_->append(rows);
    }
    caretaker_.wrote(bytes_of(rows));
  }
  bool append_part(std::span<const Row> rows) override {
    {
      const std::lock_guard lock(mutex_);
      if (!store_->append_part(rows)) return false;
    }
    caretaker_.wrote(bytes_of(rows));
    return true;
  }
  void keep_snapshot(const Snapshot& snapshot) override {
    return errands_.run([&] {
      const std::lock_guard lock(mutex_);
      return store_->keep_snapshot(snapshot);
    });
  }
  bool drop_pieces(LogName log) override {
    return errands_.run([&] {
      const std::lock_guard lock(mutex_);
      return store_->drop_pieces(log);
    });
  }
  void keep_piece(const Snapshot& of, std::uint64_t number, std::string_view bytes) override {
    caretaker_.wrote(bytes.size());
    return errands_.run([&] {
      const std::lock_guard lock(mutex_);
      return store_->keep_piece(of, number, bytes);
    });
  }
  std::string piece(const Snapshot& of, std::uint64_t number) override {
    const std::lock_guard lock(mutex_);
    return store_->piece(of, number);
  }
  std::vector<Snapshot> snapshots(LogName log) override {
    const std::lock_guard lock(mutex_);
    return store_->snapshots(log);
  }
  bool trim(LogName log, std::uint64_t below) override {
    return errands_.run([&] {
      const std::lock_guard lock(mutex_);
      return store_->trim(log, below);
    });
  }
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    return ask([&](RowReader& reader) { return reader.rows_after(log, t, limit); });
  }
  std::optional<Row> find(LogName log, const std::string& id) override {
    if (const std::unique_lock free(mutex_, std::try_to_lock); free) return store_->find(log, id);
    return ask([&](RowReader& reader) { return reader.find(log, id); });
  }
  std::uint64_t last_round(LogName log) override {
    return ask([&](RowReader& reader) { return reader.last_round(log); });
  }
  std::vector<Row> find_all(LogName log, const std::vector<std::string>& ids) override {
    if (ids.size() <= kFewIds) {
      if (const std::unique_lock free(mutex_, std::try_to_lock); free) return store_->find_all(log, ids);
    }
    return ask([&](RowReader& reader) { return reader.find_all(log, ids); });
  }
  std::unique_ptr<RowReader> reader() override {
    const std::lock_guard lock(mutex_);
    return store_->reader();
  }
  void probe() override {
    const std::lock_guard lock(mutex_);
    store_->probe();
  }
  Leases* leases() override { return store_->leases(); }

 private:
  TurnLock mutex_;  // of the writer
  std::unique_ptr<Store> store_;
  std::mutex readers_mutex_;
  std::vector<std::unique_ptr<RowReader>> readers_;  // that are not in use
  Errands errands_;
  Caretaker caretaker_;
};

}  // namespace

std::unique_ptr<Store> make_locked_store(std::unique_ptr<Store> store) {
  return std::make_unique<LockedStore>(std::move(store));
}

}  // namespace hannan::detail::service
