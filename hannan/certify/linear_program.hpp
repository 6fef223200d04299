// Linear programmes: minimise <c, x> subject to row bounds low <= A x <= high and column bounds on x.
//
// The simplex method, on a model that is kept between solves: after a change of costs or of row bounds
// the last basis is the starting point (primal simplex after costs, dual simplex after row bounds), so a
// family of programmes over one matrix costs a few pivots each instead of a full solve. Deterministic:
// the same calls in the same order give the same numbers. Cost of a pivot: O(rows^2 + entries).
//
// Feasibility and optimality hold up to kProgrammeTolerance; callers that publish an answer re-check it.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace hannan::detail {

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

// How far a bound or a reduced cost may be violated. Data here are of order 1; rounding is near 1e-15.
inline constexpr double kProgrammeTolerance = 1e-9;

struct Entry {
  std::size_t row;
  std::size_t column;
  double value;
};

// An absent bound is -kNoBound or +kNoBound. At most one entry per (row, column).
struct Programme {
  std::vector<double> costs;
  std::vector<double> column_low, column_high;
  std::vector<double> row_low, row_high;
  std::vector<Entry> entries;
};

struct Solution {
  enum class Status { kOptimal, kInfeasible, kUnbounded };
  Status status;
  double value;                   // <c, x>; +infinity if infeasible, -infinity if unbounded
  std::vector<double> x;          // optimal only
  std::vector<double> row_duals;  // optimal only: the change of the value per unit of the active row bound
  std::vector<double> ray;        // unbounded only: a direction that keeps every bound, with <c, ray> < 0
};

class LinearProgram {
 public:
  explicit LinearProgram(const Programme& programme);
  ~LinearProgram();
  LinearProgram(LinearProgram&&) noexcept;
  LinearProgram& operator=(LinearProgram&&) noexcept;

  void set_costs(std::span<const double> costs);
  void set_row_bounds(std::span<const double> low, std::span<const double> high);
  // One more column at the end, of cost 0 and bounds [0, infinity); an entry per row. The basis stays.
  void add_column(std::span<const double> entries);
  // One more row at the end with its bounds; an entry per column. The basis stays, with the new row's slack in it.
  void add_row(std::span<const double> entries, double low, double high);

  // Starts from the basis of the last solve.
  Solution solve();
  // Forgets the basis: slower, and independent of what was solved before.
  Solution solve_afresh();

 private:
  class Model;
  std::unique_ptr<Model> model_;
};

}  // namespace hannan::detail
