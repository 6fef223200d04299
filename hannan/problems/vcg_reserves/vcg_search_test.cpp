#include "hannan/problems/vcg_reserves/vcg_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace vcg_search_test {

struct Case {
  int bidders, levels, units;
  ReserveModel model;
};

// Few profiles, so that nothing averages out: a bound that is wrong for one kind of profile shows.
Case draw_case(Dice& dice) {
  const int n = 2 + dice.below(4), m = 2 + dice.below(3), s = 1 + dice.below(n);
  Case c{n, m, s,
         ReserveModel({.bidders = n, .auction = {.levels = m, .units = s}, .normaliser = double(std::min(n, s))})};
  const int rounds = 1 + dice.below(3);
  for (int t = 0; t < rounds; ++t) {
    std::vector<double> bids(static_cast<std::size_t>(n));
    for (double& b : bids) b = dice.below(3) ? dice.unit() : dice.below(m + 1) / double(m);
    c.model.add(bids, dice.below(4) ? 1.0 : -1.0);
  }
  std::vector<double> table(static_cast<std::size_t>(m));
  for (int i = 0; i < n; ++i) {
    for (double& v : table) v = dice.unit() * 0.2;
    c.model.add_table(static_cast<std::size_t>(i), table, 0.5);
  }
  return c;
}

std::vector<int> draw_action(Dice& dice, const Case& c) {
  std::vector<int> x(static_cast<std::size_t>(c.bidders));
  for (int& d : x) d = dice.below(c.levels);
  return x;
}

// least[c][d] over the completions of `partial` with coordinate c at d.
std::vector<std::vector<double>> least_completions(Case& c, const std::vector<int>& partial) {
  std::vector<std::vector<double>> least(partial.size(),
                                         std::vector<double>(static_cast<std::size_t>(c.levels), kInfinity));
  std::vector<int> x(partial.size(), 0);
  while (true) {
    bool completes = true;
    for (std::size_t i = 0; i < x.size(); ++i) completes = completes && (partial[i] < 0 || partial[i] == x[i]);
    if (completes) {
      const double value = c.model.value(x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        auto& entry = least[i][static_cast<std::size_t>(x[i])];
        entry = std::min(entry, value);
      }
    }
    std::size_t i = x.size();
    while (i > 0 && ++x[i - 1] == c.levels) x[--i] = 0;
    if (i == 0) return least;
  }
}

TEST(ReserveModel, NoCompletionIsBelowItsBound) {
  double tightest = kInfinity;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Dice dice(seed);
    Case c = draw_case(dice);
    c.model.guides = 1 + dice.below(3);
    c.model.value(draw_action(dice, c));  // some action to be guided by
    auto partial = draw_action(dice, c);
    for (int& d : partial) d = dice.below(3) ? -1 : d;
    const std::vector<std::size_t> domains(partial.size(), static_cast<std::size_t>(c.levels));
    BoundTable bounds(domains);
    c.model.bound(partial, bounds);
    const auto least = least_completions(c, partial);
    for (std::size_t i = 0; i < partial.size(); ++i) {
      for (std::size_t d = 0; d < domains[i] && partial[i] < 0; ++d) {
        EXPECT_LE(bounds[i][d], least[i][d] + 1e-9) << "seed " << seed << ", bidder " << i << ", position " << d;
        tightest = std::min(tightest, least[i][d] - bounds[i][d]);
      }
    }
  }
  EXPECT_LT(tightest, 1e-9);  // some are exact
}

TEST(ReserveModel, IsExactWhenOneBidderIsFree) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Dice dice(10'000 + seed);
    Case c = draw_case(dice);
    auto x = draw_action(dice, c);
    const auto i = static_cast<std::size_t>(dice.below(c.bidders));
    std::vector<double> line(static_cast<std::size_t>(c.levels));
    c.model.line(x, i, line);
    auto partial = x;
    partial[i] = -1;
    const std::vector<std::size_t> domains(x.size(), line.size());
    BoundTable bounds(domains);
    c.model.bound(partial, bounds);
    for (std::size_t d = 0; d < line.size(); ++d) {
      x[i] = static_cast<int>(d);
      EXPECT_NEAR(line[d], c.model.value(x), 1e-12);
      EXPECT_NEAR(bounds[i][d], line[d], 1e-12);
    }
  }
}

// 2^30 actions under noise: 5 nodes suffice; a bound that became loose would need thousands.
TEST(ReserveModel, NeedsFewNodesForAPerturbedSearch) {
  Dice dice(1);
  ReserveModel model({.bidders = 6, .auction = {.levels = 32, .units = 1}, .normaliser = 1});
  std::vector<double> bids(6), table(32);
  for (int t = 0; t < 500; ++t) {
    for (double& b : bids) b = dice.unit();
    model.add(bids, 1.0);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (double& v : table) v = std::log(1 - dice.unit());
    model.add_table(i, table, std::sqrt(250.0));
  }
  const auto result = branch_bound(model, {});
  EXPECT_TRUE(result.finished);
  EXPECT_LT(result.nodes, 50U);
}

}  // namespace vcg_search_test
}  // namespace hannan::detail
