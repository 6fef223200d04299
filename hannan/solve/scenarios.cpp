// Lists of outcomes: a question costs one add per distinct outcome of positive weight, a row of losses one loss per
// distinct outcome. Budgets: a question is one row, a row of losses one loss per number of it.
#include "hannan/solve/scenarios.hpp"

#include <algorithm>
#include <cassert>

#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "hannan/core/sum.hpp"

namespace hannan::detail {

double unit_of_losses(const Scenarios& scenarios) {
  constexpr double kLeast = 1e-300;
  bool inside = scenarios.game().loss_range() == LossRange::kUnitInterval;
  for (std::size_t g = 0; inside && g < scenarios.size(); ++g) inside = scenarios.weight(g) <= 1 + 1e-12;
  if (inside) return 1;
  LossSpread all = scenarios.spread(0);
  for (std::size_t g = 1; g < scenarios.size(); ++g) {
    const LossSpread one = scenarios.spread(g);
    all = {.least = std::min(all.least, one.least), .most = std::max(all.most, one.most)};
  }
  return std::max(all.range(), kLeast);
}

std::size_t ListedScenarios::place(const AnyOutcome& y, const std::string& text) {
  const auto [found, is_new] = places_.emplace(text, outcomes_.size());
  if (!is_new) return found->second;
  if (outcomes_.size() == kMostOutcomes)
    throw Error(Code::kTooLarge, "found more than " + std::to_string(kMostOutcomes) +
                                     " distinct outcomes, expected fewer: every question adds up all of them");
  outcomes_.push_back(y);
  return found->second;
}

void ListedScenarios::add(std::string name, std::vector<WeightedPlace> data) {
  if (data_.size() == kMostScenarios)
    throw Error(Code::kTooLarge, "found more than " + std::to_string(kMostScenarios) + " scenarios, expected fewer");
  add_scenario(std::move(name));
  data_.push_back(std::move(data));
}

void ListedScenarios::finish(std::vector<double> shares) {
  places_.clear();
  if (shares.empty()) {
    share_equally();
  } else {
    set_shares(std::move(shares));
  }
}

void ListedScenarios::pour(std::span<const double> weights, double unit, GameHistory& into) const {
  std::vector<double> total(outcomes_.size(), 0.0);
  for (std::size_t g = 0; g < data_.size(); ++g) {
    if (weights[g] == 0) continue;
    for (const auto& [outcome, weight] : data_[g]) total[outcome] += weights[g] * weight;
  }
  for (std::size_t i = 0; i < total.size(); ++i) {
    if (total[i] > 0) into.add(outcomes_[i], total[i] / unit);
  }
}

void ListedScenarios::losses(const AnyAction& x, std::span<double> out) const {
  std::vector<double> lost(outcomes_.size());
  for (std::size_t i = 0; i < lost.size(); ++i) lost[i] = game().loss(x, outcomes_[i]);
  for (std::size_t g = 0; g < data_.size(); ++g) {
    Sum sum;
    for (const auto& [outcome, weight] : data_[g]) sum.add(weight * lost[outcome]);
    out[g] = sum.value();
  }
}

void ListedScenarios::add_losses(const ActionTable& actions, std::size_t g, std::span<double> totals) const {
  std::vector<double> lost(totals.size());
  for (const auto& [outcome, weight] : data_[g]) {
    interruption_point();
    actions.losses(outcomes_[outcome], lost);
    for (std::size_t k = 0; k < lost.size(); ++k) totals[k] += weight * lost[k];
  }
}

LossSpread ListedScenarios::spread(std::size_t g) const {
  Sum least, most;
  for (const auto& [outcome, weight] : data_[g]) {
    const LossSpread of = game().spread(outcomes_[outcome]);
    least.add(weight * of.least);
    most.add(weight * of.most);
  }
  return {.least = least.value(), .most = most.value()};
}

double ListedScenarios::weight(std::size_t g) const {
  Sum sum;
  for (const WeightedPlace& point : data_[g]) sum.add(point.weight);
  return sum.value();
}

Json ListedScenarios::json() const {
  Json list = Json::array();
  for (std::size_t g = 0; g < data_.size(); ++g) {
    Json data = Json::array();
    for (const auto& [outcome, weight] : data_[g])
      data.push_back(Json::object({{"weight", weight}, {"outcome", game().outcome_json(outcomes_[outcome])}}));
    list.push_back(Json::object({{"name", name(g)}, {"data", std::move(data)}}));
  }
  return list;
}

BudgetScenarios::BudgetScenarios(std::shared_ptr<const Game> game, Costs costs)
    : Scenarios(std::move(game)), costs_(std::move(costs)) {
  assert(costs_.base.size() == costs_.rise.size());
  for (std::size_t g = 0; g < costs_.base.size(); ++g) add_scenario(std::to_string(g));
  share_equally();
  this->game().read_row(costs_.base, base_);
}

AnyOutcome BudgetScenarios::rise_alone(std::size_t g) const {
  std::vector<double> row(costs_.rise.size(), 0.0);
  row[g] = costs_.rise[g];
  AnyOutcome y;
  game().read_row(row, y);
  return y;
}

// The loss is linear in the row, so the data set is one row of weight 1; it is divided by its largest number, so that
// it is an outcome of the problem, and the weight multiplied by it.
void BudgetScenarios::pour(std::span<const double> weights, double unit, GameHistory& into) const {
  const double total = [&] {
    Sum sum;
    for (const double weight : weights) sum.add(weight);
    return sum.value();
  }();
  std::vector<double> row(costs_.base.size());
  double largest = 0;
  for (std::size_t g = 0; g < row.size(); ++g) {
    row[g] = total * costs_.base[g] + costs_.budget * weights[g] * costs_.rise[g];
    largest = std::max(largest, row[g]);
  }
  if (!(largest > 0)) largest = 1;
  for (double& cost : row) cost = std::min(1.0, cost / largest);
  AnyOutcome y;
  game().read_row(row, y);
  into.add(y, largest / unit);
}

void BudgetScenarios::losses(const AnyAction& x, std::span<double> out) const {
  const double base = game().loss(x, base_);
  std::vector<double> row(costs_.rise.size(), 0.0);
  AnyOutcome y;
  for (std::size_t g = 0; g < out.size(); ++g) {
    out[g] = base;
    if (costs_.rise[g] == 0) continue;
    row[g] = costs_.rise[g];
    game().read_row(row, y);
    row[g] = 0;
    out[g] += costs_.budget * game().loss(x, y);
  }
}

void BudgetScenarios::add_losses(const ActionTable& actions, std::size_t g, std::span<double> totals) const {
  interruption_point();
  std::vector<double> lost(totals.size());
  actions.losses(base_, lost);
  for (std::size_t k = 0; k < lost.size(); ++k) totals[k] += lost[k];
  actions.losses(rise_alone(g), lost);
  for (std::size_t k = 0; k < lost.size(); ++k) totals[k] += costs_.budget * lost[k];
}

LossSpread BudgetScenarios::spread(std::size_t g) const {
  const LossSpread base = game().spread(base_), rise = game().spread(rise_alone(g));
  return {.least = base.least + costs_.budget * rise.least, .most = base.most + costs_.budget * rise.most};
}

}  // namespace hannan::detail
