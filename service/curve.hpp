// The path of a run in at most a few thousand points, whatever its length: stretches of rounds that double when there
// are too many, each with its least and greatest regret. Where the best fixed action is not proven the regret is a
// range (hannan/runtime/best_known.hpp), and the least and greatest are those of all ranges. A function of the rounds
// alone, so replay gives it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hannan/core/interval.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail::service {

class Curve {
 public:
  struct Point {
    std::uint64_t round = 0;
    double total = 0;
    std::optional<Interval> regret;  // of one number where the best fixed action is proven
  };
  void add(const Point& point);

  // {width, rounds: [last of each stretch], total: [at its end], least: [regret or null], greatest: [...],
  // regret_range: [[lo, hi] of the last regret that is known in it, or null]}.
  Json json() const;
  // The same in at most `points` stretches.
  Json json(std::size_t points) const;
  static Curve of(const Json& json, std::string_view path);  // of json()

 private:
  struct Stretch {
    std::uint64_t round = 0;  // its last
    double total = 0;
    std::optional<double> least, greatest;
    std::optional<Interval> regret;  // the last
  };
  static constexpr std::size_t kMost = 2048;
  void halve();

  std::uint64_t width_ = 1;  // rounds in a full stretch
  std::vector<Stretch> stretches_;
};

}  // namespace hannan::detail::service
