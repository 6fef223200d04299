// Data sets for columns by linear programmes (implementability.hpp; docs/theory.md, implementability). Only actions
// whose rows span all others enter the equations, at most d + 1 of them; the answer is then checked on every action.
// Cost: O(K d rank) for the spanning rows, a programme of rank rows per column.
#include "hannan/certify/implementability.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "hannan/certify/linear_program.hpp"

namespace hannan::detail {
namespace {

// A row this much shorter than the longest, after removing what the chosen rows explain, is explained:
// rounding leaves near 1e-15.
constexpr double kExplained = 1e-9;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Actions whose rows (f(k,.), 1) span all such rows: Gram-Schmidt, the longest remainder first. The 1
// stands for the free constant.
std::vector<std::size_t> spanning_actions(const std::vector<std::vector<double>>& losses) {
  std::vector<std::vector<double>> rest = losses;
  for (auto& row : rest) row.push_back(1);
  std::vector<double> length(rest.size());
  std::vector<std::size_t> chosen;
  double longest = 0;
  // Invariant: every row of `rest` is orthogonal to the directions chosen so far; the longest remainder is the best
  // conditioned next one.
  while (chosen.size() < rest.size()) {
    std::transform(rest.begin(), rest.end(), length.begin(), [](const auto& row) { return std::sqrt(dot(row, row)); });
    const auto next = std::max_element(length.begin(), length.end());
    if (chosen.empty()) longest = *next;
    if (*next <= kExplained * longest) break;
    const auto pivot = static_cast<std::size_t>(next - length.begin());
    chosen.push_back(pivot);
    std::vector<double> direction = rest[pivot];
    for (double& entry : direction) entry /= *next;
    for (auto& row : rest) {
      const double share = dot(row, direction);
      if (share == 0) continue;
      for (std::size_t y = 0; y < row.size(); ++y) row[y] -= share * direction[y];
    }
    std::fill(rest[pivot].begin(), rest[pivot].end(), 0.0);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Columns: the d weights, their negative parts if allowed, and the constant. Rows: the chosen actions.
LinearProgram least_weight_program(const ConditionTables& tables, const std::vector<std::size_t>& chosen,
                                   Weights weights) {
  const std::size_t outcomes = tables.losses.front().size();
  const std::size_t parts = weights == Weights::kAnySign ? 2 : 1;
  Programme programme;
  programme.costs.assign(parts * outcomes + 1, 1.0);
  programme.costs.back() = 0;
  programme.column_low.assign(parts * outcomes + 1, 0.0);
  programme.column_low.back() = -kNoBound;
  programme.column_high.assign(parts * outcomes + 1, kNoBound);
  programme.row_low.assign(chosen.size(), 0.0);
  programme.row_high.assign(chosen.size(), 0.0);
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    for (std::size_t part = 0; part < parts; ++part)
      for (std::size_t y = 0; y < outcomes; ++y) {
        const double loss = tables.losses[chosen[n]][y];
        programme.entries.push_back({n, part * outcomes + y, part == 0 ? loss : -loss});
      }
    programme.entries.push_back({n, parts * outcomes, -1});
  }
  return LinearProgram(programme);
}

}  // namespace

// How far the weighted losses miss the target, but for a constant: the range of the residuals, 0 where they agree.
double implementation_gap(const std::vector<std::vector<double>>& losses, std::span<const double> target,
                          std::span<const double> weights) {
  assert(losses.size() == target.size());
  double low = kNoBound, high = -kNoBound;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    const double residual = std::inner_product(weights.begin(), weights.end(), losses[k].begin(), 0.0) - target[k];
    low = std::min(low, residual);
    high = std::max(high, residual);
  }
  return losses.empty() ? 0 : high - low;
}

// One programme for all columns: only the right side changes, so that each solve starts from the basis of the last.
Implementation implement(const ConditionTables& tables, ImplementQuery query) {
  assert(tables.gamma_rows.size() == tables.losses.size() && !tables.losses.empty());
  assert(query.sign == 1 || query.sign == -1);
  const std::size_t outcomes = tables.losses.front().size();
  const std::vector<std::size_t> chosen = spanning_actions(tables.losses);
  LinearProgram program = least_weight_program(tables, chosen, query.weights);
  Implementation result{.every_column = true, .weights = {}};
  std::vector<double> target(tables.losses.size()), sides(chosen.size());
  for (std::size_t j = 0; j < tables.gamma_rows.front().size(); ++j) {
    for (std::size_t k = 0; k < target.size(); ++k) target[k] = query.sign * tables.gamma_rows[k][j];
    std::transform(chosen.begin(), chosen.end(), sides.begin(), [&](std::size_t k) { return target[k]; });
    program.set_row_bounds(sides, sides);
    const Solution solution = program.solve();
    auto& weights = result.weights.emplace_back();
    bool found = solution.status == Solution::Status::kOptimal;
    if (found) {
      weights.assign(solution.x.begin(), solution.x.begin() + static_cast<std::ptrdiff_t>(outcomes));
      for (std::size_t y = 0; y < outcomes; ++y) {
        if (query.weights == Weights::kAnySign)
          weights[y] -= solution.x[outcomes + y];
        else
          weights[y] = std::max(0.0, weights[y]);
      }
      // The chosen equations imply the others only if the column is in the span: this is where one that
      // is not gets caught.
      found = implementation_gap(tables.losses, target, weights) <= kImplemented;
    }
    if (!found) weights.clear();
    result.every_column = result.every_column && found;
  }
  return result;
}

}  // namespace hannan::detail
