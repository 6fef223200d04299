// Branch and bound against an integer programme on instances too large to list.
#include "vcg_mip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "hannan/core/keyed_random.hpp"
#include "hannan/problems/vcg_reserves/vcg_oracle.hpp"

namespace hannan::detail {
namespace vcg_mip_test {

struct Shape {
  int bidders, levels, rounds;
  double noise;  // scale of the Laplace tables; 0: the plain leader
};

void expect_agreement(const Shape& shape, std::uint64_t seed) {
  const KeyedRandom random(Key{8}, Purpose::kTest, seed);
  std::uint64_t next = 0;
  const auto n = static_cast<std::size_t>(shape.bidders);
  const auto m = static_cast<std::size_t>(shape.levels);
  const VcgReserves problem({.bidders = shape.bidders, .levels = shape.levels});
  const ReserveSearch search;
  auto data = search.empty(problem), noise = search.empty(problem);
  mip::ReserveTask task{.levels = shape.levels,
                        .profiles = {},
                        .tables = std::vector<std::vector<double>>(n, std::vector<double>(m, 0.0))};
  for (int t = 0; t < shape.rounds; ++t) {
    std::vector<double> bids(n);
    // Every other profile stands on the grid, where reserves are reached exactly.
    for (double& b : bids) {
      b = random.uniform(next++);
      if (t % 2) b = std::floor(b * shape.levels + 0.5) / shape.levels;
    }
    search.add(problem, data, bids, 1.0);
    task.profiles.emplace_back(bids, 1.0);
  }
  for (std::size_t i = 0; i < n && shape.noise > 0; ++i) {
    for (double& v : task.tables[i]) {
      const double u = random.uniform(next++) - 0.5;
      v = shape.noise * (u < 0 ? 1 : -1) * std::log(1 - 2 * std::abs(u));
    }
    search.add_table(problem, noise, i, task.tables[i]);
  }
  const auto found = search.best(problem, {data, noise, shape.noise > 0 ? 1.0 : 0.0}, 1);
  const auto solved = mip::solve_reserves(task);
  ASSERT_TRUE(solved.optimal);
  EXPECT_TRUE(found.proven());
  EXPECT_NEAR(found.value, solved.value, 1e-5);  // the programme's own tolerances
  // Both actions, priced by the problem itself.
  const auto price = [&](const std::vector<int>& x) {
    double sum = 0;
    for (const auto& [bids, weight] : task.profiles) sum += weight * problem.loss(x, bids);
    for (std::size_t i = 0; i < n; ++i) sum += task.tables[i][problem.position(x, i)];
    return sum;
  };
  EXPECT_NEAR(price(found.action), found.value, 1e-9);
  EXPECT_NEAR(price(solved.reserves), price(found.action), 1e-5);
}

TEST(ReserveProgramme, AgreesWithTheSearchOnTheLeader) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    expect_agreement({.bidders = 4, .levels = 16, .rounds = 40, .noise = 0}, seed);
    expect_agreement({.bidders = 3, .levels = 32, .rounds = 40, .noise = 0}, 10 + seed);
  }
}

TEST(ReserveProgramme, AgreesWithTheSearchUnderNoise) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    expect_agreement({.bidders = 4, .levels = 32, .rounds = 60, .noise = std::sqrt(30.0)}, 100 + seed);
    expect_agreement({.bidders = 6, .levels = 16, .rounds = 40, .noise = std::sqrt(20.0)}, 200 + seed);
  }
}

}  // namespace vcg_mip_test
}  // namespace hannan::detail
