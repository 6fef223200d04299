// The closed forms of ada and flipflop, stated a second time from docs/theory.md and docs/theory-run.md: a function
// per key there, which is its name. The learner's own M, by which it sets its multipliers, is `own`, and M is the true
// size of the noise or an upper limit of it; rho = M/own. Nothing here is shared with what computed them for the
// record. Cost: constant.
#pragma once

namespace hannan::detail::forms {

// gap "loss" (the keys ada, flipflop), or "mix" (ada2, flipflop2), which costs half as much under the roots.
enum class GapOf { kLoss, kMix };

struct AdaTerms {
  double M, own, gamma, best;  // best: L*
};
double ada(const AdaTerms& t, GapOf gap);

// Where the range of the losses is unknown.
struct AdaRangeTerms {
  double M, own, gamma;
  double squares;  // of the ranges of the rounds, summed
  double range;    // the largest one, b
};
double ada2_range(const AdaRangeTerms& t);

// On the regret of which a round of age i counts discount^i, discount < 1.
struct DiscountTerms {
  double M, own, gamma, discount, rounds;
};
double discounted(const DiscountTerms& t);

struct DelayTerms {
  double M, gamma;
  double missing;  // q: the most earlier outcomes that had not arrived; for delayed_total their sum over rounds
  double open;     // p: the most earlier rounds that were not settled
};
double delayed(const DelayTerms& t, double best);
double delayed_total(const DelayTerms& t, double rounds);

struct FlipFlopTerms {
  double M, own, gamma, best;
  double alone;  // U: the regret of the leader run alone; infinity where it is not known
  double phi, a;
  double range = 1;  // b; then `best` is that of the losses less the least of their round
};
// With the constants of the theorem as printed, rounded up: for own = M, phi = 2.37, a = 1.243. The `mix` form serves
// for any range.
double flipflop_printed(const FlipFlopTerms& t, GapOf gap);
// With those of phi, a and rho.
double flipflop_own(const FlipFlopTerms& t, GapOf gap);

}  // namespace hannan::detail::forms
