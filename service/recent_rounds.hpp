// The last rounds of a learner as its page shows them, from the rows of its log: sums by minute, hour and day, the
// decisions, delays, the last outcomes. Nothing here is kept on disk; what was read once is not read again.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hannan/bidlog/action_money.hpp"
#include "service/host.hpp"
#include "service/learner_figures.hpp"
#include "service/portfolio_figures.hpp"
#include "service/segment_rounds.hpp"

namespace hannan::detail::service {

// Of one generation. One thread at a time.
class RecentRounds {
 public:
  explicit RecentRounds(EntryPointer entry);

  // Reads on towards round `to`, at most kRowsAtOnce rows. The first call begins kSpan rounds before it.
  void read(RowReader& log, std::uint64_t to);
  std::uint64_t last() const { return last_; }  // the last round that was read
  const Entry& entry() const { return *entry_; }
  Json json() const;

  // Rounds that a page looks back over, and rows read for one question: chosen so that a question is answered within a
  // moment; what is left is said as `behind`.
  static constexpr std::uint64_t kSpan = 20'000;
  static constexpr std::size_t kRowsAtOnce = 2'000;

 private:
  // Sums over a stretch of time.
  struct Slice {
    std::int64_t start = 0;
    double rounds = 0, loss = 0, gain = 0, squares = 0;
  };
  struct Slices {
    std::int64_t width = 0;  // milliseconds
    std::size_t most = 0;
    std::deque<Slice> all;
    void add(std::int64_t time, const Slice& one);
  };
  struct Decision {
    std::uint64_t round = 0;
    std::int64_t time = 0;
    std::vector<double> amounts;
  };
  struct Noise {
    std::uint64_t round = 0;
    double value = 0;
  };

  void add(const Row& row);
  void add_decision(const Row& row, std::uint64_t round, const Json& action);
  void add_delay(const Row& row, std::uint64_t latest);
  Json slices_json(const Slices& slices) const;
  Json decisions_json() const;
  Json delays_json() const;

  EntryPointer entry_;
  ActionMoney money_;
  std::optional<MoneyScale> scale_;
  std::function<double(const AnyOutcome&)> loss_without_;
  AnyOutcome outcome_;
  std::uint64_t first_ = 0, last_ = 0;
  std::uint64_t decided_ = 0;  // with `delayed`: the latest round of these rows
  Slices minutes_, hours_, days_;
  std::deque<Json> recent_;
  std::vector<Decision> decisions_;
  std::vector<Noise> noise_;
  std::uint64_t noise_stride_ = 1;
  std::map<std::string, std::uint64_t> regimes_;
  SegmentRounds segments_;
  PortfolioRounds ways_;
  std::deque<std::pair<std::uint64_t, std::int64_t>> times_;   // of the last rounds
  std::deque<std::pair<std::uint64_t, std::int64_t>> delays_;  // rounds and milliseconds, of outcomes that came late
};

// The learners whose pages were asked for last, kKept of them: the next question reads on from where the last one
// ended. One question at a time (mutex_), over one reader of its own, so that pages never wait for the writer.
class RecentRoundsCache {
 public:
  explicit RecentRoundsCache(Host& host) : host_(host) {}
  // With `behind`: rounds that a later question will have read. Throws StoreFailure.
  Json of(const EntryPointer& entry);

 private:
  static constexpr std::size_t kKept = 32;
  Host& host_;
  std::mutex mutex_;
  std::unique_ptr<RowReader> reader_;
  std::deque<std::unique_ptr<RecentRounds>> kept_;  // the latest first
};

}  // namespace hannan::detail::service
