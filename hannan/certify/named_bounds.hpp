// The bounds by name: one table from which the pipe and the command line serve every formula.
//
// A name is a key of docs/theory.md; its parameters are given by name, and K arrives as K (its logarithm
// is taken here). "trajectory" takes a path besides scalars, so it is not in the table but below it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace hannan::detail {

struct NamedBound {
  std::string_view name;
  std::vector<std::string_view> params;      // all needed, in the order `value` reads them
  double (*value)(std::span<const double>);  // no checks: see evaluate_bound
};

// All of them but "trajectory".
std::span<const NamedBound> named_bounds();

// The row of that name, or null.
const NamedBound* find_bound(std::string_view name);

// The value, after each parameter is checked against its range: K, N and m are whole numbers, K >= 1,
// c > 0, p in [1, infinity], everything else at least 0. Throws Error(kOutOfRange, ..., "params.<name>").
double evaluate_bound(const NamedBound& bound, std::span<const double> values);

inline constexpr std::string_view kTrajectory = "trajectory";

// The scalar parameters of "trajectory"; its last one, `best`, is the path.
std::span<const std::string_view> trajectory_params();

// The trajectory bound after each round; scalars as in trajectory_params(). The path must not fall.
std::vector<double> evaluate_trajectory(std::span<const double> scalars, std::span<const double> path);

}  // namespace hannan::detail
