// How many of the best a search is asked for: as few as make searches rare.
//
// A pool that lasted less than kShort outcomes is too small: twice as many next time. One that lasted
// more than kLong is larger than it must be: half. If the largest does not last kPatience times in a row,
// pools are given up for a while, twice as long each time, and then one of the largest is tried: data on which
// pools never last costs hardly more than no pools at all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hannan/core/archive.hpp"
#include "hannan/game/pool.hpp"

namespace hannan::detail {

class PoolSize {
 public:
  explicit PoolSize(std::size_t most) : most_(most), size_(std::min(kFirst, most)) {}

  // A search is due; `pool` is what is left of the last one.
  std::size_t next(const Pool& pool) {
    if (most_ == 0) return 0;
    if (resting_ > 0) return --resting_, 0;
    if (pool.empty()) return size_;
    if (pool.age() < kShort) {
      if (size_ == most_ && ++failures_ == kPatience) {
        --failures_;  // the next failure counts as the last allowed one again
        resting_ = rest_;
        rest_ = std::min(2 * rest_, kLongestRest);
        return 0;
      }
      size_ = std::min(2 * size_, most_);
    } else {
      failures_ = 0;
      rest_ = kFirstRest;
      if (pool.age() > kLong) size_ = std::max(size_ / 2, std::min(kFirst, most_));
    }
    return size_;
  }

  void archive(Archive& a) {
    a.count("next_size", size_, most_);
    a.count("failures", failures_, kPatience - 1);
    a.count("resting", resting_, kLongestRest);
    a.count("next_rest", rest_, kLongestRest);
    if (a.reading() && size_ < std::min(kFirst, most_)) a.refuse("next_size", "found too small a pool");
    if (a.reading() && rest_ < kFirstRest) a.refuse("next_rest", "found too short a rest");
  }

 private:
  static constexpr std::size_t kFirst = 16;  // enough for most friendly data
  // Chosen: a pool must last several rounds to be worth its search, a rest of at most 64 searches means that hopeless
  // data pays for a pool in 1 of 65. They are part of a saved state's meaning: others would make another sequence of
  // searches.
  static constexpr std::uint64_t kShort = 8, kLong = 512, kPatience = 8, kFirstRest = 8, kLongestRest = 64;

  std::size_t most_;
  std::size_t size_;
  std::uint64_t failures_ = 0;  // largest pools in a row that did not last
  std::uint64_t resting_ = 0;   // searches still to be made without a pool
  std::uint64_t rest_ = kFirstRest;
};

}  // namespace hannan::detail
