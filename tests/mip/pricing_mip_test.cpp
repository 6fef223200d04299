// Branch and bound against an integer programme, and both against enumeration where that is possible.
#include "pricing_mip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/problems/item_pricing/pricing_search.hpp"

namespace hannan::detail {
namespace pricing_mip_test {

constexpr double kSolver = 1e-5;  // the programme's own tolerances

struct Shape {
  int items, levels, rounds;
  int most_wanted;   // items of a bundle
  double noise = 0;  // scale of the Laplace tables; 0: the plain leader
};

// One evidence for both solvers; every round brings kBuyers buyers.
struct Instance {
  static constexpr int kBuyers = 2;
  ItemPricing problem;
  std::vector<std::pair<ItemPricing::Outcome, double>> rounds;  // and weight
  std::vector<std::vector<double>> tables;

  Instance(const Shape& shape, std::uint64_t seed)
      : problem({.items = shape.items, .levels = shape.levels, .buyers = kBuyers}),
        tables(static_cast<std::size_t>(shape.items),
               std::vector<double>(static_cast<std::size_t>(shape.levels), 0.0)) {
    const KeyedRandom random(Key{9}, Purpose::kTest, seed);
    std::uint64_t next = 0;
    for (int t = 0; t < shape.rounds; ++t) {
      ItemPricing::Outcome y(kBuyers);
      for (Buyer& buyer : y) {
        for (auto left = 1 + random.below(next++, static_cast<std::uint64_t>(shape.most_wanted)); left > 0; --left) {
          buyer.bundle |= std::uint32_t{1} << random.below(next++, static_cast<std::uint64_t>(shape.items));
        }
        buyer.value = random.uniform(next++);
        // Half of the values stand on the grid, where prices are met exactly.
        if (t % 2) buyer.value = std::floor(buyer.value * shape.levels + 0.5) / shape.levels;
      }
      rounds.emplace_back(std::move(y), t % 3 == 0 ? 0.5 : 1.0);
    }
    for (auto& table : tables) {
      for (double& v : table) {
        const double u = random.uniform(next++) - 0.5;
        v = shape.noise * (u < 0 ? 1 : -1) * std::log(1 - 2 * std::abs(u));
      }
    }
  }

  double price(const ItemPricing::Action& x) const {
    double sum = 0;
    for (const auto& [y, weight] : rounds) sum += weight * problem.loss(x, y);
    for (std::size_t j = 0; j < x.size(); ++j) sum += tables[j][problem.position(x, j)];
    return sum;
  }

  Answer<ItemPricing::Action> search() const {
    const BundleSearch oracle;
    auto data = oracle.empty(problem), noise = oracle.empty(problem);
    for (const auto& [y, weight] : rounds) oracle.add(problem, data, y, weight);
    for (std::size_t j = 0; j < tables.size(); ++j) oracle.add_table(problem, noise, j, tables[j]);
    return oracle.best(problem, {data, noise, 1.0}, 1);
  }

  // A round's loss is 1 minus its payments over the number of buyers.
  mip::PricingAnswer solve() const {
    mip::PricingTask task{.levels = problem.levels(), .buyers = {}, .tables = tables};
    double constant = 0;
    for (const auto& [y, weight] : rounds) {
      constant += weight;
      for (const Buyer& buyer : y) task.buyers.push_back({buyer.bundle, buyer.value, weight / kBuyers});
    }
    auto answer = mip::solve_pricing(task);
    answer.value += constant;
    return answer;
  }
};

void expect_agreement(const Shape& shape, std::uint64_t seed) {
  const Instance instance(shape, seed);
  const auto found = instance.search();
  const auto solved = instance.solve();
  ASSERT_TRUE(solved.optimal) << seed;
  EXPECT_TRUE(found.proven()) << seed;
  EXPECT_NEAR(found.value, solved.value, kSolver) << seed;
  // Both actions, priced by the problem itself.
  EXPECT_NEAR(instance.price(found.action), found.value, 1e-9) << seed;
  EXPECT_NEAR(instance.price(solved.prices), instance.price(found.action), kSolver) << seed;
}

TEST(PricingProgramme, AgreesWithEnumeration) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Shape shape{.items = 1 + static_cast<int>(seed % 3),
                      .levels = 1 + static_cast<int>(seed % 7),
                      .rounds = 8,
                      .most_wanted = 3,
                      .noise = seed % 2 ? 0.5 : 0.0};
    const Instance instance(shape, seed);
    double least = instance.price(instance.problem.action(0));
    for (std::uint64_t k = 1; k < instance.problem.size(); ++k)
      least = std::min(least, instance.price(instance.problem.action(k)));
    const auto solved = instance.solve();
    ASSERT_TRUE(solved.optimal) << seed;
    EXPECT_NEAR(solved.value, least, kSolver) << seed;
    EXPECT_NEAR(instance.price(solved.prices), least, kSolver) << seed;
  }
}

TEST(PricingProgramme, AgreesWithTheSearchOnTheLeader) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    expect_agreement({.items = 5, .levels = 16, .rounds = 20, .most_wanted = 3}, 100 + seed);  // 10^6 actions
    expect_agreement({.items = 6, .levels = 12, .rounds = 20, .most_wanted = 2}, 200 + seed);  // 3 * 10^6
  }
}

TEST(PricingProgramme, AgreesWithTheSearchUnderNoise) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    expect_agreement({.items = 5, .levels = 16, .rounds = 30, .most_wanted = 3, .noise = 2}, 300 + seed);
    expect_agreement({.items = 6, .levels = 12, .rounds = 30, .most_wanted = 3, .noise = 2}, 400 + seed);
    expect_agreement({.items = 8, .levels = 12, .rounds = 30, .most_wanted = 3, .noise = 2}, 500 + seed);  // 4 * 10^8
  }
}

}  // namespace pricing_mip_test
}  // namespace hannan::detail
