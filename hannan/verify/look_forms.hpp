// Limits of weighted sums, stated a second time from docs/theory-partial.md (signed_upper, limit_sums, positive_upper).
// Nothing here is shared with what computed them for the record. Cost: 32 logarithms each.
#pragma once

#include <vector>

namespace hannan::detail::forms {

// For many Q at one b and delta: the least over j = 0..31, lam = 2^-j, lam b < 1, of
// psi(lam b)/(lam b^2) Q + ln(32/delta)/lam; 0 at b = 0.
class SignedLimit {
 public:
  SignedLimit(double b, double delta);
  double at(double squares) const;

 private:
  bool exact_;
  std::vector<double> per_square_, alone_;
};

// The least over the same j with psi(lam b) <= lam b, c = psi(lam b)/(lam b), of
// (1+c) own - (1-c) best + (ln K + ln(32/delta))/lam; own - best at b = 0.
struct LookTotals {
  double own, best, b, ln_actions, delta;
};
double limit_of_sums(const LookTotals& t);

// The least over j = 0..31, lam = 2^-j, of lam Q/2 + ln(32/delta)/lam; 0 at Q = 0.
double positive_limit(double squares, double delta);

}  // namespace hannan::detail::forms
