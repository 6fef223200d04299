// Limits of weighted sums (deviations.hpp). The weights of looks are 1/chance >= 1, so that lam_0 b < 1 fails from b =
// 1 on and smaller rates take over; b <= 10^6 leaves at least 11 of the 32.
#include "hannan/certify/deviations.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "hannan/core/elementary.hpp"

namespace hannan::detail {
namespace {

constexpr int kRates = 32;

double rate(int j) { return std::ldexp(1.0, -j); }
double certainty(double delta) { return portable_log(kRates / delta); }

// -ln(1-u) - u for 0 <= u < 1: by its series where the difference would cancel.
double psi(double u) {
  if (u >= 0.1) return -portable_log(1 - u) - u;
  constexpr int kLast = 17;  // 0.1^18/18 is far below the last bit of the sum
  double sum = 1.0 / kLast;
  for (int k = kLast - 1; k >= 2; --k) sum = 1.0 / k + u * sum;
  return u * u * sum;
}

}  // namespace

SignedUpper::SignedUpper(double b, double delta) : certain_(b == 0) {
  assert(b >= 0 && delta > 0 && delta < 1);
  if (certain_) return;
  const double price = certainty(delta);
  for (int j = 0; j < kRates; ++j) {
    const double lam = rate(j);
    if (!(lam * b < 1)) continue;
    lines_[count_++] = {.slope = psi(lam * b) / (lam * b * b), .constant = price / lam};
  }
}

double SignedUpper::operator()(double Q) const {
  if (certain_) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count_; ++i) least = std::min(least, lines_[i].slope * Q + lines_[i].constant);
  return least;
}

PositiveUpper::PositiveUpper(double delta) : price_(certainty(delta)) { assert(delta > 0 && delta < 1); }

double PositiveUpper::operator()(double Q) const {
  assert(Q >= 0);
  if (Q == 0) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (int j = 0; j < kRates; ++j) least = std::min(least, rate(j) * Q / 2 + price_ / rate(j));
  return least;
}

double limit_sums(const WeightedSums& sums) {
  const auto& [own, best, b, ln_actions, delta] = sums;
  assert(b >= 0 && delta > 0 && delta < 1);
  if (b == 0) return own - best;
  const double price = ln_actions + certainty(delta);
  double least = std::numeric_limits<double>::infinity();
  for (int j = 0; j < kRates; ++j) {
    const double u = rate(j) * b;
    if (!(u < 1)) continue;
    const double part = psi(u);
    if (!(part <= u)) continue;
    const double c = part / u;
    least = std::min(least, (1 + c) * own - (1 - c) * best + price / rate(j));
  }
  return least;
}

namespace {

double cube_root(double x) { return x > 0 ? portable_exp(portable_log(x) / 3) : 0.0; }

// a and c of the closed forms.
struct LookRates {
  double small_loss, noise;
};
LookRates rates(const LookTerms& terms) {
  const double size = terms.gamma * terms.M;
  return {cube_root(1.5 * size * terms.rounds * terms.best), std::sqrt((3 * size + 4) * terms.rounds)};
}

}  // namespace

double looks_adaptive(const LookTerms& terms) {
  const auto [small_loss, noise] = rates(terms);
  return 5 * small_loss + 4 * noise + 2 * std::sqrt(terms.rounds);
}

double looks_inside(const LookTerms& terms, double look_cost) {
  const auto [small_loss, noise] = rates(terms);
  return 2 * (small_loss + noise) + look_cost;
}

double looks_fixed(const LookTerms& terms, const FixedShare& fixed) {
  const double size = terms.gamma * terms.M;
  return 2 * std::sqrt(size * terms.best / fixed.share) + (4 * size + 2) / fixed.share +
         fixed.look_cost * fixed.share * terms.rounds;
}

double elements_closed(const ElementTerms& terms) {
  const double variance = terms.m * (4.3 * terms.M + 6) * terms.d;  // a d
  const double h = 64 * terms.m + terms.cap;
  return 2 * (std::sqrt(variance * (terms.best + 1 + h)) + variance * h / terms.M) + terms.M;
}

}  // namespace hannan::detail
