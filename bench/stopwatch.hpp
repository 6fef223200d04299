// Seconds of processor time of this process, and the middle one of several. On an idle machine that is wall
// time; on a busy one it leaves out what others took. The rivals count theirs in the same way.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace hannan::detail::bench {

class Stopwatch {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double start_ = now();
};

// What a clock on the wall shows: for limits and for people.
class WallClock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The upper one of the two in the middle; values must not be empty.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The least of `times` measurements: what the work costs when nothing else runs on the machine.
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

}  // namespace hannan::detail::bench
