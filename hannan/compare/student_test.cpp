#include "hannan/compare/student.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace student_test {

// From tables of Student's law.
TEST(StudentQuantile, IsThatOfTheTables) {
  struct Case {
    double tail, degrees, expected;
  };
  for (const auto& [tail, degrees, expected] :
       {Case{0.025, 7, 2.3646242510}, Case{0.025, 1, 12.7062047}, Case{0.05, 2, 2.9199856}, Case{0.025, 30, 2.0422725},
        Case{0.005, 60, 2.6602830}, Case{0.025, 1000, 1.9623391}, Case{0.0005, 10, 4.5868939}})
    EXPECT_NEAR(student_quantile(tail, degrees), expected, 1e-5 * expected) << tail << " " << degrees;
}

TEST(StudentQuantile, FallsWithTheDegreesAndStopsAtAThousand) {
  double last = 1e9;
  for (double degrees = 1; degrees < 900; degrees *= 1.7) {
    const double found = student_quantile(0.01, degrees);
    EXPECT_LT(found, last);
    last = found;
  }
  EXPECT_EQ(student_quantile(0.01, 1e6), student_quantile(0.01, kMostDegrees));
}

}  // namespace student_test
}  // namespace hannan::detail
