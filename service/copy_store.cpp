// Opening a store by what is given to --db, and copying one store into another (--copy-from). A copy goes through the
// same interface as the service, so it works between SQLite and PostgreSQL in both directions. Cost: O(rows), 500 at a
// time.
#include "service/copy_store.hpp"

#include "hannan/core/error.hpp"
#include "service/inspect_store.hpp"
#include "service/leases.hpp"
#include "service/secrets.hpp"

namespace hannan::detail::service {

namespace {
constexpr std::size_t kCopiedAtATime = 500;

// All shards while it lives.
class AllShards {
 public:
  AllShards(Store& store, const char* flag) : leases_(store.leases()) {
    if (!leases_) return;
    std::vector<Shard> all;
    for (Shard shard = 0; shard < leases_->shards(); ++shard) all.push_back(shard);
    // Taking every shard is how "the only process" is said in a store with leases; SQLite says it by its file lock.
    if (leases_->take(all).size() != all.size()) {
      throw Error(Code::kCannotWrite,
                  "found another process at work on this database, expected to be the only one; stop it first", flag);
    }
    leases_->adopt(all);
  }
  ~AllShards() {
    try {
      if (leases_) leases_->leave();
    } catch (const StoreFailure&) {
      return;  // the session is lost, and its locks with it
    }
  }
  AllShards(const AllShards&) = delete;
  AllShards& operator=(const AllShards&) = delete;

 private:
  Leases* leases_;
};

// What SQLite would take for a database in memory, or for a URI that may say so: what is acknowledged must be on disk.
void refuse_no_file(const std::string& where) {
  if (!where.empty() && where != ":memory:" && !where.starts_with("file:")) return;
  throw Error(Code::kUsage,
              "found the database \"" + where +
                  "\", expected the path of a file, or postgresql://...: a log that is not on disk is gone with the "
                  "process; write ./ before a file of such a name");
}

}  // namespace

void purge_whole(Store& store, std::int64_t learner) {
  store.purge(learner);
  try {
    while (store.purge_more(learner)) {
    }
  } catch (const StoreFailure&) {  // NOLINT(bugprone-empty-catch)
    // The rest is deleted when the store is opened.
  }
}

std::vector<Row> RowReader::find_all(LogName log, const std::vector<std::string>& ids) {
  std::vector<Row> found;
  for (const std::string& id : ids) {
    if (auto row = find(log, id)) found.push_back(std::move(*row));
  }
  return found;
}

namespace {

void check_file(const std::string& where, Shard shards) {
  refuse_no_file(where);
  if (shards != 0) throw Error(Code::kUsage, "found a file of SQLite, expected postgresql:// with --shards", "--db");
}

}  // namespace

std::unique_ptr<Store> open_store(const std::string& where, Shard shards) {
  if (is_postgres(where)) return open_postgres(where, shards);
  check_file(where, shards);
  return open_sqlite(where);
}

InspectedStore inspect_store(const std::string& where, Shard shards) {
  if (is_postgres(where)) return inspect_postgres(where, shards);
  check_file(where, shards);
  return inspect_sqlite(where);
}

// Generation by generation, rows in order, snapshots from old to new; ids of learners are chosen anew. Both stores are
// held whole while it runs, so that no one else writes. What was copied when it fails stays: the target must be empty
// to begin with, and is not used until it is done.
CopiedCounts copy_store(Store& from, Store& to) {
  const AllShards of_old(from, "--copy-from"), of_new(to, "--db");
  if (!to.learners().empty())
    throw Error(Code::kUsage, "found learners in the database that is copied to, expected an empty one", "--db");
  CopiedCounts counts;
  for (const StoredLearner& learner : from.learners()) {
    const std::int64_t id = to.add_learner(learner);
    ++counts.learners;
    for (const StoredGeneration& ended : from.generations(learner.id)) to.keep_generation(id, ended);
    for (std::uint64_t generation = 1; generation <= learner.generation; ++generation) {
      const LogName old{learner.id, generation}, now{id, generation};
      std::uint64_t t = 0;
      for (auto rows = from.rows_after(old, t, kCopiedAtATime); !rows.empty();
           rows = from.rows_after(old, t, kCopiedAtATime)) {
        t = rows.back().t;
        counts.rows += rows.size();
        for (Row& row : rows) row.log = now;
        to.append(rows);
      }
      auto snapshots = from.snapshots(old);
      for (auto it = snapshots.rbegin(); it != snapshots.rend(); ++it) {
        Snapshot copy = *it;
        copy.log = now;
        for (std::uint64_t number = 1; number < copy.pieces; ++number)
          to.keep_piece(copy, number, from.piece(*it, number));
        to.keep_snapshot(copy);
      }
    }
  }
  return counts;
}

}  // namespace hannan::detail::service
