// Looking at a file of SQLite. It is opened for reading alone; where no write-ahead log lies beside it, as immutable,
// so that SQLite makes no files of its own either.
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "hannan/core/error.hpp"
#include "service/inspect_store.hpp"
#include "service/sqlite_file.hpp"
#include "service/sqlite_lock.hpp"

namespace hannan::detail::service {
namespace {

// Percent signs and what ends a path in a URI.
std::string uri_of(const std::string& path) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '?' || c == '#') {
      uri += '%';
      uri += kDigits[byte >> 4U];
      uri += kDigits[byte & 15U];
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

// The lock that a running service holds (sqlite_lock.hpp), asked for without taking it.
bool is_locked(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock byte = locked_byte();
  const bool locked = ::fcntl(descriptor, F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
  ::close(descriptor);
  return locked;
}

void check_folder(const std::string& path) {
  const auto folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder))
    throw Error(Code::kCannotWrite, "found no folder for this file, expected one", path);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error(Code::kCannotWrite, "found a folder that may not be written, expected one that may", path);
}

}  // namespace

// Decides what kind of file this is before anything is written: a database of another program is left as it is.
SqliteFile check_sqlite_file(SqliteConnection& connection, const std::string& path) {
  SqliteStatement tables(connection, "select count(*) from sqlite_master");
  tables.step();
  if (tables.integer(0) == 0) return SqliteFile::kEmpty;
  SqliteStatement ours(connection, "select count(*) from sqlite_master where name='meta'");
  ours.step();
  if (ours.integer(0) == 0)
    throw Error(Code::kBadState, "found a database of another program, expected one of hannan serve", path);
  SqliteStatement schema(connection, "select cast(value as integer) from meta where key='schema'");
  const std::int64_t found = schema.step() ? schema.integer(0) : 0;
  if (found == kSqliteSchema) return SqliteFile::kLog;
  throw Error(
      Code::kBadState,
      "found schema " + std::to_string(found) + ", expected " + std::to_string(kSqliteSchema) + "; " +
          (found > kSqliteSchema ? "the log is of a later version of hannan: start that version, or move the log "
                                   "to another database with its --copy-from"
                                 : "the file is damaged, or of another program: restore it from a backup"),
      path);
}

std::vector<StoredLearner> sqlite_learners(SqliteConnection& connection) {
  SqliteStatement all(connection, "select id, name, generation, config, status, created from learner order by name");
  std::vector<StoredLearner> found;
  while (all.step()) {
    found.push_back({.id = all.integer(0),
                     .name = all.text(1),
                     .generation = all.count(2),
                     .config = all.text(3),
                     .status = all.text(4),
                     .created = all.integer(5)});
  }
  return found;
}

InspectedStore inspect_sqlite(const std::string& path) {
  InspectedStore found{.name = "the file " + path + " of SQLite", .is_made = false, .is_in_use = false, .learners = {}};
  check_folder(path);
  if (!std::filesystem::exists(path)) return found;
  if (::access(path.c_str(), R_OK | W_OK) != 0)
    throw Error(Code::kCannotWrite, "found a file that may not be read and written, expected one that may", path);
  found.is_in_use = is_locked(path);
  try {
    const bool still = !found.is_in_use && !std::filesystem::exists(path + "-wal");
    SqliteConnection connection(still ? uri_of(path) : path, SQLITE_OPEN_READONLY | (still ? SQLITE_OPEN_URI : 0));
    if (check_sqlite_file(connection, path) == SqliteFile::kEmpty) return found;
    found.is_made = true;
    found.learners = sqlite_learners(connection);
  } catch (const StoreFailure& failure) {
    throw Error(Code::kBadState,
                std::string("found no database of SQLite, expected one or no file (") + failure.what() + ")", path);
  }
  return found;
}

}  // namespace hannan::detail::service
