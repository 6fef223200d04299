// Locks by which one process alone has a database of SQLite; only sqlite_*.cpp include it.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "hannan/core/error.hpp"

namespace hannan::detail::service {

// The byte before those that SQLite locks (its PENDING_BYTE is 2^30).
inline constexpr off_t kLockedByte = (1 << 30) - 1;

// Held while the process lives: the kernel gives it back however the process ends.
class HeldLock {
 public:
  using Take = bool (*)(int descriptor);
  HeldLock(const std::string& path, mode_t mode, Take take)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, mode)) {
    if (descriptor_ < 0) throw Error(Code::kCannotWrite, "found no way to write this file, expected one", path);
    // A process that was just killed may take a moment to be gone.
    for (int tries = 0; tries < 100; ++tries) {
      if (take(descriptor_)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ::close(descriptor_);
    throw Error(Code::kCannotWrite,
                "found another process at work on this database, expected to be the only one; stop it first", path);
  }
  ~HeldLock() { ::close(descriptor_); }
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;

 private:
  int descriptor_;
};

// A file beside the database, which earlier versions lock alone.
inline bool lock_whole(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

inline struct flock locked_byte() {
  struct flock byte = {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = kLockedByte;
  byte.l_len = 1;
  return byte;
}
// The database itself, whatever links lead to it. Where a system has no such locks the file beside it is all there is.
inline bool lock_database(int descriptor) {
  struct flock byte = locked_byte();
  return ::fcntl(descriptor, F_OFD_SETLK, &byte) == 0 || (errno != EAGAIN && errno != EACCES);
}

}  // namespace hannan::detail::service
