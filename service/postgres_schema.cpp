// Tables of the log in PostgreSQL, made or brought up to date when a node starts. Everything is done under one advisory
// lock of the session, so that nodes which start together do it one after another; each statement may be repeated.
// Schema 1, of a single process, is migrated in one transaction, and only while no process of that version is at work.
#include "service/postgres_schema.hpp"

#include <string>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail::service {
namespace {

constexpr const char* kSchemaText = "2";
constexpr const char* kMakingLock = "select pg_advisory_lock(7521983763822)";  // two nodes may start at once
constexpr const char* kMakingDone = "select pg_advisory_unlock(7521983763822)";
// A process of schema 1 held this one as long as it lived.
constexpr const char* kFirstSchemaLock = "select pg_try_advisory_xact_lock(114767673844078)";

// Rows are found by id through round_by_id alone (postgres_rows.cpp); round_id was its form in earlier versions, which
// without statistics was not used: then each commit read all rounds of its learners.
constexpr const char* kPostgresTables = R"(
create table if not exists meta(key text primary key, value text not null);
create table if not exists learner(id bigserial primary key, name text not null unique, shard integer not null,
  generation bigint not null, config text not null, status text not null, created bigint not null);
create table if not exists round(learner bigint not null, generation bigint not null, t bigint not null,
  id text not null, decision bigint not null, time bigint not null, line text not null,
  primary key(learner, generation, t));
create unique index if not exists round_by_id on round(id, learner, generation);
drop index if exists round_id;
create table if not exists snapshot(learner bigint not null, generation bigint not null, t bigint not null,
  engine text not null, state text not null, digest text not null, primary key(learner, generation, t));
create table if not exists generation(learner bigint not null, generation bigint not null, config text not null,
  ended_by text not null, primary key(learner, generation));
create table if not exists snapshot_piece(learner bigint not null, generation bigint not null, t bigint not null,
  number bigint not null, bytes text not null, primary key(learner, generation, t, number));
create table if not exists node(id text primary key, url text not null, session integer not null,
  seen timestamptz not null);
insert into meta values('program', 'hannan'), ('schema', '2'), ('cluster', floor(random() * 2000000000)::int::text)
  on conflict do nothing;
)";

Shard shards_of(PostgresConnection& connection, Shard shards) {
  connection.ask("insert into meta values('shards', $1) on conflict do nothing",
                 {std::to_string(shards == 0 ? kDefaultShards : shards)});
  return static_cast<Shard>(std::stoul(postgres_meta(connection, "shards")));
}

// Schema 1 had one process, and so no shards and no nodes.
void migrate_first(PostgresConnection& connection, Shard wanted) {
  connection.run("begin");  // an error ends the session, and nothing was changed
  if (text_at(connection.ask(kFirstSchemaLock), 0, 0) != "t") {
    throw Error(Code::kBadState,
                "found a process of an earlier version of hannan at work on this database, whose schema is 1, expected "
                "none; stop it, then this version brings the database to schema 2",
                "--db");
  }
  connection.run("lock table learner in access exclusive mode");
  const Shard shards = shards_of(connection, wanted);
  const PostgresAnswer learners = connection.ask("select id, name from learner");
  std::vector<std::string> ids, places;
  for (int i = 0; i < PQntuples(learners.get()); ++i) {
    ids.push_back(text_at(learners, i, 0));
    places.push_back(std::to_string(shard_of(text_at(learners, i, 1), shards)));
  }
  connection.run("alter table learner add column shard integer");
  connection.ask(
      "update learner l set shard = s.shard from unnest($1::bigint[], $2::int[]) s(id, shard) where l.id = s.id",
      {text_list({ids.begin(), ids.end()}), text_list({places.begin(), places.end()})});
  connection.run("alter table learner alter column shard set not null");
  connection.run(kPostgresTables);
  connection.run("update meta set value = '2' where key = 'schema'");
  connection.run("commit");
}

}  // namespace

std::string postgres_meta(PostgresConnection& connection, const std::string& key) {
  const PostgresAnswer answer = connection.ask("select value from meta where key=$1", {key});
  return PQntuples(answer.get()) > 0 ? text_at(answer, 0, 0) : "none";
}

void check_schema(const std::string& schema) {
  if (schema == "1" || schema == kSchemaText) return;
  throw Error(Code::kBadState,
              "found schema " + schema + ", expected " + kSchemaText +
                  " or 1; the database is of a later version of hannan, or of another program: start that version, or "
                  "give this one a database of its own and move the log with --copy-from of the later version",
              "--db");
}

void check_shards(const std::string& made_with, Shard wanted) {
  if (wanted == 0 || made_with == "none" || made_with == std::to_string(wanted)) return;
  throw Error(Code::kUsage,
              "found " + std::to_string(wanted) + ", expected " + made_with +
                  ", with which the database was made; leave the flag out",
              "--shards");
}

void check_durability(PostgresConnection& connection) {
  for (const char* name : {"fsync", "full_page_writes"}) {
    if (text_at(connection.ask("select current_setting($1)", {name}), 0, 0) == "on") continue;
    throw Error(Code::kUsage,
                std::string("found a server with ") + name + "=off, expected on: acknowledged means on disk", "--db");
  }
}

// Under one advisory lock, so that nodes which start at once make the tables one after another. The lock's number is
// arbitrary; it must only differ from those of shards, which have two keys.
void prepare_postgres(PostgresConnection& connection, Shard shards) {
  connection.run(kMakingLock);
  const bool fresh = text_at(connection.ask("select to_regclass('meta') is null"), 0, 0) == "t";
  const std::string schema = fresh ? kSchemaText : postgres_meta(connection, "schema");
  check_schema(schema);
  if (schema == "1") migrate_first(connection, shards);
  connection.run(kPostgresTables);
  shards_of(connection, shards);
  // Nodes that ended without leaving; a living one says so every few seconds.
  connection.run("delete from node where seen < now() - interval '1 minute'");
  connection.run(kMakingDone);
}

}  // namespace hannan::detail::service
