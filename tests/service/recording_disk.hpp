// A disk for tests, below SQLite: it knows for every file what was synced and what was only written, so that a power
// cut can be played at any moment, and it can be full or fail to sync. Nothing is ever really synced, which is fast.
//
// Files are those of the machine; only one RecordingDisk may live at a time, and it is SQLite's default meanwhile.
#pragma once

#include <sqlite3.h>

#include <functional>
#include <map>
#include <string>

namespace hannan::detail::service {

class RecordingDisk {
 public:
  struct File {
    std::string now, synced;
  };
  using Files = std::map<std::string, File>;  // by their paths

  RecordingDisk();
  ~RecordingDisk();
  RecordingDisk(const RecordingDisk&) = delete;
  RecordingDisk& operator=(const RecordingDisk&) = delete;

  const Files& files() const { return files_; }
  std::function<void()> before_change;  // a write, a truncation or a sync

  // The n-th write from now on and all after it find the disk full; 0: there is space again.
  void full_at_write(int n) { write_in_ = n; }
  // The n-th sync from now on fails, once.
  void fail_sync(int n) { sync_in_ = n; }
  int failures() const { return failures_; }  // so far
  void forget_files() { files_.clear(); }

  // Of the calls below, which SQLite makes.
  int write(const std::string& path, const void* bytes, int count, sqlite3_int64 at);
  void truncate(const std::string& path, sqlite3_int64 size);
  int sync(const std::string& path);
  void opened(const std::string& path, bool fresh);
  void removed(const std::string& path) { files_.erase(path); }

 private:
  Files files_;
  int write_in_ = 0, sync_in_ = 0, failures_ = 0;
};

}  // namespace hannan::detail::service
