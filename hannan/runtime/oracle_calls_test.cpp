// At most two oracle calls a round, counted in every round of runs that switch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hannan/runtime/learner_params.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace {

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
    const ObserveView seen = learner->observe(Json(losses), "outcome");
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

}  // namespace
}  // namespace hannan::detail
