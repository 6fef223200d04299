// Records of experts that sleep: whatever is changed in one is found, and nothing of it can make the verifier fail.
#include <gtest/gtest.h>

#include <set>

#include "hannan/runtime/sleeping_learner.hpp"
#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace sleeping_verifier_test {

// A run in which experts sleep by turns, now and then all of them.
Lines sleeping_record(const std::string& kind) {
  Lines lines;
  RecordWriter writer([&](std::string_view text) { lines.emplace_back(text.substr(0, text.size() - 1)); });
  const auto problem = make_problem("experts", parse_json(R"({"experts":3,"missing":"sleep"})"), "params");
  const auto learner = problem->learner<SleepingLearner>(kind, Json::object());
  writer.begin(*problem, *learner);
  AnyOutcome outcome;
  for (int t = 1; t <= 9; ++t) {
    const std::vector<double> losses = losses_at(t, 3);
    Json row = Json::array();
    for (int k = 0; k < 3; ++k)
      row.push_back((t + k) % 3 == 0 || t == 5 ? Json() : Json(losses[static_cast<std::size_t>(k)]));
    problem->game().read_outcome(row, "outcome", outcome);
    learner->wake(outcome);
    learner->act();
    writer.round(learner->observe(outcome));
  }
  writer.end(*learner);
  return lines;
}

class SleepingRecord : public testing::TestWithParam<std::string> {};

TEST_P(SleepingRecord, IsAcceptedAsItIs) { EXPECT_FALSE(refusal(sleeping_record(GetParam()))); }

TEST_P(SleepingRecord, IsRefusedWithAnyFieldOfItsEndChangedOrMissing) {
  const Lines lines = sleeping_record(GetParam());
  const Json end = parse_json(lines.back()).at("end");
  std::set<std::string> accepted;
  for (const auto& altered : alterations(end, "end")) {
    Lines changed = lines;
    changed.back() = dump(Json::object({{"end", altered.value}, {"digest", ""}}));
    if (!refusal(resealed(changed))) accepted.insert(altered.path);
  }
  EXPECT_EQ(accepted, std::set<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Kinds, SleepingRecord, testing::Values("adahedge", "flipflop-hedge", "adanormalhedge"),
                         [](const auto& kind) {
                           std::string name = kind.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace sleeping_verifier_test
}  // namespace hannan::detail
