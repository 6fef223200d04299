#include <gtest/gtest.h>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/certificate.hpp"

namespace hannan::detail {
namespace off_certificate_test {

TEST(OffCertificate, UsesTheLargestStepOfTheTightEstimate) {
  // gamma = 6, c = 1, M = 3: the estimate rises by 1.718 from L* = 0 to 1, and by 2.473 from 35 to 36. The leader had
  // no regret, so tau alone is left.
  RunFacts run;
  run.proof = Proof::kOff;
  run.gamma = 6;
  run.c = 1;
  run.noise_size = 3;
  run.noise = {.p = 1, .centred = true};
  run.rounds = 100;
  run.estimator = "tight";
  run.off_as_proven = true;
  run.off_gftpl = 1000;
  const auto checks = certificate(run);
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_EQ(checks[0].name, "off");
  const double before = bounds::thm1_tight({.M = 3, .gamma = 6, .c = 1, .best = 35});
  const double after = bounds::thm1_tight({.M = 3, .gamma = 6, .c = 1, .best = 36});
  EXPECT_NEAR(checks[0].value, after - before, 1e-9);
  EXPECT_NEAR(checks[0].value, 2.473, 0.0005);
}

}  // namespace off_certificate_test
}  // namespace hannan::detail
