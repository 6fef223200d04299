#include "hannan/streams/market.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace market_test {

std::vector<double> values(const Market& market, std::uint64_t rounds, std::uint64_t place) {
  std::vector<double> all;
  for (std::uint64_t t = 1; t <= rounds; ++t) all.push_back(market.value(t, place));
  return all;
}

TEST(Market, EveryValueIsAPositiveNumberUpToOne) {
  for (const auto& fact : markets()) {
    const Market market({.name = std::string(fact.name)});
    for (std::uint64_t t = 1; t <= 500; ++t) {
      for (std::uint64_t place = 0; place < 6; ++place) {
        const double v = market.value(t, place);
        EXPECT_TRUE(v > 0 && v <= 1) << fact.name << " " << v;
      }
    }
  }
}

TEST(Market, TheLognormalMedianIsWhereItIsSaidToBe) {
  auto all = values(Market({.name = "lognormal"}), 4001, 0);
  std::nth_element(all.begin(), all.begin() + 2000, all.end());
  // Standard error of the median: 1.25 * 0.5 * 0.35 / sqrt(4001) = 0.0035; six of them is a false
  // alarm once in 10^9, and a median off by 0.03 is caught.
  EXPECT_NEAR(all[2000], 0.35, 0.021);
}

TEST(Market, CorrelatedValuesMoveTogetherAndIndependentOnesDoNot) {
  const auto correlation = [](const char* name) {
    const Market market({.name = name});
    const auto a = values(market, 2000, 1), b = values(market, 2000, 2);
    double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) ma += a[i] / 2000, mb += b[i] / 2000;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ab += (a[i] - ma) * (b[i] - mb), aa += (a[i] - ma) * (a[i] - ma), bb += (b[i] - mb) * (b[i] - mb);
    }
    return ab / std::sqrt(aa * bb);
  };
  // Independent: standard error 1/sqrt(2000) = 0.022.
  EXPECT_GT(correlation("correlated"), 0.5);
  EXPECT_LT(std::abs(correlation("lognormal")), 0.13);
}

TEST(Market, SwitchingIsCheapFirstAndDearAfterOnePeriod) {
  const Market market({.name = "switching", .period = 100});
  double cheap = 0, expensive = 0;
  for (std::uint64_t t = 1; t <= 100; ++t) cheap += market.value(t, 0), expensive += market.value(t + 100, 0);
  EXPECT_LT(cheap, 40);
  EXPECT_GT(expensive, 50);
}

TEST(Market, WhatStaysWithAPlaceChangesOnlyWhereTheMarketDoes) {
  const Market steady({.name = "lognormal"}), turns({.name = "switching", .period = 100});
  EXPECT_EQ(steady.lasting(1, 3), steady.lasting(5000, 3));
  EXPECT_NE(steady.lasting(1, 3), steady.lasting(1, 4));
  EXPECT_EQ(turns.lasting(1, 3), turns.lasting(100, 3));
  EXPECT_NE(turns.lasting(100, 3), turns.lasting(101, 3));
  EXPECT_EQ(turns.lasting(1, 3), turns.lasting(201, 3));  // the first market again
}

TEST(Market, RefusesANameItDoesNotKnow) { EXPECT_THROW(Market({.name = "bazaar"}), Error); }

}  // namespace market_test
}  // namespace hannan::detail
