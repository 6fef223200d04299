// Looking at a database of PostgreSQL in a transaction that may only read.
#include <string>

#include "hannan/core/error.hpp"
#include "service/inspect_store.hpp"
#include "service/postgres_schema.hpp"

namespace hannan::detail::service {
namespace {

// Nodes that said lately that they live; the tables of schema 1 know none.
bool has_nodes(PostgresConnection& connection) {
  if (text_at(connection.ask("select to_regclass('node') is null"), 0, 0) == "t") return false;
  return integer_at(connection.ask("select count(*) from node where seen > now() - interval '10 seconds'"), 0, 0) > 0;
}

void check_may_make(PostgresConnection& connection) {
  if (text_at(connection.ask("select coalesce(has_schema_privilege(current_schema(), 'create'), false)"), 0, 0) == "t")
    return;
  throw Error(Code::kCannotWrite, "found no tables and a user who may not make them, expected one who may", "--db");
}

}  // namespace

InspectedStore inspect_postgres(const std::string& url, Shard shards) {
  try {
    PostgresConnection connection(url, SessionUse::kRead);
    connection.run("begin read only");
    InspectedStore found;
    found.name = "the database " + text_at(connection.ask("select current_database()"), 0, 0) + " of PostgreSQL";
    check_durability(connection);
    if (text_at(connection.ask("select to_regclass('meta') is null"), 0, 0) == "t") {
      check_may_make(connection);
      return found;
    }
    found.is_made = true;
    check_schema(postgres_meta(connection, "schema"));
    check_shards(postgres_meta(connection, "shards"), shards);
    found.is_in_use = has_nodes(connection);
    const PostgresAnswer rows =
        connection.ask("select id, name, generation, config, status, created from learner order by name");
    for (int i = 0; i < PQntuples(rows.get()); ++i) {
      found.learners.push_back({.id = integer_at(rows, i, 0),
                                .name = text_at(rows, i, 1),
                                .generation = count_at(rows, i, 2),
                                .config = text_at(rows, i, 3),
                                .status = text_at(rows, i, 4),
                                .created = integer_at(rows, i, 5)});
    }
    return found;
  } catch (const StoreFailure& failure) {
    throw Error(Code::kCannotWrite,
                std::string("found ") + failure.what() + ", expected a database that can be written", "--db");
  }
}

}  // namespace hannan::detail::service
