#include "vcg_mip.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "programme.hpp"

namespace hannan::detail::mip {

MipAnswer solve_reserves(const ReserveTask& task) {
  const int n = static_cast<int>(task.tables.size()), m = task.levels;
  Programme programme;
  const auto x = [&](int i, int z) { return i * m + z - 1; };
  for (const auto& table : task.tables) {
    for (double cost : table) programme.add_column(cost, Programme::Kind::kInteger);
  }
  for (int i = 0; i < n; ++i) {
    Programme::Row row{.entries = {}, .bound = 1, .sense = Programme::Row::kEqual};
    for (int z = 1; z <= m; ++z) row.entries.emplace_back(x(i, z), 1.0);
    programme.add_row(row);
  }
  double constant = 0;
  for (const auto& [bids, weight] : task.profiles) {
    constant += weight;
    const auto level = [&, &b = bids](int i) {
      return static_cast<int>(std::floor(m * b[static_cast<std::size_t>(i)] + 1e-9));
    };
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
  const auto solution = programme.minimise();
  MipAnswer answer{.reserves = std::vector<int>(static_cast<std::size_t>(n), 1),
                   .value = constant + solution.value,
                   .optimal = solution.optimal};
  for (int i = 0; !solution.columns.empty() && i < n; ++i) {
    for (int z = 1; z <= m; ++z) {
      if (solution.columns[static_cast<std::size_t>(x(i, z))] > 0.5) answer.reserves[static_cast<std::size_t>(i)] = z;
    }
  }
  return answer;
}

}  // namespace hannan::detail::mip
