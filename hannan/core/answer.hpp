// What an oracle says about min over x of evidence(x).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "hannan/core/tolerance.hpp"

namespace hannan {

template <class Action>
struct Ranked {
  Action action;
  double value;
};

template <class Action>
struct Answer {
  Action action{};                   // the choice: the smallest of the best
  double value = 0;                  // its evidence
  double floor = 0;                  // proven: no action at all is below it; floor = value means optimal
  std::vector<Ranked<Action>> pool;  // the best ones, the choice first; empty where they were not asked for
  double rest = std::numeric_limits<double>::infinity();  // proven: no action outside the pool is below it
  double unit = 1;                                        // of the tie window of its values (core/tolerance.hpp)
  std::uint64_t nodes = 0;                                // of the search behind it; 0 where there was none
  std::uint64_t calls = 1;                                // of the oracle behind it; 0 where a pool knew the answer

  // What the choice may be above the optimum; a difference within rounding is none.
  double gap() const { return value - floor <= tie_window(value, unit) ? 0.0 : value - floor; }
  bool proven() const { return gap() == 0; }
};

}  // namespace hannan
