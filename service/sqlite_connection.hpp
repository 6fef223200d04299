// SQLite's calls as values that clean up after themselves. Only sqlite_*.cpp include it, by sqlite_file.hpp.
#pragma once

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "service/store.hpp"

namespace hannan::detail::service {

// Calls of SQLite that throw StoreFailure where one fails. Of one thread at a time: SQLite locks nothing for it.
class SqliteConnection {
 public:
  SqliteConnection(const std::string& path, int flags) {
    const int result = sqlite3_open_v2(path.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    if (result != SQLITE_OK) {
      const std::string why = handle_ ? sqlite3_errmsg(handle_) : "out of memory";
      sqlite3_close(handle_);
      throw StoreFailure(path + ": " + why);
    }
    // Milliseconds. Readers may have to wait for a checkpoint; longer than this is a failure and not patience.
    sqlite3_busy_timeout(handle_, 5000);
  }
  ~SqliteConnection() {
    for (sqlite3_stmt* one : often_) sqlite3_finalize(one);
    sqlite3_close(handle_);
  }
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  void run(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }
  // What transactions say, prepared once.
  enum class Often { kBeginWrites, kBeginReads, kCommit };
  void run(Often words) {
    static constexpr std::array kTexts{"begin immediate", "begin", "commit"};
    const auto which = static_cast<std::size_t>(words);
    sqlite3_stmt*& one = often_.at(which);
    if (!one &&
        sqlite3_prepare_v3(handle_, kTexts.at(which), -1, SQLITE_PREPARE_PERSISTENT, &one, nullptr) != SQLITE_OK)
      fail();
    sqlite3_step(one);
    if (sqlite3_reset(one) != SQLITE_OK) fail();  // it repeats what the step returned
  }
  [[noreturn]] void fail() const { throw StoreFailure(sqlite3_errmsg(handle_)); }
  sqlite3* handle() const { return handle_; }

 private:
  sqlite3* handle_ = nullptr;
  std::array<sqlite3_stmt*, 3> often_{};  // null: not yet prepared
};

// Bound and stepped many times; reset() after each use lets the next transaction begin.
class SqliteStatement {
 public:
  SqliteStatement(SqliteConnection& connection, const char* sql) : connection_(connection) {
    if (sqlite3_prepare_v3(connection.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &handle_, nullptr) != SQLITE_OK)
      connection.fail();
  }
  ~SqliteStatement() { sqlite3_finalize(handle_); }
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  SqliteStatement& bind(int place, std::int64_t value) {
    check(sqlite3_bind_int64(handle_, place, value));
    return *this;
  }
  SqliteStatement& bind(int place, std::uint64_t value) { return bind(place, static_cast<std::int64_t>(value)); }
  // The text must live until reset.
  SqliteStatement& bind(int place, std::string_view text) {
    check(sqlite3_bind_text64(handle_, place, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
    return *this;
  }
  SqliteStatement& bind_bytes(int place, std::string_view bytes) {
    check(sqlite3_bind_blob64(handle_, place, bytes.data(), bytes.size(), SQLITE_STATIC));
    return *this;
  }
  bool step() {  // true: there is a row
    const int result = sqlite3_step(handle_);
    if (result == SQLITE_ROW) return true;
    if (result != SQLITE_DONE) {
      const std::string why = sqlite3_errmsg(connection_.handle());
      sqlite3_reset(handle_);
      throw StoreFailure(why);
    }
    return false;
  }
  void reset() { sqlite3_reset(handle_); }
  void execute() {
    step();
    reset();
  }
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
  std::uint64_t count(int column) const { return static_cast<std::uint64_t>(integer(column)); }
  std::string text(int column) const {
    const void* bytes = sqlite3_column_blob(handle_, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
    return bytes ? std::string(static_cast<const char*>(bytes), size) : std::string();
  }

 private:
  void check(int result) {
    if (result != SQLITE_OK) connection_.fail();
  }
  SqliteConnection& connection_;
  sqlite3_stmt* handle_ = nullptr;
};

// Rolled back unless it was committed.
class SqliteTransaction {
 public:
  enum class Kind { kWrites, kReads };
  explicit SqliteTransaction(SqliteConnection& connection, Kind kind = Kind::kWrites) : connection_(connection) {
    using Often = SqliteConnection::Often;
    connection_.run(kind == Kind::kWrites ? Often::kBeginWrites : Often::kBeginReads);
  }
  ~SqliteTransaction() {
    if (!done_) sqlite3_exec(connection_.handle(), "rollback", nullptr, nullptr, nullptr);
  }
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;
  void commit() {
    connection_.run(SqliteConnection::Often::kCommit);
    done_ = true;
  }

 private:
  SqliteConnection& connection_;
  bool done_ = false;
};

}  // namespace hannan::detail::service
