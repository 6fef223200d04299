#include "service/learner_config.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/state_digest.hpp"

namespace hannan::detail::service {
namespace learner_config_test {

// What a learner of two experts saves after one round, with one field more.
Json body_with(const std::string& field, const Json& value) {
  const auto problem = make_problem("experts", Json::object({{"experts", 2}}), "params");
  const auto learner = problem->learner("leader", Json::object());
  learner->observe(Json(std::vector<double>{0.25, 1}), "outcome");
  Json state = learner->save();
  return Json::object({{"state", sealed(state.set(field, value))}});
}

// Python puts them into the state of a learner that has played a frame.
TEST(LearnerConfig, TakesAStateWithTheNamesOfItsColumns) {
  const MadeLearner made = make_learner(body_with("columns", Json::array({"a", "b"})), ExternalOracles::kRefused);
  EXPECT_EQ(made.config.first_rounds, 1U);
  EXPECT_EQ(made.config.learner_kind, "leader");
}

TEST(LearnerConfig, RefusesAStateWithAFieldThatStatesDoNotHave) {
  try {
    make_learner(body_with("colour", "red"), ExternalOracles::kRefused);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kUnknownField);
    EXPECT_EQ(e.at(), "state.colour");
  }
}

}  // namespace learner_config_test
}  // namespace hannan::detail::service
