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

// The log of a client that throws the coins: looks come late and in any order, some are lost, one decision is void.
Lines client_record(const std::string& kind, const std::string& params) {
  Lines lines;
  RecordWriter writer([&](std::string_view text) { lines.emplace_back(text.substr(0, text.size() - 1)); });
  const auto problem = make_problem("experts", parse_json(R"({"experts":4})"), "params");
  const auto learner = problem->learner<PartLearner>(kind, parse_json(params));
  writer.begin(*problem, *learner);
  std::uint64_t t = 0;
  const auto tell = [&](std::uint64_t decision, const Json& sent) {
    Json message = sent;
    message.set("decision", decision);
    Fields in(message, "");
    learner->act();
    learner->observe(learner->read_seen(in));
    writer.line(dump(client_line({.t = ++t, .decision = decision, .sent = sent}, *learner)));
  };
  const auto look = [&](std::uint64_t decision, int of) {
    tell(decision, Json::object({{"outcome", Json(losses_at(of, 4))}, {"look", true}}));
  };
  const auto close = [&](std::uint64_t decision, int rounds, int looks) {
    tell(decision, Json::object({{"rounds", rounds}, {"looks", looks}}));
  };
  look(1, 1);
  close(1, 9, 3);
  look(2, 2);
  close(2, 20, 2);
  close(3, 4, 0);
  look(2, 3);
  look(1, 4);
  tell(1, Json::object({{"look", true}, {"lost", true}}));  // 1, 2 and 3 count now
  look(4, 5);
  tell(4, Json::object({{"void", true}}));
  for (std::uint64_t d = 5; d <= 12; ++d) {
    for (int i = 0; i < 2; ++i) look(d, 6 + 2 * static_cast<int>(d) + i);
    close(d, d % 3 == 0 ? 2 : 8, 2);
  }
  close(13, 0, 0);
  close(14, 30, 1);  // waits
  writer.end(*learner);
  return lines;
}

TEST(ClientRecord, OfEveryLearnerVerifies) {
  for (const char* kind : {"ada", "flipflop", "leader"}) {
    for (const char* params : {R"({"feedback":"looks","look":2,"seed":4,"coin":"client"})",
                               R"({"feedback":"looks","look":null,"share":0.3,"against":[0,3],"coin":"client"})"}) {
      const Lines lines = client_record(kind, params);
      const auto refused = refusal(lines);
      ASSERT_FALSE(refused) << kind << " " << params << ": " << refused->what();
      const Verification found = verify(lines);
      EXPECT_EQ(verdict_of(found), "verifies");
      EXPECT_EQ(found.rounds, 9u + 20 + 4 + 5 * 8 + 3 * 2);
    }
  }
}

// What nothing else determines: the header as above, outcomes of actions that do not matter, and the decision in force.
TEST(ClientRecord, IsRefusedAfterAnySingleChange) {
  const auto undetermined = [](const Json& line, const std::string& path) {
    const bool message = line.find("decision") != nullptr;
    if (message && line.at("decision") == Json(12) && line.find("rounds") && path.starts_with(".steps.3.")) return true;
    return (message && path.starts_with(".outcome.") && !path.ends_with("removed")) || path.starts_with(".program") ||
           path.starts_with(".data") || path.starts_with(".record") || path.find(".pool") != std::string::npos ||
           path.find("credit_draws") != std::string::npos;
  };
  expect_changes_refused(client_record("flipflop", R"({"feedback":"looks","look":2,"seed":4,"coin":"client"})"),
                         undetermined);
  expect_changes_refused(
      client_record("leader", R"({"feedback":"looks","look":null,"share":0.3,"against":[1],"coin":"client"})"),
      undetermined);
}

// A log that says its shares and coins: lines of many rounds without a look.
TEST(LooksRecord, OfALogWithManyRoundsInALineVerifiesAndIsRefusedAfterAnySingleChange) {
  Lines lines;
  RecordWriter writer([&](std::string_view text) { lines.emplace_back(text.substr(0, text.size() - 1)); });
  const auto problem = make_problem("experts", parse_json(R"({"experts":4})"), "params");
  const auto learner =
      problem->learner<PartLearner>("flipflop", parse_json(R"({"feedback":"looks","look":2,"share":"logged"})"));
  writer.begin(*problem, *learner);
  for (int t = 1; t <= 30; ++t) {
    Json told = Json::object({{"share", 0.25}, {"look", t % 3 == 0}});
    if (t % 3 == 0) told.set("outcome", Json(losses_at(t, 4)));
    if (t % 5 == 1 && t % 3 != 0) told.set("rounds", t + 1);
    Fields in(told, "");
    learner->act();
    writer.round(learner->observe(learner->read_seen(in)));
  }
  writer.end(*learner);
  const auto refused = refusal(lines);
  ASSERT_FALSE(refused) << refused->what();
  EXPECT_GT(verify(lines).rounds, 80u);
  expect_changes_refused(lines, [](const Json& line, const std::string& path) {
    const bool outcome = path.starts_with(".outcome.") && !path.ends_with("removed");
    return (outcome && path != ".outcome." + dump(line.at("choice"))) || path.starts_with(".program") ||
           path.starts_with(".data") || path.starts_with(".record") || path.find(".pool") != std::string::npos ||
           path.find("credit_draws") != std::string::npos;
  });
}

}  // namespace looks_verifier_test
}  // namespace hannan::detail
