#include "hannan/certify/certificate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hannan::detail {
namespace certificate_test {

// Ten rounds of ada with Laplace noise on one column, M = 1/2, gamma = 1: a loss of 9 where the best lost 1, so that
// the regret, 8, is above the estimate run = 2 + 1 = 3.
RunFacts ada_run() {
  RunFacts run;
  run.proof = Proof::kAda;
  run.ln_size = 0.7;
  run.columns = 1;
  run.unit_entries = true;
  run.gamma = run.claimed = 1;
  run.noise_size = run.own_size = 0.5;
  run.noise = {.p = 1, .centred = true, .symmetric = true};
  run.rho2 = run.rho2_proven = 2;
  run.rounds = 10;
  run.total = 9;
  run.best = run.floor = 1;
  run.stability = 2;
  run.sums =
      AccountSums{.rounds = 10, .quiet_gaps = 1, .noisy_gaps = 1, .noisy = 4, .moves = 1, .up_moves = 1, .up = 2};
  return run;
}

std::optional<bool> held(const std::vector<BoundCheck>& checks, const char* name) {
  const BoundCheck* found = find_check(checks, name);
  EXPECT_TRUE(found) << name;
  return found ? found->holds : std::nullopt;
}

TEST(Certificate, OfTheMeanASingleRunSaysNothingHoweverItWent) {
  RunFacts run = ada_run();
  for (const double total : {1.0, 9.0, 900.0}) {
    run.total = total;
    const auto checks = certificate(run);
    EXPECT_EQ(held(checks, "run"), std::nullopt);
    EXPECT_EQ(held(checks, "measured"), std::nullopt);
    EXPECT_EQ(held(checks, "ada2"), std::nullopt);
  }
}

TEST(Certificate, ALimitOfTheConditionalRegretIsKeptOrLeftOpenAndNeverBroken) {
  RunFacts run = ada_run();
  run.total = 1;
  EXPECT_EQ(held(certificate(run), "limit"), true);
  run.total = 900;
  EXPECT_EQ(held(certificate(run), "limit"), std::nullopt);
  // leaderless is about the realised regret, and can be.
  run.pivot = Pivot::kLast;
  EXPECT_EQ(held(certificate(run), "leaderless"), false);
}

TEST(Certificate, TheBoundOfARunIsItsLimitOrElseTheLeastClosedFormOfTheMean) {
  RunFacts run = ada_run();
  const auto checks = certificate(run);
  const auto stated = stated_bound(checks);
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->of, StatedBound::Of::kLimit);
  EXPECT_EQ(stated->value, find_check(checks, "limit")->value);
  EXPECT_DOUBLE_EQ(stated->certainty, 0.95);
  EXPECT_GT(stated->value, find_check(checks, "run")->value) << "never the estimate";
  run.rho2.reset();  // nothing to bound the moves by: no limit
  const auto without = stated_bound(certificate(run));
  ASSERT_TRUE(without);
  EXPECT_EQ(without->of, StatedBound::Of::kMean);
  EXPECT_EQ(without->name, "ada2");
  EXPECT_FALSE(stated_limit(certificate(run)));
  run.gamma.reset();
  EXPECT_FALSE(stated_bound(certificate(run))) << "run and measured are left, which are estimates";
}

TEST(Certificate, AMixtureDrawsNothingSoItsBoundIsCertain) {
  RunFacts run;
  run.proof = Proof::kAdaHedge;
  run.rounds = 10;
  run.total = 9;
  run.best = run.floor = 1;
  run.mixability = 4.5;
  const auto stated = stated_bound(certificate(run));
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->of, StatedBound::Of::kPath);
  EXPECT_EQ(stated->value, 9);
  EXPECT_EQ(held(certificate(run), "adahedge"), true);
  run.mixability = 3.5;
  EXPECT_EQ(held(certificate(run), "adahedge"), false);
}

TEST(Certificate, WhatRestsOnAGammaBelowTheProvenOneIsNotStated) {
  RunFacts run = ada_run();
  run.gamma = 0.5;
  const auto checks = certificate(run);
  EXPECT_FALSE(find_check(checks, "ada2"));
  EXPECT_TRUE(find_check(checks, "limit")) << "which does not use gamma";
  EXPECT_EQ(left_out(run),
            std::vector<std::string>{"closed forms: gamma is 0.5, below the 1 that is proven for this perturbation"});
  run.gamma = 2;  // more noise than needed: allowed
  EXPECT_TRUE(find_check(certificate(run), "ada2"));
  EXPECT_TRUE(left_out(run).empty());
}

TEST(Certificate, ALimitNeedsARho2ThatIsProven) {
  RunFacts run = ada_run();
  run.rho2 = 1.9;
  EXPECT_FALSE(find_check(certificate(run), "limit"));
  EXPECT_EQ(left_out(run), std::vector<std::string>{"limit: rho2 is 1.9, below the 2 that is proven for this noise"});
  run.rho2_proven.reset();
  EXPECT_FALSE(find_check(certificate(run), "limit"));
  run.noise_given = true;  // its law is what the user says
  EXPECT_TRUE(find_check(certificate(run), "limit"));
  EXPECT_FALSE(stated_bound(certificate(run))) << "but then nothing may be called a bound";
}

}  // namespace certificate_test
}  // namespace hannan::detail
