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

// trajectory and trajectory2: the sums along L*_1, L*_2, ...; the bound is base + M * slope.
class PathSums {
 public:
  enum class Growth { kFull, kHalf };  // e^u - 1, or u/(1-e^-u) - 1, at u = gamma/z
  struct Rate {
    double gamma;
    double c;
    Growth growth = Growth::kFull;
  };
  explicit PathSums(Rate rate) : rate_(rate) {}
  void observe(double best);
  double base() const { return base_; }
  double slope() const { return slope_ + last_; }

 private:
  double growth(double z) const;

  Rate rate_;
  bool started_ = false;
  double best_ = 0;
  double base_ = 0;   // sum of g_t (L*_t - L*_{t-1})
  double slope_ = 0;  // g_1 z_1 + sum of g_t (z_{t+1} - z_t)
  double last_ = 0;   // z_T
};

}  // namespace hannan::detail::forms
