// Randomness for tests: a keyed stream that counts its own columns, so every draw is a new one.
#pragma once

#include <cstdint>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {

class Dice {
 public:
  explicit Dice(std::uint64_t trial, std::uint64_t seed = 0) : stream_(Key{seed}, Purpose::kTest, trial) {}

  double unit() { return stream_.uniform(next_++); }  // in (0,1)
  double real() { return 2 * unit() - 1; }            // in (-1,1)
  int below(int n) { return static_cast<int>(stream_.below(next_++, static_cast<std::uint64_t>(n))); }

 private:
  KeyedRandom stream_;
  std::uint64_t next_ = 0;
};

}  // namespace hannan::detail
