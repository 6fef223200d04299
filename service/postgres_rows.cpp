// Questions about rows on a PostgreSQL connection, shared by the writer and by readers. Answers are read whole: a limit
// bounds each of them.
#include "service/postgres_rows.hpp"

#include <charconv>

namespace hannan::detail::service {
namespace {

constexpr const char* kRowsAfter =
    "select t, id, decision, time, line from round where learner=$1 and generation=$2 and t>$3 order by t limit $4";
// A sum is no column of the primary key: where a table has no statistics yet, the planner would take that key and read
// all rounds of the learner.
constexpr const char* kFindRow =
    "select t, id, decision, time, line from round where learner+0=$1 and generation+0=$2 and id=$3";
constexpr const char* kFindRows =
    "select t, id, decision, time, line from round where learner+0=$1 and generation+0=$2 and id=any($3::text[])";

// Not max(t), which a planner without statistics may find by reading all rounds.
constexpr const char* kLastRound =
    "select t from round where learner=$1 and generation=$2 order by learner desc, generation desc, t desc limit 1";

Row row_at(const PostgresAnswer& answer, int row, LogName log) {
  return {.log = log,
          .t = count_at(answer, row, 0),
          .id = text_at(answer, row, 1),
          .decision = count_at(answer, row, 2),
          .time = integer_at(answer, row, 3),
          .line = text_at(answer, row, 4)};
}

}  // namespace

// As it is kept: 16 digits of base 16.
std::uint64_t digest_at(const PostgresAnswer& answer, int row, int column) {
  const std::string text = text_at(answer, row, column);
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

std::vector<std::string> name_values(LogName log) {
  return {std::to_string(log.learner), std::to_string(log.generation)};
}

std::vector<Row> ask_rows_after(PostgresConnection& connection, LogName log, std::uint64_t t, std::size_t limit) {
  auto values = name_values(log);
  values.push_back(std::to_string(t));
  values.push_back(std::to_string(limit));
  const PostgresAnswer answer = connection.ask(kRowsAfter, values);
  std::vector<Row> rows;
  for (int i = 0; i < PQntuples(answer.get()); ++i) rows.push_back(row_at(answer, i, log));
  return rows;
}

std::optional<Row> ask_find(PostgresConnection& connection, LogName log, const std::string& id) {
  auto values = name_values(log);
  values.push_back(id);
  const PostgresAnswer answer = connection.ask(kFindRow, values);
  if (PQntuples(answer.get()) == 0) return std::nullopt;
  return row_at(answer, 0, log);
}

std::uint64_t ask_last_round(PostgresConnection& connection, LogName log) {
  const PostgresAnswer answer = connection.ask(kLastRound, name_values(log));
  return PQntuples(answer.get()) == 0 ? 0 : count_at(answer, 0, 0);
}

std::vector<Row> ask_find_all(PostgresConnection& connection, LogName log, const std::vector<std::string>& ids) {
  auto values = name_values(log);
  values.push_back(text_list({ids.begin(), ids.end()}));
  const PostgresAnswer answer = connection.ask(kFindRows, values);
  std::vector<Row> rows;
  for (int i = 0; i < PQntuples(answer.get()); ++i) rows.push_back(row_at(answer, i, log));
  return rows;
}

namespace {

class PostgresReader final : public RowReader {
 public:
  explicit PostgresReader(const std::string& url) : connection_(url, SessionUse::kRead) {}
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    return ask_rows_after(connection_, log, t, limit);
  }
  std::optional<Row> find(LogName log, const std::string& id) override { return ask_find(connection_, log, id); }
  std::uint64_t last_round(LogName log) override { return ask_last_round(connection_, log); }

 private:
  PostgresConnection connection_;
};

}  // namespace

std::unique_ptr<RowReader> make_postgres_reader(const std::string& url) {
  return std::make_unique<PostgresReader>(url);
}

}  // namespace hannan::detail::service
