// Closed forms for a tree of segments (docs/contexts.md): what mixing costs, and the whole regret against a pruning.
#pragma once

namespace hannan::detail {

// Of the k segments of a pruning that mix, on so many levels, where the compared learners and the waiting lost B in
// all: b0 + a/2 + sqrt(a^2/4 + a (B + b0)), a = 4 ln(1+J) k levels, b0 = k (4/3 ln(1+J) + 2) with J orders of columns.
struct MixTerms {
  double B = 0;
  double k = 0;
  double levels = 0;
  double orders = 1;
};
double mix_bound(const MixTerms& t);

// Regret of the tree against a pruning of n leaves that loses `best`: the learners of the leaves, the rounds in which
// leaves were waited for, and mixing.
//   ada       2 sqrt(2 gamma M n best) + n (8 gamma M + 2)
//   flipflop  5.64 sqrt(2 gamma M n (best + n)) + n (64 gamma M + 7)
// `open_gap` is what inexact oracles left unproven in the leaves.
struct SegmentTerms {
  enum class Learner { kAda, kFlipFlop };
  Learner learner = Learner::kAda;
  double n = 1;
  double k = 0;
  double levels = 0;
  double orders = 1;
  double gamma = 0;
  double M = 0;
  double best = 0;
  double wait = 0;
  double open_gap = 0;
};
double segments_bound(const SegmentTerms& t);

}  // namespace hannan::detail
