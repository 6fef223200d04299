#include "vcg_mip.hpp"

#include <CbcModel.hpp>
#include <CglGomory.hpp>
#include <CglProbing.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace hannan::mip {
namespace {

// Rows of the form sum of entries <= bound (or = bound), over columns that are all in [0,1].
class Programme {
 public:
  int add_column(double cost) {
    costs_.push_back(cost);
    return static_cast<int>(costs_.size()) - 1;
  }
  struct Row {
    std::vector<std::pair<int, double>> entries;
    double bound;
    enum Sense { kAtMost, kEqual } sense = kAtMost;
  };
  void add_row(const Row& row) {
    for (const auto& [column, entry] : row.entries) {
      rows_.push_back(static_cast<int>(upper_.size()));
      columns_.push_back(column);
      entries_.push_back(entry);
    }
    upper_.push_back(row.bound);
    lower_.push_back(row.sense == Row::kEqual ? row.bound : -COIN_DBL_MAX);
  }
  OsiClpSolverInterface load() const {
    OsiClpSolverInterface solver;
    solver.messageHandler()->setLogLevel(0);
    const CoinPackedMatrix matrix(false, rows_.data(), columns_.data(), entries_.data(), static_cast<CoinBigIndex>(entries_.size()));
    const std::vector<double> zero(costs_.size(), 0.0), one(costs_.size(), 1.0);
    solver.loadProblem(matrix, zero.data(), one.data(), costs_.data(), lower_.data(), upper_.data());
    return solver;
  }

 private:
  std::vector<double> costs_, entries_, lower_, upper_;
  std::vector<int> rows_, columns_;
};

}  // namespace

MipAnswer solve_reserves(const ReserveTask& task) {
  const int n = static_cast<int>(task.tables.size()), m = task.levels;
  Programme programme;
  const auto x = [&](int i, int z) { return i * m + z - 1; };
  for (const auto& table : task.tables) {
    for (double cost : table) programme.add_column(cost);
  }
  for (int i = 0; i < n; ++i) {
    Programme::Row row{.entries = {}, .bound = 1, .sense = Programme::Row::kEqual};
    for (int z = 1; z <= m; ++z) row.entries.emplace_back(x(i, z), 1.0);
    programme.add_row(row);
  }
  double constant = 0;
  for (const auto& [bids, weight] : task.profiles) {
    constant += weight;
    const auto level = [&, &b = bids](int i) { return static_cast<int>(std::floor(m * b[static_cast<std::size_t>(i)] + 1e-9)); };
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&, &b = bids](int i, int j) {
      const double left = b[static_cast<std::size_t>(i)], right = b[static_cast<std::size_t>(j)];
      return left != right ? left > right : i < j;
    });
    Programme::Row one_claim{.entries = {}, .bound = 1};
    std::vector<std::pair<int, double>> above;  // minus stay of the bids met so far
    for (int i : order) {
      std::vector<std::pair<int, double>> stay;
      for (int z = 1; z <= level(i); ++z) stay.emplace_back(x(i, z), -1.0);
      for (int z = 1; z <= level(i); ++z) {
        const int y = programme.add_column(-weight * z / m);
        programme.add_row({.entries = {{y, 1.0}, {x(i, z), -1.0}}, .bound = 0});
        one_claim.entries.emplace_back(y, 1.0);
      }
      if (!above.empty() && !stay.empty()) {
        const int u = programme.add_column(-weight * bids[static_cast<std::size_t>(i)]);
        one_claim.entries.emplace_back(u, 1.0);
        for (const auto* rivals : {&stay, &above}) {
          Programme::Row row{.entries = *rivals, .bound = 0};
          row.entries.emplace_back(u, 1.0);
          programme.add_row(row);
        }
      }
      above.insert(above.end(), stay.begin(), stay.end());
    }
    if (!one_claim.entries.empty()) programme.add_row(one_claim);
  }
  auto solver = programme.load();
  for (int c = 0; c < n * m; ++c) solver.setInteger(c);
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
  MipAnswer answer{.reserves = std::vector<int>(static_cast<std::size_t>(n), 1), .value = constant + model.getObjValue(),
                   .optimal = model.isProvenOptimal()};
  const double* best = model.bestSolution();
  for (int i = 0; best && i < n; ++i) {
    for (int z = 1; z <= m; ++z) {
      if (best[x(i, z)] > 0.5) answer.reserves[static_cast<std::size_t>(i)] = z;
    }
  }
  return answer;
}

}  // namespace hannan::mip
