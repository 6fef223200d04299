// The data set of a column that no construction gives: found by the linear programme that `conditions` and `check`
// use (certify/implementability.hpp), so that the three agree on what is implementable.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hannan/certify/implementability.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {

// Outcomes among which missing data sets are looked for: a programme with that many rows per column.
inline constexpr std::size_t kMostSearched = 400;

// Weighted outcomes out of `ys` that make sign * column on the actions `xs`, which are all of them; none if there are
// none. Cost: one programme of at most |ys| + 1 rows.
template <class P>
std::optional<Dataset<typename P::Outcome>> search_column(const P& problem, const Perturbation<P>& matrix,
                                                          const std::vector<typename P::Action>& xs,
                                                          const std::vector<typename P::Outcome>& ys,
                                                          const typename Perturbation<P>::ColumnRequest& request) {
  ConditionTables tables;
  std::vector<double> row(matrix.columns());
  for (const auto& x : xs) {
    matrix.row(x, row);
    tables.gamma_rows.push_back({row[request.column]});
    auto& losses = tables.losses.emplace_back();
    for (const auto& y : ys) {
      const double loss = problem.loss(x, y);
      losses.push_back(problem.form() == Form::kReward ? 1 - loss : loss);
    }
  }
  const Implementation made = implement(tables, {.sign = request.sign, .weights = request.weights});
  if (!made.every_column) return std::nullopt;
  Dataset<typename P::Outcome> set;
  for (std::size_t y = 0; y < ys.size(); ++y) {
    if (made.weights[0][y] != 0) set.push_back({made.weights[0][y], ys[y]});
  }
  return set;
}

}  // namespace hannan::detail
