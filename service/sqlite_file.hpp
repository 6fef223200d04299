// What a file of SQLite is to the service. Only files named sqlite_*.cpp include it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "service/sqlite_connection.hpp"

namespace hannan::detail::service {

inline constexpr std::int64_t kSqliteSchema = 1;

enum class SqliteFile { kEmpty, kLog };
// Throws kBadState where it is another program's, or of another schema.
SqliteFile check_sqlite_file(SqliteConnection& connection, const std::string& path);

std::vector<StoredLearner> sqlite_learners(SqliteConnection& connection);  // by name

}  // namespace hannan::detail::service
