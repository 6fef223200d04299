#include "programme.hpp"

#include <CbcModel.hpp>
#include <CglGomory.hpp>
#include <CglProbing.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>

namespace hannan::detail::mip {

int Programme::add_column(double cost, Kind kind) {
  const int column = static_cast<int>(costs_.size());
  costs_.push_back(cost);
  if (kind == Kind::kInteger) integers_.push_back(column);
  return column;
}

void Programme::add_row(const Row& row) {
  for (const auto& [column, entry] : row.entries) {
    rows_.push_back(static_cast<int>(upper_.size()));
    columns_.push_back(column);
    entries_.push_back(entry);
  }
  upper_.push_back(row.bound);
  lower_.push_back(row.sense == Row::kEqual ? row.bound : -COIN_DBL_MAX);
}

Programme::Solution Programme::minimise() const {
  OsiClpSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  const CoinPackedMatrix matrix(false, rows_.data(), columns_.data(), entries_.data(),
                                static_cast<CoinBigIndex>(entries_.size()));
  const std::vector<double> zero(costs_.size(), 0.0), one(costs_.size(), 1.0);
  solver.loadProblem(matrix, zero.data(), one.data(), costs_.data(), lower_.data(), upper_.data());
  for (const int column : integers_) solver.setInteger(column);
  CbcModel model(solver);
  model.setLogLevel(0);
  model.setAllowableGap(0);
  model.setIntegerTolerance(1e-7);
  CglProbing probing;
  CglGomory gomory;
  model.addCutGenerator(&probing, -1, "probing");
  model.addCutGenerator(&gomory, -1, "gomory");
  model.initialSolve();
  model.branchAndBound();
  Solution solution{.columns = {}, .value = model.getObjValue(), .optimal = model.isProvenOptimal()};
  if (const double* best = model.bestSolution()) solution.columns.assign(best, best + costs_.size());
  return solution;
}

}  // namespace hannan::detail::mip
