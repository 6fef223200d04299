#include "service/learner_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hannan::detail::service {
namespace learner_figures_test {

Published with_regret(double regret) {
  Published seen;
  seen.total = 100;
  seen.regret = regret;
  seen.bound = Baselines::Bound{
      .round = 10, .expected = 1.0, .certain = 4.0, .mean = std::nullopt, .regret = Interval{regret, regret}};
  return seen;
}

TEST(LearnerFigures, AnExpectationIsNoPromiseOfARun) {
  Published seen = with_regret(8);
  seen.bound->certain.reset();
  EXPECT_FALSE(promise_used(seen)) << "the estimate of the expected regret's bound is 1";
  seen.bound->mean = 2.0;
  EXPECT_FALSE(promise_used(seen)) << "a closed form of the mean";
}

TEST(LearnerFigures, ALimitIsHeldAgainstTheRegretOfItsOwnRound) {
  Published seen = with_regret(2);
  seen.regret = 9;  // by now
  EXPECT_EQ(promise_used(seen)->hi, 0.5);
}

TEST(LearnerFigures, APromiseMissedByRoundingAloneIsUsedUpAndNotBroken) {
  EXPECT_EQ(promise_used(with_regret(std::nextafter(4.0, 5.0)))->lo, 1.0);
  EXPECT_EQ(promise_used(with_regret(4.0 + 5e-10))->lo, 1.0);
  EXPECT_GT(promise_used(with_regret(4.0 + 1e-8))->lo, 1.0);
  EXPECT_EQ(promise_used(with_regret(2.0))->lo, 0.5);
  EXPECT_LT(promise_used(with_regret(std::nextafter(4.0, 3.0)))->hi, 1.0);
}

TEST(LearnerFigures, APromiseIsBrokenOnlyWhereTheLeastRegretIsBeyondIt) {
  Published seen = with_regret(3);
  seen.bound->regret = Interval{3, 6};  // the best fixed choice is not proven
  EXPECT_EQ(promise_used(seen)->lo, 0.75);
  EXPECT_EQ(promise_used(seen)->hi, 1.5);
  EXPECT_FALSE(is_beyond_promise(seen));
  seen.bound->regret = Interval{5, 6};
  EXPECT_TRUE(is_beyond_promise(seen));
}

TEST(LearnerFigures, ABestThatIsNotProvenIsARange) {
  Published seen;
  seen.total = 20;
  Json answer = Json::object();
  add_best(answer, seen);
  for (const char* name : {"best", "regret", "best_proven", "best_range", "regret_range"})
    EXPECT_TRUE(answer.at(name).is_null()) << name;
  seen.best = 12;
  seen.regret = 8;
  seen.floor = 9;
  add_best(answer, seen);
  EXPECT_FALSE(answer.at("best_proven").as_bool());
  EXPECT_EQ(dump(answer.at("best_range")), "[9,12]");
  EXPECT_EQ(dump(answer.at("regret_range")), "[8,11]");
  seen.floor = 12;
  add_best(answer, seen);
  EXPECT_TRUE(answer.at("best_proven").as_bool());
  EXPECT_EQ(dump(answer.at("regret_range")), "[8,8]");
}

}  // namespace learner_figures_test
}  // namespace hannan::detail::service
