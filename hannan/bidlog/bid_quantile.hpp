// The q-quantile of a stream of bids, in one pass and little memory, the same on every machine.
//
// Bids are counted in buckets by the leading 25 bits of the double (sign, exponent, 13 bits of
// mantissa), so a bucket is 1/8192 wide, relatively; each remembers its largest bid. The answer is the
// largest bid of the bucket in which the ceil(q n)-th smallest lies: a bid of the log, at most 1/8192
// above the exact quantile, and exactly the maximum for q = 1.
// Memory: one bucket per 1/8192 of every octave that occurs, some thousands in practice.
#pragma once

#include <cstdint>
#include <map>

namespace hannan::detail {

class BidQuantile {
 public:
  void add(double bid);  // at least 0
  // 0 < q <= 1; 0 where nothing was added.
  double at(double q) const;
  std::uint64_t count() const { return count_; }

 private:
  struct Bucket {
    std::uint64_t count = 0;
    double most = 0;
  };
  std::map<std::uint32_t, Bucket> buckets_;  // doubles from 0 on have the order of their bits
  std::uint64_t count_ = 0;
};

}  // namespace hannan::detail
