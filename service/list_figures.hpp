// What a list of learners shows of each besides what was published: when the last outcome came, how far apart they
// usually are, and the mean loss along the run in a few points. Looked up when a list is asked for, a bounded number at
// a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/host.hpp"

namespace hannan::detail::service {

struct ListFigure {
  std::uint64_t generation = 0, position = 0;  // of which it is
  std::int64_t time = 0;                       // of the last outcome, milliseconds since 1970; 0: not known
  double gap = 0;                              // usual one between two outcomes, milliseconds; 0: not known
  // Long pauses between two outcomes, milliseconds: of the last rows, and of all up to `looked`.
  double recent_pause = 0, old_pause = 0;
  std::uint64_t looked = 0;
  double pause() const { return std::max(recent_pause, old_pause); }
  std::vector<double> mean_losses;  // mean loss of a round, in at most 24 stretches of the run
};

class ListFigures {
 public:
  explicit ListFigures(Host& host) : host_(host), known_(std::make_shared<Known>()) {}

  // Looks again at those of them whose figures are old. What the writer has to say comes later.
  void refresh(std::span<const EntryPointer> entries);
  std::optional<ListFigure> of(const Entry& entry) const;
  // No outcome for ten times the usual gap and twice as long as a pause that it has had, and for a minute at least.
  static bool silent(const ListFigure& figure, std::int64_t now);

 private:
  struct Seen {
    ListFigure figure;
    std::chrono::steady_clock::time_point asked;
  };
  // Shared with answers that are under way.
  struct Known {
    std::mutex mutex;
    std::map<std::string, Seen> all;
  };
  bool due(const Entry& entry, const Published& seen);
  void read_times(const Entry& entry, const Published& seen);
  double long_pause(const Entry& entry, std::uint64_t last, std::uint64_t rows);
  std::int64_t time_of(const Entry& entry, std::uint64_t row);

  Host& host_;
  std::shared_ptr<Known> known_;
  std::mutex reader_mutex_;
  std::unique_ptr<RowReader> reader_;
};

}  // namespace hannan::detail::service
