// AdaNormalHedge (Luo and Schapire 2015): weights from the potential Phi(R, C) = exp(max(R,0)^2 / (3 C)), with R_k the
// regret to expert k and C_k the sum of |steps| of that regret over the rounds in which k was awake. The weight of k is
// proportional to Phi(R+1, C+1) - Phi(R-1, C+1) among the awake (half of it in the paper: the factor cancels). No rate
// and no number of rounds is needed. Regret to k at most sqrt(3 C_k ln(K (1 + 1.5 grown/K))): limit(k). Cost: O(K) a
// round.
#include "hannan/learners/normal_weights.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/core/elementary.hpp"

namespace hannan::detail {
namespace {

// The exponent of Phi(R, C).
double exponent(double regret, double size) {
  const double above = std::max(regret, 0.0);
  return above * above / (3 * size);
}

}  // namespace

void NormalWeights::set_awake(std::span<const double> awake) {
  const auto wakes = [&](std::size_t k) { return awake.empty() || awake[k] > 0; };
  // All divided by the largest Phi: exponents grow without bound.
  double largest = 0;
  for (std::size_t k = 0; k < regrets_.size(); ++k) {
    exponents_[k] = exponent(regrets_[k] + 1, sizes_[k] + 1);
    if (wakes(k)) largest = std::max(largest, exponents_[k]);
  }
  double sum = 0;
  for (std::size_t k = 0; k < regrets_.size(); ++k) {
    const double below = exponent(regrets_[k] - 1, sizes_[k] + 1);
    weights_[k] = wakes(k) ? portable_exp(exponents_[k] - largest) - portable_exp(below - largest) : 0.0;
    sum += weights_[k];
  }
  // All weights are 0 where every awake expert has R <= -1: then all awake ones alike, as the paper has it.
  if (sum > 0) {
    for (double& weight : weights_) weight /= sum;
    return;
  }
  double count = 0;
  for (std::size_t k = 0; k < regrets_.size(); ++k) count += wakes(k) ? 1 : 0;
  for (std::size_t k = 0; k < regrets_.size(); ++k) weights_[k] = wakes(k) ? 1 / count : 0.0;
}

double NormalWeights::charge(std::span<const double> losses) {
  double mean = 0;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    if (weights_[k] > 0) mean += weights_[k] * losses[k];
  }
  for (std::size_t k = 0; k < losses.size(); ++k) {
    if (std::isnan(losses[k])) continue;
    const double ahead = mean - losses[k];
    // The sum that the proof bounds by 1 + ln(1 + C_k) an expert; the sum itself is smaller and known.
    grown_ += std::abs(ahead) / (sizes_[k] + 1);
    regrets_[k] += ahead;
    sizes_[k] += std::abs(ahead);
  }
  return mean;
}

double NormalWeights::root(std::size_t k, double potential) const {
  return std::sqrt(3 * sizes_[k] * portable_log(potential * static_cast<double>(sizes_.size())));
}

double NormalWeights::limit(std::size_t k) const {
  return root(k, 1 + 1.5 * grown_ / static_cast<double>(sizes_.size()));
}

double NormalWeights::closed_limit(std::size_t k) const {
  double sum = 0;
  for (const double size : sizes_) sum += 1 + portable_log(1 + size);
  return root(k, 1 + 1.5 * sum / static_cast<double>(sizes_.size()));
}

void NormalWeights::archive(Archive& a) {
  a.field("regrets", regrets_, {-0x1p53, 0x1p53});
  a.field("sizes", sizes_, {0, 0x1p53});
  a.field("grown", grown_, kSavedNonnegative);
  for (std::size_t k = 0; a.reading() && k < sizes_.size(); ++k) {
    if (std::abs(regrets_[k]) > sizes_[k] * (1 + 1e-9) + 1e-9)
      a.refuse("regrets", "found a regret beyond the sum of the sizes of its steps");
  }
}

}  // namespace hannan::detail
