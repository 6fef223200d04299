// A long series as a few points that keep its extremes.
//
// Rounds come one at a time and their number is not known in advance. A bucket holds the least and the
// greatest value of w rounds in a row, each with its own round; w starts at 1 and doubles, neighbours being
// merged, whenever there are more than `most` buckets. So no peak and no dip is lost, at any length, and up
// to `most` rounds nothing is lost at all. Cost: O(1) a round on average, memory O(most).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hannan::detail {

struct ThinnedPoint {
  std::uint64_t round;
  double value;
  friend bool operator==(const ThinnedPoint&, const ThinnedPoint&) = default;
};

class Thinned {
 public:
  static constexpr std::size_t kMostBuckets = 1000;  // two points each: about the dots of a wide screen
  explicit Thinned(std::size_t most = kMostBuckets) : most_(most) {}

  // Rounds come in increasing order, from 1; some may be left out.
  void add(std::uint64_t round, double value);

  bool empty() const { return buckets_.empty(); }
  std::uint64_t width() const { return width_; }  // rounds a bucket
  double last() const { return last_.value; }
  // Least and greatest of every bucket in the order of rounds, and the very first and last point.
  std::vector<ThinnedPoint> extremes() const;
  // The mean of every bucket, at its last round.
  std::vector<ThinnedPoint> means() const;

 private:
  struct Bucket {
    std::uint64_t number;  // (round - 1) / width
    ThinnedPoint least, greatest, last;
    double sum;
    std::uint64_t count;
  };
  static void merge(Bucket& into, const Bucket& later);
  void widen();

  std::size_t most_;
  std::uint64_t width_ = 1;
  ThinnedPoint first_{}, last_{};
  std::vector<Bucket> buckets_;
};

}  // namespace hannan::detail
