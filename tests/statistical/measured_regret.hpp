// Regrets measured by an independent program, to agree with: a table of streams by learners.
//
// Cells are mean and standard error as printed, one digit; kSmall stands for an error that was printed as
// nothing, below 0.05; kExact for learners that report an expected loss on a fixed stream. Settings: 100
// streams with one draw each where the stream is random, 200 to 1000 draws where it is fixed; one draw for
// all rounds unless a row says fresh; bits (gamma = 6, M = 3 for 64 experts; gamma = 1, M = 1/2 for two) or
// one-hot (gamma = 1, M = 4.05). On the killer streams the row of off's `regret` estimator is a test of its own:
// it was measured with one set of Monte-Carlo draws for all seeds, which decides when off switches.
//
// HANNAN_RUNS=all asks for all runs (scripts/test --all). Otherwise seven streams of 64 experts have an eighth of them.
#pragma once

#include <string>
#include <vector>

#include "hannan/streams/loss_stream.hpp"

namespace hannan::detail::measured {

inline constexpr double kSmall = 0.05;
inline constexpr double kExact = 0;

struct Cell {
  double regret;
  double error;
};

struct Row {
  const char* learner;  // as for simulate; {eta} and {beta} are filled in from the stream
  Cell cell;
};

struct Column {
  const char* name;
  StreamSpec stream;
  double best;         // mean L*
  double best_spread;  // how far ours may be from it
  std::uint64_t runs;  // of ours, where all are asked for
  std::uint64_t few;   // of ours otherwise
  std::vector<Row> rows;
};

std::vector<Column> columns();

}  // namespace hannan::detail::measured
