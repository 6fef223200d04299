// A store in memory for tests: the same contract without a disk, and switches by which a test makes the next append or
// every probe fail. All copies made by reader() share one Kept under its mutex.
#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "service/store.hpp"

namespace hannan::detail::service {
namespace {

struct Kept {
  std::mutex mutex;
  std::map<std::int64_t, StoredLearner> learners;
  using Key = std::pair<std::int64_t, std::uint64_t>;
  std::map<Key, std::map<std::uint64_t, Row>> rows;
  std::map<Key, std::map<std::uint64_t, Snapshot>> snapshots;
  std::map<std::int64_t, std::vector<StoredGeneration>> generations;                     // that ended, by learner
  std::map<Key, std::map<std::pair<std::uint64_t, std::uint64_t>, std::string>> pieces;  // by round and number
  std::shared_ptr<FaultSwitch> faults;
};

Kept::Key key_of(LogName log) { return {log.learner, log.generation}; }

// The same class serves as reader, since every function takes the mutex.
class MemoryStore final : public Store {
 public:
  explicit MemoryStore(std::shared_ptr<Kept> kept) : kept_(std::move(kept)) {}

  std::vector<StoredLearner> learners() override {
    const std::lock_guard lock(kept_->mutex);
    std::vector<StoredLearner> all;
    for (const auto& [id, learner] : kept_->learners) all.push_back(learner);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return all;
  }
  std::int64_t add_learner(const StoredLearner& learner) override {
    const std::lock_guard lock(kept_->mutex);
    const std::int64_t id = kept_->learners.empty() ? 1 : kept_->learners.rbegin()->first + 1;
    StoredLearner one = learner;
    one.id = id;
    kept_->learners[id] = std::move(one);
    return id;
  }
  void change_learner(const StoredLearner& learner) override {
    const std::lock_guard lock(kept_->mutex);
    kept_->learners[learner.id] = learner;
  }
  void begin_generation(const StoredLearner& learner, const std::string& ended_by) override {
    const std::lock_guard lock(kept_->mutex);
    StoredLearner& old = kept_->learners[learner.id];
    kept_->generations[learner.id].push_back({old.generation, old.config, ended_by});
    old = learner;
  }
  std::vector<StoredGeneration> generations(std::int64_t learner) override {
    const std::lock_guard lock(kept_->mutex);
    return kept_->generations[learner];
  }
  void keep_generation(std::int64_t learner, const StoredGeneration& generation) override {
    const std::lock_guard lock(kept_->mutex);
    kept_->generations[learner].push_back(generation);
  }
  void purge(std::int64_t learner) override {
    const std::lock_guard lock(kept_->mutex);
    kept_->generations.erase(learner);
    kept_->learners.erase(learner);
    std::erase_if(kept_->rows, [&](const auto& entry) { return entry.first.first == learner; });
    std::erase_if(kept_->snapshots, [&](const auto& entry) { return entry.first.first == learner; });
    std::erase_if(kept_->pieces, [&](const auto& entry) { return entry.first.first == learner; });
  }
  void append(std::span<const Row> rows) override {
    const std::lock_guard lock(kept_->mutex);
    // Before anything is written: a failed append leaves nothing behind, as the contract asks.
    if (kept_->faults && std::exchange(kept_->faults->fail_append, false)) throw StoreFailure("no space left");
    if (kept_->faults && std::exchange(kept_->faults->no_memory, false)) throw std::bad_alloc();
    for (const Row& row : rows) kept_->rows[key_of(row.log)][row.t] = row;
  }
  void keep_snapshot(const Snapshot& snapshot) override {
    const std::lock_guard lock(kept_->mutex);
    auto& all = kept_->snapshots[key_of(snapshot.log)];
    all[snapshot.t] = snapshot;
    while (all.size() > 2) all.erase(all.begin());
    std::erase_if(kept_->pieces[key_of(snapshot.log)], [&](const auto& piece) {
      const auto& [t, number] = piece.first;
      return !all.contains(t) || (t == snapshot.t && number >= snapshot.pieces);
    });
  }
  void keep_piece(const Snapshot& of, std::uint64_t number, std::string_view bytes) override {
    const std::lock_guard lock(kept_->mutex);
    kept_->pieces[key_of(of.log)][{of.t, number}] = bytes;
  }
  std::string piece(const Snapshot& of, std::uint64_t number) override {
    const std::lock_guard lock(kept_->mutex);
    const auto& all = kept_->pieces[key_of(of.log)];
    const auto found = all.find({of.t, number});
    return found == all.end() ? std::string() : found->second;
  }
  std::vector<Snapshot> snapshots(LogName log) override {
    const std::lock_guard lock(kept_->mutex);
    std::vector<Snapshot> all;
    const auto& found = kept_->snapshots[key_of(log)];
    for (auto it = found.rbegin(); it != found.rend(); ++it) all.push_back(it->second);
    return all;
  }
  bool trim(LogName log, std::uint64_t below) override {
    const std::lock_guard lock(kept_->mutex);
    auto& rows = kept_->rows[key_of(log)];
    rows.erase(rows.begin(), rows.lower_bound(below));
    return false;
  }
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    const std::lock_guard lock(kept_->mutex);
    std::vector<Row> all;
    const auto& rows = kept_->rows[key_of(log)];
    for (auto it = rows.upper_bound(t); it != rows.end() && all.size() < limit; ++it) all.push_back(it->second);
    return all;
  }
  // Linear: tests have few rows.
  std::optional<Row> find(LogName log, const std::string& id) override {
    const std::lock_guard lock(kept_->mutex);
    for (const auto& [t, row] : kept_->rows[key_of(log)]) {
      if (row.id == id) return row;
    }
    return std::nullopt;
  }
  std::uint64_t last_round(LogName log) override {
    const std::lock_guard lock(kept_->mutex);
    const auto& rows = kept_->rows[key_of(log)];
    return rows.empty() ? 0 : rows.rbegin()->first;
  }
  void probe() override {
    if (kept_->faults && kept_->faults->fail_probe) throw StoreFailure("no space left");
  }
  std::unique_ptr<RowReader> reader() override { return std::make_unique<MemoryStore>(kept_); }

 private:
  std::shared_ptr<Kept> kept_;
};

}  // namespace

std::unique_ptr<Store> make_memory_store(std::shared_ptr<FaultSwitch> faults) {
  auto kept = std::make_shared<Kept>();
  kept->faults = std::move(faults);
  return std::make_unique<MemoryStore>(std::move(kept));
}

}  // namespace hannan::detail::service
