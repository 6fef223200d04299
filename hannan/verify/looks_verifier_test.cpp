// Records of learners that look: what the program writes verifies, and no single change of it does.
#include <gtest/gtest.h>

#include <string>

#include "hannan/runtime/part_learner.hpp"
#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace looks_verifier_test {

Lines looking_record(const std::string& kind, const std::string& params, bool lose = false) {
  Lines lines;
  RecordWriter writer([&](std::string_view text) { lines.emplace_back(text.substr(0, text.size() - 1)); });
  const auto problem = make_problem("experts", parse_json(R"({"experts":4})"), "params");
  const auto learner = problem->learner<PartLearner>(kind, parse_json(params));
  writer.begin(*problem, *learner);
  AnyOutcome outcome;
  for (int t = 1; t <= 25; ++t) {
    const bool look = *learner->act().looked->look;
    problem->game().read_outcome(Json(losses_at(t, 4)), "outcome", outcome);
    PartLearner::Seen seen;
    seen.lost = look && lose && t % 7 == 0;
    if (look && !seen.lost) seen.outcome = &outcome;
    if (t == 5) seen.raw = 0.5;
    writer.round(learner->observe(seen));
  }
  writer.end(*learner);
  return lines;
}

TEST(LooksRecord, OfEveryLearnerVerifies) {
  for (const char* kind : {"ada", "flipflop", "leader"}) {
    for (const char* params : {R"({"feedback":"looks","look":2,"seed":4})",
                               R"({"feedback":"looks","look":null,"share":0.4,"seed":4,"against":[0,3]})",
                               R"({"feedback":"looks","look":null,"share":1})"}) {
      for (const bool lose : {false, true}) {
        const Lines lines = looking_record(kind, params, lose);
        const auto refused = refusal(lines);
        ASSERT_FALSE(refused) << kind << " " << params << ": " << refused->what();
        EXPECT_EQ(verdict_of(verify(lines)), "verifies");
      }
    }
  }
}

// What nothing else determines: the raw results of the client, what only the digest protects in the header, and what an
// outcome says of actions that were neither chosen nor matter to a limit.
TEST(LooksRecord, IsRefusedAfterAnySingleChange) {
  const auto undetermined = [](const Json& line, const std::string& path) {
    const bool outcome = path.starts_with(".outcome.") && !path.ends_with("removed");
    return (outcome && path != ".outcome." + dump(line.at("choice"))) || path == ".raw" || path == ".raw removed" ||
           path.starts_with(".program") || path.starts_with(".data") || path.starts_with(".record") ||
           path.find(".pool") != std::string::npos || path.find("credit_draws") != std::string::npos;
  };
  expect_changes_refused(looking_record("flipflop", R"({"feedback":"looks","look":2,"seed":4})", true), undetermined);
  expect_changes_refused(looking_record("leader", R"({"feedback":"looks","look":null,"share":0.4,"against":[1]})"),
                         undetermined);
}

TEST(LooksRecord, IsRefusedWithAnOutcomeInARoundThatWasNoLook) {
  const Lines lines = looking_record("ada", R"({"feedback":"looks","look":null,"share":0.3,"seed":2})");
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    if (parse_json(lines[i]).at("look").as_bool()) continue;
    EXPECT_EQ(code_of(resealed(edited(lines, i + 1, R"("outcome":null)", R"("outcome":[0,0,0,1])"))), Code::kRejected);
  }
}

}  // namespace looks_verifier_test
}  // namespace hannan::detail
