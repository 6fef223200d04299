// AdaHedge: eta = ln n/Delta, weights proportional to exp(-eta (L_i - min L)), and Delta grows by the mean loss less
// the mix loss of each round, which is not negative. O(n) a round, n = 2 but for the root of several orders.
#include "hannan/verify/recomputed_hedge.hpp"

#include <algorithm>
#include <numbers>

#include "hannan/core/elementary.hpp"
#include "hannan/verify/choice_scan.hpp"

namespace hannan::detail {

double RecomputedHedge::least(std::size_t first) const {
  return *std::min_element(totals_.begin() + static_cast<std::ptrdiff_t>(first), totals_.end());
}

// ln 2 is taken as the constant, which is what the learner uses for two experts: portable_log(2) need not be the same
// double.
double RecomputedHedge::rate() const {
  const auto n = static_cast<double>(totals_.size());
  return (totals_.size() == 2 ? std::numbers::ln2 : portable_log(n)) / gap_;
}

std::vector<double> RecomputedHedge::weights() const {
  const double best = least();
  // A Delta within rounding of the totals gives no rate (docs/theory-run.md, rates and rounding): leaders share the
  // weight.
  const bool rated = gives_rate(gap_, best);
  std::vector<double> all;
  double sum = 0;
  for (const double total : totals_) {
    const double above = total - best;
    all.push_back(rated ? portable_exp(-rate() * above) : above <= tie_slack(best) ? 1.0 : 0.0);
    sum += all.back();
  }
  for (double& weight : all) weight /= sum;
  return all;
}

double RecomputedHedge::log_sum(double eta) const {
  const double best = least();
  double sum = 0;
  for (const double total : totals_) sum += portable_exp(-eta * (total - best));
  return portable_log(sum);
}

double RecomputedHedge::charge(std::span<const double> losses) {
  const std::vector<double> now = weights();
  double mean = 0;
  for (std::size_t i = 0; i < now.size(); ++i) mean += now[i] * losses[i];
  // mix = (min L_t - min L_{t-1}) - (ln S_t - ln S_{t-1})/eta with S the sum of exp(-eta (L - min L)), which lies in
  // [1, n]: no exponential can underflow all of it.
  const double best_before = least();
  const bool rated = gives_rate(gap_, best_before);
  const double eta = rated ? rate() : 0, before = rated ? log_sum(eta) : 0;
  for (std::size_t i = 0; i < now.size(); ++i) totals_[i] += losses[i];
  double mix = least() - best_before;
  if (rated) mix -= (log_sum(eta) - before) / eta;
  gap_ += std::max(0.0, mean - mix);
  return mean;
}

std::size_t RecomputedHedge::leading(std::size_t first) const {
  const double best = least(first);
  while (totals_[first] > best + tie_slack(best)) ++first;
  return first;
}

}  // namespace hannan::detail
