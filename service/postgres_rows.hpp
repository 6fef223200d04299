// Rows of a log in PostgreSQL, read on any session.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/postgres_connection.hpp"

namespace hannan::detail::service {

std::vector<std::string> name_values(LogName log);  // as the first two values of a statement
std::vector<Row> ask_rows_after(PostgresConnection& connection, LogName log, std::uint64_t t, std::size_t limit);
std::optional<Row> ask_find(PostgresConnection& connection, LogName log, const std::string& id);
std::uint64_t ask_last_round(PostgresConnection& connection, LogName log);
std::vector<Row> ask_find_all(PostgresConnection& connection, LogName log, const std::vector<std::string>& ids);
std::uint64_t digest_at(const PostgresAnswer& answer, int row, int column);  // of a snapshot
std::unique_ptr<RowReader> make_postgres_reader(const std::string& url);     // on a session of its own

}  // namespace hannan::detail::service
