// The proven regret bounds, one small pure function each.
//
// Each is a statement about R_T = (expected loss of the learner) - L*_T, to be compared with a measured
// run: what it needs is the size of the noise M (emax.hpp), the constant gamma of the perturbation
// matrix, the tuning constant c and the loss L*_T of the best action (`best`). The noise multiplier
// 1/eta_t is z_t = max{gamma, sqrt(L*_{t-1}+1)/c}; gamma = 0 means no cap, and terms with gamma vanish.
// Proofs: docs/theory.md under the function's name. Cost: constant, and constant per round for the
// trajectory. The functions named *_paper give what is printed, right or wrong (docs/errata.md).
// `off` switches by some of these, so they are the same bits on every machine: no libm but the root.
// The functions read and write nothing else, throw nothing and may be called by any number of threads. Terms are not
// negative, c > 0; a bound of terms outside is no bound.
//
// M = E max_k <Gamma^(k), alpha>, the size of the noise, is what a perturbation matrix costs: every bound is linear in
// it. The functions emax_* are its closed forms, exact or from above; keys in docs/theory.md: emax_paper, emax_centred,
// emax_bits, emax_prefix, emax_identity, emax_lp. The noise alpha has N independent coordinates of density exp(-|a|)/2,
// and for the lp forms the density proportional to exp(-||alpha||_p). K enters through ln K: it may be 10^30. Cost:
// constant time each (emax_prefix and emax_identity loop at most a few dozen times).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan {

// M, the size of the noise, as it is known: a value, and limits (low, high) that hold with probability 0.999 where it
// was drawn.
struct NoiseSize {
  double value = 0;
  double low = 0;
  double high = 0;
  std::string_view method = "exact";  // or "monte-carlo"
};

}  // namespace hannan

namespace hannan::bounds {

// What the printed statements take. ln_K and not K: the number of actions may be 10^30.
struct PaperTerms {
  double ln_K;
  double N;  // columns of the perturbation matrix
  double gamma;
  double c;
  double best;
};

// What the corrected statements take.
struct Terms {
  double M;
  double gamma;
  double c;
  double best;
};

// The noise multiplier in the round after the best action has lost `best`: max{gamma, sqrt(best+1)/c}.
double noise_multiplier(double gamma, double c, double best);

// Theorem 1 as printed, with m = max{2 ln K, sqrt(N ln K)} and s = sqrt(L*+1):
// (4 sqrt2 m/c + 2 gamma (c + 1/c)) s + 8 gamma ln(s/c + gamma) + 2 gamma^2 + 4 sqrt2 m gamma.
// Proven for c <= 1 only.
double thm1_paper(const PaperTerms& terms);

// The printed lower bound: R_T >= -2 sqrt2 m (gamma + s/c).
double lower_paper(const PaperTerms& terms);

// R_T <= 4 gamma c sqrt(L*) + 3 M z, z = max{gamma, s/c}. Any c > 0.
double thm1_simple(const Terms& terms);

// R_T <= (e-1) min{2 gamma c sqrt(L*), L*} + M z + (e-1) gamma M (1 + kappa ln(z/z_1)),
// kappa = (sqrt2-1)/ln sqrt2, z_1 = max{gamma, 1/c}. Any c > 0.
double thm1_tight(const Terms& terms);

// The same with `slope` in the place of e-1: a number such that g_t <= slope gamma/z_t for the growth g_t below.
double tight_form(const Terms& terms, double slope);

// R_T >= -M (z_{T+1} - z_1).
double lower_tight(const Terms& terms);

// The growth g_t of the trajectory bounds: by how much the expected loss of a round exceeds what it is compared with.
struct Growth {
  // Which theorem g_t is from.
  enum class Rule {
    kStability,      // e^u - 1 at u = gamma/z_t: trajectory
    kHalfStability,  // g(u) = u/(1-e^-u) - 1: trajectory2
  };
  Rule rule = Rule::kStability;  // which of them
  // sigma tol of an oracle with a tolerance: g_t becomes e^(slack/z_t) (1 + g_t) - 1. Not negative.
  double slack = 0;
};

// The trajectory bound, the sharpest form of Theorem 1, after every round: with g_t = exp(gamma/z_t) - 1, or another
// growth,
// R_T <= sum_{t<=T} g_t (L*_t - L*_{t-1}) + M (g_1 z_1 + sum_{t<=T} g_t (z_{t+1} - z_t) + z_T).
class TrajectoryBound {
 public:
  // What stays the same in all rounds.
  struct Constants {
    double M;
    double gamma;
    double c;
  };

  explicit TrajectoryBound(const Constants& constants, const Growth& growth = {});

  // After one more round, L* being `best` now: the bound, which never decreases. L* cannot fall; where
  // rounding makes it, the old value stays.
  double observe(double best);

  double value() const { return value_; }  // 0 before the first round

  // Saves it, or reads it back; the constants are not part of a state.
  void archive(Archive& a);

 private:
  double growth(double multiplier) const;

  Constants constants_;
  Growth growth_;
  double best_ = 0;
  double multiplier_;  // z of the next round
  double sum_;         // everything but M z_T
  double value_ = 0;
};

// The bound after each round of the path L*_1, L*_2, ...
std::vector<double> trajectory(const TrajectoryBound::Constants& constants, std::span<const double> path);

struct AdaTerms {  // of a run of AdaFPL: the size of its noise, gamma, L*
  double M;
  double gamma;
  double best;
};

// AdaFPL: E R_T <= 2 sqrt(2 gamma M L*) + 8 gamma M + 2.
double ada(const AdaTerms& terms);

struct FlipFlopTerms {  // of a run of FlipFlop-FPL: the same, and what the leader alone would have lost
  double M;
  double gamma;
  double best;
  double leader_regret;  // of the leader run alone on all the rounds
};

// FlipFlop-FPL: E R_T <= min{5.64 U + 3.73, 5.64 sqrt(2 gamma M (L*+1)) + 64 gamma M + 7}.
double flipflop(const FlipFlopTerms& terms);

struct OffTerms {  // of a run of OFF: ln K, columns, gamma, L*
  double ln_K;     // ln K
  double N;
  double gamma;
  double best;  // of the rounds gftpl played itself
};

// The estimate OFF as printed switches by: thm1_paper at c = 1.
double off_estimate(const OffTerms& terms);

// The printed additive term of OFF, 4 sqrt2 m + 12 gamma.
double off_tau_paper(double ln_K, double N, double gamma);

// The largest one-round increase of off_estimate: its value at L* = 1 less that at 0.
double off_tau_exact(double ln_K, double N, double gamma);

// The largest one-round increase of thm1_tight, the estimate `tight`: B(L0+1) - B(L0) at L0 = max{0, c^2 gamma^2 - 1},
// where the multiplier begins to grow. Not at L* = 0: the bound is not concave there.
double off_tau_tight(double M, double gamma, double c);

struct OffRegrets {  // what OFF knows of its two parts at the end
  double leader;     // of the leader on the rounds it played itself
  double gftpl;      // the final estimate for gftpl on the rounds it played itself
  double tau;        // the largest one-round increase of that estimate
};

// OFF with switch_a = switch_b = 1 and every round fed to the part that played it:
// R_T <= min{2 gftpl + 1, 2 leader + tau}.
double off(const OffRegrets& regrets);

struct LpTerms {  // of a run with noise from an lp ball: columns, gamma_p, the rate, L*, p
  double N;
  double gamma_p;
  double c;
  double best;
  double p;  // in [1, infinity]
};

// The printed bound for lp noise, C = c N^(1-1/p), phi = emax_lp_paper:
// 2 gamma_p (C s + s/C + gamma_p + 4 ln(s/C + gamma_p)) + 4 phi (gamma_p + s/C). Proven for C <= 1 only.
double lp_paper(double ln_K, const LpTerms& terms);

// thm1_simple at C in place of c and phi = emax_lp_simple in place of M. Any c > 0.
double lp_simple(const LpTerms& terms);

struct OneSidedTerms {  // of a run with one-sided noise: columns, gamma, the rate, L*
  double N;
  double gamma;
  double c;
  double best;
};

// One-sided exponential noise: thm1_tight at M = N, the mean of the sum of N of them.
double one_sided(const OneSidedTerms& terms);

// sqrt2 max{2 ln K, sqrt(N ln K)}, as printed. True for entries in [0,1], false for entries +-1.
double emax_paper(double ln_K, double N);

// min{N/2, sqrt2 max{ln K, sqrt(N ln K)}} for entries in [0,1]: the paper's chain of inequalities, run
// on entries centred at 1/2. Never above emax_paper.
double emax_centred(double ln_K, double N);

// N/2, exact when the rows are all of {0,1}^N, an upper bound for any entries in [0,1].
double emax_bits(double N);

// Exact for the m+1 rows 1^k 0^(m-k), k = 0..m: sum_{k<=m} C(2k,k)/4^k = (2m+1) C(2m,m)/4^m - 1.
double emax_prefix(double m);

// Exact for K rows of the identity: the mean of the largest of K independent Laplace variables,
// H_K - sum_{j<=K} 2^-j/j - 2^-K/K with H_K = 1 + 1/2 + ... + 1/K.
double emax_identity(double K);

// 2 N^(1-1/p) (ln K + N ln 2) as printed, for p in [1, infinity].
double emax_lp_paper(double ln_K, double N, double p);

// N^(2-1/p)/2: half the mean of ||alpha||_1. Always below emax_lp_paper.
double emax_lp_simple(double N, double p);

// N^(1-1/p), the factor between the 1-norm and the p-norm in N dimensions; 1 if there are no columns.
double lp_scale(double N, double p);

}  // namespace hannan::bounds
