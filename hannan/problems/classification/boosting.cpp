// AdaBoost over stumps; the rule and its cost are in boosting.hpp. Invariant: the weights of the rounds sum to 1 up to
// rounding, and are divided by their sum after every step. With gain = weight of label 0 less that of label 1 a stump
// that says 1 on a set of points errs by (weight of all labels 1) + (gain of the set).
#include "hannan/problems/classification/boosting.hpp"

#include <algorithm>

#include "hannan/core/elementary.hpp"
#include "hannan/core/interruption.hpp"

namespace hannan::detail {
namespace {

// The stump that says `one` everywhere. A category never holds beyond the last rank, a number always from rank 0 on.
WeightedStump constant_stump(const FeatureCuts& cuts, bool one) {
  if (cuts.categorical(0)) return {.cut = {0, cuts.ranks().distinct(0)}, .one = !one, .weight = 0};
  return {.cut = {0, 0}, .one = one, .weight = 0};
}

struct Found {
  WeightedStump stump;
  double error;
};

// gain: per point the weight of label 0 less that of label 1; `ones` the weight of all labels 1.
// O(bins + cuts): every cut's error is read off sums over values that were cumulated once.
Found least_error(const BoostedOn& on, std::span<const double> sums, double ones) {
  // Every feature has every point in one of its bins, so any feature gives the sum of all gains.
  double total = 0;  // the bins of the first feature hold every point
  for (std::size_t bin = 0; bin < on.columns.first_of(1); ++bin) total += sums[bin];
  std::vector<double> held(sums.begin(), sums.end());
  on.columns.cumulate(held);
  Found best{constant_stump(on.cuts, true), ones + total};
  const auto offer = [&](const WeightedStump& stump, double error) {
    constexpr double kTie = 1e-12;  // weights sum to 1: rounding does not decide between equal stumps
    if (error < best.error - kTie) best = {stump, error};
  };
  offer(constant_stump(on.cuts, false), ones);
  for (const Cut& cut : on.cuts.all()) {
    const double in = held[on.columns.bin_of(cut)];
    offer({.cut = cut, .one = true, .weight = 0}, ones + in);
    offer({.cut = cut, .one = false, .weight = 0}, ones + total - in);
  }
  return best;
}

bool errs(const WeightedStump& stump, const FeatureCuts& cuts, const LabelledPoint& y) {
  return (cuts.holds(stump.cut, y.point) == stump.one) != (y.label == 1);
}

}  // namespace

std::vector<WeightedStump> boosted_stumps(const BoostedOn& points, std::span<const LabelledPoint> rounds,
                                          std::size_t stumps) {
  std::vector<WeightedStump> votes;
  if (rounds.empty()) return votes;
  const auto count = static_cast<double>(rounds.size());
  std::vector<double> weight(rounds.size(), 1 / count), gain(points.cuts.points()), sums(points.columns.bins());
  std::vector<std::uint32_t> seen;  // each point of the rounds once
  for (const LabelledPoint& y : rounds) seen.push_back(y.point);
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  while (votes.size() < stumps) {
    interruption_point();
    double ones = 0;
    for (const std::uint32_t point : seen) gain[point] = 0;
    for (std::size_t t = 0; t < rounds.size(); ++t) {
      gain[rounds[t].point] += rounds[t].label == 1 ? -weight[t] : weight[t];
      if (rounds[t].label == 1) ones += weight[t];
    }
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const std::uint32_t point : seen) points.columns.add_point(point, gain[point], sums);
    WeightedStump stump = least_error(points, sums, ones).stump;
    // Counted round by round: what the sums over values say of it is rounded in another order.
    double wrong = 0;
    std::size_t mistakes = 0;
    for (std::size_t t = 0; t < rounds.size(); ++t) {
      if (!errs(stump, points.cuts, rounds[t])) continue;
      wrong += weight[t];
      ++mistakes;
    }
    constexpr double kHardlyBetter = 1e-9;  // than a coin: rounding
    if (!(wrong < 0.5 - kHardlyBetter)) break;
    // Half of one round's first weight: without it a stump that errs nowhere would get an infinite vote.
    const double held = std::max(wrong, 1 / (2 * count));
    stump.weight = 0.5 * portable_log((1 - held) / held);
    votes.push_back(stump);
    if (mistakes == 0) break;
    double sum = 0;
    for (std::size_t t = 0; t < rounds.size(); ++t) {
      weight[t] /= errs(stump, points.cuts, rounds[t]) ? 2 * held : 2 * (1 - held);
      sum += weight[t];
    }
    for (double& w : weight) w /= sum;
  }
  return votes;
}

bool votes_say_one(std::span<const WeightedStump> votes, const FeatureCuts& cuts, std::size_t point) {
  double balance = 0;
  for (const WeightedStump& vote : votes)
    balance += cuts.holds(vote.cut, point) == vote.one ? vote.weight : -vote.weight;
  return balance > 0;
}

}  // namespace hannan::detail
