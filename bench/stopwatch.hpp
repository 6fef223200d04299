// Seconds of wall time, and the middle one of several.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace hannan::bench {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// The upper one of the two in the middle; values must not be empty.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The least of `times` measurements: what the work costs when nobody else wants the machine.
template <class Work>
double least_seconds(int times, Work&& work) {
  double least = 0;
  for (int i = 0; i < times; ++i) {
    const Stopwatch watch;
    work();
    least = i == 0 ? watch.seconds() : std::min(least, watch.seconds());
  }
  return least;
}

}  // namespace hannan::bench
