#include "hannan/problems/vcg_reserves/reserve_rivals.hpp"

#include <gtest/gtest.h>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {
namespace reserve_rivals_test {

std::vector<double> bids_of(std::uint64_t round, std::size_t n) {
  std::vector<double> bids(n);
  KeyedRandom(Key{.seed = 5}, Purpose::kTest, round).fill_uniform(bids);
  for (double& bid : bids) bid = bid < 0.2 ? 0 : bid;  // some stay away
  return bids;
}

// Every uniform vector is tried by the problem itself, under both rules and with more units than bidders.
TEST(UniformLeader, PlaysTheUniformVectorThatEarnedMostSoFar) {
  for (const auto rule : {VcgReserves::Rule::kEager, VcgReserves::Rule::kLazy}) {
    for (const int units : {1, 2, 5}) {
      const VcgReserves problem({.bidders = 4, .levels = 9, .units = units, .rule = rule});
      UniformLeader leader(problem);
      std::vector<double> earned(9, 0.0);
      for (std::uint64_t t = 0; t < 60; ++t) {
        const auto ranked = problem.prepare(bids_of(t, 4));
        leader.observe(ranked);
        for (int z = 1; z <= 9; ++z)
          earned[static_cast<std::size_t>(z - 1)] += 1 - problem.loss_prepared({z, z, z, z}, ranked);
        const double best = *std::max_element(earned.begin(), earned.end());
        EXPECT_NEAR(earned[static_cast<std::size_t>(leader.act()[0] - 1)], best, 1e-9);
        EXPECT_EQ(leader.act(), VcgReserves::Action(4, leader.act()[0]));
      }
    }
  }
}

// Bids 0.5, 0.9, 0.9 on ten levels: level 5 earns 5, then 10, then 15; level 9 earns 0, 9, 18.
TEST(MonopolyReserves, MaximisesPriceTimesThePastBidsThatReachIt) {
  const VcgReserves problem({.bidders = 2, .levels = 10, .units = 1, .rule = VcgReserves::Rule::kLazy});
  MonopolyReserves monopoly(problem);
  EXPECT_EQ(monopoly.act(), (VcgReserves::Action{1, 1}));
  monopoly.observe(problem.prepare({0.5, 0}));
  EXPECT_EQ(monopoly.act(), (VcgReserves::Action{5, 1}));
  monopoly.observe(problem.prepare({0.9, 0.3}));
  EXPECT_EQ(monopoly.act(), (VcgReserves::Action{5, 3}));
  monopoly.observe(problem.prepare({0.9, 0}));
  EXPECT_EQ(monopoly.act(), (VcgReserves::Action{9, 3}));
}

// One bid at level 2 and one at level 1: both reserves earn 2, and the lower one is taken.
TEST(MonopolyReserves, TiesGoToTheLowestReserve) {
  const VcgReserves problem({.bidders = 1, .levels = 4, .units = 1, .rule = VcgReserves::Rule::kLazy});
  MonopolyReserves monopoly(problem);
  monopoly.observe(problem.prepare({0.5}));
  EXPECT_EQ(monopoly.act()[0], 2);
  monopoly.observe(problem.prepare({0.25}));
  EXPECT_EQ(monopoly.act()[0], 1);
}

TEST(MonopolyReserves, AgreesWithRecountingAllBids) {
  const VcgReserves problem({.bidders = 3, .levels = 12, .units = 1, .rule = VcgReserves::Rule::kEager});
  MonopolyReserves monopoly(problem);
  std::vector<std::vector<double>> past;
  for (std::uint64_t t = 0; t < 80; ++t) {
    past.push_back(bids_of(t, 3));
    monopoly.observe(problem.prepare(past.back()));
    for (std::size_t i = 0; i < 3; ++i) {
      int best = 1;
      double most = -1;
      for (int z = 1; z <= 12; ++z) {
        double earned = 0;
        for (const auto& bids : past) earned += std::floor(12 * bids[i] + 1e-9) >= z ? z : 0;
        if (earned > most) {
          most = earned;
          best = z;
        }
      }
      EXPECT_EQ(monopoly.act()[i], best);
    }
  }
}

// Two bids of one slot in an auction, 9 and 6: at 6 both reach it (12), at 9 one does. Only the second auction's bid of
// 9 makes 9 as good as 6 (18 of 18), and ties go to the lowest.
TEST(MonopolyReserves, CountEveryBidOfASlotThatSeveralBiddersShare) {
  const VcgReserves problem({.bidders = 1, .prices = {PriceList({0, 6, 9})}});
  const auto round = [&](std::vector<double> bids) {
    return problem.prepare(problem.money()->outcome({.bids = {std::move(bids)}}));
  };
  MonopolyReserves monopoly(problem);
  monopoly.observe(round({9, 6}));
  EXPECT_EQ(monopoly.act(), (VcgReserves::Action{1}));
  monopoly.observe(round({9}));
  EXPECT_EQ(monopoly.act(), (VcgReserves::Action{1}));
  monopoly.observe(round({9}));
  EXPECT_EQ(monopoly.act(), (VcgReserves::Action{2}));
}

}  // namespace reserve_rivals_test
}  // namespace hannan::detail
