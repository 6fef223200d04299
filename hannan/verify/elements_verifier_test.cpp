// Records of learners that see the elements of their own actions: what the program writes verifies, and no single
// change of it does.
#include <gtest/gtest.h>

#include <string>

#include "hannan/runtime/part_learner.hpp"
#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace elements_verifier_test {

struct Of {
  const char* kind;
  const char* problem;
  int elements;
};
constexpr Of kRoads{"routing", R"({"edges":[[0,1],[0,2],[1,2],[1,3],[2,3]],"source":0,"target":3})", 5};
constexpr Of kExperts{"experts", R"({"experts":4})", 4};

Lines elements_record(const Of& of, const std::string& params, int rounds) {
  Lines lines;
  RecordWriter writer([&](std::string_view text) { lines.emplace_back(text.substr(0, text.size() - 1)); });
  const auto problem = make_problem(of.kind, parse_json(of.problem), "params");
  const auto learner = problem->learner<PartLearner>("ada", parse_json(params));
  writer.begin(*problem, *learner);
  AnyOutcome outcome;
  for (int t = 1; t <= rounds; ++t) {
    learner->act();
    problem->game().read_outcome(Json(losses_at(t, of.elements)), "outcome", outcome);
    writer.round(learner->observe(learner->shown(outcome)));
  }
  writer.end(*learner);
  return lines;
}

TEST(ElementsRecord, OfRoutesAndOfExpertsVerifies) {
  for (const Of& of : {kRoads, kExperts}) {
    for (const char* params : {R"({"feedback":"elements","seed":4})", R"({"feedback":"elements","cap":2,"M":3})"}) {
      const Lines lines = elements_record(of, params, 40);
      const auto refused = refusal(lines);
      ASSERT_FALSE(refused) << of.kind << " " << params << ": " << refused->what();
      EXPECT_EQ(verdict_of(verify(lines)), "verifies");
    }
  }
}

// What nothing else determines: what only the digest protects in the header. A loss that is nudged moves the total.
TEST(ElementsRecord, IsRefusedAfterAnySingleChange) {
  const auto undetermined = [](const Json&, const std::string& path) {
    return path.starts_with(".program") || path.starts_with(".data") || path.starts_with(".record");
  };
  expect_changes_refused(elements_record(kRoads, R"({"feedback":"elements","seed":4})", 20), undetermined);
  expect_changes_refused(elements_record(kExperts, R"({"feedback":"elements","cap":2})", 20), undetermined);
}

// A replay shows the learner its own elements alone, so its record cannot tell what the others lost.
TEST(ElementsRecord, DoesNotChangeWithWhatWasNotSeen) {
  const auto problem = make_problem("experts", parse_json(R"({"experts":4})"), "params");
  const auto play = [&](double unseen) {
    std::string lines;
    const auto learner = problem->learner<PartLearner>("ada", parse_json(R"({"feedback":"elements","seed":2})"));
    AnyOutcome outcome;
    for (int t = 1; t <= 30; ++t) {
      const auto chosen = static_cast<std::size_t>(learner->act().action_json().as_number());
      auto losses = losses_at(t, 4);
      for (std::size_t k = 0; k < losses.size(); ++k) {
        if (k != chosen) losses[k] = unseen;
      }
      problem->game().read_outcome(Json(losses), "outcome", outcome);
      lines += record_line(learner->observe(learner->shown(outcome)));
    }
    return lines;
  };
  EXPECT_EQ(play(0), play(1));
}

}  // namespace elements_verifier_test
}  // namespace hannan::detail
