// A session of PostgreSQL. Only files named postgres_*.cpp include it.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "service/store.hpp"

namespace hannan::detail::service {

// A row with this key is there already.
class KeyTaken : public StoreFailure {
 public:
  using StoreFailure::StoreFailure;
};

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PostgresAnswer = std::unique_ptr<PGresult, ClearResult>;

std::int64_t integer_at(const PostgresAnswer& answer, int row, int column);
std::uint64_t count_at(const PostgresAnswer& answer, int row, int column);
std::string text_at(const PostgresAnswer& answer, int row, int column);
// A list as PostgreSQL writes it: {"a","b"}.
std::string text_list(const std::vector<std::string_view>& items);

enum class SessionUse {
  kRead,
  kWrite,  // the server ends it, and so frees its locks, when nothing was asked for 5 s: the process stands still
};

class PostgresConnection {
 public:
  PostgresConnection(const std::string& url, SessionUse use);
  ~PostgresConnection() { PQfinish(handle_); }
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  // Throws KeyTaken or StoreFailure.
  PostgresAnswer ask(const char* sql, const std::vector<std::string>& values = {});
  void run(const char* sql);
  bool alive() const { return PQstatus(handle_) == CONNECTION_OK; }
  int server_version() const { return PQserverVersion(handle_); }  // 150020: 15.20

 private:
  PostgresAnswer checked(PGresult* result);
  std::string said() const;  // the first line of the server's message, without passwords
  PGconn* handle_ = nullptr;
  std::vector<std::string> secrets_;  // of its address
};

}  // namespace hannan::detail::service
