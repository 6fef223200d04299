// The log in SQLite: write-ahead log, synchronous FULL, so a commit that returned is on disk.
//
// One process owns the file (two locks, held while it lives); one connection writes, any number of read-only ones read
// committed rows beside it, which the write-ahead log allows without waiting. An append is one transaction and so one
// sync. Where anything fails, the connection is thrown away and the file opened again before the next use (Attempt):
// after a failed sync SQLite's own memory may hold what the disk does not.
#include <algorithm>
#include <exception>
#include <utility>

#include "hannan/core/error.hpp"
#include "service/sqlite_file.hpp"
#include "service/sqlite_lock.hpp"
#include "service/sqlite_reader.hpp"
#include "service/sqlite_tables.hpp"

namespace hannan::detail::service {
namespace {

// Used by the writer's thread alone; other threads get readers. Every public function is one Attempt.
class SqliteStore final : public Store {
 public:
  explicit SqliteStore(const std::string& path)
      : path_(path), lock_(path + ".lock", 0600, lock_whole), own_lock_(path, 0644, lock_database) {
    open_file();
    prepare_file();
    prepare_statements();
  }

  std::vector<StoredLearner> learners() override {
    const Attempt attempt(*this);
    return sqlite_learners(*connection_);
  }
  std::int64_t add_learner(const StoredLearner& learner) override {
    const Attempt attempt(*this);
    // No number twice, also not that of a learner that was purged: others may remember it.
    SqliteStatement add(*connection_,
                        "insert into learner(name, generation, config, status, created, id) values(?,?,?,?,?,"
                        "1 + max(coalesce((select max(id) from learner), 0),"
                        " coalesce((select cast(value as integer) from meta where key='purged'), 0)))");
    add.bind(1, learner.name).bind(2, learner.generation).bind(3, learner.config).bind(4, learner.status);
    add.bind(5, learner.created).execute();
    return sqlite3_last_insert_rowid(connection_->handle());
  }
  void change_learner(const StoredLearner& learner) override {
    const Attempt attempt(*this);
    change(learner);
  }
  void begin_generation(const StoredLearner& learner, const std::string& ended_by) override {
    const Attempt attempt(*this);
    SqliteTransaction all(*connection_);
    SqliteStatement keep(*connection_,
                         "insert or replace into generation(learner, generation, config, ended_by) "
                         "select id, generation, config, ?2 from learner where id=?1");
    keep.bind(1, learner.id).bind(2, ended_by).execute();
    change(learner);
    all.commit();
  }
  std::vector<StoredGeneration> generations(std::int64_t learner) override {
    const Attempt attempt(*this);
    SqliteStatement all(*connection_,
                        "select generation, config, ended_by from generation where learner=? order by generation");
    all.bind(1, learner);
    std::vector<StoredGeneration> found;
    while (all.step()) found.push_back({.generation = all.count(0), .config = all.text(1), .ended_by = all.text(2)});
    return found;
  }
  void keep_generation(std::int64_t learner, const StoredGeneration& generation) override {
    const Attempt attempt(*this);
    SqliteStatement keep(*connection_,
                         "insert or replace into generation(learner, generation, config, ended_by) values(?,?,?,?)");
    keep.bind(1, learner).bind(2, generation.generation).bind(3, generation.config).bind(4, generation.ended_by);
    keep.execute();
  }
  // In one transaction with two notes: of its number, which is never given again, and that its rows are to go.
  void purge(std::int64_t learner) override {
    const Attempt attempt(*this);
    SqliteTransaction all(*connection_);
    SqliteStatement note(*connection_,
                         "insert into meta(key, value) values('purged', ?) on conflict(key) do update"
                         " set value = max(cast(value as integer), cast(excluded.value as integer))");
    note.bind(1, std::to_string(learner)).execute();
    SqliteStatement(*connection_, "insert into meta(key, value) values(?, '')").bind(1, purging(learner)).execute();
    SqliteStatement(*connection_, "delete from learner where id=?").bind(1, learner).execute();
    all.commit();
  }
  bool purge_more(std::int64_t learner) override {
    const Attempt attempt(*this);
    return purge_some(learner);
  }
  // All rows or none, and on disk when it returns: the transaction ends with a sync of the write-ahead log.
  void append(std::span<const Row> rows) override {
    const Attempt attempt(*this);
    SqliteTransaction all(*connection_);
    const bool ends = continues(rows.front());
    if (ends) connection_->run("delete from unfinished");
    const bool others = !ends && unfinished_ && std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return row.log == unfinished_->log;
    });
    if (others) drop_unfinished();
    write(rows);
    all.commit();
    if (ends || others) unfinished_.reset();
  }
  bool append_part(std::span<const Row> rows) override {
    const Attempt attempt(*this);
    SqliteTransaction all(*connection_);
    const Row& first = rows.front();
    if (!continues(first)) {
      drop_unfinished();
      SqliteStatement begin(*connection_, "insert into unfinished(learner, generation, first) values(?,?,?)");
      begin.bind(1, first.log.learner).bind(2, first.log.generation).bind(3, first.t).execute();
    }
    write(rows);
    all.commit();
    unfinished_ = {.log = first.log, .next = rows.back().t + 1};
    return true;
  }
  // The new one, and at most one older: if the newest is damaged the older one still spares most of the replay.
  void keep_snapshot(const Snapshot& snapshot) override {
    const Attempt attempt(*this);
    SqliteTransaction all(*connection_);
    SqliteStatement keep(
        *connection_,
        "insert or replace into snapshot(learner, generation, t, engine, state, crc) values(?,?,?,?,?,?)");
    keep.bind(1, snapshot.log.learner).bind(2, snapshot.log.generation).bind(3, snapshot.t).bind(4, snapshot.engine);
    keep.bind_bytes(5, snapshot.state).bind(6, snapshot.digest).execute();
    SqliteStatement drop(*connection_,
                         "delete from snapshot where learner=?1 and generation=?2 and t not in (select t from snapshot "
                         "where learner=?1 and generation=?2 order by t desc limit 2)");
    drop.bind(1, snapshot.log.learner).bind(2, snapshot.log.generation).execute();
    SqliteStatement rest(*connection_,
                         "delete from snapshot_piece where learner=? and generation=? and t=? and number>=?");
    rest.bind(1, snapshot.log.learner).bind(2, snapshot.log.generation).bind(3, snapshot.t).bind(4, snapshot.pieces);
    rest.execute();
    all.commit();
  }
  bool drop_pieces(LogName log) override {
    const Attempt attempt(*this);
    SqliteStatement some(*connection_,
                         "delete from snapshot_piece where rowid in (select rowid from snapshot_piece where learner=?1 "
                         "and generation=?2 and t not in (select t from snapshot where learner=?1 and generation=?2) "
                         "limit 4)");
    some.bind(1, log.learner).bind(2, log.generation).execute();
    return sqlite3_changes(connection_->handle()) > 0;
  }
  void keep_piece(const Snapshot& of, std::uint64_t number, std::string_view bytes) override {
    const Attempt attempt(*this);
    SqliteStatement keep(
        *connection_, "insert or replace into snapshot_piece(learner, generation, t, number, bytes) values(?,?,?,?,?)");
    keep.bind(1, of.log.learner)
        .bind(2, of.log.generation)
        .bind(3, of.t)
        .bind(4, number)
        .bind_bytes(5, bytes)
        .execute();
  }
  std::string piece(const Snapshot& of, std::uint64_t number) override {
    const Attempt attempt(*this);
    SqliteStatement one(*connection_,
                        "select bytes from snapshot_piece where learner=? and generation=? and t=? and number=?");
    one.bind(1, of.log.learner).bind(2, of.log.generation).bind(3, of.t).bind(4, number);
    return one.step() ? one.text(0) : std::string();
  }
  std::vector<Snapshot> snapshots(LogName log) override {
    const Attempt attempt(*this);
    SqliteStatement all(*connection_,
                        "select t, engine, state, crc, 1 + (select count(*) from snapshot_piece p where p.learner="
                        "s.learner and p.generation=s.generation and p.t=s.t) from snapshot s where learner=? and "
                        "generation=? order by t desc");
    all.bind(1, log.learner).bind(2, log.generation);
    std::vector<Snapshot> found;
    while (all.step()) {
      found.push_back({.log = log,
                       .t = all.count(0),
                       .engine = all.text(1),
                       .state = all.text(2),
                       .pieces = all.count(4),
                       .digest = all.count(3)});
    }
    return found;
  }
  // Rows that are gone cannot be verified or asked for any more; the caller has made sure that snapshots cover them.
  bool trim(LogName log, std::uint64_t below) override {
    const Attempt attempt(*this);
    SqliteStatement drop(*connection_,
                         "delete from round where learner=?1 and generation=?2 and t in (select t from round where "
                         "learner=?1 and generation=?2 and t<?3 order by t limit 200)");
    drop.bind(1, log.learner).bind(2, log.generation).bind(3, below).execute();
    return sqlite3_changes(connection_->handle()) > 0;
  }
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    const Attempt attempt(*this);
    return questions_->rows_after(log, t, limit);
  }
  std::optional<Row> find(LogName log, const std::string& id) override {
    const Attempt attempt(*this);
    return questions_->find(log, id);
  }
  std::vector<Row> find_all(LogName log, const std::vector<std::string>& ids) override {
    const Attempt attempt(*this);
    return questions_->find_all(log, ids);
  }
  std::uint64_t last_round(LogName log) override {
    const Attempt attempt(*this);
    return questions_->last_round(log);
  }
  std::unique_ptr<RowReader> reader() override { return std::make_unique<SqliteReader>(path_); }
  // Copies pages from the write-ahead log into the database. The log begins again from its start where the last of it
  // was copied; commits copy where it has become long in spite of it.
  Upkeep upkeep() override {
    const Attempt attempt(*this);
    pages_before_copying_ = 4000;
    set_modes();
    return [path = path_, own = std::shared_ptr<SqliteConnection>()]() mutable -> Remains {
      try {
        if (!own) {
          own = std::make_shared<SqliteConnection>(path, SQLITE_OPEN_READWRITE);
          own->run("select 1 from meta");  // before it has read something it knows of no write-ahead log
        }
      } catch (const StoreFailure&) {
        own.reset();
        return {};
      }
      int all = 0, copied = 0;
      const int result = sqlite3_wal_checkpoint_v2(own->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &all, &copied);
      if (result != SQLITE_OK) {
        if (result != SQLITE_BUSY) own.reset();
        return {};
      }
      return {.waiting = static_cast<std::size_t>(all - copied), .all = static_cast<std::size_t>(all)};
    };
  }
  // A write that changes nothing still needs the disk: it fails as long as the disk is full.
  void probe() override {
    const Attempt attempt(*this);
    connection_->run("update meta set value = value where key = 'schema'");
  }

 private:
  // One use of the file. Where it fails, whatever SQLite holds in memory is thrown away, and the next use opens the
  // file again and reads what is in it: a write or a sync that failed is never tried again.
  class Attempt {
   public:
    explicit Attempt(SqliteStore& store) : store_(store), failing_(std::uncaught_exceptions()) {
      if (store_.broken_) store_.open_again();
    }
    ~Attempt() {
      if (std::uncaught_exceptions() > failing_) store_.broken_ = true;
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

   private:
    SqliteStore& store_;
    int failing_;
  };

  void write(std::span<const Row> rows) {
    for (const Row& row : rows) {
      append_->bind(1, row.log.learner).bind(2, row.log.generation).bind(3, row.t).bind(4, row.id);
      append_->bind(5, row.decision).bind(6, row.time).bind(7, row.line).execute();
    }
  }
  bool continues(const Row& row) const {
    return unfinished_ && row.log == unfinished_->log && row.t == unfinished_->next;
  }
  void drop_unfinished() {
    if (!unfinished_) return;
    const LogName log = unfinished_->log;
    SqliteStatement drop(*connection_,
                         "delete from round where learner=?1 and generation=?2 and t >= (select first from unfinished "
                         "where learner=?1 and generation=?2)");
    drop.bind(1, log.learner).bind(2, log.generation).execute();
    connection_->run("delete from unfinished");
  }
  // One that was cut is never continued: its first rows are dropped where something has to be written in their place.
  void find_unfinished() {
    unfinished_.reset();
    SqliteStatement found(*connection_, "select learner, generation from unfinished");
    if (found.step()) unfinished_ = {.log = {found.integer(0), found.count(1)}, .next = 0};
  }
  void change(const StoredLearner& learner) {
    SqliteStatement change(*connection_, "update learner set generation=?, config=?, status=? where id=?");
    change.bind(1, learner.generation).bind(2, learner.config).bind(3, learner.status).bind(4, learner.id).execute();
  }
  static std::string purging(std::int64_t learner) { return "purging " + std::to_string(learner); }
  // A millisecond or two of work: some of what is left of a learner; false: nothing was.
  bool purge_some(std::int64_t learner) {
    SqliteTransaction all(*connection_);
    for (const char* sql :
         {"delete from round where (learner, generation, t) in (select learner, generation, t from round where"
          " learner=? limit 200)",
          "delete from snapshot_piece where rowid in (select rowid from snapshot_piece where learner=? limit 4)",
          "delete from snapshot where (learner, generation, t) in (select learner, generation, t from snapshot where"
          " learner=? limit 1)",
          "delete from generation where learner=?"}) {
      SqliteStatement(*connection_, sql).bind(1, learner).execute();
      if (sqlite3_changes(connection_->handle()) == 0) continue;
      all.commit();
      return true;
    }
    SqliteStatement(*connection_, "delete from meta where key=?").bind(1, purging(learner)).execute();
    all.commit();
    return false;
  }
  void end_purges() {
    std::vector<std::int64_t> learners;
    SqliteStatement begun(*connection_, "select cast(substr(key, 9) as integer) from meta where key like 'purging %'");
    while (begun.step()) learners.push_back(begun.integer(0));
    begun.reset();
    for (const std::int64_t learner : learners) {
      while (purge_some(learner)) {
      }
    }
  }
  void open_file() { connection_.emplace(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE); }
  void set_modes() {
    connection_->run("pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on");
    sqlite3_wal_autocheckpoint(connection_->handle(), pages_before_copying_);
  }
  void prepare_statements() {
    append_.emplace(*connection_,
                    "insert into round(learner, generation, t, id, decision, time, line) values(?,?,?,?,?,?,?)");
    questions_.emplace(*connection_);
    find_unfinished();
  }
  // Statements belong to their connection, so they go first.
  void open_again() {
    append_.reset();
    questions_.reset();
    connection_.reset();
    open_file();
    set_modes();
    prepare_statements();
    broken_ = false;
  }
  void prepare_file() {
    try {
      set_modes();
    } catch (const StoreFailure& failure) {
      throw Error(Code::kBadState,
                  std::string("found no database of SQLite, expected one or no file (") + failure.what() + ")", path_);
    }
    const SqliteFile found = check_sqlite_file(*connection_, path_);
    SqliteTransaction all(*connection_);
    if (found == SqliteFile::kEmpty) connection_->run(kTables);
    connection_->run(kGenerations);
    connection_->run(kPieces);
    connection_->run(kUnfinished);
    find_unfinished();
    drop_unfinished();
    all.commit();
    end_purges();
  }

  std::string path_;
  // Closed after SQLite's own descriptors: closing one gives back the locks that SQLite has on the file.
  HeldLock lock_, own_lock_;
  std::optional<SqliteConnection> connection_;
  int pages_before_copying_ = 1000;  // of the write-ahead log, by a commit
  bool broken_ = false;
  struct Unfinished {
    LogName log;
    std::uint64_t next = 0;  // the row that continues it; 0: none does
  };
  std::optional<Unfinished> unfinished_;  // the append in parts that has not ended: at most one
  std::optional<SqliteStatement> append_;
  std::optional<Questions> questions_;
};

}  // namespace

// Errors of the file become errors of the flag: the service does not start without its log.
std::unique_ptr<Store> open_sqlite(const std::string& path) {
  // SQLite's count of its memory is not used here, and takes a lock. No effect once a database is open.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_config(SQLITE_CONFIG_URI, 0);  // a path is a path
  try {
    return std::make_unique<SqliteStore>(path);
  } catch (const StoreFailure& failure) {
    throw Error(Code::kCannotWrite,
                std::string("found ") + failure.what() + ", expected a database that can be written", path);
  }
}

}  // namespace hannan::detail::service
