#include "service/yardsticks.hpp"

#include <gtest/gtest.h>

#include "hannan/runtime/registry.hpp"

namespace hannan::detail::service {
namespace yardsticks_test {

AnyOutcome outcome_of(const AnyProblem& problem, const Json& json) {
  AnyOutcome outcome;
  problem.game().read_outcome(json, "outcome", outcome);
  return outcome;
}

TEST(Yardsticks, WithoutReservesTheHighestLosingBidIsPaid) {
  const auto one = make_problem("vcg-reserves", parse_json(R"({"bidders":3,"levels":10})"), "params");
  EXPECT_DOUBLE_EQ(loss_without_reserves(*one)(outcome_of(*one, parse_json("[0.5,0.25,0.75]"))), 1 - 0.5);
  EXPECT_DOUBLE_EQ(loss_without_reserves(*one)(outcome_of(*one, parse_json("[0.5,0,0]"))), 1);
  // Two units: both winners pay the third bid, and two bids of 1 would be a loss of 0.
  const auto two = make_problem("vcg-reserves", parse_json(R"({"bidders":3,"levels":10,"units":2})"), "params");
  EXPECT_DOUBLE_EQ(loss_without_reserves(*two)(outcome_of(*two, parse_json("[0.5,0.25,0.75]"))), 1 - 2 * 0.25 / 2);
  const auto other = make_problem("experts", parse_json(R"({"experts":3})"), "params");
  EXPECT_FALSE(loss_without_reserves(*other));
}

TEST(Yardsticks, SumsAndBoundsComeBackFromTheirState) {
  const auto problem = make_problem("vcg-reserves", parse_json(R"({"bidders":2,"levels":4})"), "params");
  const auto learner = problem->learner("flipflop", Json::object());
  Yardsticks sticks(*problem);
  double gain = 0;
  for (int i = 0; i < 200; ++i) {
    learner->act();
    const AnyOutcome bids = outcome_of(*problem, Json::array({Json(0.2 + 0.003 * (i % 100)), Json(0.6)}));
    const ObserveView seen = learner->observe(bids);
    sticks.add(bids, seen, *learner);
    gain += loss_without_reserves(*problem)(bids) - seen.loss;
  }
  ASSERT_TRUE(sticks.without() && sticks.last());
  EXPECT_NEAR(sticks.without()->gain, gain, 1e-12);
  EXPECT_GE(sticks.last()->round, 194U) << "each at least 3 % after the one before, so not long ago";
  EXPECT_TRUE(sticks.last()->certain);
  Yardsticks again(*problem);
  again.load(sticks.json(), "");
  EXPECT_EQ(again.json(), sticks.json());
  again.load(Yardsticks::unknown(), "");
  EXPECT_FALSE(again.without());
  EXPECT_FALSE(again.last());
}

}  // namespace yardsticks_test
}  // namespace hannan::detail::service
