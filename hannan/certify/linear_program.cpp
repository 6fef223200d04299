// Clp behind an interface of our own. status(): 0 solved, 1 primal infeasible, 2 dual infeasible (unbounded once a
// feasible point exists), above: limits. Deterministic, as perturbation is switched off.
#include "hannan/certify/linear_program.hpp"

#include <algorithm>
#include <cassert>
#include <cfloat>
#include <cmath>
#include <utility>

#include "hannan/certify/clp.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

constexpr double kAbsent = DBL_MAX;  // the solver reads anything beyond 1e27 as no bound

double bound(double value) { return std::clamp(value, -kAbsent, kAbsent); }

std::vector<double> bounds(std::vector<double> values) {
  for (double& value : values) value = bound(value);
  return values;
}

// The matrix by columns: the entries of column j are [starts[j], starts[j + 1]), in the order in which they were given.
struct PackedColumns {
  std::vector<CoinBigIndex> starts;
  std::vector<int> rows;
  std::vector<double> values;
};

// A counting sort by column, O(entries + columns). Zeros are left out.
PackedColumns pack(const Programme& programme) {
  PackedColumns packed;
  packed.starts.assign(programme.costs.size() + 1, 0);
  for (const Entry& entry : programme.entries) {
    assert(entry.row < programme.row_low.size() && entry.column < programme.costs.size());
    if (entry.value != 0) ++packed.starts[entry.column + 1];
  }
  for (std::size_t j = 1; j < packed.starts.size(); ++j) packed.starts[j] += packed.starts[j - 1];
  packed.rows.resize(static_cast<std::size_t>(packed.starts.back()));
  packed.values.resize(packed.rows.size());
  std::vector<CoinBigIndex> next(packed.starts.begin(), packed.starts.end() - 1);
  for (const Entry& entry : programme.entries) {
    if (entry.value == 0) continue;
    const auto place = static_cast<std::size_t>(next[entry.column]++);
    packed.rows[place] = static_cast<int>(entry.row);
    packed.values[place] = entry.value;
  }
  return packed;
}

// One row or column without its zeros.
struct PackedVector {
  explicit PackedVector(std::span<const double> entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i] == 0) continue;
      places.push_back(static_cast<int>(i));
      values.push_back(entries[i]);
    }
    starts[1] = static_cast<CoinBigIndex>(places.size());
  }
  CoinBigIndex starts[2] = {0, 0};
  std::vector<int> places;
  std::vector<double> values;
};

}  // namespace

// Owns the solver's model. The functions of Clp are found at run time (clp.hpp), so that a program that solves nothing
// does not load the library.
class LinearProgram::Model {
 public:
  explicit Model(const Programme& programme) : clp_(clp()), simplex_(clp_.newModel()) {
    clp_.setLogLevel(model(), 0);
    clp_.setPrimalTolerance(model(), kProgrammeTolerance);
    clp_.setDualTolerance(model(), kProgrammeTolerance);
    clp_.setPerturbation(model(), 100);  // 100 = never: perturbed costs would move the optimum by more than rounding
    const PackedColumns matrix = pack(programme);
    clp_.loadProblem(model(), static_cast<int>(programme.costs.size()), static_cast<int>(programme.row_low.size()),
                     matrix.starts.data(), matrix.rows.data(), matrix.values.data(),
                     bounds(programme.column_low).data(), bounds(programme.column_high).data(), programme.costs.data(),
                     bounds(programme.row_low).data(), bounds(programme.row_high).data());
  }

  // New costs keep the basis primal feasible, new bounds of rows keep it dual feasible: solve() takes the simplex that
  // can go on from there.
  void set_costs(std::span<const double> costs) {
    assert(costs.size() == columns());
    std::copy(costs.begin(), costs.end(), clp_.objective(model()));
    rows_changed_ = false;
  }

  void set_row_bounds(std::span<const double> low, std::span<const double> high) {
    assert(low.size() == high.size() && low.size() == rows());
    std::transform(low.begin(), low.end(), clp_.rowLower(model()), bound);
    std::transform(high.begin(), high.end(), clp_.rowUpper(model()), bound);
    rows_changed_ = true;
  }

  // A new variable in [0, infinity) of cost 0: the present solution, with it at 0, stays primal feasible.
  void add_column(std::span<const double> entries) {
    assert(entries.size() == rows());
    const PackedVector packed(entries);
    const double low = 0, high = kAbsent, cost = 0;
    clp_.addColumns(model(), 1, &low, &high, &cost, packed.starts, packed.places.data(), packed.values.data());
    rows_changed_ = false;
  }

  // The present basis stays dual feasible; a column that is added after it hands it to the primal simplex.
  void add_row(std::span<const double> entries, double low, double high) {
    assert(entries.size() == columns());
    const PackedVector packed(entries);
    const double row_low = bound(low), row_high = bound(high);
    clp_.addRows(model(), 1, &row_low, &row_high, packed.starts, packed.places.data(), packed.values.data());
    rows_changed_ = true;
  }

  Solution solve() {
    // "Dual infeasible" from the dual simplex leaves open whether a feasible point exists, and a pivot
    // limit leaves everything open: the primal simplex decides, the second time without the old basis.
    if (rows_changed_) clp_.dual(model(), 0);
    if (!rows_changed_ || status() > kPrimalInfeasible) clp_.primal(model(), 0);
    if (status() > kDualInfeasible) return solve_afresh();
    return read();
  }

  // For an answer that failed its check: another basis often avoids the rounding that spoiled the first one.
  Solution solve_afresh() {
    forget_basis();
    clp_.primal(model(), 0);
    return read();
  }

 private:
  enum { kSolved = 0, kPrimalInfeasible = 1, kDualInfeasible = 2 };
  enum { kFree = 0, kBasic = 1, kAtUpper = 2, kAtLower = 3 };  // of a row or a column in a basis

  Clp_Simplex* model() const { return simplex_.get(); }
  std::size_t rows() const { return static_cast<std::size_t>(clp_.numberRows(model())); }
  std::size_t columns() const { return static_cast<std::size_t>(clp_.numberColumns(model())); }
  int status() const { return clp_.status(model()); }

  // The basis of a new model: every row basic, every column at its bound nearest to 0, or at 0 where it has none.
  void forget_basis() {
    for (int i = 0; i < clp_.numberRows(model()); ++i) clp_.setRowStatus(model(), i, kBasic);
    const double* low = clp_.columnLower(model());
    const double* high = clp_.columnUpper(model());
    double* x = clp_.primalColumnSolution(model());
    for (int j = 0; j < clp_.numberColumns(model()); ++j) {
      const bool free = low[j] <= -1e20 && high[j] >= 1e20;
      const bool lower = std::fabs(low[j]) <= std::fabs(high[j]);
      clp_.setColumnStatus(model(), j, free ? kFree : lower ? kAtLower : kAtUpper);
      x[j] = free ? 0 : lower ? low[j] : high[j];
    }
  }

  // Copies everything out, since the solver's arrays change with the next solve.
  Solution read() const {
    switch (status()) {
      case kSolved: {
        const double* x = clp_.primalColumnSolution(model());
        const double* duals = clp_.dualRowSolution(model());
        return {.status = Solution::Status::kOptimal,
                .value = clp_.objectiveValue(model()),
                .x = {x, x + columns()},
                .row_duals = {duals, duals + rows()},
                .ray = {}};
      }
      case kPrimalInfeasible:
        return {.status = Solution::Status::kInfeasible, .value = kNoBound, .x = {}, .row_duals = {}, .ray = {}};
      case kDualInfeasible: {
        Solution answer{
            .status = Solution::Status::kUnbounded, .value = -kNoBound, .x = {}, .row_duals = {}, .ray = {}};
        if (double* ray = clp_.unboundedRay(model())) {
          answer.ray.assign(ray, ray + columns());
          clp_.freeRay(model(), ray);
        }
        return answer;
      }
      default:
        throw Error(Code::kWorkLimit, "a linear programme was not solved within the solver's pivot limit");
    }
  }

  const Clp& clp_;
  ClpModel simplex_;
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
void LinearProgram::add_row(std::span<const double> entries, double low, double high) {
  model_->add_row(entries, low, high);
}
Solution LinearProgram::solve() { return model_->solve(); }
Solution LinearProgram::solve_afresh() { return model_->solve_afresh(); }

}  // namespace hannan::detail
