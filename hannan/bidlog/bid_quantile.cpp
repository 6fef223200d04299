// Bits of a double that is not negative, read as an integer, grow with it; cutting off the lower 39 leaves buckets in
// order of size. Adding 0.0 turns -0.0, whose bits would be the largest, into 0.0.
#include "hannan/bidlog/bid_quantile.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace hannan::detail {

void BidQuantile::add(double bid) {
  assert(bid >= 0);
  constexpr int kMantissa = 13;
  Bucket& bucket = buckets_[static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(bid + 0.0) >> (52 - kMantissa))];
  ++bucket.count;
  bucket.most = std::max(bucket.most, bid);
  ++count_;
}

double BidQuantile::at(double q) const {
  const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_))));
  std::uint64_t below = 0;
  double most = 0;
  for (const auto& [key, bucket] : buckets_) {
    most = bucket.most;
    below += bucket.count;
    if (below >= rank) break;
  }
  return most;
}

}  // namespace hannan::detail
