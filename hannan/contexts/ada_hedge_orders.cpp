// AdaHedge over 1 + J experts (ada_hedge_orders.hpp; docs/contexts.md, mixing; docs/theory.md, hedge). Exponents are
// taken of differences to the least total, so the largest term of every sum is 1. A gap too small to make a rate counts
// as none (docs/theory-run.md, rates and rounding): then the leaders share the weight.
#include "hannan/contexts/ada_hedge_orders.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/core/elementary.hpp"
#include "hannan/core/rate_window.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

double AdaHedgeOrders::least() const { return *std::min_element(totals_.begin(), totals_.end()); }

double AdaHedgeOrders::scaled_sum(double eta) const {
  const double best = least();
  double sum = 0;
  for (const double total : totals_) sum += portable_exp(-eta * (total - best));
  return sum;
}

std::vector<double> AdaHedgeOrders::weights() const {
  const double best = least(), window = tie_window(best);
  const bool rated = makes_rate(gap_, best);
  const double eta = rated ? portable_log(static_cast<double>(totals_.size())) / gap_ : 0;
  std::vector<double> w;
  double sum = 0;
  for (const double total : totals_) {
    w.push_back(rated ? portable_exp(-eta * (total - best)) : total - best <= window ? 1.0 : 0.0);
    sum += w.back();
  }
  for (double& weight : w) weight /= sum;
  return w;
}

double AdaHedgeOrders::charge(std::span<const double> losses) {
  const std::vector<double> now = weights();
  double expected = 0;
  for (std::size_t i = 0; i < now.size(); ++i) expected += now[i] * losses[i];
  const double best_before = least();
  const bool rated = makes_rate(gap_, best_before);
  const double eta = rated ? portable_log(static_cast<double>(totals_.size())) / gap_ : 0;
  const double before = rated ? scaled_sum(eta) : 0;
  for (std::size_t i = 0; i < totals_.size(); ++i) totals_[i] += losses[i];
  // Mix loss = growth of the least total - (ln of the scaled sum after - before) / eta; with eta infinite the first
  // term alone.
  double mix = least() - best_before;
  if (rated) mix -= (portable_log(scaled_sum(eta)) - portable_log(before)) / eta;
  gap_ += std::max(0.0, expected - mix);
  return expected;
}

std::size_t AdaHedgeOrders::preferred(std::size_t first) const {
  const double best = *std::min_element(totals_.begin() + static_cast<std::ptrdiff_t>(first), totals_.end());
  const double window = tie_window(best);
  // Ends at the least total at the latest.
  while (totals_[first] - best > window) ++first;
  return first;
}

void AdaHedgeOrders::archive(Archive& a) {
  a.field("hedge_totals", totals_, kSavedLosses);
  a.field("hedge_gap", gap_, kSavedNonnegative);
}

}  // namespace hannan::detail
