// The folder of results (finished_tasks.hpp). A line ends with a fingerprint of what stands before it; a line without
// an end is still being written and is left for the next look. Only this rank's file is written, with O_APPEND.
#include "hannan/experiment/finished_tasks.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

std::string fingerprint(const std::string& text) {
  Digest digest;
  digest.add(text);
  return digest.hex();
}

std::int64_t now_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Error cannot_write(const std::string& path) { return Error(Code::kCannotWrite, std::strerror(errno), path); }

}  // namespace

// One line a task. The order of the fields is fixed, because the fingerprint is of the text.
std::string finished_line(const std::string& key, const SimulatedRun& run) {
  Json json = Json::object({{"task", key},
                            {"total", run.total},
                            {"best", run.best},
                            {"regret", run.regret},
                            {"bound", run.bound},
                            {"printed", run.printed},
                            {"corrected", run.corrected},
                            {"run", run.run},
                            {"limit", run.limit},
                            {"covered", run.covered},
                            {"within", run.within},
                            {"holds", run.holds},
                            {"calls", run.oracle_calls},
                            {"nodes", run.search_nodes},
                            {"gap", run.gap},
                            {"path", Json(run.path)}});
  if (!run.tracked.empty()) json.set("tracked", Json(run.tracked));
  json.set("check", fingerprint(dump(json)));
  return dump(json);
}

// Nothing for a line that is damaged, cut or of another version: its task is then played again.
std::optional<FinishedRun> parse_finished_line(std::string_view line) {
  // The fingerprint is of the line without it: {...,"check":"0123456789abcdef"}.
  constexpr std::string_view kBefore = ",\"check\":\"";
  constexpr std::size_t kTail = kBefore.size() + 16 + 2;
  if (line.size() <= kTail || !line.ends_with("\"}") || line.substr(line.size() - kTail, kBefore.size()) != kBefore)
    return std::nullopt;
  const std::string body = std::string(line.substr(0, line.size() - kTail)) + "}";
  if (fingerprint(body) != line.substr(line.size() - 18, 16)) return std::nullopt;
  try {
    const Json json = parse_json(body);
    Fields fields(json, "");
    FinishedRun found{fields.word("task"), {}};
    SimulatedRun& run = found.run;
    run.total = fields.number("total");
    run.best = fields.number("best");
    run.regret = fields.number("regret");
    const auto maybe = [&](const char* name, std::optional<double>& value) {
      if (const Json& found_value = fields.need(name); !found_value.is_null())
        value = to_number(found_value, name, kExtended);
    };
    maybe("bound", run.bound);
    maybe("printed", run.printed);
    maybe("corrected", run.corrected);
    maybe("run", run.run);
    maybe("limit", run.limit);
    if (const Json& covered = fields.need("covered"); !covered.is_null()) run.covered = fields.flag("covered");
    if (const Json& within = fields.need("within"); !within.is_null()) run.within = fields.flag("within");
    run.holds = fields.flag("holds");
    run.oracle_calls = static_cast<std::uint64_t>(fields.integer("calls", kNatural));
    run.search_nodes = static_cast<std::uint64_t>(fields.integer("nodes", kNatural));
    run.gap = fields.number("gap", kExtended);
    run.path = fields.numbers("path");
    if (fields.has("tracked")) run.tracked = fields.numbers("tracked");
    fields.done();
    return found;
  } catch (const Error&) {  // written by another version: as good as not there
    return std::nullopt;
  }
}

FinishedTasks::FinishedTasks(const std::string& folder, std::uint64_t rank)
    : folder_(folder), own_(folder + "/" + std::to_string(rank) + ".jsonl") {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Error(Code::kCannotWrite, failed.message(), folder);
  file_ = ::open(own_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) throw cannot_write(own_);
  // File systems without locks are used all the same: the lock guards against a mistake, not against other ranks.
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file_);
    throw Error(Code::kCannotWrite,
                "found another process at work here, expected none: wait for it, or choose another folder", own_);
  }
  end_last_line();
  refresh();
}

// Synced once at the end: a line that a crash loses is a task that is played again.
FinishedTasks::~FinishedTasks() {
  ::fsync(file_);
  ::close(file_);
}

// A last line that was cut short gets an end, so that the next one starts on a line of its own.
void FinishedTasks::end_last_line() {
  const off_t size = ::lseek(file_, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(file_, &last, 1, size - 1) == 1 && last != '\n' && ::write(file_, "\n", 1) != 1)
    throw cannot_write(own_);
}

void FinishedTasks::add(const std::string& key, const SimulatedRun& run) {
  // What is kept in memory is what a reader of the line would get, so that a resumed run has the same bits.
  const std::string line = finished_line(key, run) + "\n";
  const std::lock_guard lock(lock_);
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t wrote = ::write(file_, line.data() + done, line.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) throw cannot_write(own_);
    done += static_cast<std::size_t>(wrote);
  }
  // A process that dies loses nothing that was written; a machine that dies loses a second's work.
  if (const auto now = now_milliseconds(); now - synced_ > 1000) {
    if (::fsync(file_) != 0) throw cannot_write(own_);
    synced_ = now;
  }
  runs_[key] = parse_finished_line(std::string_view(line).substr(0, line.size() - 1))->run;
}

// Files of other ranks are read too: what they finished need not be played here.
void FinishedTasks::refresh() {
  const std::lock_guard lock(lock_);
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, failed)) {
    if (entry.path().extension() == ".jsonl") read_new(entry.path().string());
  }
  if (failed) throw Error(Code::kCannotRead, failed.message(), folder_);
}

// read_[path] is the place behind the last whole line that was read: each line is parsed once, however often the folder
// is looked at.
void FinishedTasks::read_new(const std::string& path) {
  std::uint64_t& from = read_[path];
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  if (failed || size <= from) return;
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(from));
  std::string line;
  // A line without an end is still being written.
  while (std::getline(file, line) && !file.eof()) {
    from += line.size() + 1;
    if (auto found = parse_finished_line(line)) runs_.insert_or_assign(std::move(found->key), std::move(found->run));
  }
}

bool FinishedTasks::has(const std::string& key) const {
  const std::lock_guard lock(lock_);
  return runs_.contains(key);
}

std::optional<SimulatedRun> FinishedTasks::find(const std::string& key) const {
  const std::lock_guard lock(lock_);
  const auto found = runs_.find(key);
  return found == runs_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace hannan::detail
