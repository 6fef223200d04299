#include "hannan/core/near_name.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace near_name_test {

const std::vector<std::string> kNames{"run", "report", "experiment", "vcg-reserves", "flipflop-hedge", "flipflop"};

TEST(NearName, IsTheOneWithTheFewestChanges) {
  EXPECT_EQ(near_name("rnu", kNames), "run");              // two letters swapped
  EXPECT_EQ(near_name("exprment", kNames), "experiment");  // two left out
  EXPECT_EQ(near_name("flipflpo", kNames), "flipflop");    // not the longer one
  EXPECT_EQ(near_name("VCG_reserve", kNames), "vcg-reserves");
}

TEST(NearName, OtherwiseBeginsWithWhatWasTypedOrHoldsIt) {
  EXPECT_EQ(near_name("vcg", kNames), "vcg-reserves");
  EXPECT_EQ(near_name("flip", kNames), "flipflop");  // the shortest
  EXPECT_EQ(near_name("hedge", kNames), "flipflop-hedge");
}

TEST(NearName, IsEmptyWhereNothingIsNear) {
  for (const char* far : {"", "x", "zebra", "routing", "--------------------------------"})
    EXPECT_EQ(near_name(far, kNames), "") << far;
  EXPECT_EQ(near_name(std::string(1'000'000, 'r'), kNames), "");
  EXPECT_EQ(near_hint("zebra", kNames), "");
  EXPECT_EQ(near_hint("rnu", kNames), " (did you mean \"run\"?)");
}

}  // namespace near_name_test
}  // namespace hannan::detail
