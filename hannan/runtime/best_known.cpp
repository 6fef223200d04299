// What is known of the best fixed action: the value found and the proven floor. Below 1e-9 of the unit and 1e-12 of the
// value the two are the same number in another order of summation, and the best counts as proven.
#include "hannan/runtime/best_known.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hannan::detail {

double BestKnown::unproven() const {
  const double open = found - floor;
  return open <= 1e-9 * unit + 1e-12 * std::abs(found) ? 0 : open;
}

BestKnown best_known(const RunFacts& run) {
  return {.found = run.best, .floor = run.floor, .unit = run.ranges ? run.ranges->largest : 1.0};
}

double left_unproven(const RunFacts& run) { return std::max(run.gap, best_known(run).unproven()); }

std::optional<BestKnown> best_known(const Json& report) {
  const auto best = report.find_number("best"), floor = report.find_number("floor");
  if (!best || !floor) return std::nullopt;
  return BestKnown{.found = *best, .floor = *floor, .unit = report.find_number("range").value_or(1.0)};
}

// Adds the ranges that follow from an L* which is not proven. A reward of a lower loss is higher, so the range of raw
// turns round.
Json with_best_range(Json report, const Game& game) {
  const auto known = best_known(report);
  const auto total = report.find_number("total");
  if (!known || !total) return report;
  const double floor = known->found - known->unproven();
  const auto pair = [](double lo, double hi) { return Json::array({Json(lo), Json(hi)}); };
  report.set("best_proven", known->proven());
  report.set("best_range", pair(floor, known->found));
  report.set("regret_range", pair(*total - known->found, *total - floor));
  const Json* raw = report.find("raw");
  const auto best = raw ? raw->find_number("best") : std::nullopt;
  if (!best) return report;
  const double open = game.normaliser() * known->unproven();
  Json more = *raw;
  more.set("best_range", game.form() == Form::kReward ? pair(*best, *best + open) : pair(*best - open, *best));
  return report.set("raw", std::move(more));
}

}  // namespace hannan::detail
