// What an oracle looks at, the evidence, and what it says about it, the answer.
//
// Evidence is data + scale * noise, a view, nothing copied. Both are histories, linear summaries of weighted outcomes,
// so the oracle cannot tell them apart: the objective of action x is data(x) + scale * noise(x). scale = 0 is the
// unperturbed problem. The histories must live as long as the evidence.
//
// An answer is about min over x of that objective. Its owner keeps it; values are in losses. Both are plain values: an
// answer may be read by several threads while none of them writes it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "hannan/core/tolerance.hpp"

namespace hannan {

// data + scale * noise.
template <class History>
struct Evidence {
  const History& data;
  const History& noise;
  double scale = 0;
};

// An action with the value of its evidence.
template <class Action>
struct Ranked {
  Action action;
  double value;
};

// The choice, what is proven of it, and the runners-up where they were asked for.
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
  double unproven() const { return value - floor <= tie_window(value, unit) ? 0.0 : value - floor; }
  // The choice is optimal.
  bool proven() const { return unproven() == 0; }
};

}  // namespace hannan
