// Compiled once for every kind of vector unit: Highway includes this file again for each of them.
//
// Minima of data + scale * noise and of tables with row and column shifts (argmin.hpp). Every lane computes the same
// sum as the plain loop, a product and an addition apart, and a minimum does not depend on the order: vectors of any
// width give the same bits. Loads never leave the array: a step of so many lanes is taken only where all of them lie
// within it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hannan/oracles/argmin.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "hannan/core/tolerance.hpp"
#include "hannan/oracles/argmin.hpp"

HWY_BEFORE_NAMESPACE();
namespace hannan::detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The least of n values; four running minima hide the latency of one.
double least_of(const double* data, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t step = hn::Lanes(d);
  double least = std::numeric_limits<double>::infinity();
  std::size_t k = 0;
  if (n >= 4 * step) {
    auto a = hn::LoadU(d, data), b = hn::LoadU(d, data + step);
    auto c = hn::LoadU(d, data + 2 * step), e = hn::LoadU(d, data + 3 * step);
    for (k = 4 * step; k + 4 * step <= n; k += 4 * step) {
      a = hn::Min(a, hn::LoadU(d, data + k));
      b = hn::Min(b, hn::LoadU(d, data + k + step));
      c = hn::Min(c, hn::LoadU(d, data + k + 2 * step));
      e = hn::Min(e, hn::LoadU(d, data + k + 3 * step));
    }
    least = hn::GetLane(hn::MinOfLanes(d, hn::Min(hn::Min(a, b), hn::Min(c, e))));
  }
  for (; k < n; ++k) least = std::min(least, data[k]);
  return least;
}

// data + scale * noise, multiplied and added apart, never fused: the same roundings as in the plain loop of the tail.
double least_of_sum(const double* data, const double* noise, double scale, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t step = hn::Lanes(d);
  const auto factor = hn::Set(d, scale);
  const auto at = [&](std::size_t k) {
    return hn::Add(hn::LoadU(d, data + k), hn::Mul(factor, hn::LoadU(d, noise + k)));
  };
  double least = std::numeric_limits<double>::infinity();
  std::size_t k = 0;
  if (n >= 2 * step) {
    auto a = at(0), b = at(step);
    for (k = 2 * step; k + 2 * step <= n; k += 2 * step) {
      a = hn::Min(a, at(k));
      b = hn::Min(b, at(k + step));
    }
    least = hn::GetLane(hn::MinOfLanes(d, hn::Min(a, b)));
  }
  for (; k < n; ++k) least = std::min(least, data[k] + scale * noise[k]);
  return least;
}

// The first of n values that is at most the limit; n where none is.
std::size_t first_at_most(const double* data, std::size_t n, double limit) {
  const hn::ScalableTag<double> d;
  const std::size_t step = hn::Lanes(d);
  const auto most = hn::Set(d, limit);
  std::size_t k = 0;
  for (; k + step <= n; k += step) {
    const std::ptrdiff_t found = hn::FindFirstTrue(d, hn::Le(hn::LoadU(d, data + k), most));
    if (found >= 0) return k + static_cast<std::size_t>(found);
  }
  while (k < n && !(data[k] <= limit)) ++k;
  return k;
}

// The same sums as least_of_sum, so that what was within the window there is within it here.
std::size_t first_sum_at_most(const double* data, const double* noise, double scale, std::size_t n, double limit) {
  const hn::ScalableTag<double> d;
  const std::size_t step = hn::Lanes(d);
  const auto factor = hn::Set(d, scale), most = hn::Set(d, limit);
  std::size_t k = 0;
  for (; k + step <= n; k += step) {
    const auto sum = hn::Add(hn::LoadU(d, data + k), hn::Mul(factor, hn::LoadU(d, noise + k)));
    const std::ptrdiff_t found = hn::FindFirstTrue(d, hn::Le(sum, most));
    if (found >= 0) return k + static_cast<std::size_t>(found);
  }
  while (k < n && !(data[k] + scale * noise[k] <= limit)) ++k;
  return k;
}

// One pass over the table: a row's least in a register, the columns' leasts in memory. The sum is grouped as (table +
// inner) + (shift + outer) in vectors and in the tail alike.
void mins_of_table(const TableMins& t) {
  const hn::ScalableTag<double> d;
  const std::size_t step = hn::Lanes(d), whole = t.width - t.width % step;
  const double* table = t.table;
  for (std::size_t r = 0; r < t.rows; ++r, table += t.width) {
    const double base = t.shift + t.outer[r];
    const auto add = hn::Set(d, base);
    double least = std::numeric_limits<double>::infinity();
    if (whole > 0) {
      auto low = hn::Set(d, least);
      for (std::size_t k = 0; k < whole; k += step) {
        const auto v = hn::Add(hn::Add(hn::LoadU(d, table + k), hn::LoadU(d, t.inner + k)), add);
        low = hn::Min(low, v);
        hn::StoreU(hn::Min(hn::LoadU(d, t.column_mins + k), v), d, t.column_mins + k);
      }
      least = hn::GetLane(hn::MinOfLanes(d, low));
    }
    for (std::size_t k = whole; k < t.width; ++k) {
      const double v = (table[k] + t.inner[k]) + base;
      least = std::min(least, v);
      t.column_mins[k] = std::min(t.column_mins[k], v);
    }
    t.row_mins[r] = least;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hannan::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hannan::detail {

HWY_EXPORT(least_of);
HWY_EXPORT(least_of_sum);
HWY_EXPORT(first_at_most);
HWY_EXPORT(first_sum_at_most);
HWY_EXPORT(mins_of_table);

namespace {

constexpr std::size_t kBlock = 2048;  // numbers; one block of data and noise fits the first cache
constexpr std::size_t kHandful = 16;  // so many are looked at here: the way to the machine's vectors takes longer

// The first block with a value within the window of the least, and the least.
struct FoundInBlock {
  std::size_t first;
  double least;
};

// Where a value of a block lies within the window of the least is found in a second pass that begins at `first`; on
// most data that block is the last one that lowered the least, and the second pass reads one block.
template <class LeastOf>
FoundInBlock find(std::size_t size, LeastOf least_of_block) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  double least = kInfinite, candidate = kInfinite;  // the least so far; the least of block `first`
  std::size_t first = 0;                            // the first block within the window of the least
  // Invariant: `first` is the start of the first block with a value within the window of `least`, or a block before it;
  // candidate is its least value, -infinity once it is only known to be no later. So the second pass, from `first` on,
  // meets the smallest index within the window.
  for (std::size_t start = 0; start < size; start += kBlock) {
    const double here = least_of_block(start, std::min(kBlock, size - start));
    if (!(here < least)) continue;
    const double limit = here + tie_window(here);
    if (candidate > limit) {
      // A block between may still be within the window: then look from the beginning.
      first = least <= limit ? 0 : start;
      candidate = least <= limit ? -kInfinite : here;
    }
    least = here;
  }
  return {first, least};
}

}  // namespace

// Chooses the vector unit at run time, the widest that the machine has; all give the same bits (head of this file).
double least_value(std::span<const double> data, std::span<const double> noise, double scale) {
  if (noise.empty() || scale == 0) return HWY_DYNAMIC_DISPATCH(least_of)(data.data(), data.size());
  return HWY_DYNAMIC_DISPATCH(least_of_sum)(data.data(), noise.data(), scale, data.size());
}

// Two passes over memory at most: the least, then the smallest index within the tie window of it.
Least argmin(std::span<const double> data, std::span<const double> noise, double scale) {
  const bool plain = noise.empty() || scale == 0;
  if (data.size() <= kHandful) {
    double values[kHandful], lowest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < data.size(); ++k) {
      values[k] = plain ? data[k] : data[k] + scale * noise[k];
      lowest = std::min(lowest, values[k]);
    }
    const double within = lowest + tie_window(lowest);
    std::size_t k = 0;
    while (k + 1 < data.size() && !(values[k] <= within)) ++k;
    return {k, values[k], lowest};
  }
  const auto part = [&](std::size_t at, std::size_t n) {
    return least_value(data.subspan(at, n), plain ? noise.first(0) : noise.subspan(at, n), scale);
  };
  const auto [first, least] = find(data.size(), part);
  const double limit = least + tie_window(least);
  const double* from = data.data() + first;
  const std::size_t n = data.size() - first;
  std::size_t k = first;
  k += plain ? HWY_DYNAMIC_DISPATCH(first_at_most)(from, n, limit)
             : HWY_DYNAMIC_DISPATCH(first_sum_at_most)(from, noise.data() + first, scale, n, limit);
  k = std::min(k, data.size() - 1);  // where no number is within it: not a number among them
  return {k, plain ? data[k] : data[k] + scale * noise[k], least};
}

void table_mins(const TableMins& table) { HWY_DYNAMIC_DISPATCH(mins_of_table)(table); }

}  // namespace hannan::detail
#endif
