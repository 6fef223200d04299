// The results of finished tasks, kept in a folder that survives an interruption and that many processes share.
//
// The folder holds one file a rank, JSON lines, one line a task: its key, its numbers, and a fingerprint of the
// line. A rank appends to its own file only and reads those of all ranks. So nothing is ever locked against another
// rank, a result once written is never lost, and what another rank (or an earlier run) has finished is found by
// looking. A line that was cut short or changed does not match its fingerprint; it counts for nothing and its task is
// played again. A result is a function of its task, so it does not matter who played it, nor whether twice.
//
// Numbers are written in the shortest form that reads back as the same double: a result that was read is the
// result that was written.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "hannan/play/simulation.hpp"

namespace hannan::detail {

std::string finished_line(const std::string& key, const SimulatedRun& run);
struct FinishedRun {
  std::string key;
  SimulatedRun run;
};
// Nothing for a line that is not whole.
std::optional<FinishedRun> parse_finished_line(std::string_view line);

class FinishedTasks {
 public:
  // Makes the folder if need be and reads what is in it. Throws kCannotWrite, also where another process
  // of the same rank is at work in the folder.
  FinishedTasks(const std::string& folder, std::uint64_t rank);
  ~FinishedTasks();
  FinishedTasks(const FinishedTasks&) = delete;
  FinishedTasks& operator=(const FinishedTasks&) = delete;

  // Any number of threads may call these.
  void add(const std::string& key, const SimulatedRun& run);
  void refresh();  // reads what others have appended
  bool has(const std::string& key) const;
  std::optional<SimulatedRun> find(const std::string& key) const;

 private:
  void read_new(const std::string& path);
  void end_last_line();

  std::string folder_;
  std::string own_;
  int file_ = -1;
  mutable std::mutex lock_;
  std::unordered_map<std::string, SimulatedRun> runs_;
  std::map<std::string, std::uint64_t> read_;  // bytes of each file that were read, whole lines only
  std::int64_t synced_ = 0;                    // when the file last went to disk, in milliseconds
};

}  // namespace hannan::detail
