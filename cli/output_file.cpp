// The order that makes a file whole: write beside, fsync the file, rename, fsync the folder. A crash before the rename
// leaves the old file, after it the new one. The lock on NAME.new is held until after the rename, so that of two
// writers each renames a file of its own. Every call of the system that may be interrupted is made again.
#include "output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail::cli {
namespace {

constexpr const char* kNew = ".new";                 // behind the name of a file that is not whole yet
constexpr std::size_t kHeld = std::size_t{1} << 16;  // bytes; few calls of the system

[[noreturn]] void cannot_write(const std::string& path, int reason) {
  throw Error(Code::kCannotWrite, std::generic_category().message(reason), path);
}

std::optional<struct stat> facts_of(const std::string& path) {
  struct stat facts = {};
  return ::stat(path.c_str(), &facts) == 0 ? std::optional(facts) : std::nullopt;
}

bool same_inode(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// 0, or the reason why not all of it was written.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(descriptor, text.data(), text.size());
    if (wrote >= 0) {
      text.remove_prefix(static_cast<std::size_t>(wrote));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

// Pipes and some file systems cannot do it, which is no failure.
int sync_all(int descriptor) {
  if (::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP) return 0;
  return errno;
}

int open_again(const std::string& path, int flags) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

// Standard output or error, where the path is one of them under another name, such as /dev/stdout.
std::optional<int> standard_stream(const std::string& path) {
  if (path == "-") return STDOUT_FILENO;
  const auto facts = facts_of(path);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open = {};
    if (facts && ::fstat(stream, &open) == 0 && same_inode(*facts, open)) return stream;
  }
  return std::nullopt;
}

// Its name in messages; what was printed there before stays before.
std::string take_stream(int stream) {
  std::fflush(stream == STDOUT_FILENO ? stdout : stderr);
  return stream == STDOUT_FILENO ? "stdout" : "stderr";
}

// The file that a path leads to behind symbolic links, whether it exists or not; none where they go in a circle.
std::optional<std::string> end_of_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // as Linux has it
  std::filesystem::path at = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code failed;
    const auto next = std::filesystem::read_symlink(at, failed);
    if (failed) return at.string();
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return std::nullopt;
}

std::string behind_links(const std::string& path) {
  const auto end = end_of_links(path);
  if (!end) cannot_write(path, ELOOP);
  return *end;
}

// The same for every way to write a path, whether there is a file or not.
std::filesystem::path full_path(const std::string& path) {
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(end_of_links(path).value_or(path), failed);
  const auto full = std::filesystem::weakly_canonical(absolute, failed);
  return failed ? absolute.lexically_normal() : full;
}

void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder that may not be read: the file is complete all the same
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

// By inode where both exist, else by their full paths, so that an output is never written over an input.
bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  const auto same = [](const std::string& one, const std::string& other) {
    std::error_code failed;
    if (std::filesystem::equivalent(one, other, failed) && !failed) return true;
    return full_path(one) == full_path(other);
  };
  // A file is written beside its target first, and takes its name at the end.
  return same(a, b) || same(a + kNew, b) || same(a, b + kNew);
}

// True where some output goes there, and other text must not; two of them are refused.
bool takes_standard_output(std::initializer_list<OutputTarget> outputs) {
  const char* taken = nullptr;
  for (const auto& [flag, path] : outputs) {
    if (path != "-") continue;
    if (taken)
      throw Error(Code::kUsage, std::string("found ") + taken + " and it on standard output, expected one of them",
                  flag);
    taken = flag;
  }
  return taken != nullptr;
}

bool regular_or_none(const std::string& path) {
  if (standard_stream(path)) return false;
  const auto facts = facts_of(path);
  return !facts || S_ISREG(facts->st_mode);
}

// Opened without cutting: a resumed run keeps what is there (cut()).
OutputFile::OutputFile(const std::string& path) : path_(path) {
  const auto stream = standard_stream(path);
  if (stream) path_ = take_stream(*stream);
  descriptor_ = stream ? ::fcntl(*stream, F_DUPFD_CLOEXEC, 0) : open_again(path, O_WRONLY | O_CREAT);
  if (descriptor_ < 0) cannot_write(path, errno);
  struct stat facts = {};
  regular_ = !stream && ::fstat(descriptor_, &facts) == 0 && S_ISREG(facts.st_mode);
}

// What is held is written as far as possible; errors cannot be reported any more, so callers close() first.
OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  if (!failed_) write_all(descriptor_, held_);
  ::close(descriptor_);
}

void OutputFile::fail(int reason) {
  failed_ = true;
  held_.clear();
  cannot_write(path_, reason);
}

// Everything behind this many bytes goes. Pipes and devices cannot be cut.
void OutputFile::cut(std::uint64_t bytes) {
  if (!regular_) return;
  const auto end = static_cast<off_t>(bytes);
  if (::ftruncate(descriptor_, end) != 0 || ::lseek(descriptor_, end, SEEK_SET) != end) fail(errno);
}

void OutputFile::write(std::string_view text) {
  if (failed_) cannot_write(path_, EIO);
  held_ += text;
  if (held_.size() >= kHeld || !regular_) pass_on();
}

void OutputFile::pass_on() {
  if (const int reason = write_all(descriptor_, held_)) fail(reason);
  held_.clear();
}

// On disk when it returns, where the file system can promise that.
void OutputFile::sync() {
  if (failed_) cannot_write(path_, EIO);
  pass_on();
  if (!regular_) return;
  if (const int reason = sync_all(descriptor_)) fail(reason);
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  if (!failed_) sync();
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) cannot_write(path_, errno);
}

// Devices and pipes are written directly; regular files beside their target, which a rename replaces at the end.
WholeFile::WholeFile(const std::string& path) : path_(path), target_(path) {
  if (const auto stream = standard_stream(path)) {
    path_ = take_stream(*stream);
    descriptor_ = ::fcntl(*stream, F_DUPFD_CLOEXEC, 0);
  } else if (const auto facts = facts_of(path); facts && !S_ISREG(facts->st_mode)) {
    descriptor_ = open_again(path, O_WRONLY);
  } else {
    if (!facts && errno != ENOENT) cannot_write(path, errno);
    target_ = behind_links(path);
    if (facts && ::access(target_.c_str(), W_OK) != 0) cannot_write(path, errno);  // a rename would not ask
    open_beside();
    if (facts) keep_mode(target_);
  }
  if (descriptor_ < 0) cannot_write(path, errno);
}

// NAME.new, locked, so that two programs that write the same file do not write into each other's; one that a killed
// program has left is taken over. Where it is locked, a name of our own.
void WholeFile::open_beside() {
  beside_ = target_ + kNew;
  for (;;) {
    descriptor_ = open_again(beside_, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor_ < 0) return;
    struct stat open = {};
    if (::fstat(descriptor_, &open) != 0 || !S_ISREG(open.st_mode)) {
      beside_.clear();
      fail(EEXIST);
    }
    // A file system without locks is used all the same.
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(descriptor_);
      beside_ = target_ + "." + std::to_string(::getpid()) + kNew;
      continue;
    }
    // The name may lead to another file by now: a program that held the lock has renamed the one we opened. Then it is
    // opened again; each turn another program has finished, so that the loop ends.
    const auto named = facts_of(beside_);
    if (named && same_inode(*named, open)) break;
    ::close(descriptor_);  // the other program has renamed it between our two calls
  }
  if (::ftruncate(descriptor_, 0) != 0) fail(errno);
}

// Before anything is written: what only its owner may read is never readable to others.
void WholeFile::keep_mode(const std::string& target) {
  struct stat mine = {};
  const auto facts = facts_of(target);
  if (descriptor_ < 0 || !facts || ::fstat(descriptor_, &mine) != 0) return;
  if (mine.st_uid != facts->st_uid || mine.st_gid != facts->st_gid) {
    // Others' files can be given away by root alone; the group often by the owner.
    if (::fchown(descriptor_, facts->st_uid, facts->st_gid) != 0 &&
        ::fchown(descriptor_, static_cast<uid_t>(-1), facts->st_gid) != 0)
      errno = 0;
  }
  if (::fchmod(descriptor_, facts->st_mode & 0777) != 0) fail(errno);
}

WholeFile::~WholeFile() { drop(); }

// Nothing is left behind: the target is as it was.
void WholeFile::drop() {
  if (descriptor_ < 0) return;
  if (!beside_.empty()) ::unlink(beside_.c_str());
  ::close(std::exchange(descriptor_, -1));
}

void WholeFile::fail(int reason) {
  drop();
  cannot_write(path_, reason);
}

void WholeFile::file_write(std::string_view text) {
  held_ += text;
  if (held_.size() >= kHeld) pass_on();
}

void WholeFile::pass_on() {
  if (const int reason = write_all(descriptor_, held_)) fail(reason);
  held_.clear();
}

// For headers that are known only at the end, such as the number of rows of an .npy file.
void WholeFile::rewrite_start(std::string_view text) {
  pass_on();
  if (::lseek(descriptor_, 0, SEEK_SET) != 0) fail(errno);
  if (const int reason = write_all(descriptor_, text)) fail(reason);
}

void WholeFile::commit() {
  pass_on();
  if (beside_.empty()) {
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) cannot_write(path_, errno);
    return;
  }
  if (const int reason = sync_all(descriptor_)) fail(reason);
  // Renamed while the lock is held.
  if (::rename(beside_.c_str(), target_.c_str()) != 0) fail(errno);
  sync_folder_of(target_);
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) cannot_write(path_, errno);
}

void write_whole_file(const std::string& path, std::string_view text) {
  WholeFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace hannan::detail::cli
