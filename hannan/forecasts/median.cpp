// The network's steps are worked out at compile time for every P up to half of kMostInPairs, and taken on both lists at
// once. Invariant: after its steps a list is in order, whatever it held; so the same steps serve all rows, and none
// branches. O(P log^2 P) steps.
#include "hannan/forecasts/median.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "hannan/forecasts/lanes.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostInPairs = 32;  // numbers

struct MiddleTwo {
  double lower, upper;  // of rank (n - 1) / 2 and, where n is even, n / 2; from 0
};

struct Step {
  std::size_t first, second;  // places whose numbers are to be in order
};
// The steps that sort P numbers (Knuth, The Art of Computer Programming 3, section 5.2.2, algorithm M).
template <class Take>
constexpr void for_each_step(std::size_t P, Take&& take) {
  const std::size_t top = std::bit_ceil(P) / 2;
  for (std::size_t p = top; p > 0; p /= 2) {
    std::size_t q = top, r = 0, d = p;
    for (;;) {
      for (std::size_t i = 0; i + d < P; ++i) {
        if ((i & p) == r) take(Step{i, i + d});
      }
      if (q == p) break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
}
template <std::size_t P>
constexpr std::size_t kStepCount = [] {
  std::size_t count = 0;
  for_each_step(P, [&](Step) { ++count; });
  return count;
}();
template <std::size_t P>
constexpr auto kSteps = [] {
  std::array<Step, kStepCount<P>> steps{};
  std::size_t n = 0;
  for_each_step(P, [&](Step step) { steps[n++] = step; });
  return steps;
}();

// Of 2 P numbers, or of 2 P - 1.
template <std::size_t P>
MiddleTwo middle_of_pairs(std::span<const double> numbers) {
  std::array<double, 2 * P> filled;
  filled.back() = std::numeric_limits<double>::infinity();
  std::copy(numbers.begin(), numbers.end(), filled.begin());
  std::array<TwoLanes, P> at;
  std::memcpy(at.data(), filled.data(), sizeof at);
  const auto order = [&at](Step step) {
    const TwoLanes a = at[step.first], b = at[step.second];
    at[step.first] = lesser_of(a, b);
    at[step.second] = greater_of(a, b);
  };
  // Written out step by step, so that the numbers stay in registers.
  [&]<std::size_t... S>(std::index_sequence<S...>) {
    (order(kSteps<P>[S]), ...);
  }(std::make_index_sequence<kStepCount<P>>());
  TwoLanes low{}, high{};
  for (std::size_t i = 0; i < (P + 1) / 2; ++i) {
    const TwoLanes there = at[P - 1 - i], behind{there[1], there[0]};
    const TwoLanes least = lesser_of(at[i], behind), largest = greater_of(at[i], behind);
    low = i == 0 ? least : greater_of(low, least);
    high = i == 0 ? largest : lesser_of(high, largest);
  }
  return {std::max(low[0], low[1]), std::min(high[0], high[1])};
}

using MiddleOfPairs = MiddleTwo (*)(std::span<const double>);
constexpr auto kMiddles = []<std::size_t... P>(std::index_sequence<P...>) {
  return std::array<MiddleOfPairs, sizeof...(P)>{&middle_of_pairs<P + 1>...};
}(std::make_index_sequence<kMostInPairs / 2>());

MiddleTwo middle_by_parts(std::span<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) return {*middle, *middle};
  return {*std::max_element(numbers.begin(), middle), *middle};
}

}  // namespace

double median_of(std::span<double> numbers) {
  const std::size_t n = numbers.size();
  const auto [lower, upper] = n <= kMostInPairs ? kMiddles[(n - 1) / 2](numbers) : middle_by_parts(numbers);
  return n % 2 == 1 ? lower : lower + (upper - lower) / 2;
}

}  // namespace hannan::detail
