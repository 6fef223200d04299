// Closed forms of M = E max <row, alpha> (docs/theory.md, the size of the noise). Series are cut off where the first
// term left out is below the rounding of the result; each says which.
#include "hannan/certify/bounds.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "hannan/core/elementary.hpp"

namespace hannan::bounds {
namespace {

// C(2m,m)/4^m, the chance of m heads in 2m tosses, to a relative error below 1e-14.
// For large m: Stirling's series of ln Gamma(m+1/2) - ln Gamma(m+1), in odd powers of 1/m.
double central_binomial_share(double m) {
  constexpr double kSeriesFrom = 32;  // the first term left out is 31/(18432 m^9) < 5e-17
  if (m < kSeriesFrom) {
    double share = 1;
    for (double k = 1; k <= m; ++k) share *= (2 * k - 1) / (2 * k);
    return share;
  }
  const double q = 1 / m;
  const double q2 = q * q;
  const double series = q * (-1.0 / 8 + q2 * (1.0 / 192 + q2 * (-1.0 / 640 + q2 * (17.0 / 14336))));
  return detail::portable_exp(series) / std::sqrt(std::numbers::pi * m);
}

// H_K, by Euler and Maclaurin when K is large; the first term left out is 1/(252 K^6) < 4e-15.
// K is a count up to 10^30 as a double: below 100 summed from the small end, above by its asymptotic series.
double harmonic(double K) {
  constexpr double kSeriesFrom = 100;
  if (K < kSeriesFrom) {
    double sum = 0;
    for (double j = K; j >= 1; --j) sum += 1 / j;
    return sum;
  }
  const double q2 = 1 / K / K;
  return detail::portable_log(K) + std::numbers::egamma + 0.5 / K + q2 * (-1.0 / 12 + q2 / 120);
}

}  // namespace

double emax_paper(double ln_K, double N) { return std::numbers::sqrt2 * std::max(2 * ln_K, std::sqrt(N * ln_K)); }

double emax_centred(double ln_K, double N) {
  return std::min(emax_bits(N), std::numbers::sqrt2 * std::max(ln_K, std::sqrt(N * ln_K)));
}

double emax_bits(double N) { return N / 2; }

double emax_prefix(double m) {
  assert(m >= 0);
  return (2 * m + 1) * central_binomial_share(m) - 1;
}

// E max = int_0^inf (1 - F^K) - int_-inf^0 F^K. Below 0, F = e^x/2 and the integral is 2^-K/K. Above 0,
// with u = e^-x/2 and F = 1-u, it is int_0^{1/2} (1-(1-u)^K)/u du = sum_{j<K} int_0^{1/2} (1-u)^j du
// = sum_{j=1..K} (1 - 2^-j)/j.
double emax_identity(double K) {
  assert(K >= 1);
  constexpr double kNegligible = 60;  // beyond it 2^-j/j is below 2^-65
  double halves = 0;                  // summed from the small end; tends to ln 2
  const int last = static_cast<int>(std::min(K, kNegligible));
  for (int j = last; j >= 1; --j) halves += std::ldexp(1.0, -j) / j;
  return harmonic(K) - halves - (K > kNegligible ? 0 : std::ldexp(1.0, -last) / K);
}

double lp_scale(double N, double p) { return N > 0 && p > 1 ? detail::portable_power(N, 1 - 1 / p) : 1; }

double emax_lp_paper(double ln_K, double N, double p) { return 2 * lp_scale(N, p) * (ln_K + N * std::numbers::ln2); }

double emax_lp_simple(double N, double p) { return N * lp_scale(N, p) / 2; }

}  // namespace hannan::bounds
