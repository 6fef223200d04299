#include "recording_disk.hpp"

#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>

namespace hannan::detail::service {
namespace {

RecordingDisk* the_disk = nullptr;
sqlite3_vfs* real_vfs = nullptr;

// SQLite allocates it with the file of the real system behind it, and constructs nothing.
struct RecordedFile {
  sqlite3_file base;
  std::string* path;  // null: a temporary file, which is not recorded
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
RecordedFile* recorded(sqlite3_file* file) { return reinterpret_cast<RecordedFile*>(file); }
sqlite3_file* real(sqlite3_file* file) { return recorded(file)->real(); }

int close_file(sqlite3_file* file) {
  delete recorded(file)->path;
  return real(file)->pMethods ? real(file)->pMethods->xClose(real(file)) : SQLITE_OK;
}
int read_file(sqlite3_file* file, void* into, int count, sqlite3_int64 at) {
  return real(file)->pMethods->xRead(real(file), into, count, at);
}
int write_file(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 at) {
  if (recorded(file)->path) {
    const int result = the_disk->write(*recorded(file)->path, bytes, count, at);
    if (result != SQLITE_OK) return result;
  }
  return real(file)->pMethods->xWrite(real(file), bytes, count, at);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (recorded(file)->path) the_disk->truncate(*recorded(file)->path, size);
  return real(file)->pMethods->xTruncate(real(file), size);
}
int sync_file(sqlite3_file* file, int) {
  return recorded(file)->path ? the_disk->sync(*recorded(file)->path) : SQLITE_OK;
}
int file_size(sqlite3_file* file, sqlite3_int64* size) { return real(file)->pMethods->xFileSize(real(file), size); }
int lock_file(sqlite3_file* file, int level) { return real(file)->pMethods->xLock(real(file), level); }
int unlock_file(sqlite3_file* file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
int check_lock(sqlite3_file* file, int* held) { return real(file)->pMethods->xCheckReservedLock(real(file), held); }
int control_file(sqlite3_file* file, int what, void* value) {
  return real(file)->pMethods->xFileControl(real(file), what, value);
}
int sector_size(sqlite3_file* file) { return real(file)->pMethods->xSectorSize(real(file)); }
int characteristics(sqlite3_file* file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
int map_shared(sqlite3_file* file, int region, int size, int extend, void volatile** at) {
  return real(file)->pMethods->xShmMap(real(file), region, size, extend, at);
}
int lock_shared(sqlite3_file* file, int first, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), first, count, flags);
}
void barrier_shared(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }
int unmap_shared(sqlite3_file* file, int remove) { return real(file)->pMethods->xShmUnmap(real(file), remove); }

// Version 2: with shared memory for the write-ahead log, without mapped files, whose writes could not be seen here.
const sqlite3_io_methods kMethods = {
    2,           close_file,     read_file,    write_file,   truncate_file, sync_file,       file_size,
    lock_file,   unlock_file,    check_lock,   control_file, sector_size,   characteristics, map_shared,
    lock_shared, barrier_shared, unmap_shared, nullptr,      nullptr};

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  recorded(file)->path = nullptr;
  const bool there = name && std::ifstream(name).good();
  const int result = real_vfs->xOpen(real_vfs, name, real(file), flags, out_flags);
  if (result != SQLITE_OK) return result;
  if (name) {
    recorded(file)->path = new std::string(name);
    the_disk->opened(name, !there);
  }
  file->pMethods = &kMethods;
  return SQLITE_OK;
}
int remove_file(sqlite3_vfs*, const char* name, int) {
  the_disk->removed(name);
  return real_vfs->xDelete(real_vfs, name, 0);
}

sqlite3_vfs our_vfs;

}  // namespace

RecordingDisk::RecordingDisk() {
  if (the_disk) throw std::logic_error("there is a RecordingDisk already");
  the_disk = this;
  real_vfs = sqlite3_vfs_find("unix");
  our_vfs = *real_vfs;
  our_vfs.szOsFile = static_cast<int>(sizeof(RecordedFile)) + real_vfs->szOsFile;
  our_vfs.zName = "recording";
  our_vfs.pNext = nullptr;
  our_vfs.xOpen = open_file;
  our_vfs.xDelete = remove_file;
  sqlite3_vfs_register(&our_vfs, 1);
}

RecordingDisk::~RecordingDisk() {
  sqlite3_vfs_unregister(&our_vfs);
  sqlite3_vfs_register(real_vfs, 1);
  the_disk = nullptr;
}

int RecordingDisk::write(const std::string& path, const void* bytes, int count, sqlite3_int64 at) {
  if (before_change) before_change();
  if (write_in_ > 0 && (write_in_ == 1 || --write_in_ == 0)) {
    write_in_ = 1;
    ++failures_;
    return SQLITE_FULL;
  }
  std::string& now = files_[path].now;
  const auto end = static_cast<std::size_t>(at) + static_cast<std::size_t>(count);
  if (now.size() < end) now.resize(end, '\0');
  std::memcpy(now.data() + at, bytes, static_cast<std::size_t>(count));
  return SQLITE_OK;
}

void RecordingDisk::truncate(const std::string& path, sqlite3_int64 size) {
  if (before_change) before_change();
  files_[path].now.resize(static_cast<std::size_t>(size), '\0');
}

int RecordingDisk::sync(const std::string& path) {
  if (before_change) before_change();
  if (sync_in_ > 0 && --sync_in_ == 0) {
    ++failures_;
    return SQLITE_IOERR_FSYNC;
  }
  File& file = files_[path];
  file.synced = file.now;
  return SQLITE_OK;
}

// What a file held before it was opened the first time is on disk.
void RecordingDisk::opened(const std::string& path, bool fresh) {
  if (files_.contains(path)) return;
  File& file = files_[path];
  if (fresh) return;
  std::ifstream in(path, std::ios::binary);
  file.now.assign(std::istreambuf_iterator<char>(in), {});
  file.synced = file.now;
}

}  // namespace hannan::detail::service
