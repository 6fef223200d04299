// At most two oracle calls a round, counted in every round of runs that switch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hannan/learners/learner_params.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail {
namespace oracle_calls_test {

struct CallsInRounds {
  std::uint64_t most = 0;         // in a round of the leader, or of a learner that does not switch
  std::uint64_t most_gftpl = 0;   // in a round of the gftpl part of off
  std::uint64_t most_switch = 0;  // in a round after which another part plays
  int switches = 0;
};

// Four experts, whose losses are residues: no ties, and leaders that change.
CallsInRounds calls_in_rounds(const std::string& kind, const Json& params) {
  const auto problem = make_problem("experts", Json::object({{"experts", 4}}), "params");
  const auto learner = problem->learner(kind, params);
  CallsInRounds found;
  std::uint64_t before = 0;
  for (int t = 1; t <= 400; ++t) {
    std::vector<double> losses;
    for (int k = 0; k < 4; ++k) losses.push_back((t * t * 31 + k * k * 17 + 41 * t * k + 7) % 97 / 97.0);
    const bool gftpl = learner->act().regime == "gftpl";
    const Round& seen = learner->observe(Json(losses), "outcome");
    const std::uint64_t calls = seen.oracle_calls - before;
    before = seen.oracle_calls;
    auto& most = gftpl ? found.most_gftpl : found.most;
    most = std::max(most, calls);
    if (!seen.switched) continue;
    ++found.switches;
    found.most_switch = std::max(found.most_switch, calls);
  }
  return found;
}

TEST(OracleCalls, AreAtMostTwoInEveryRoundOfEveryLearner) {
  for (const LearnerKind& kind : learner_kinds()) {
    if (kind.name == "fake-data") continue;  // the outcomes of experts cannot be listed
    if (kind.of_strategies) continue;        // its calls are those of the learners that it plays
    Json params = Json::object({{"seed", 3}});
    if (takes(kind.name, "rounds")) params.set("rounds", 400);
    const CallsInRounds found = calls_in_rounds(std::string(kind.name), params);
    EXPECT_LE(std::max(found.most, found.most_gftpl), 2U) << kind.name;
  }
}

// Settings under which off plays both of its parts.
std::vector<Json> switching_settings(const char* feed) {
  std::vector<Json> all;
  for (const char* estimator : {"paper", "tight", "trajectory"}) {
    all.push_back(Json::object({{"estimator", estimator}, {"switch_a", 0.02}, {"switch_b", 50}}));
  }
  all.push_back(Json::object({{"estimator", "realised"}}));
  for (Json& params : all) params.set("seed", 3).set("feed", feed);
  return all;
}

TEST(OracleCalls, AreAtMostTwoInEveryRoundOfOffSwitchesIncluded) {
  for (const Json& params : switching_settings("played")) {
    const CallsInRounds found = calls_in_rounds("off", params);
    EXPECT_GE(found.switches, 4) << dump(params);
    EXPECT_LE(found.most, 2U) << dump(params);
    EXPECT_LE(found.most_gftpl, 2U) << dump(params);
    EXPECT_LE(found.most_switch, 2U) << dump(params);
  }
}

// The printed rule, for study: gftpl learns from other rounds than those it is judged by, so L* is asked for on both.
TEST(OracleCalls, AreThreeInARoundOfGftplUnderThePrintedFeedingRule) {
  for (const Json& params : switching_settings("next")) {
    const CallsInRounds found = calls_in_rounds("off", params);
    EXPECT_GE(found.switches, 4) << dump(params);
    EXPECT_LE(found.most, 2U) << dump(params);
    EXPECT_EQ(found.most_gftpl, 3U) << dump(params);
  }
}

std::unique_ptr<PlainLearner> reserve_learner(int bidders, int levels, const std::string& kind, const Json& params) {
  const Json game = Json::object({{"bidders", bidders}, {"levels", levels}});
  return make_problem("vcg-reserves", game, "params")->learner(kind, params);
}

TEST(OracleCalls, ArePooledByDefaultWhereThereAreManyReserves) {
  const auto pool = [](int bidders, int levels, const std::string& kind, const Json& params) {
    return reserve_learner(bidders, levels, kind, params)->params().at("pool").as_number();
  };
  const Json fresh = Json::object(), once = Json::object({{"draw", "once"}});
  EXPECT_EQ(pool(2, 8, "leader", fresh), 0);  // 64 actions
  EXPECT_EQ(pool(3, 6, "leader", fresh), 4);  // 216
  EXPECT_EQ(pool(3, 6, "flipflop", fresh), 4);
  EXPECT_EQ(pool(3, 6, "gftpl", fresh), 0);  // its noise is too large
  EXPECT_EQ(pool(3, 6, "gftpl", once), 4);
  EXPECT_EQ(pool(3, 21, "leader", fresh), 256);  // 9,261
  EXPECT_EQ(pool(3, 21, "gftpl", fresh), 256);
}

TEST(OracleCalls, AreSavedByASmallPoolThatChangesNoDecision) {
  for (const char* kind : {"leader", "ada", "flipflop"}) {
    const auto pooled = reserve_learner(3, 6, kind, Json::object({{"seed", 3}}));
    const auto plain = reserve_learner(3, 6, kind, Json::object({{"seed", 3}, {"pool", 0}}));
    std::uint64_t pooled_calls = 0, plain_calls = 0;
    for (int t = 1; t <= 600; ++t) {
      pooled->act();
      plain->act();
      ASSERT_EQ(pooled->action(), plain->action()) << kind << ", round " << t;
      std::vector<double> bids;
      for (int k = 0; k < 3; ++k) bids.push_back((t * t * 31 + k * k * 17 + 41 * t * k + 7) % 97 / 97.0);
      pooled_calls = pooled->observe(Json(bids), "outcome").oracle_calls;
      plain_calls = plain->observe(Json(bids), "outcome").oracle_calls;
    }
    const std::uint64_t times = kind == std::string("leader") ? 3 : 1;
    EXPECT_LT(times * pooled_calls, plain_calls) << kind;
  }
}

}  // namespace oracle_calls_test
}  // namespace hannan::detail
