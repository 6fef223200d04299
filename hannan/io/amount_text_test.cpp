#include "hannan/io/amount_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace hannan::detail {
namespace amount_text_test {

TEST(MoneyText, HasFullDigitsInGroupsAndNoExponents) {
  EXPECT_EQ(money_text(1362504117, "JPY"), "1,362,504,117 JPY");
  EXPECT_EQ(money_text(1e15, "USD"), "1,000,000,000,000,000 USD");
  EXPECT_EQ(money_text(1643.2, "USD"), "1,643 USD");
  EXPECT_EQ(money_text(-999999.6, "EUR"), "-1,000,000 EUR");
  EXPECT_EQ(money_text(100, ""), "100");
}

TEST(MoneyText, HasTheDecimalsOfTheCurrencyBelowTen) {
  EXPECT_EQ(money_text(3.6, "USD"), "3.60 USD");
  EXPECT_EQ(money_text(3.6, "JPY"), "4 JPY");
  EXPECT_EQ(money_text(3.6, "KWD"), "3.600 KWD");
  EXPECT_EQ(money_text(-0.001, "USD"), "0.00 USD");
}

TEST(AmountText, WritesTablesOfTerminalsInFourDigits) {
  EXPECT_EQ(brief(std::nullopt), "-");
  EXPECT_EQ(brief(1234.56), "1234.6");
  EXPECT_EQ(brief(-12.345), "-12.35");
  EXPECT_EQ(brief(0.12345), "0.1235");
  EXPECT_EQ(brief(1e-7), "1e-07");
}

TEST(AmountText, DiffersOnPagesInMinusAndSpaceAlone) {
  EXPECT_EQ(money_text(-1643.4, "USD", kPageLetters), "\u22121,643\u00a0USD");
  EXPECT_EQ(price_text(3.6, "", kPageLetters), "3.60");
  EXPECT_EQ(percent_difference_text(-0.008, kPageLetters), "\u22120.8\u00a0%");
  EXPECT_EQ(shown(-0.004, 2, kPageLetters), "0.00");
}

TEST(MoneyText, WritesPricesWithAllDecimals) {
  EXPECT_EQ(price_text(3.6, "USD"), "3.60 USD");
  EXPECT_EQ(price_text(1234.5, "EUR"), "1,234.50 EUR");
  EXPECT_EQ(price_text(12, "JPY"), "12 JPY");
  EXPECT_EQ(price_text(-0.001, ""), "0.00");
}

TEST(MoneyText, SignsDifferencesAndShares) {
  EXPECT_EQ(money_difference_text(1643, "USD"), "+1,643 USD");
  EXPECT_EQ(money_difference_text(-44, "USD"), "-44 USD");
  EXPECT_EQ(money_difference_text(0, "USD"), "0.00 USD");
  EXPECT_EQ(percent_difference_text(0.23), "+23.0 %");
  EXPECT_EQ(percent_difference_text(-0.0004), "-0.04 %");
  EXPECT_EQ(percent_difference_text(0), "0.0 %");
  EXPECT_EQ(percent_difference_text(-std::numeric_limits<double>::infinity()), "-inf %");
}

}  // namespace amount_text_test
}  // namespace hannan::detail
