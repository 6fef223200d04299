// The size of the noise: M = E max_k <Gamma^(k), alpha>, exactly or from above.
//
// Every regret bound of bounds.hpp is linear in M, so M is what a perturbation matrix costs. Here are
// the closed forms; keys in docs/theory.md: emax_paper, emax_centred, emax_bits, emax_prefix,
// emax_identity, emax_lp. The noise alpha has N independent coordinates of density exp(-|a|)/2, and for
// the lp forms the density proportional to exp(-||alpha||_p). K enters through ln K: it may be 10^30.
// Cost: constant time each (emax_prefix and emax_identity loop at most a few dozen times).
#pragma once

namespace hannan::bounds {

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
