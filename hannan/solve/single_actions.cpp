// Scenario by scenario over all actions, with one number per action for the average and, for cap = 1, one for the worst
// case. With another cap the worst case needs all losses of an action at once: then action by action.
#include "hannan/solve/single_actions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/solve/capped_simplex.hpp"

namespace hannan::detail {
namespace {

// The place of the least number; two that differ by rounding alone tie, and the first keeps its place.
class Least {
 public:
  explicit Least(double unit) : unit_(unit) {}
  void see(std::size_t place, double value) {
    if (place_ && !(value < least_ - 1e-13 * std::max(unit_, std::abs(least_)))) return;
    place_ = place;
    least_ = value;
  }
  std::size_t place() const { return *place_; }

 private:
  std::optional<std::size_t> place_;
  double unit_, least_ = 0;
};

SingleAction single(const Scenarios& scenarios, double cap, std::span<const double> base, const AnyAction& x) {
  const auto row = scenario_losses(scenarios, x, base);
  double average = 0;
  for (std::size_t g = 0; g < row.size(); ++g) average += scenarios.shares()[g] * row[g];
  return {.action = x, .worst = worst(row, cap), .average = average};
}

}  // namespace

std::optional<SingleActions> listed_single_actions(const Scenarios& scenarios, double cap,
                                                   std::span<const double> base) {
  const auto count = static_cast<double>(scenarios.size());
  const auto table = scenarios.game().action_table(static_cast<std::uint64_t>(kMostListedLosses / count));
  if (!table || table->size() == 0) return std::nullopt;
  const std::size_t actions = table->size();
  const double unit = unit_of_losses(scenarios);
  Least worst_case(unit), mean(unit);
  if (cap == 1) {
    std::vector<double> averages(actions, 0.0), worsts(actions, -std::numeric_limits<double>::infinity()),
        lost(actions);
    for (std::size_t g = 0; g < scenarios.size(); ++g) {
      std::fill(lost.begin(), lost.end(), -base[g]);
      scenarios.add_losses(*table, g, lost);
      for (std::size_t k = 0; k < actions; ++k) {
        averages[k] += scenarios.shares()[g] * lost[k];
        worsts[k] = std::max(worsts[k], lost[k]);
      }
    }
    for (std::size_t k = 0; k < actions; ++k) {
      worst_case.see(k, worsts[k]);
      mean.see(k, averages[k]);
    }
  } else {
    std::size_t k = 0;
    table->each([&](const AnyAction& x) {
      const SingleAction one = single(scenarios, cap, base, x);
      worst_case.see(k, one.worst);
      mean.see(k, one.average);
      ++k;
    });
  }
  return SingleActions{.least_worst = single(scenarios, cap, base, table->action(worst_case.place())),
                       .least_average = single(scenarios, cap, base, table->action(mean.place()))};
}

}  // namespace hannan::detail
