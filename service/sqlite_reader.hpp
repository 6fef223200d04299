// Rows out of a file of SQLite, by a connection of its own or by the writer's. Only sqlite_*.cpp include it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/sqlite_connection.hpp"

namespace hannan::detail::service {

inline constexpr const char* kRowColumns = "t, id, decision, time, line";
// Rows of an append that is not finished are not there yet.
inline constexpr const char* kFinished =
    " and t < coalesce((select first from unfinished where learner=?1 and generation=?2), 9223372036854775807)";
inline std::string rows_where(const std::string& condition) {
  return std::string("select ") + kRowColumns + " from round where learner=?1 and generation=?2 and " + condition +
         kFinished;
}

inline Row row_of(const SqliteStatement& found, LogName log) {
  return {.log = log,
          .t = found.count(0),
          .id = found.text(1),
          .decision = found.count(2),
          .time = found.integer(3),
          .line = found.text(4)};
}

// The questions that readers ask, on any connection.
// Statements are prepared once: preparing costs more than running them.
class Questions {
 public:
  explicit Questions(SqliteConnection& connection)
      : connection_(connection),
        after_(connection, (rows_where("t>?3") + " order by t limit ?4").c_str()),
        find_(connection, rows_where("id=?3").c_str()),
        last_(connection,
              (std::string("select coalesce(max(t), 0) from round where learner=?1 and generation=?2") + kFinished)
                  .c_str()) {}

  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) {
    after_.bind(1, log.learner).bind(2, log.generation).bind(3, t).bind(4, static_cast<std::uint64_t>(limit));
    std::vector<Row> rows;
    while (after_.step()) rows.push_back(row_of(after_, log));
    after_.reset();
    return rows;
  }
  std::optional<Row> find(LogName log, const std::string& id) {
    find_.bind(1, log.learner).bind(2, log.generation).bind(3, id);
    std::optional<Row> found;
    if (find_.step()) found = row_of(find_, log);
    find_.reset();
    return found;
  }
  // Within one transaction, which takes the locks of the file once.
  std::vector<Row> find_all(LogName log, const std::vector<std::string>& ids) {
    SqliteTransaction all(connection_, SqliteTransaction::Kind::kReads);
    std::vector<Row> found;
    for (const std::string& id : ids) {
      if (auto row = find(log, id)) found.push_back(std::move(*row));
    }
    all.commit();
    return found;
  }
  std::uint64_t last_round(LogName log) {
    last_.bind(1, log.learner).bind(2, log.generation);
    const std::uint64_t round = last_.step() ? last_.count(0) : 0;
    last_.reset();
    return round;
  }

 private:
  SqliteConnection& connection_;
  SqliteStatement after_, find_, last_;
};

// A connection of its own: SQLite's statements belong to one thread at a time.
class SqliteReader final : public RowReader {
 public:
  explicit SqliteReader(const std::string& path) : connection_(path, SQLITE_OPEN_READONLY), questions_(connection_) {}
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    return questions_.rows_after(log, t, limit);
  }
  std::optional<Row> find(LogName log, const std::string& id) override { return questions_.find(log, id); }
  std::uint64_t last_round(LogName log) override { return questions_.last_round(log); }
  std::vector<Row> find_all(LogName log, const std::vector<std::string>& ids) override {
    return questions_.find_all(log, ids);
  }

 private:
  SqliteConnection connection_;
  Questions questions_;
};

}  // namespace hannan::detail::service
