// Sums that forget nothing (core/sum.hpp), as many as a row has numbers, with a term added to each: the same bits as
// one by one, two at a time and without a branch.
#pragma once

#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/forecasts/lanes.hpp"

namespace hannan::detail {

class SumRow {
 public:
  explicit SumRow(std::size_t size) : high_(size), low_(size) {}

  // As many terms as there are sums.
  void add(std::span<const double> terms) {
    std::size_t k = 0;
    for (; k + 2 <= high_.size(); k += 2) {
      TwoLanes high = two_at(high_.data() + k), low = two_at(low_.data() + k);
      add(two_at(terms.data() + k), high, low);
      std::memcpy(high_.data() + k, &high, sizeof high);
      std::memcpy(low_.data() + k, &low, sizeof low);
    }
    if (k == high_.size()) return;
    TwoLanes high{high_[k], 0}, low{low_[k], 0};
    add(TwoLanes{terms[k], 0}, high, low);
    high_[k] = high[0];
    low_[k] = low[0];
  }
  double value(std::size_t k) const { return high_[k] + low_[k]; }

  void archive(Archive& a, const char* name) {
    a.open_shaped_list(name, high_.size());
    for (std::size_t k = 0; k < high_.size(); ++k) {
      a.item();
      a.field("sum", high_[k], kSavedNumbers);
      a.field("carry", low_[k]);
    }
    a.close_list();
  }

 private:
  // Without the sign.
  static TwoLanes size_of(TwoLanes of) {
    using TwoBits [[gnu::vector_size(16)]] = std::uint64_t;
    constexpr std::uint64_t kAllButSign = ~(std::uint64_t{1} << 63);
    return std::bit_cast<TwoLanes>(std::bit_cast<TwoBits>(of) & TwoBits{kAllButSign, kAllButSign});
  }
  // What rounding cuts off is kept where the sum is finite. low is never -0, so that adding 0 changes no bit.
  static void add(TwoLanes term, TwoLanes& high, TwoLanes& low) {
    const TwoLanes sum = high + term;
    const TwoLanes lost = size_of(high) >= size_of(term) ? (high - sum) + term : (term - sum) + high;
    low += size_of(sum) <= TwoLanes{DBL_MAX, DBL_MAX} ? lost : TwoLanes{0, 0};
    high = sum;
  }

  std::vector<double> high_, low_;
};

}  // namespace hannan::detail
