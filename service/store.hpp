// Where learners and their outcomes are kept: one row per outcome, in the order of commits, and snapshots, which only
// shorten replay. What a call wrote is on disk when it returns; a call that throws StoreFailure wrote nothing.
//
// A Store belongs to one thread at a time (locked_store.hpp). Others read through readers of their own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hannan::detail::service {

// The log cannot be written or read now: a full disk, a lost connection.
class StoreFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Another process wrote what only this one should: what this one knows is old.
class FencedFailure : public StoreFailure {
 public:
  using StoreFailure::StoreFailure;
};

using Shard = std::uint32_t;  // a part of the learners, by their names
class Leases;                 // service/leases.hpp

struct StoredLearner {
  std::int64_t id = 0;
  std::string name;
  std::uint64_t generation = 1;
  std::string config;           // JSON with every default
  std::string status = "live";  // or "ended"
  std::int64_t created = 0;     // milliseconds since 1970
};

// A generation of a learner that ended: its rows stay, and with them what made the learner that wrote them.
struct StoredGeneration {
  std::uint64_t generation = 1;
  std::string config;
  std::string ended_by;  // the key of the request that ended it, by which a repetition is known; empty: it had none
};

// A generation of a learner: its rows are rounds 1, 2, 3, ... without a gap.
struct LogName {
  std::int64_t learner = 0;
  std::uint64_t generation = 1;
  friend bool operator==(const LogName&, const LogName&) = default;
};

struct Row {
  LogName log;
  std::uint64_t t = 0;
  std::string id;              // of the outcome, the client's
  std::uint64_t decision = 0;  // the round whose action was played; 0: one that is no longer known
  std::int64_t time = 0;       // of the commit, milliseconds since 1970
  std::string line;            // the line of the record, without its end
};

struct Snapshot {
  LogName log;
  std::uint64_t t = 0;
  std::string engine;  // version and signature of the program that wrote it
  std::string state;   // or the first piece of it (snapshots.hpp)
  std::uint64_t pieces = 1;
  std::uint64_t digest = 0;  // of all pieces (core/digest.hpp)
};

class RowReader {
 public:
  virtual ~RowReader() = default;
  // Rounds after t, at most `limit`, in order.
  virtual std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) = 0;
  virtual std::optional<Row> find(LogName log, const std::string& id) = 0;
  virtual std::uint64_t last_round(LogName log) = 0;  // 0: there is no row
  // Those of the ids that there are, in any order; quicker than one after the other.
  virtual std::vector<Row> find_all(LogName log, const std::vector<std::string>& ids);
};

class Store : public RowReader {
 public:
  virtual std::vector<StoredLearner> learners() = 0;
  virtual std::int64_t add_learner(const StoredLearner& learner) = 0;  // its id, which is chosen here
  virtual void change_learner(const StoredLearner& learner) = 0;       // config and status
  // The same with a new generation; the one that ends is kept with its configuration, in the same transaction.
  virtual void begin_generation(const StoredLearner& learner, const std::string& ended_by) = 0;
  virtual std::vector<StoredGeneration> generations(std::int64_t learner) = 0;  // that ended, oldest first
  virtual void keep_generation(std::int64_t learner, const StoredGeneration& generation) = 0;  // of a copied learner
  // With its rows, generations and snapshots: after purge() there is no such learner, and purge_more() is called for as
  // long as it says that something of it is left, so that other uses of the store come in between. What is left where
  // the process ends is deleted when the store is opened.
  virtual void purge(std::int64_t learner) = 0;
  virtual bool purge_more([[maybe_unused]] std::int64_t learner) { return false; }
  virtual void append(std::span<const Row> rows) = 0;  // all or none
  // Rows of one log that are there as soon as append() is called with the last of them, and until then for none, nor
  // when the process ends: so that other commits come in between. Where others follow than the next ones, they are
  // dropped. False: this store has no such parts, and wrote nothing.
  virtual bool append_part([[maybe_unused]] std::span<const Row> rows) { return false; }
  // A large snapshot comes in pieces: those from 1 on by themselves, then the first one with the snapshot, which makes
  // it one. The two newest of a log are kept; pieces of others are deleted by drop_pieces(), called as purge_more() is.
  virtual void keep_piece(const Snapshot& of, std::uint64_t number, std::string_view bytes) = 0;
  virtual void keep_snapshot(const Snapshot& snapshot) = 0;
  virtual bool drop_pieces([[maybe_unused]] LogName log) { return false; }
  // Newest first, with their first pieces.
  virtual std::vector<Snapshot> snapshots(LogName log) = 0;
  virtual std::string piece(const Snapshot& of, std::uint64_t number) = 0;  // from 1 on; empty: there is none
  virtual bool trim(LogName log, std::uint64_t below) = 0;  // rows with t < below, called as purge_more() is
  // Reads what was committed, at the same time as the writer works.
  virtual std::unique_ptr<RowReader> reader() = 0;
  // Work that commits leave behind, to be called by a thread of its own beside the others, again and again; what fails
  // is left for the next call. Asking for it makes it the caller's task, but for a rest that commits cannot leave.
  // Where it is called while nothing is written it leaves nothing. Null: there is none. The store must outlive it.
  struct Remains {
    std::size_t waiting = 0;  // pages that were written meanwhile
    std::size_t all = 0;      // pages that commits have written since nothing was left
  };
  using Upkeep = std::function<Remains()>;
  virtual Upkeep upkeep() { return nullptr; }
  // Writes something that changes nothing, to see whether the log can be written again.
  virtual void probe() {}
  // Where several processes may write: which of them writes what. Null: this one writes all.
  virtual Leases* leases() { return nullptr; }
};

// SQLite in a file; made where there is none. Throws Error: kBadState where the file is not ours or newer, kCannotWrite
// where another process has it.
std::unique_ptr<Store> open_sqlite(const std::string& path);
// PostgreSQL by its URL; the tables are made where there are none. Throws as above, and kUsage for a server that does
// not write to disk before it answers, or for another number of shards than it was made with; 0: that one, or 64 where
// it is made now.
std::unique_ptr<Store> open_postgres(const std::string& url, Shard shards = 0);

// As a whole. From where purge() has returned on the learner is gone: what fails to be deleted then is deleted when the
// store is opened again.
void purge_whole(Store& store, std::int64_t learner);

// In memory, for tests: everything is lost with the process.
class FaultSwitch {
 public:
  bool fail_append = false;              // the next one
  bool no_memory = false;                // for the next append
  std::atomic<bool> fail_probe = false;  // as long as it is set
};
std::unique_ptr<Store> make_memory_store(std::shared_ptr<FaultSwitch> faults = nullptr);

}  // namespace hannan::detail::service
