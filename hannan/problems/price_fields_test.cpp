#include "hannan/problems/price_fields.hpp"

#include <gtest/gtest.h>

#include <string>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace price_fields_test {

std::string read(const std::string& params, PriceCount count) {
  const Json json = parse_json(params);
  Fields fields(json, "params");
  try {
    return dump(price_lists_json(price_lists(fields, "prices", count)));
  } catch (const Error& e) {
    return e.at() + ": " + e.message();
  }
}

TEST(PriceFields, ReadListsFractionsAndNames) {
  const PriceCount two{2, "bidders"};
  EXPECT_EQ(read(R"({"prices":[0,"1/2","5"]})", two), "[0,0.5,5]");
  EXPECT_EQ(read(R"({"prices":[[0,1],["0","3/4"]]})", two), "[[0,1],[0,0.75]]");
  EXPECT_EQ(read(R"({"prices":[[0,1],"linear:2:1"]})", two), "[[0,1],[0,0.5,1]]");
  EXPECT_EQ(read(R"({"prices":"0,0.5,1/1"})", two), "[0,0.5,1]");
  EXPECT_EQ(read(R"({"prices":"linear:2:1"})", two), "[0,0.5,1]");
  EXPECT_EQ(read(R"({"prices":"geometric:3:1:4"})", two), "[0,1,2,4]");
  EXPECT_EQ(read(R"({"prices":[[0,1],[0,2]]})", {{}, "bidders"}), "[[0,1],[0,2]]");
}

TEST(PriceFields, SayWhereAndWhy) {
  const PriceCount two{2, "bidders"};
  EXPECT_EQ(read(R"({"prices":[0,1]})", {{}, "bidders"}),
            "params.bidders: found one list of prices, expected bidders as well, or a list for each of them");
  EXPECT_EQ(read(R"({"prices":[[0,1]]})", two), "params.prices: found 1 lists of prices, expected bidders of them, 2");
  EXPECT_EQ(read(R"({"prices":[[0,1],[0,2,1]]})", two),
            "params.prices[1][2]: found 1 after 2, expected prices that rise");
  EXPECT_EQ(read(R"({"prices":[0,-1]})", two).find("params.prices[1]"), 0u);
  EXPECT_EQ(read(R"({"prices":"quantiles:4"})", two).find("params.prices: \"quantiles\" takes prices"), 0u);
  EXPECT_EQ(read(R"({"prices":"linea:4:1"})", two).find("params.prices: found \"linea:4:1\""), 0u);
  EXPECT_EQ(read(R"({"prices":"1,2"})", two).find("params.prices: prices[0]: found 1 as the first price"), 0u);
}

TEST(PriceFields, QuantilesAreRecognised) {
  EXPECT_EQ(quantiles_in_text("quantiles:7", "--prices"), 7u);
  EXPECT_EQ(quantiles_in_text("linear:7:1", "--prices"), std::nullopt);
  EXPECT_EQ(all_quantiles_in_text("quantiles-all", "--prices"), 20u);
  EXPECT_EQ(all_quantiles_in_text("quantiles-all:7", "--prices"), 7u);
  EXPECT_EQ(all_quantiles_in_text("quantiles:7", "--prices"), std::nullopt);
  EXPECT_THROW(quantiles_in_text("quantiles:x", "--prices"), Error);
}

}  // namespace price_fields_test
}  // namespace hannan::detail
