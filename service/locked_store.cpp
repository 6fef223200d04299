// Leases lock for themselves (leases.hpp), and readers are for one thread each.
#include "service/locked_store.hpp"

#include <mutex>
#include <utility>

namespace hannan::detail::service {
namespace {

class LockedStore final : public Store {
 public:
  explicit LockedStore(std::unique_ptr<Store> store) : store_(std::move(store)) {}

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
    const std::lock_guard lock(mutex_);
    store_->purge(learner);
  }
  void append(std::span<const Row> rows) override {
    const std::lock_guard lock(mutex_);
    store_->append(rows);
  }
  void keep_snapshot(const Snapshot& snapshot) override {
    const std::lock_guard lock(mutex_);
    store_->keep_snapshot(snapshot);
  }
  void keep_piece(const Snapshot& of, std::uint64_t number, std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    store_->keep_piece(of, number, bytes);
  }
  std::string piece(const Snapshot& of, std::uint64_t number) override {
    const std::lock_guard lock(mutex_);
    return store_->piece(of, number);
  }
  std::vector<Snapshot> snapshots(LogName log) override {
    const std::lock_guard lock(mutex_);
    return store_->snapshots(log);
  }
  void trim(LogName log, std::uint64_t below) override {
    const std::lock_guard lock(mutex_);
    store_->trim(log, below);
  }
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    const std::lock_guard lock(mutex_);
    return store_->rows_after(log, t, limit);
  }
  std::optional<Row> find(LogName log, const std::string& id) override {
    const std::lock_guard lock(mutex_);
    return store_->find(log, id);
  }
  std::uint64_t last_round(LogName log) override {
    const std::lock_guard lock(mutex_);
    return store_->last_round(log);
  }
  std::vector<Row> find_all(LogName log, const std::vector<std::string>& ids) override {
    const std::lock_guard lock(mutex_);
    return store_->find_all(log, ids);
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
  std::mutex mutex_;
  std::unique_ptr<Store> store_;
};

}  // namespace

std::unique_ptr<Store> make_locked_store(std::unique_ptr<Store> store) {
  return std::make_unique<LockedStore>(std::move(store));
}

}  // namespace hannan::detail::service
