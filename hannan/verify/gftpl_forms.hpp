// The closed forms of gftpl and off, stated a second time from docs/theory.md and docs/theory-run.md: a function per
// key there, which is its name. In all of them
//   z = max{gamma, sqrt(L* + 1)/c},  z_1 = max{gamma, 1/c},  s = sqrt(L* + 1).
// Nothing here is shared with what computed them for the record. Cost: constant.
#pragma once

namespace hannan::detail::forms {

struct GftplTerms {
  double M, gamma, c, best;  // best: L*
};
double thm1_tight(const GftplTerms& t);
double tight2(const GftplTerms& t);
double simple2(const GftplTerms& t);
double lower_tight(const GftplTerms& t);

// As printed in the paper; entries of the matrix in [0,1].
struct PaperTerms {
  double ln_K, N, gamma, c, best;
};
double thm1_paper(const PaperTerms& t);
double lower_paper(const PaperTerms& t);

// Noise with density proportional to exp(-||a||_p), p > 1, perhaps infinite.
struct LpTerms {
  double ln_K, N, gamma, c, best, p;
};
double lp_rate(const LpTerms& t);  // C = c N^(1-1/p); c where there is no column
double lp_paper(const LpTerms& t);
double lp_simple2(const LpTerms& t);

// off: what it switches by, and the largest growth tau of that in a round.
double off_estimate(PaperTerms t);   // its c is not read
double off_tau_exact(PaperTerms t);  // nor its best
double off_tau_tight(const GftplTerms& t);
double off_tau_trajectory(const GftplTerms& t);
struct OffTerms {
  double leader, gftpl, tau;
};
double off(const OffTerms& t);

}  // namespace hannan::detail::forms
