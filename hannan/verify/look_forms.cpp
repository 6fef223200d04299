// The limits in the order of their definition (look_forms.hpp): a rate after the other, from 1 downwards.
#include "hannan/verify/look_forms.hpp"

#include <cmath>
#include <limits>

#include "hannan/core/elementary.hpp"

namespace hannan::detail::forms {
namespace {

// -ln(1-u) - u, as the sum of u^k/k from k = 2 where u is small.
double log_excess(double u) {
  if (u >= 0.1) return -portable_log(1 - u) - u;
  double sum = 0;
  for (int k = 17; k > 1; --k) sum = sum * u + 1.0 / k;
  return sum * u * u;
}

}  // namespace

SignedLimit::SignedLimit(double b, double delta) : exact_(b == 0) {
  const double log_chance = portable_log(32 / delta);
  double lam = 1;
  for (int j = 0; j < 32 && !exact_; ++j, lam /= 2) {
    if (lam * b >= 1) continue;
    per_square_.push_back(log_excess(lam * b) / (lam * b * b));
    alone_.push_back(log_chance / lam);
  }
}

double SignedLimit::at(double squares) const {
  if (exact_) return 0;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < alone_.size(); ++i) best = std::fmin(best, per_square_[i] * squares + alone_[i]);
  return best;
}

double limit_of_sums(const LookTotals& t) {
  if (t.b == 0) return t.own - t.best;
  double found = std::numeric_limits<double>::infinity(), lam = 1;
  for (int j = 0; j < 32; ++j, lam /= 2) {
    if (lam * t.b >= 1) continue;
    const double c = log_excess(lam * t.b) / (lam * t.b);
    if (c > 1) continue;
    found = std::fmin(found, (1 + c) * t.own - (1 - c) * t.best + (t.ln_actions + portable_log(32 / t.delta)) / lam);
  }
  return found;
}

double positive_limit(double squares, double delta) {
  if (squares == 0) return 0;
  const double log_chance = portable_log(32 / delta);
  double found = std::numeric_limits<double>::infinity(), lam = 1;
  for (int j = 0; j < 32; ++j, lam /= 2) found = std::fmin(found, lam / 2 * squares + log_chance / lam);
  return found;
}

}  // namespace hannan::detail::forms
