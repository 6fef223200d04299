// Clp behind an interface of our own; its headers are included here alone. status(): 0 solved, 1 primal infeasible, 2
// dual infeasible (unbounded once a feasible point exists), above: limits. Deterministic, as perturbation is switched
// off.
#include "hannan/certify/linear_program.hpp"

#include <algorithm>
#include <cassert>
#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// The solver reads anything beyond 1e27 as absent.
double bound(double value) { return std::clamp(value, -COIN_DBL_MAX, COIN_DBL_MAX); }

CoinPackedMatrix pack(const Programme& programme) {
  const auto rows = static_cast<int>(programme.row_low.size());
  const auto columns = static_cast<int>(programme.costs.size());
  std::vector<int> row, column;
  std::vector<double> value;
  for (const Entry& entry : programme.entries) {
    assert(entry.row < programme.row_low.size() && entry.column < programme.costs.size());
    if (entry.value == 0) continue;
    row.push_back(static_cast<int>(entry.row));
    column.push_back(static_cast<int>(entry.column));
    value.push_back(entry.value);
  }
  CoinPackedMatrix matrix(true, row.data(), column.data(), value.data(), static_cast<CoinBigIndex>(value.size()));
  matrix.setDimensions(rows, columns);
  return matrix;
}

}  // namespace

class LinearProgram::Model {
 public:
  explicit Model(const Programme& programme) {
    simplex_.setLogLevel(0);
    simplex_.setPrimalTolerance(kProgrammeTolerance);
    simplex_.setDualTolerance(kProgrammeTolerance);
    simplex_.setPerturbation(100);  // 100 = never: perturbed costs would move the optimum by more than rounding
    const auto bounds = [](std::vector<double> values) {
      for (double& value : values) value = bound(value);
      return values;
    };
    const CoinPackedMatrix matrix = pack(programme);
    simplex_.loadProblem(matrix, bounds(programme.column_low).data(), bounds(programme.column_high).data(),
                         programme.costs.data(), bounds(programme.row_low).data(), bounds(programme.row_high).data());
  }

  // New costs keep the basis primal feasible, new bounds of rows keep it dual feasible: solve() takes the simplex that
  // can go on from there.
  void set_costs(std::span<const double> costs) {
    assert(costs.size() == static_cast<std::size_t>(simplex_.numberColumns()));
    std::copy(costs.begin(), costs.end(), simplex_.objective());
    rows_changed_ = false;
  }

  void set_row_bounds(std::span<const double> low, std::span<const double> high) {
    assert(low.size() == high.size() && low.size() == static_cast<std::size_t>(simplex_.numberRows()));
    std::transform(low.begin(), low.end(), simplex_.rowLower(), bound);
    std::transform(high.begin(), high.end(), simplex_.rowUpper(), bound);
    rows_changed_ = true;
  }

  void add_column(std::span<const double> entries) {
    assert(entries.size() == static_cast<std::size_t>(simplex_.numberRows()));
    std::vector<int> rows;
    std::vector<double> values;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i] == 0) continue;
      rows.push_back(static_cast<int>(i));
      values.push_back(entries[i]);
    }
    simplex_.addColumn(static_cast<int>(rows.size()), rows.data(), values.data(), 0.0, COIN_DBL_MAX, 0.0);
    rows_changed_ = false;
  }

  Solution solve() {
    // "Dual infeasible" from the dual simplex leaves open whether a feasible point exists, and a pivot
    // limit leaves everything open: the primal simplex decides, the second time without the old basis.
    if (rows_changed_) simplex_.dual();
    if (!rows_changed_ || simplex_.status() > kPrimalInfeasible) simplex_.primal();
    if (simplex_.status() > kDualInfeasible) {
      simplex_.allSlackBasis(true);
      simplex_.primal();
    }
    return read();
  }

  Solution solve_afresh() {
    simplex_.allSlackBasis(true);
    simplex_.primal();
    return read();
  }

 private:
  enum { kSolved = 0, kPrimalInfeasible = 1, kDualInfeasible = 2 };

  Solution read() const {
    const auto rows = static_cast<std::size_t>(simplex_.numberRows());
    const auto columns = static_cast<std::size_t>(simplex_.numberColumns());
    switch (simplex_.status()) {
      case kSolved: {
        const double* x = simplex_.primalColumnSolution();
        const double* duals = simplex_.dualRowSolution();
        return {.status = Solution::Status::kOptimal,
                .value = simplex_.objectiveValue(),
                .x = {x, x + columns},
                .row_duals = {duals, duals + rows},
                .ray = {}};
      }
      case kPrimalInfeasible:
        return {.status = Solution::Status::kInfeasible, .value = kNoBound, .x = {}, .row_duals = {}, .ray = {}};
      case kDualInfeasible: {
        const std::unique_ptr<double[]> ray(simplex_.unboundedRay());
        Solution answer{
            .status = Solution::Status::kUnbounded, .value = -kNoBound, .x = {}, .row_duals = {}, .ray = {}};
        if (ray) answer.ray.assign(ray.get(), ray.get() + columns);
        return answer;
      }
      default:
        throw Error(Code::kWorkLimit, "a linear programme was not solved within the solver's pivot limit");
    }
  }

  ClpSimplex simplex_;
  bool rows_changed_ = false;  // since the last change of costs
};

LinearProgram::LinearProgram(const Programme& programme) : model_(std::make_unique<Model>(programme)) {
  assert(programme.column_low.size() == programme.costs.size());
  assert(programme.column_high.size() == programme.costs.size());
  assert(programme.row_low.size() == programme.row_high.size());
}
LinearProgram::~LinearProgram() = default;
LinearProgram::LinearProgram(LinearProgram&&) noexcept = default;
LinearProgram& LinearProgram::operator=(LinearProgram&&) noexcept = default;

void LinearProgram::set_costs(std::span<const double> costs) { model_->set_costs(costs); }
void LinearProgram::set_row_bounds(std::span<const double> low, std::span<const double> high) {
  model_->set_row_bounds(low, high);
}
void LinearProgram::add_column(std::span<const double> entries) { model_->add_column(entries); }
Solution LinearProgram::solve() { return model_->solve(); }
Solution LinearProgram::solve_afresh() { return model_->solve_afresh(); }

}  // namespace hannan::detail
