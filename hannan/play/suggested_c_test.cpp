#include "hannan/play/suggested_c.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail {
namespace suggested_c_test {

// The report of four rounds.
Json report_of(const std::string& learner, const std::string& params) {
  const auto problem = make_problem("experts", Json::object({{"experts", 8}}), "");
  const auto played = problem->learner(learner, parse_json(params));
  for (int t = 0; t < 4; ++t) {
    Json losses = Json::array();
    for (int k = 0; k < 8; ++k) losses.push_back(Json((3 * t + 5 * k) % 8 / 8.0));
    played->observe(losses, "outcome");
  }
  return played->report();
}

TEST(SuggestedC, IsTheRootOfTheSizeOfTheNoiseOverGamma) {
  // One column an action has gamma = 2 for eight experts or less; both numbers are in the report.
  const Json report = report_of("gftpl", R"({"perturbation":"one-hot"})");
  const Json& assumptions = report.at("certificate").at("assumptions");
  const auto c = suggested_c(report);
  ASSERT_TRUE(c);
  EXPECT_DOUBLE_EQ(*c * *c * assumptions.at("gamma").as_number(), assumptions.at("M").as_number());
}

TEST(SuggestedC, IsLeftOutWhereItMeansNothing) {
  EXPECT_FALSE(suggested_c(report_of("gftpl", R"({"perturbation":"one-hot","c":2})")));
  EXPECT_FALSE(suggested_c(report_of("gftpl", R"({"noise":"lp:2","c":1})")));
  EXPECT_FALSE(suggested_c(report_of("ada", "{}")));
  EXPECT_FALSE(suggested_c(report_of("leader", "{}")));
  EXPECT_FALSE(
      suggested_c(parse_json(R"({"learner":"gftpl","params":{"c":1},"certificate":{"assumptions":{"M":null}}})")));
  EXPECT_FALSE(suggested_c(parse_json(R"({"learner":"gftpl","params":7,"certificate":[]})")));
}

}  // namespace suggested_c_test
}  // namespace hannan::detail
