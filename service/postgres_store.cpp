// The log in PostgreSQL. One connection writes, and the session of that very connection holds the locks of the shards
// it writes: when it ends, the locks and the way to write end together, so two nodes never write one learner. The
// second fence is the primary key of the rounds: of two writers of one round the later one fails, and gives up its
// session.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <utility>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "service/leases.hpp"
#include "service/postgres_rows.hpp"
#include "service/postgres_schema.hpp"

namespace hannan::detail::service {
namespace {

// Nodes with a session that lives, and the locks it holds. A process id may be given again, so `seen` must be recent.
constexpr const char* kNodes = R"(
select n.id, n.url, coalesce(string_agg(l.objid::text, ',' order by l.objid), '')
from node n join pg_stat_activity a on a.pid = n.session left join pg_locks l
  on l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.pid = n.session and l.classid = $1::oid
  and l.database = (select oid from pg_database where datname = current_database())
where n.seen > now() - interval '10 seconds' group by n.id, n.url order by n.id)";
// At most every 3 s, so that a look usually writes nothing.
constexpr const char* kSayAlive = R"(
insert into node values($1, $2, pg_backend_pid(), now()) on conflict(id) do update
set url = excluded.url, session = excluded.session, seen = excluded.seen
where node.url <> excluded.url or node.session <> excluded.session or node.seen < now() - interval '3 seconds')";

// As a list of PostgreSQL, for "= any($1::int[])" and unnest.
std::string shard_list(const std::vector<Shard>& shards) {
  std::vector<std::string> texts;
  for (const Shard shard : shards) texts.push_back(std::to_string(shard));
  return text_list({texts.begin(), texts.end()});
}

// The name of this process among the nodes, new at every start: a process that comes back is another node, whose
// session holds no lock.
std::string drawn_node() {
  Digest digest;
  std::random_device device;
  for (int i = 0; i < 4; ++i) digest.add(std::to_string(device()) + ",");
  return digest.hex();
}

// The writer's Store and the looking thread's Leases over one connection: mutex_ makes their uses take turns.
// Everything that says what this session may write (held_, adopted_) is under the same mutex and is cleared with the
// session.
class PostgresStore final : public Store, public Leases {
 public:
  PostgresStore(const std::string& url, Shard shards)
      : url_(url), node_(drawn_node()), connection_(std::make_unique<PostgresConnection>(url, SessionUse::kWrite)) {
    prepare_postgres(*connection_, shards);
    shards_ = static_cast<Shard>(std::stoul(postgres_meta(*connection_, "shards")));
    cluster_ = postgres_meta(*connection_, "cluster");
    check_shards(std::to_string(shards_), shards);
    check_durability(*connection_);
  }

  Leases* leases() override { return this; }
  Shard shards() const override { return shards_; }
  const std::string& node() const override { return node_; }
  // The only place that connects again: a new session must be noticed by whoever counts on the locks of the old one.
  NodeList look(const std::string& url) override {
    connect_again();
    const Use use = live();
    use->ask(kSayAlive, {node_, url});
    const PostgresAnswer answer = use->ask(kNodes, {cluster_});
    NodeList list{.session = session_, .nodes = {}};
    for (int i = 0; i < PQntuples(answer.get()); ++i) {
      Node node{.id = text_at(answer, i, 0), .url = text_at(answer, i, 1), .shards = {}};
      const std::string held = text_at(answer, i, 2);
      for (std::size_t at = 0; at < held.size(); at = std::min(held.find(',', at), held.size() - 1) + 1)
        node.shards.push_back(static_cast<Shard>(std::stoul(held.substr(at))));
      list.nodes.push_back(std::move(node));
    }
    return list;
  }
  // pg_try_advisory_lock of the session never waits: a shard that another session holds is simply not among the result.
  std::vector<Shard> take(const std::vector<Shard>& wanted) override {
    const Use use = live();
    const PostgresAnswer answer = use->ask("select s from unnest($2::int[]) s where pg_try_advisory_lock($1::int, s)",
                                           {cluster_, shard_list(wanted)});
    std::vector<Shard> got;
    for (int i = 0; i < PQntuples(answer.get()); ++i) got.push_back(static_cast<Shard>(integer_at(answer, i, 0)));
    held_.insert(got.begin(), got.end());
    return got;
  }
  // The learners of shards whose locks this session holds. From here on they may be written; before, take() has the
  // lock and no statement writes.
  std::vector<StoredLearner> adopt(const std::vector<Shard>& shards) override {
    const Use use = live();
    for (const Shard shard : shards) {
      if (!held_.contains(shard)) throw StoreFailure("the lock of a shard was lost");
    }
    const auto found = read_learners(*use, " where shard = any($1::int[])", {shard_list(shards)});
    for (const StoredLearner& learner : found) shard_of_learner_[learner.id] = shard_of(learner.name, shards_);
    adopted_.insert(shards.begin(), shards.end());
    return found;
  }
  // The writer has stopped using the shard's learners before this is called.
  void give_back(Shard shard) override {
    const Use use = live();
    adopted_.erase(shard);
    if (held_.erase(shard) == 0) return;
    use->ask("select pg_advisory_unlock($1::int, $2::int)", {cluster_, std::to_string(shard)});
  }
  void leave() override {
    const Use use = live();
    // First, so that other nodes stop sending clients here; then the locks.
    use->ask("delete from node where id=$1", {node_});
    adopted_.clear();
    held_.clear();
    use->run("select pg_advisory_unlock_all()");
  }

  std::vector<StoredLearner> learners() override { return read_learners(*live(), " order by name", {}); }
  // Names are unique in the table: of two nodes that make one learner at once the second is fenced off.
  std::int64_t add_learner(const StoredLearner& learner) override {
    const Shard shard = shard_of(learner.name, shards_);
    const Use use = live();
    check_shard(shard);
    const PostgresAnswer answer = fenced(use, [&] {
      return use->ask(
          "insert into learner(name, shard, generation, config, status, created) values($1,$2,$3,$4,$5,$6) returning "
          "id",
          {learner.name, std::to_string(shard), std::to_string(learner.generation), learner.config, learner.status,
           std::to_string(learner.created)});
    });
    const std::int64_t id = integer_at(answer, 0, 0);
    shard_of_learner_[id] = shard;
    return id;
  }
  void change_learner(const StoredLearner& learner) override {
    const Use use = live();
    check_learner(learner.id);
    use->ask("update learner set generation=$1, config=$2, status=$3 where id=$4",
             {std::to_string(learner.generation), learner.config, learner.status, std::to_string(learner.id)});
  }
  // One statement: its parts see the learner as it was before, so that what is kept is the generation that ends.
  void begin_generation(const StoredLearner& learner, const std::string& ended_by) override {
    const Use use = live();
    check_learner(learner.id);
    use->ask(
        "with ended as (insert into generation(learner, generation, config, ended_by) select id, generation, config, "
        "$5 "
        "from learner where id=$4 on conflict do nothing) "
        "update learner set generation=$1, config=$2, status=$3 where id=$4",
        {std::to_string(learner.generation), learner.config, learner.status, std::to_string(learner.id), ended_by});
  }
  std::vector<StoredGeneration> generations(std::int64_t learner) override {
    const PostgresAnswer answer =
        live()->ask("select generation, config, ended_by from generation where learner=$1 order by generation",
                    {std::to_string(learner)});
    std::vector<StoredGeneration> found;
    for (int i = 0; i < PQntuples(answer.get()); ++i)
      found.push_back({count_at(answer, i, 0), text_at(answer, i, 1), text_at(answer, i, 2)});
    return found;
  }
  void keep_generation(std::int64_t learner, const StoredGeneration& generation) override {
    const Use use = live();
    check_learner(learner);
    use->ask("insert into generation(learner, generation, config, ended_by) values($1,$2,$3,$4) on conflict do nothing",
             {std::to_string(learner), std::to_string(generation.generation), generation.config, generation.ended_by});
  }
  void purge(std::int64_t learner) override {
    const Use use = live();
    check_learner(learner);
    use->ask(
        "with a as (delete from round where learner=$1), b as (delete from snapshot where learner=$1), "
        "c as (delete from generation where learner=$1), d as (delete from snapshot_piece where learner=$1) "
        "delete from learner where id=$1",
        {std::to_string(learner)});
  }
  // One statement: all or none, any number of rows.
  void append(std::span<const Row> rows) override {
    std::vector<std::string> numbers[5];  // learner, generation, t, decision, time
    for (const Row& row : rows) {
      numbers[0].push_back(std::to_string(row.log.learner));
      numbers[1].push_back(std::to_string(row.log.generation));
      numbers[2].push_back(std::to_string(row.t));
      numbers[3].push_back(std::to_string(row.decision));
      numbers[4].push_back(std::to_string(row.time));
    }
    std::vector<std::string> values;
    for (const auto& column : numbers) values.push_back(text_list({column.begin(), column.end()}));
    std::vector<std::string_view> ids, lines;
    for (const Row& row : rows) {
      ids.push_back(row.id);
      lines.push_back(row.line);
    }
    values.push_back(text_list(ids));
    values.push_back(text_list(lines));
    const Use use = live();
    for (const Row& row : rows) check_learner(row.log.learner);
    fenced(use, [&] {
      return use->ask(
          "insert into round(learner, generation, t, decision, time, id, line) select * from unnest($1::bigint[], "
          "$2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])",
          values);
    });
  }
  // Several statements, not one transaction: a failure between them leaves a third snapshot or its pieces, which the
  // next call deletes.
  void keep_snapshot(const Snapshot& snapshot) override {
    auto values = name_values(snapshot.log);
    values.insert(values.end(), {std::to_string(snapshot.t), snapshot.engine, snapshot.state,
                                 fmt::format("{:016x}", snapshot.digest)});
    const Use use = live();
    check_learner(snapshot.log.learner);
    use->ask(
        "insert into snapshot(learner, generation, t, engine, state, digest) values($1,$2,$3,$4,$5,$6) on conflict "
        "(learner, generation, t) do update set engine=excluded.engine, state=excluded.state, digest=excluded.digest",
        values);
    use->ask(
        "delete from snapshot where learner=$1 and generation=$2 and t not in (select t from snapshot where learner=$1 "
        "and generation=$2 order by t desc limit 2)",
        name_values(snapshot.log));
    auto kept = name_values(snapshot.log);
    kept.insert(kept.end(), {std::to_string(snapshot.t), std::to_string(snapshot.pieces)});
    use->ask("delete from snapshot_piece where learner=$1 and generation=$2 and t=$3 and number>=$4", kept);
  }
  bool drop_pieces(LogName log) override {
    const Use use = live();
    check_learner(log.learner);
    const PostgresAnswer dropped = use->ask(
        "delete from snapshot_piece where ctid = any(array(select ctid from snapshot_piece where learner=$1 and "
        "generation=$2 and t not in (select t from snapshot where learner=$1 and generation=$2) limit 16)) "
        "returning number",
        name_values(log));
    return PQntuples(dropped.get()) > 0;
  }
  void keep_piece(const Snapshot& of, std::uint64_t number, std::string_view bytes) override {
    auto values = name_values(of.log);
    values.insert(values.end(), {std::to_string(of.t), std::to_string(number), std::string(bytes)});
    const Use use = live();
    check_learner(of.log.learner);
    use->ask(
        "insert into snapshot_piece(learner, generation, t, number, bytes) values($1,$2,$3,$4,$5) on conflict "
        "(learner, generation, t, number) do update set bytes=excluded.bytes",
        values);
  }
  std::string piece(const Snapshot& of, std::uint64_t number) override {
    auto values = name_values(of.log);
    values.insert(values.end(), {std::to_string(of.t), std::to_string(number)});
    const PostgresAnswer answer = live()->ask(
        "select bytes from snapshot_piece where learner=$1 and generation=$2 and t=$3 and number=$4", values);
    return PQntuples(answer.get()) > 0 ? text_at(answer, 0, 0) : std::string();
  }
  // Newest first.
  std::vector<Snapshot> snapshots(LogName log) override {
    const PostgresAnswer answer = live()->ask(
        "select t, engine, state, digest, 1 + (select count(*) from snapshot_piece p where p.learner="
        "s.learner and p.generation=s.generation and p.t=s.t) from snapshot s where learner=$1 and "
        "generation=$2 order by t desc",
        name_values(log));
    std::vector<Snapshot> all;
    for (int i = 0; i < PQntuples(answer.get()); ++i) {
      all.push_back({.log = log,
                     .t = count_at(answer, i, 0),
                     .engine = text_at(answer, i, 1),
                     .state = text_at(answer, i, 2),
                     .pieces = count_at(answer, i, 4),
                     .digest = digest_at(answer, i, 3)});
    }
    return all;
  }
  bool trim(LogName log, std::uint64_t below) override {
    auto values = name_values(log);
    values.push_back(std::to_string(below));
    const Use use = live();
    check_learner(log.learner);
    const PostgresAnswer dropped = use->ask(
        "delete from round where ctid = any(array(select ctid from round where learner=$1 and generation=$2 and t<$3 "
        "order by t limit 1000)) returning t",
        values);
    return PQntuples(dropped.get()) > 0;
  }
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    return ask_rows_after(*live(), log, t, limit);
  }
  std::optional<Row> find(LogName log, const std::string& id) override { return ask_find(*live(), log, id); }
  std::vector<Row> find_all(LogName log, const std::vector<std::string>& ids) override {
    return ask_find_all(*live(), log, ids);
  }
  std::uint64_t last_round(LogName log) override { return ask_last_round(*live(), log); }
  std::unique_ptr<RowReader> reader() override { return make_postgres_reader(url_); }
  // A write that changes nothing: it fails as long as the server does not accept writes.
  void probe() override { live()->run("update meta set value = value where key = 'schema'"); }

 private:
  // The connection, for one thread at a time.
  class Use {
   public:
    Use(std::mutex& mutex, const std::unique_ptr<PostgresConnection>& connection)
        : lock_(mutex), connection_(connection) {}
    PostgresConnection* operator->() const { return connection_.get(); }
    PostgresConnection& operator*() const { return *connection_; }

   private:
    std::unique_lock<std::mutex> lock_;
    const std::unique_ptr<PostgresConnection>& connection_;
  };
  Use live() {
    Use use(mutex_, connection_);
    if (!connection_ || !connection_->alive()) throw StoreFailure("the connection to the database was lost");
    return use;
  }
  // A new session where the last one was lost. It holds no lock, and no learner may be written by it yet.
  void connect_again() {
    {
      const std::lock_guard lock(mutex_);
      if (connection_ && connection_->alive()) return;
    }
    auto fresh = std::make_unique<PostgresConnection>(url_, SessionUse::kWrite);  // which may take seconds
    const std::lock_guard lock(mutex_);
    held_.clear();
    adopted_.clear();
    ++session_;
    std::swap(connection_, fresh);
  }
  // The first fence, before a statement is sent: the session must have adopted the shard.
  void check_shard(Shard shard) const {
    if (!adopted_.contains(shard)) throw StoreFailure("this session does not hold the lock of the learner's shard");
  }
  void check_learner(std::int64_t learner) const {
    const auto found = shard_of_learner_.find(learner);
    if (found == shard_of_learner_.end()) throw StoreFailure("this session does not hold the lock of the learner");
    check_shard(found->second);
  }
  // Where another writer was first: the session ends, and its locks with it. What it knows is read again from the log.
  template <class Statement>
  PostgresAnswer fenced(const Use&, Statement&& statement) {
    try {
      return statement();
    } catch (const KeyTaken& taken) {
      connection_.reset();
      held_.clear();
      adopted_.clear();
      throw FencedFailure(
          "another process wrote a learner of this node, which can not be while each holds its lock on a session of "
          "its "
          "own; is there a transaction pooler? This node gave up its shards (" +
          std::string(taken.what()) + ")");
    }
  }
  static std::vector<StoredLearner> read_learners(PostgresConnection& connection, const std::string& which,
                                                  const std::vector<std::string>& values) {
    const std::string sql = "select id, name, generation, config, status, created from learner" + which;
    const PostgresAnswer answer = connection.ask(sql.c_str(), values);
    std::vector<StoredLearner> all;
    for (int i = 0; i < PQntuples(answer.get()); ++i) {
      all.push_back({.id = integer_at(answer, i, 0),
                     .name = text_at(answer, i, 1),
                     .generation = count_at(answer, i, 2),
                     .config = text_at(answer, i, 3),
                     .status = text_at(answer, i, 4),
                     .created = integer_at(answer, i, 5)});
    }
    return all;
  }

  const std::string url_, node_;
  std::string cluster_;  // a number of the database's own: the first key of its locks
  Shard shards_ = 0;
  std::mutex mutex_;  // of all below
  std::unique_ptr<PostgresConnection> connection_;
  std::uint64_t session_ = 1;
  std::set<Shard> held_, adopted_;  // by this session
  std::map<std::int64_t, Shard> shard_of_learner_;
};

}  // namespace

std::unique_ptr<Store> open_postgres(const std::string& url, Shard shards) {
  try {
    return std::make_unique<PostgresStore>(url, shards);
  } catch (const StoreFailure& failure) {
    throw Error(Code::kCannotWrite,
                std::string("found ") + failure.what() + ", expected a database that can be written", "--db");
  }
}

}  // namespace hannan::detail::service
