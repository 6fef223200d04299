// A call fills the history anew: a history has clear and add, and weights are divided by a power of two near the unit,
// so that the oracle's tie window fits losses of any size. Cost: one add per distinct outcome of positive weight.
#include "hannan/solve/active_game.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hannan/core/oracle.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace {

// Limits that count work (docs/solve.md).
constexpr double kMostNumbers = 5e7;  // of all rows
constexpr std::size_t kMostMet = 4'000;

double dot(std::span<const double> a, std::span<const double> b) {
  Sum sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum.add(a[i] * b[i]);
  return sum.value();
}

}  // namespace

ActiveGame::ActiveGame(const Scenarios& scenarios, const GameOracle& oracle, const SolveOptions& options)
    : scenarios_(scenarios),
      oracle_(oracle),
      unit_(unit_of_losses(scenarios)),
      call_unit_(unit_of(unit_)),
      base_low_(scenarios.size(), 0.0),
      base_high_(scenarios.size(), 0.0),
      history_(oracle.empty()),
      nothing_(oracle.empty()) {
  if (options.base == Base::kLeastLoss) {
    find_bases();
  } else if (unit_ != 1 || scenarios.game().loss_range() == LossRange::kUnknown) {
    origin_ = scenarios.spread(0).least;
    for (std::size_t g = 1; g < scenarios.size(); ++g) origin_ = std::min(origin_, scenarios.spread(g).least);
  }
}

double ActiveGame::rounding(double value) const { return 1e-9 * unit_ + 1e-14 * std::abs(value); }

GameAnswer ActiveGame::asked(std::span<const double> weights) {
  history_->clear();
  scenarios_.pour(weights, call_unit_, *history_);
  GameAnswer answer = oracle_.best({*history_, *nothing_, 0.0}, 0);
  answer.value *= call_unit_;
  answer.floor *= call_unit_;
  answer.unit = call_unit_;
  ++calls_;
  nodes_ += answer.nodes;
  return answer;
}

// c_g lies in [floor, value] of one call on the scenario alone.
void ActiveGame::find_bases() {
  std::vector<double> alone(scenarios_.size(), 0.0), row(scenarios_.size());
  for (std::size_t g = 0; g < alone.size(); ++g) {
    alone[g] = 1;
    const GameAnswer answer = asked(alone);
    alone[g] = 0;
    scenarios_.losses(answer.action, row);
    base_high_[g] = row[g];
    base_low_[g] = answer.proven() ? row[g] : std::min(row[g], answer.floor);
    base_gap_ = std::max(base_gap_, base_high_[g] - base_low_[g]);
  }
}

Reply ActiveGame::ask(std::span<const double> weights) {
  const GameAnswer answer = asked(weights);
  const std::size_t before = actions_.size();
  const std::size_t place = met(answer.action);
  return {.action = place,
          .is_new = actions_.size() > before,
          .lower = answer.floor - dot(weights, base_high_),
          .proven = answer.proven()};
}

std::size_t ActiveGame::met(const AnyAction& x) {
  const auto [found, is_new] = places_.emplace(x, actions_.size());
  if (!is_new) return found->second;
  std::vector<double> row = scenario_losses(scenarios_, x, base_low_);
  for (double& loss : row) loss -= origin_;
  std::vector<double> products;
  for (const SparseMixture& response : responses_) products.push_back(response.times(row) / unit_);
  actions_.push_back(x);
  averages_.push_back(dot(scenarios_.shares(), row));
  products_.push_back(std::move(products));
  rows_.push_back(std::move(row));
  return found->second;
}

std::size_t ActiveGame::add_response(SparseMixture response) {
  for (std::size_t x = 0; x < rows_.size(); ++x) products_[x].push_back(response.times(rows_[x]) / unit_);
  responses_.push_back(std::move(response));
  return responses_.size() - 1;
}

bool ActiveGame::has_response(const SparseMixture& response) const {
  return std::find(responses_.begin(), responses_.end(), response) != responses_.end();
}

bool ActiveGame::full() const {
  const double numbers = static_cast<double>(actions_.size() + 1) * static_cast<double>(scenarios_.size());
  return numbers > kMostNumbers || actions_.size() >= kMostMet || responses_.size() >= kMostMet;
}

std::vector<double> ActiveGame::products_of(std::size_t response) const {
  std::vector<double> of;
  for (const auto& products : products_) of.push_back(products[response]);
  return of;
}

std::vector<double> ActiveGame::mixed(std::span<const double> p) const {
  std::vector<Sum> sums(scenarios_.size());
  for (std::size_t x = 0; x < p.size(); ++x) {
    if (p[x] == 0) continue;
    for (std::size_t g = 0; g < sums.size(); ++g) sums[g].add(p[x] * rows_[x][g]);
  }
  std::vector<double> losses;
  losses.reserve(sums.size());
  for (const Sum& sum : sums) losses.push_back(sum.value());
  return losses;
}

double ActiveGame::average(std::span<const double> losses) const { return dot(scenarios_.shares(), losses); }

std::vector<double> scenario_losses(const Scenarios& scenarios, const AnyAction& x, std::span<const double> base) {
  std::vector<double> row(scenarios.size());
  scenarios.losses(x, row);
  for (std::size_t g = 0; g < row.size(); ++g) row[g] -= base[g];
  return row;
}

}  // namespace hannan::detail
