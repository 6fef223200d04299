#include "hannan/verify/sleeping_totals.hpp"

#include <algorithm>
#include <limits>

#include "hannan/verify/choice_scan.hpp"

namespace hannan::detail {

SleepingTotals::SleepingTotals(std::size_t experts)
    : booked_(experts, 0.0), awake_(experts, 0.0), moved_(experts, 0.0), regrets_(experts) {}

void SleepingTotals::add(std::span<const double> losses, double mean) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    booked_[k] += awake(losses[k]) ? losses[k] : mean;
    if (!awake(losses[k])) continue;
    least = std::min(least, losses[k]);
    most = std::max(most, losses[k]);
    const double step = mean - losses[k];
    grown_ += std::abs(step) / (moved_[k] + 1);
    moved_[k] += std::abs(step);
    regrets_[k] += step;
    awake_[k] += 1;
  }
  range_ = std::max(range_, most - least);
  squares_ += (most - least) * (most - least);
  size_ += std::max(std::abs(least), std::abs(most));
  unit_ = grown_unit(unit_, range_);
}

double SleepingTotals::least() const { return *std::ranges::min_element(booked_); }

std::size_t SleepingTotals::largest_regret() const {
  std::size_t worst = 0;
  for (std::size_t k = 1; k < regrets_.size(); ++k) {
    if (regret(k) > regret(worst)) worst = k;
  }
  return worst;
}

}  // namespace hannan::detail
