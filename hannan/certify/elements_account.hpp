// What may be said of a run of which the losses of the own elements alone were seen (docs/partial.md,
// docs/theory-partial.md, elements). An element i that was shown counts K_i times, K_i the draws that it took to choose
// it again, so that sums estimate the losses that were not shown; estimates are too low in the mean, never too high:
//
//   Lhat_i = sum of l_i K_i     W_i = sum of (l_i K_i)^2     total = sum of the losses that were seen, which is exact
//   low_i  = max(0, Lhat_i - positive_upper(W_i, delta/d))
//
// With probability 1 - delta no element lost less than low_i at any round, so the realised regret is at most `total`
// less the least sum of low_i over an action. In units of the elements: the problem's losses are these over its
// normaliser. Cost: O(elements of an action) a round, 32 products an element for all low_i.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

class ElementsAccount {
 public:
  ElementsAccount(std::size_t elements, double delta)
      : delta_(delta), estimates_(elements, 0.0), squares_(elements, 0.0) {}

  // Of equal sizes; no element twice.
  struct Shown {
    std::span<const std::int32_t> elements;
    std::span<const double> losses;
    std::span<const std::uint64_t> copies;
  };
  void see(const Shown& shown);

  std::span<const double> estimates() const { return estimates_; }
  std::span<const double> squares() const { return squares_; }
  double total() const { return total_; }
  // Writes low_i over `out`, which has one number an element.
  void lows(std::span<double> out) const;

  void archive(Archive& a);

 private:
  double delta_;
  double total_ = 0;
  std::vector<double> estimates_;  // Lhat
  std::vector<double> squares_;    // W
};

}  // namespace hannan::detail
