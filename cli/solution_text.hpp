// A solution of `hannan solve` for people: bounds as they close, the mixture, the worst scenarios, what caution costs.
#pragma once

#include <cstdio>
#include <string>

#include "hannan/io/json.hpp"
#include "hannan/solve/solver.hpp"

namespace hannan::detail::cli {

// A line after rounds 1, 2, 4, ... with its heading.
class SolveProgress {
 public:
  explicit SolveProgress(std::FILE* to) : to_(to) {}
  void show(const SolveRound& round);

 private:
  std::FILE* to_;
  bool headed_ = false;
};

void show_solution(std::FILE* to, const Json& solution, double ln_actions);

}  // namespace hannan::detail::cli
