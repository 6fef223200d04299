#include "service/learner_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hannan::detail::service {
namespace learner_figures_test {

Published with_regret(double regret) {
  Published seen;
  seen.total = 100;
  seen.regret = regret;
  seen.bound = Yardsticks::Bound{.round = 10, .expected = 1.0, .certain = 4.0, .mean = std::nullopt, .regret = regret};
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
  EXPECT_EQ(promise_used(seen), 0.5);
}

TEST(LearnerFigures, APromiseMissedByRoundingAloneIsUsedUpAndNotBroken) {
  EXPECT_EQ(promise_used(with_regret(std::nextafter(4.0, 5.0))), 1.0);
  EXPECT_EQ(promise_used(with_regret(4.0 + 5e-10)), 1.0);
  EXPECT_GT(promise_used(with_regret(4.0 + 1e-8)).value(), 1.0);
  EXPECT_EQ(promise_used(with_regret(2.0)), 0.5);
  EXPECT_LT(promise_used(with_regret(std::nextafter(4.0, 3.0))).value(), 1.0);
}

}  // namespace learner_figures_test
}  // namespace hannan::detail::service
