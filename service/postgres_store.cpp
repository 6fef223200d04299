// The log in PostgreSQL. One connection writes and holds an advisory lock for as long as it lives: when the session
// ends, the lock and the way to write end together, so two processes never write one log.
#include <libpq-fe.h>

#include <charconv>
#include <memory>
#include <mutex>
#include <utility>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "service/store.hpp"

namespace hannan::detail::service {
namespace {

constexpr const char* kSchemaText = "1";
constexpr std::int64_t kLock = 0x68616e6e616e;  // "hannan"

constexpr const char* kPostgresTables = R"(
create table if not exists meta(key text primary key, value text not null);
create table if not exists learner(id bigserial primary key, name text not null unique, generation bigint not null,
  config text not null, status text not null, created bigint not null);
create table if not exists round(learner bigint not null, generation bigint not null, t bigint not null,
  id text not null, decision bigint not null, time bigint not null, line text not null,
  primary key(learner, generation, t));
create unique index if not exists round_id on round(learner, generation, id);
create table if not exists snapshot(learner bigint not null, generation bigint not null, t bigint not null,
  engine text not null, state text not null, digest text not null, primary key(learner, generation, t));
insert into meta values('program', 'hannan'), ('schema', '1') on conflict do nothing;
)";

std::string digest_of(const std::string& text) {
  Digest digest;
  digest.add(text);
  return digest.hex();
}

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Answer = std::unique_ptr<PGresult, ClearResult>;

std::int64_t integer_at(const Answer& answer, int row, int column) {
  const char* text = PQgetvalue(answer.get(), row, column);
  std::int64_t value = 0;
  std::from_chars(text, text + PQgetlength(answer.get(), row, column), value);
  return value;
}
std::uint64_t count_at(const Answer& answer, int row, int column) {
  return static_cast<std::uint64_t>(integer_at(answer, row, column));
}
std::string text_at(const Answer& answer, int row, int column) {
  return {PQgetvalue(answer.get(), row, column), static_cast<std::size_t>(PQgetlength(answer.get(), row, column))};
}

// A list as PostgreSQL writes it: {"a","b"}.
std::string text_list(const std::vector<std::string_view>& items) {
  std::string list = "{";
  for (const std::string_view item : items) {
    if (list.size() > 1) list += ',';
    list += '"';
    for (const char c : item) {
      if (c == '"' || c == '\\') list += '\\';
      list += c;
    }
    list += '"';
  }
  return list + "}";
}

class PostgresConnection {
 public:
  explicit PostgresConnection(const std::string& url) : url_(url) { open(); }
  ~PostgresConnection() { PQfinish(handle_); }
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  Answer ask(const char* sql, const std::vector<std::string>& values = {}) {
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    return checked(
        PQexecParams(handle_, sql, static_cast<int>(texts.size()), nullptr, texts.data(), nullptr, nullptr, 0));
  }
  void run(const char* sql) { checked(PQexec(handle_, sql)); }
  bool alive() const { return PQstatus(handle_) == CONNECTION_OK; }
  void open_again() {
    PQfinish(handle_);
    open();
  }

 private:
  void open() {
    handle_ = PQconnectdb(url_.c_str());
    if (PQstatus(handle_) != CONNECTION_OK) {
      const std::string why = PQerrorMessage(handle_);
      throw StoreFailure(why.substr(0, why.find('\n')));
    }
    // Without notices of what is there already; acknowledged means on disk; a dead server is noticed in seconds.
    run("set client_min_messages = warning; set synchronous_commit = on; set tcp_user_timeout = 5000");
  }
  Answer checked(PGresult* result) {
    Answer answer(result);
    const auto status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return answer;
    const std::string why = PQerrorMessage(handle_);
    throw StoreFailure(why.substr(0, why.find('\n')));
  }
  std::string url_;
  PGconn* handle_ = nullptr;
};

constexpr const char* kRowsAfter =
    "select t, id, decision, time, line from round where learner=$1 and generation=$2 and t>$3 order by t limit $4";
constexpr const char* kFindRow =
    "select t, id, decision, time, line from round where learner=$1 and generation=$2 and id=$3";

Row row_at(const Answer& answer, int row, LogName log) {
  return {.log = log,
          .t = count_at(answer, row, 0),
          .id = text_at(answer, row, 1),
          .decision = count_at(answer, row, 2),
          .time = integer_at(answer, row, 3),
          .line = text_at(answer, row, 4)};
}

std::vector<std::string> name_values(LogName log) {
  return {std::to_string(log.learner), std::to_string(log.generation)};
}

std::vector<Row> ask_rows_after(PostgresConnection& connection, LogName log, std::uint64_t t, std::size_t limit) {
  auto values = name_values(log);
  values.push_back(std::to_string(t));
  values.push_back(std::to_string(limit));
  const Answer answer = connection.ask(kRowsAfter, values);
  std::vector<Row> rows;
  for (int i = 0; i < PQntuples(answer.get()); ++i) rows.push_back(row_at(answer, i, log));
  return rows;
}

std::optional<Row> ask_find(PostgresConnection& connection, LogName log, const std::string& id) {
  auto values = name_values(log);
  values.push_back(id);
  const Answer answer = connection.ask(kFindRow, values);
  if (PQntuples(answer.get()) == 0) return std::nullopt;
  return row_at(answer, 0, log);
}

class PostgresReader final : public RowReader {
 public:
  explicit PostgresReader(const std::string& url) : connection_(url) {}
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    return ask_rows_after(connection_, log, t, limit);
  }
  std::optional<Row> find(LogName log, const std::string& id) override { return ask_find(connection_, log, id); }

 private:
  PostgresConnection connection_;
};

class PostgresStore final : public Store {
 public:
  explicit PostgresStore(const std::string& url) : url_(url), connection_(url) {
    take_lock();
    connection_.run(kPostgresTables);
    const Answer schema = connection_.ask("select value from meta where key='schema'");
    const std::string found = PQntuples(schema.get()) > 0 ? text_at(schema, 0, 0) : "none";
    if (found != kSchemaText) {
      throw Error(Code::kBadState,
                  "found schema " + found + ", expected 1; the database was made by another version of hannan", "--db");
    }
    check_durability();
  }

  std::vector<StoredLearner> learners() override {
    const Answer answer = live().ask("select id, name, generation, config, status, created from learner");
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
  std::int64_t add_learner(const StoredLearner& learner) override {
    const Answer answer =
        live().ask("insert into learner(name, generation, config, status, created) values($1,$2,$3,$4,$5) returning id",
                   {learner.name, std::to_string(learner.generation), learner.config, learner.status,
                    std::to_string(learner.created)});
    return integer_at(answer, 0, 0);
  }
  void change_learner(const StoredLearner& learner) override {
    live().ask("update learner set generation=$1, config=$2, status=$3 where id=$4",
               {std::to_string(learner.generation), learner.config, learner.status, std::to_string(learner.id)});
  }
  void purge(std::int64_t learner) override {
    live().ask(
        "with a as (delete from round where learner=$1), b as (delete from snapshot where learner=$1) "
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
    live().ask(
        "insert into round(learner, generation, t, decision, time, id, line) select * from unnest($1::bigint[], "
        "$2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])",
        values);
  }
  void keep_snapshot(const Snapshot& snapshot) override {
    auto values = name_values(snapshot.log);
    values.insert(values.end(),
                  {std::to_string(snapshot.t), snapshot.engine, snapshot.state, digest_of(snapshot.state)});
    live().ask(
        "insert into snapshot(learner, generation, t, engine, state, digest) values($1,$2,$3,$4,$5,$6) on conflict "
        "(learner, generation, t) do update set engine=excluded.engine, state=excluded.state, digest=excluded.digest",
        values);
    live().ask(
        "delete from snapshot where learner=$1 and generation=$2 and t not in (select t from snapshot where learner=$1 "
        "and generation=$2 order by t desc limit 2)",
        name_values(snapshot.log));
  }
  std::vector<Snapshot> snapshots(LogName log) override {
    const Answer answer =
        live().ask("select t, engine, state, digest from snapshot where learner=$1 and generation=$2 order by t desc",
                   name_values(log));
    std::vector<Snapshot> all;
    for (int i = 0; i < PQntuples(answer.get()); ++i) {
      Snapshot one{
          .log = log, .t = count_at(answer, i, 0), .engine = text_at(answer, i, 1), .state = text_at(answer, i, 2)};
      if (digest_of(one.state) == text_at(answer, i, 3)) all.push_back(std::move(one));
    }
    return all;
  }
  void trim(LogName log, std::uint64_t below) override {
    auto values = name_values(log);
    values.push_back(std::to_string(below));
    live().ask("delete from round where learner=$1 and generation=$2 and t<$3", values);
  }
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    return ask_rows_after(live(), log, t, limit);
  }
  std::optional<Row> find(LogName log, const std::string& id) override { return ask_find(live(), log, id); }
  std::unique_ptr<RowReader> reader() override { return std::make_unique<PostgresReader>(url_); }

 private:
  void take_lock() {
    const Answer answer = connection_.ask("select pg_try_advisory_lock($1)", {std::to_string(kLock)});
    if (text_at(answer, 0, 0) != "t")
      throw StoreFailure("another process has the lock of this database; stop it first");
  }
  // The connection, made and locked again where the server was away.
  PostgresConnection& live() {
    if (!connection_.alive()) {
      connection_.open_again();
      take_lock();
    }
    return connection_;
  }
  void check_durability() {
    for (const char* name : {"fsync", "full_page_writes"}) {
      const Answer answer = connection_.ask("select current_setting($1)", {name});
      if (text_at(answer, 0, 0) != "on") {
        throw Error(Code::kUsage,
                    std::string("found a server with ") + name + "=off, expected on: acknowledged means on disk",
                    "--db");
      }
    }
  }

  std::string url_;
  PostgresConnection connection_;
};

}  // namespace

std::unique_ptr<Store> open_postgres(const std::string& url) {
  try {
    return std::make_unique<PostgresStore>(url);
  } catch (const StoreFailure& failure) {
    throw Error(Code::kCannotWrite,
                std::string("found ") + failure.what() + ", expected a database that can be written", "--db");
  }
}

}  // namespace hannan::detail::service
