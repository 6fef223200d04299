// Buckets of a thinned series (thinned.hpp): bucket `number` covers rounds number * w + 1 to (number + 1) * w, and w
// doubles when a round would need a number beyond the limit. Invariant: numbers rise along buckets_; those without a
// value are left out.
#include "hannan/report/thinned.hpp"

#include <algorithm>
#include <cassert>

namespace hannan::detail {

void Thinned::merge(Bucket& into, const Bucket& later) {
  if (later.least.value < into.least.value) into.least = later.least;
  if (later.greatest.value > into.greatest.value) into.greatest = later.greatest;
  into.last = later.last;
  into.sum += later.sum;
  into.count += later.count;
}

void Thinned::widen() {
  width_ *= 2;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    buckets_[i].number /= 2;
    if (kept > 0 && buckets_[kept - 1].number == buckets_[i].number) {
      merge(buckets_[kept - 1], buckets_[i]);
    } else {
      buckets_[kept++] = buckets_[i];
    }
  }
  buckets_.resize(kept);
}

void Thinned::add(std::uint64_t round, double value) {
  assert(round > last_.round);
  const ThinnedPoint point{round, value};
  if (buckets_.empty()) first_ = point;
  last_ = point;
  // Rounds, not points, are counted: series of one run keep the same buckets, with or without gaps.
  while ((round - 1) / width_ >= most_) widen();
  const Bucket alone{
      .number = (round - 1) / width_, .least = point, .greatest = point, .last = point, .sum = value, .count = 1};
  if (!buckets_.empty() && buckets_.back().number == alone.number) {
    merge(buckets_.back(), alone);
  } else {
    buckets_.push_back(alone);
  }
}

std::vector<ThinnedPoint> Thinned::extremes() const {
  std::vector<ThinnedPoint> points;
  const auto append = [&](const ThinnedPoint& point) {
    if (points.empty() || points.back().round < point.round) points.push_back(point);
  };
  if (!buckets_.empty()) append(first_);
  for (const auto& bucket : buckets_) {
    append(bucket.least.round < bucket.greatest.round ? bucket.least : bucket.greatest);
    append(bucket.least.round < bucket.greatest.round ? bucket.greatest : bucket.least);
  }
  if (!buckets_.empty()) append(last_);
  return points;
}

std::vector<ThinnedPoint> Thinned::means() const {
  std::vector<ThinnedPoint> points;
  for (const auto& bucket : buckets_)
    points.push_back({bucket.last.round, bucket.sum / static_cast<double>(bucket.count)});
  return points;
}

}  // namespace hannan::detail
