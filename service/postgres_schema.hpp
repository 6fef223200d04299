// The tables of a log in PostgreSQL, and databases that an earlier version made.
#pragma once

#include "service/leases.hpp"
#include "service/postgres_connection.hpp"

namespace hannan::detail::service {

// Makes the tables where there are none, and brings an older schema to this one in one transaction; one node at a time.
// `shards` counts where the database does not say how many it has; 0: the default. Throws Error kBadState where the
// database is of another program or of a later version, or where a process of an earlier version is at work on it.
void prepare_postgres(PostgresConnection& connection, Shard shards);

void check_schema(const std::string& schema);  // of meta; kBadState
// kUsage where the database was made with another number; 0: any, "none": it says none.
void check_shards(const std::string& made_with, Shard wanted);
// kUsage: a server that acknowledges before its disk does would lose what clients were told is kept.
void check_durability(PostgresConnection& connection);

// A value of the table meta; "none" where there is none.
std::string postgres_meta(PostgresConnection& connection, const std::string& key);

}  // namespace hannan::detail::service
