// Which perturbation matrices can be poured into a history as weighted outcomes.
//
// Column j is implementable if there are weights w with  sum_y w_y f(k,y) = Gamma(k,j) + constant  for
// every action k, and negatively implementable if there are w >= 0 with -Gamma in place of Gamma (theory
// key implementability). Of all such data sets the one of least total weight sum |w_y| is found, by a
// linear programme; being a vertex it has at most rank(f) + 1 outcomes.
//
// Cost: O(K d rank) to choose actions whose equations imply all others (rank <= d + 1), then per column
// one programme with that many rows, started from the basis of the column before.
#pragma once

#include <span>
#include <vector>

#include "hannan/certify/conditions.hpp"
#include "hannan/core/perturbation.hpp"

namespace hannan::detail {

// Residuals up to here count as zero. The solver meets each chosen equation within 1e-9 and the implied
// ones within that times the size of a combination, below 1e-7; a column outside the span misses it by
// the order of a grid step of the losses.
inline constexpr double kImplemented = 1e-7;

struct ImplementQuery {
  int sign = 1;  // +1 for Gamma, -1 for -Gamma
  Weights weights = Weights::kAnySign;
};

struct Implementation {
  bool every_column;
  std::vector<std::vector<double>> weights;  // per column: d weights, or empty if there are none
};

// The data sets are of the table as handed in. A reward problem keeps its data sets in rewards: hand in
// r(k,y) as `losses` to ask for those.
Implementation implement(const ConditionTables& tables, ImplementQuery query);

// max - min over actions k of sum_y weights_y f(k,y) - target_k: 0 if the weights realise the target up to
// a constant.
double implementation_gap(const std::vector<std::vector<double>>& losses, std::span<const double> target,
                          std::span<const double> weights);

}  // namespace hannan::detail
