#include "hannan/problems/price_list.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace price_list_test {

std::vector<double> of(const PriceList& list) { return {list.prices().begin(), list.prices().end()}; }

std::string refusal(const std::vector<double>& prices) {
  try {
    const PriceList list(prices);
  } catch (const Error& e) {
    return e.at() + ": " + e.message();
  }
  return "accepted";
}

TEST(PriceList, RefusesWhatIsNoListFromZeroUpwards) {
  EXPECT_EQ(refusal({0, 0.5, 1}), "accepted");
  EXPECT_EQ(refusal({0}), "accepted");
  EXPECT_EQ(refusal({}), "prices: found an empty list, expected prices that begin with 0");
  EXPECT_EQ(refusal({1, 2}),
            "prices[0]: found 1 as the first price, expected 0, which stands for \"none\"; add 0 in front");
  EXPECT_EQ(refusal({0, 2, 2}), "prices[2]: found 2 after 2, expected prices that rise");
  EXPECT_EQ(refusal({0, 2, 1}), "prices[2]: found 1 after 2, expected prices that rise");
  EXPECT_NE(refusal({0, 1, 1 + 0.9e-6}).find("a millionth"), std::string::npos);
  EXPECT_EQ(refusal({0, 1, 1 + 1.1e-6}), "accepted");
  EXPECT_NE(refusal({0, 1, 1e31}).find("prices[2]"), std::string::npos);
  EXPECT_NE(refusal(std::vector<double>(4097, 0.0)).find("at most 4096"), std::string::npos);
}

TEST(PriceList, ABidReachesThePriceThatItMissesByRoundingAlone) {
  const PriceList list({0, 0.3, 1, 50});
  EXPECT_EQ(list.position(0), 0u);
  EXPECT_EQ(list.position(0.1 + 0.2), 1u);
  EXPECT_EQ(list.position(0.3 * (1 - 0.5e-9)), 1u);
  EXPECT_EQ(list.snapped(0.3 * (1 - 0.5e-9)), 0.3);
  EXPECT_EQ(list.position(0.3 * (1 - 2e-9)), 0u);
  EXPECT_EQ(list.snapped(0.3 * (1 - 2e-9)), 0.3 * (1 - 2e-9));
  EXPECT_EQ(list.position(49.99999999), 3u);
  EXPECT_EQ(list.position(1e9), 3u);  // never clipped
  EXPECT_EQ(list.snapped(1e9), 1e9);
}

TEST(PriceList, ItsSteepnessIsTheLargestPriceOverItsStep) {
  EXPECT_EQ(PriceList({0, 3, 10}).steepness(), 10.0 / 7);
  EXPECT_EQ(PriceList({0, 1, 2, 4, 8}).steepness(), 2);  // a ratio of 2: 2/(2-1)
  EXPECT_EQ(linear_prices(7, 7).steepness(), 7);
  EXPECT_EQ(PriceList().steepness(), 1);
}

TEST(NamedPrices, AreRoundedAndWithoutDuplicates) {
  EXPECT_EQ(of(linear_prices(4, 2)), (std::vector<double>{0, 0.5, 1, 1.5, 2}));
  EXPECT_EQ(of(linear_prices(4, 2, 0)), (std::vector<double>{0, 1, 2}));  // 0.5 and 1.5 round up
  EXPECT_EQ(of(geometric_prices(4, {1, 8}, 2)), (std::vector<double>{0, 1, 2, 4, 8}));
  EXPECT_EQ(of(geometric_prices(1, {1, 8})), (std::vector<double>{0, 1}));
  EXPECT_EQ(of(geometric_prices(5, {0.01, 0.02}, 2)), (std::vector<double>{0, 0.01, 0.02}));
  const std::vector<double> bids{5, 0, 1, 2, 4, 3, 0};
  EXPECT_EQ(of(quantile_prices(4, bids)), (std::vector<double>{0, 1, 2, 3, 4}));  // ranks 1, 2, 3, 4 of five
  EXPECT_EQ(of(quantile_prices(1, bids)), (std::vector<double>{0, 3}));
  EXPECT_THROW(quantile_prices(3, std::vector<double>{0, 0}), Error);
  EXPECT_THROW(linear_prices(0, 1), Error);
  EXPECT_THROW(linear_prices(5000, 1), Error);
  EXPECT_THROW(geometric_prices(3, {2, 1}), Error);
}

}  // namespace price_list_test
}  // namespace hannan::detail
