// One session with PostgreSQL through libpq: parameters as text, answers checked, errors as StoreFailure with the first
// line of the server's message. One thread at a time. The session itself matters: it holds the locks of shards, so it
// is never opened again behind the caller's back.
#include "service/postgres_connection.hpp"

#include <charconv>

#include "service/postgres_address.hpp"

namespace hannan::detail::service {
namespace {

// A machine that is gone is noticed after 5 s, on both sides; what the URL says comes later and counts.
constexpr const char* kOptionNames[] = {"connect_timeout",           "keepalives",       "keepalives_idle",
                                        "keepalives_interval",       "keepalives_count", "tcp_user_timeout",
                                        "fallback_application_name", "dbname",           nullptr};
// Without notices of what is there already; acknowledged means on disk. Questions about rounds have an index, also
// where the planner knows nothing of the table yet. A scan that is switched off has an immense estimated cost, for
// which the server would compile the small tables' questions to machine code: some 0.3 s for each.
constexpr const char* kSession =
    "set client_min_messages = warning; set synchronous_commit = on; set tcp_user_timeout = 5000; "
    "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 5; "
    "set idle_in_transaction_session_timeout = 10000; set enable_seqscan = off";
constexpr int kKnowsJit = 110000;
constexpr int kKnowsIdleSessions = 140000;

std::string first_line(const char* text) {
  const std::string all = text;
  return all.substr(0, all.find('\n'));
}

}  // namespace

std::int64_t integer_at(const PostgresAnswer& answer, int row, int column) {
  const char* text = PQgetvalue(answer.get(), row, column);
  std::int64_t value = 0;
  std::from_chars(text, text + PQgetlength(answer.get(), row, column), value);
  return value;
}

std::uint64_t count_at(const PostgresAnswer& answer, int row, int column) {
  return static_cast<std::uint64_t>(integer_at(answer, row, column));
}

std::string text_at(const PostgresAnswer& answer, int row, int column) {
  return {PQgetvalue(answer.get(), row, column), static_cast<std::size_t>(PQgetlength(answer.get(), row, column))};
}

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

PostgresConnection::PostgresConnection(const std::string& url, SessionUse use)
    : secrets_(postgres_secrets(url, "--db")) {
  const char* const values[] = {"5", "1", "5", "1", "5", "5000", "hannan", url.c_str(), nullptr};
  handle_ = PQconnectdbParams(kOptionNames, values, 1);
  try {
    if (!alive()) throw StoreFailure(said());
    run(kSession);
    if (server_version() >= kKnowsJit) run("set jit = off");
    if (use == SessionUse::kWrite && server_version() >= kKnowsIdleSessions) run("set idle_session_timeout = 5000");
  } catch (...) {
    PQfinish(handle_);
    throw;
  }
}

PostgresAnswer PostgresConnection::ask(const char* sql, const std::vector<std::string>& values) {
  std::vector<const char*> texts;
  for (const std::string& value : values) texts.push_back(value.c_str());
  return checked(
      PQexecParams(handle_, sql, static_cast<int>(texts.size()), nullptr, texts.data(), nullptr, nullptr, 0));
}

std::string PostgresConnection::said() const { return without_secrets(first_line(PQerrorMessage(handle_)), secrets_); }

void PostgresConnection::run(const char* sql) { checked(PQexec(handle_, sql)); }

PostgresAnswer PostgresConnection::checked(PGresult* result) {
  PostgresAnswer answer(result);
  const auto status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return answer;
  const std::string why = said();
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  if (state && std::string_view(state) == "23505") throw KeyTaken(why);  // unique_violation
  throw StoreFailure(why);
}

}  // namespace hannan::detail::service
