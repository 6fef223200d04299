#include "hannan/problems/level_auction/list_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "hannan/io/json_archive.hpp"
#include "hannan/problems/level_auction/level_search.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace list_bounds_test {

LevelHistory read_back(const LevelOracle& oracle, const LevelAuction& p, const Json& saved) {
  LevelHistory history = oracle.empty(p);
  JsonReader reader(saved, "state");
  history.archive(reader);
  return history;
}

Json saved(LevelHistory history) {
  JsonWriter writer;
  history.archive(writer);
  return writer.take();
}

// A history with all its outcomes, and nothing proven before.
LevelHistory anew(const LevelOracle& oracle, const LevelAuction& p, const LevelHistory& from) {
  LevelHistory history = oracle.empty(p);
  for (const auto& [y, weight] : from.tally) oracle.add(p, history, y, weight);
  history.tables = from.tables;
  return history;
}

TEST(ThresholdLists, AreAllInOrderWithTheThresholdReached) {
  const LevelRule rule{.bidders = 3, .levels = 6, .thresholds = 3};
  const ThresholdLists lists(rule);
  ASSERT_EQ(lists.size(), 20u);
  for (std::size_t k = 0; k < lists.size(); ++k) {
    EXPECT_EQ(lists.index_of(lists[k]), k);
    EXPECT_TRUE(std::is_sorted(lists[k].begin(), lists[k].end()));
  }
  EXPECT_EQ(lists.reached(0)[0], 0);
  EXPECT_EQ(lists.reached(2)[0], 2);   // thresholds 1, 2, 3
  EXPECT_EQ(lists.reached(3)[19], 0);  // thresholds 4, 5, 6
  EXPECT_EQ(lists.reached(6)[19], 6);
}

// Outcome after outcome, of either sign, with and without noise, asked twice under one noise as a round does: the same
// choice as enumeration and as a search that knows nothing; no bound is above what it bounds.
TEST(ListBounds, ChangeNoAnswer) {
  const LevelOracle oracle;
  std::uint64_t warm_nodes = 0, cold_nodes = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed, 31);
    const LevelAuction p(LevelRule{.bidders = 3, .levels = 5, .thresholds = 2});
    const auto actions = p.first_actions(1000);
    ASSERT_EQ(actions.size(), 1000u);
    std::vector<double> totals(actions.size(), 0.0), noises(actions.size(), 0.0);
    LevelHistory data = oracle.empty(p), noise = oracle.empty(p);
    const auto draw = [&](int most) {
      return BidReach{{dice.below(6), dice.below(6), dice.below(6), dice.below(most)}};
    };
    for (int t = 0; t < 40; ++t) {
      noise.clear();
      std::fill(noises.begin(), noises.end(), 0.0);
      for (int i = 0; i < 3; ++i) {
        const BidReach y = draw(3);
        const double weight = dice.below(5) - 2;
        oracle.add(p, noise, y, weight);
        for (std::size_t k = 0; k < actions.size(); ++k) noises[k] += weight * p.loss(actions[k], y);
      }
      const double scale = dice.below(3) * 1.5;
      const auto check = [&](double z) {
        const auto keep = static_cast<std::size_t>(dice.below(4));
        const auto answer = oracle.best(p, {data, noise, z}, keep);
        const auto cold = oracle.best(p, {anew(oracle, p, data), noise, z}, keep);
        warm_nodes += answer.nodes;
        cold_nodes += cold.nodes;
        ASSERT_EQ(answer.action, cold.action);
        ASSERT_EQ(answer.value, cold.value);
        ASSERT_TRUE(answer.proven());
        double least = kInfinity;
        for (std::size_t k = 0; k < actions.size(); ++k) least = std::min(least, totals[k] + z * noises[k]);
        ASSERT_NEAR(answer.value, least, 1e-9);
        for (std::size_t list = 0; list < data.first.bounds().size(); ++list) {
          double lowest = kInfinity;
          for (std::size_t k = list * 100; k < (list + 1) * 100; ++k) lowest = std::min(lowest, totals[k]);
          ASSERT_LE(data.first.bounds()[list], lowest + 1e-12);
        }
      };
      check(0);
      check(scale);
      const BidReach y = draw(1);
      const double weight = seed % 3 == 0 && dice.below(4) == 0 ? -0.5 : 1.0;
      oracle.add(p, data, y, weight);
      for (std::size_t k = 0; k < actions.size(); ++k) totals[k] += weight * p.loss(actions[k], y);
      check(scale);
      if (HasFailure()) return;
    }
  }
  EXPECT_LT(warm_nodes, cold_nodes);
}

TEST(ListBounds, AreSavedAndRebuiltFromStatesWithoutThem) {
  const LevelOracle oracle;
  const LevelAuction p(LevelRule{.bidders = 3, .levels = 8, .thresholds = 2});
  Dice dice(3, 32);
  LevelHistory data = oracle.empty(p), nothing = oracle.empty(p), noise = oracle.empty(p);
  oracle.add(p, noise, BidReach{{8, 2, 5, 1}}, -1.5);
  for (int t = 0; t < 60; ++t) {
    oracle.add(p, data, BidReach{{dice.below(9), dice.below(9), dice.below(9), 0}}, 1.0);
    oracle.best(p, {data, nothing, 0.0}, 0);
    oracle.best(p, {data, noise, 1.0 + t % 3}, 0);
  }
  const Json state = saved(data);
  LevelHistory again = read_back(oracle, p, state);
  Json old = Json::object();
  for (const char* field : {"tally", "tables"}) old.set(field, *state.find(field));
  LevelHistory older = read_back(oracle, p, old);
  const BidReach y{{3, 4, 5, 0}};
  for (LevelHistory* history : {&data, &again, &older}) oracle.add(p, *history, y, 1.0);
  const auto straight = oracle.best(p, {data, nothing, 0.0}, 0), resumed = oracle.best(p, {again, nothing, 0.0}, 0);
  EXPECT_EQ(straight.action, resumed.action);
  EXPECT_EQ(straight.nodes, resumed.nodes);
  const auto perturbed = oracle.best(p, {data, noise, 3.0}, 0),
             again_perturbed = oracle.best(p, {again, noise, 3.0}, 0);
  EXPECT_EQ(perturbed.action, again_perturbed.action);
  EXPECT_EQ(perturbed.nodes, again_perturbed.nodes);
  const auto rebuilt = oracle.best(p, {older, nothing, 0.0}, 0);
  EXPECT_EQ(rebuilt.action, straight.action);
  EXPECT_EQ(rebuilt.value, straight.value);
}

}  // namespace list_bounds_test
}  // namespace hannan::detail
