// How much the verifier may search where actions are not listed: every round while the work lasts, then the rounds
// 1, 2, 4, 8, ...
//
// Work is counted, not time: the outcomes that its answer is valued on, a constant for the search itself, about what a
// table of some thousand cells costs, and as much for each node that it opens, which may look at as many.
#pragma once

#include <bit>
#include <cstdint>

namespace hannan::detail {

class SearchBudget {
 public:
  explicit SearchBudget(double work) : left_(work) {}
  // Is round t searched?
  bool allows(std::uint64_t t) const { return left_ > 0 || std::has_single_bit(t); }
  void spend(std::size_t outcomes, std::uint64_t nodes) {
    left_ -= kSearch + static_cast<double>(outcomes) + kNode * static_cast<double>(nodes);
  }

 private:
  static constexpr double kSearch = 5'000, kNode = 5'000;
  double left_;
};

}  // namespace hannan::detail
