// The game given by a table. Losses are stored outcome by outcome, losses_[y K + k], so that adding an outcome to all
// totals reads memory in order. `outcomes` has gamma = 1: the hedge vector of (x, y) is the unit vector of y
// (docs/theory.md, perturbations of the problems).
#include "hannan/problems/finite_game/finite_game.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"
#include "hannan/perturbations/outcome_columns.hpp"

namespace hannan::detail {

namespace {

// The table first: the outcomes of columns and the rows of a matrix are counted by it.
FiniteGame::Parts checked(FiniteGame::Parts parts) {
  expect_table(parts.table, parts.range == LossRange::kUnitInterval ? kUnit : kAnyLoss,
               parts.form == Form::kReward ? "rewards" : "losses");
  for (std::size_t j = 0; j < parts.columns.size(); ++j) {
    for (std::size_t i = 0; i < parts.columns[j].size(); ++i) {
      const std::string part = path_of(path_of("columns", j), i);
      expect_number(parts.columns[j][i].weight, kMatrixEntry, part);
      const auto outcomes = parts.table[0].size();
      expect_whole(static_cast<std::int64_t>(std::min<std::uint64_t>(parts.columns[j][i].outcome, outcomes)),
                   {0, static_cast<std::int64_t>(outcomes) - 1}, part);
    }
  }
  if (parts.matrix.empty()) return parts;
  expect_table(parts.matrix, kMatrixEntry, "matrix");
  if (parts.matrix.size() != parts.table.size()) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(parts.matrix.size()) + " rows, expected one per action, " +
                    std::to_string(parts.table.size()),
                "matrix");
  }
  return parts;
}

// The hedge vector of (x, y) is then the unit vector of y times the range of y, as ada2_range needs it. A column of
// equal losses distinguishes nothing.
double column_weight(const FiniteGame& p, FiniteGame::Outcome y) {
  if (p.loss_range() == LossRange::kUnitInterval) return 1;
  const double range = p.spread(y).range();
  return range > 0 ? 1 / range : 0.0;
}

}  // namespace

FiniteGame::FiniteGame(Parts parts)
    : parts_(checked(std::move(parts))),
      size_(parts_.table.size()),
      outcome_count_(parts_.table[0].size()),
      least_(outcome_count_, std::numeric_limits<double>::infinity()),
      most_(outcome_count_, -std::numeric_limits<double>::infinity()),
      losses_(size_ * outcome_count_) {
  for (std::size_t k = 0; k < size_; ++k) {
    for (std::size_t y = 0; y < outcome_count_; ++y) {
      const double entry = parts_.table[k][y];
      const double zero = parts_.range == LossRange::kUnitInterval ? 1.0 : 0.0;  // the reward of a loss of 0
      const double loss = parts_.form == Form::kLoss ? entry : zero - entry;
      losses_[y * size_ + k] = loss;
      least_[y] = std::min(least_[y], loss);
      most_[y] = std::max(most_[y], loss);
    }
  }
}

std::vector<FiniteGame::Outcome> FiniteGame::outcomes() const {
  std::vector<Outcome> all(outcome_count_);
  for (std::size_t y = 0; y < all.size(); ++y) all[y] = y;
  return all;
}

// Columns that a user gives have no proven gamma. Without them a column for each outcome, whose gamma is 1.
std::vector<std::shared_ptr<const Perturbation<FiniteGame>>> FiniteGame::perturbations(
    std::shared_ptr<const FiniteGame> p) {
  OutcomeColumns<FiniteGame>::Parts outcomes{
      .problem = p, .columns = p->parts_.columns, .form = p->parts_.form, .gamma = std::nullopt, .negative = nullptr};
  if (outcomes.columns.empty()) {
    for (Outcome y : p->outcomes()) outcomes.columns.push_back({{column_weight(*p, y), y}});
    outcomes.gamma = p->size_ > 1 ? 1.0 : 0.0;
    outcomes.hedge_sign = p->parts_.form == Form::kLoss ? HedgeSign::kNonNegative : HedgeSign::kNonPositive;
  }
  std::vector<std::shared_ptr<const Perturbation<FiniteGame>>> all{
      std::make_shared<OutcomeColumns<FiniteGame>>(std::move(outcomes))};
  for (auto& code : explicit_columns<FiniteGame>(
           {.problem = p, .matrix = p->parts_.matrix, .form = p->parts_.form, .data = nullptr})) {
    all.push_back(std::move(code));
  }
  return all;
}

std::vector<std::shared_ptr<const AnyOracle<FiniteGame>>> FiniteGame::oracles(std::shared_ptr<const FiniteGame> p) {
  return {make_oracle("tabulate", std::move(p), Tabulate<FiniteGame>{})};
}

}  // namespace hannan::detail
