// The tables of the log in SQLite (schema kSqliteSchema of sqlite_file.hpp). Only sqlite_store.cpp includes it.
#pragma once

namespace hannan::detail::service {

// round is keyed by (learner, generation, t), so a second writer of the same round fails; the index on ids finds
// duplicates. crc is a digest of a snapshot's state: a damaged one is left out and costs a longer replay. A state of
// several pieces has its first one in the snapshot: earlier versions take such a one for damaged.
inline constexpr const char* kTables = R"(
create table meta(key text primary key, value text not null) without rowid;
create table learner(id integer primary key, name text not null unique, generation integer not null,
  config text not null, status text not null, created integer not null);
create table round(learner integer not null, generation integer not null, t integer not null, id text not null,
  decision integer not null, time integer not null, line text not null,
  primary key(learner, generation, t)) without rowid;
create unique index round_id on round(learner, generation, id);
create table snapshot(learner integer not null, generation integer not null, t integer not null, engine text not null,
  state blob not null, crc integer not null, primary key(learner, generation, t)) without rowid;
insert into meta values('program', 'hannan');
insert into meta values('schema', '1');
)";

// Of generations that ended. Files of earlier versions get it when they are opened; those versions do not look at it.
inline constexpr const char* kGenerations = R"(
create table if not exists generation(learner integer not null, generation integer not null, config text not null,
  ended_by text not null, primary key(learner, generation)) without rowid;
)";

// Where an append in parts began that has not ended. Versions up to 0.4.0 made none.
inline constexpr const char* kUnfinished = R"(
create table if not exists unfinished(learner integer not null, generation integer not null, first integer not null,
  primary key(learner, generation)) without rowid;
)";

// Versions up to 0.4.0 made none.
inline constexpr const char* kPieces = R"(
create table if not exists snapshot_piece(learner integer not null, generation integer not null, t integer not null,
  number integer not null, bytes blob not null, primary key(learner, generation, t, number));
)";

}  // namespace hannan::detail::service
