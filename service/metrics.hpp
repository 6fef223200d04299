// Counters and histograms of the service, and their text for Prometheus. Any thread may count.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "service/exposition.hpp"

namespace hannan::detail::service {

// Seconds or rows, in buckets whose ends grow by the factor 2.
class Histogram {
 public:
  explicit Histogram(double first) : first_(first) {}
  void add(double value);
  // The samples of a family that was begun.
  void add_to(Exposition& out) const;
  double quantile(double share) const;  // the upper end of the bucket that has it; 0: nothing was counted

 private:
  double end_of(std::size_t place) const;

  // The ends double: from 10 microseconds on the last is 5 seconds. What is above goes to one more bucket without an
  // end.
  static constexpr std::size_t kBuckets = 20;
  double first_;
  mutable std::mutex mutex_;
  std::array<std::uint64_t, kBuckets + 1> counts_{};
  double sum_ = 0;
  std::uint64_t count_ = 0;
};

class Metrics {
 public:
  std::atomic<std::uint64_t> accepted = 0, duplicates = 0, refused = 0, decisions = 0, commit_failures = 0,
                             oracle_calls = 0;
  Histogram commit_seconds{1e-5}, commit_rows{1}, request_seconds{1e-5}, replay_seconds{1e-3};

  void count_request(std::string_view route, int status);
  void add_to(Exposition& out) const;  // all of the above

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
};

}  // namespace hannan::detail::service
