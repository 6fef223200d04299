#include "hannan/play/quoted_bound.hpp"

#include <gtest/gtest.h>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail {
namespace quoted_bound_test {

using Of = QuotedBound::Of;

std::unique_ptr<AnyLearner> played(const std::string& learner, const std::string& params) {
  const auto problem = make_problem("experts", Json::object({{"experts", 4}}), "");
  auto made = problem->learner(learner, parse_json(params));
  for (int t = 0; t < 50; ++t) {
    Json losses = Json::array();
    for (int k = 0; k < 4; ++k) losses.push_back(Json((3 * t + 5 * k + t * k) % 8 / 8.0));
    made->observe(losses, "outcome");
  }
  return made;
}

// The same choice from the report as from the bounds themselves, which have their kinds.
TEST(QuotedBound, IsTheBoundThatTheLearnerStates) {
  const std::pair<const char*, const char*> settings[] = {{"flipflop", "{}"},
                                                          {"ada", "{}"},
                                                          {"ada", R"({"pivot":"last"})"},
                                                          {"ada", R"({"discount":0.9})"},
                                                          {"ada", R"({"gamma":0.1})"},
                                                          {"gftpl", "{}"},
                                                          {"gftpl", R"({"certificate":"run"})"},
                                                          {"gftpl", R"({"gamma":0.1})"},
                                                          {"off", "{}"},
                                                          {"off", R"({"estimator":"realised"})"},
                                                          {"leader", "{}"},
                                                          {"hedge", R"({"rate":"anytime"})"},
                                                          {"adahedge", "{}"}};
  for (const auto& [learner, params] : settings) {
    const auto made = played(learner, params);
    const auto stated = made->bound();
    const auto quoted = quoted_bound(made->report());
    ASSERT_EQ(stated.has_value(), quoted.has_value()) << learner << params;
    if (!stated) continue;
    EXPECT_EQ(stated->value, quoted->value) << learner << params;
    EXPECT_EQ(stated->name, quoted->name) << learner << params;
    EXPECT_EQ(static_cast<int>(stated->of), static_cast<int>(quoted->of)) << learner << params;
  }
}

TEST(QuotedBound, SaysWhatItCovers) {
  EXPECT_EQ(quoted_bound(played("flipflop", "{}")->report())->of, Of::kLimit);
  EXPECT_FALSE(quoted_bound(played("flipflop", "{}")->report())->realised());
  EXPECT_EQ(quoted_bound(played("gftpl", "{}")->report())->of, Of::kMean);
  EXPECT_EQ(quoted_bound(played("adahedge", "{}")->report())->of, Of::kPath);
  EXPECT_EQ(certainty_text(played("ada", R"({"delta":0.01})")->report()), "99 %");
}

TEST(QuotedBound, IsNeverAnEstimateEvenInAReportThatSaysTheyHold) {
  const Json report = parse_json(R"({"learner":"ada","params":{},"certificate":{"bounds":[
      {"name":"run","value":1,"side":"upper","holds":true,"says":"in the mean"},
      {"name":"ada2","value":9,"side":"upper","holds":true}]}})");
  const auto found = quoted_bound(report);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "ada2");
  EXPECT_EQ(found->of, Of::kMean);
}

TEST(QuotedBound, OfWhatIsNoReportIsNone) {
  for (const char* text :
       {"null", "7", "[]", "{}", R"({"certificate":{"bounds":7}})", R"({"certificate":{"bounds":[7,{}]}})"})
    EXPECT_FALSE(quoted_bound(parse_json(text))) << text;
}

}  // namespace quoted_bound_test
}  // namespace hannan::detail
