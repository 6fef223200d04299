// The last rounds of a learner that combines forecasts, from the rows of its log: errors by hour and day beside those
// of the forecast that it is held against, and the last rows. What was read once is not read again. Errors are counted
// when the actual came. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "service/hosted_combiner.hpp"

namespace hannan::detail::service {

class CombinerCourse {
 public:
  // Reads on to the last row that the learner has; the first time it begins kSpan rows before it.
  void read(RowReader& log, const HostedCombiner& learner);
  Json json(const HostedCombiner& learner) const;

  static constexpr std::uint64_t kSpan = 20'000;  // chosen: read within a moment

 private:
  struct Slice {
    std::int64_t start = 0;
    double rows = 0, weight = 0, combined = 0, today = 0;  // sums of the loss, by weight
  };
  struct Slices {
    std::int64_t width = 0;  // milliseconds
    std::size_t most = 0;
    std::deque<Slice> all = {};
    void add(std::int64_t time, const Slice& one);
  };
  struct Said {
    double forecast = 0, today = 0, weight = 1;
  };
  struct Come {
    std::uint64_t round = 0;
    std::int64_t time = 0;
    Said said;
    double actual = 0;
  };
  void add(const Row& row, const HostedCombiner& learner);
  static Json slices_json(const Slices& slices);

  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Said> open_;  // by round
  Slices hours_{.width = 3'600'000, .most = 24}, days_{.width = 86'400'000, .most = 90};
  std::deque<Come> recent_;  // the newest first
};

}  // namespace hannan::detail::service
