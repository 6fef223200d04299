// Records of runs with contexts: honest ones hold, and any single altered field does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hannan/play/play.hpp"
#include "hannan/verify/verifier.hpp"
#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace context_verifier_test {

// Outcomes of a run with a context of three values each, of which a learner takes the first ones.
class ContextStream final : public Source {
 public:
  ContextStream(const Played& run, const Game& game, std::size_t columns) : run_(run), game_(game), columns_(columns) {}

  bool next(AnyOutcome& outcome) override {
    if (t_ == run_.rounds) return false;
    ++t_;
    context_ = {std::to_string(t_ * t_ % 3), t_ * 5 % 7 % 2 == 0 ? "a" : "", t_ % 4 == 0 ? "night" : "day"};
    context_.resize(columns_, "0");
    game_.read_outcome(outcome_of(run_, t_), "outcome", outcome);
    return true;
  }
  bool skip() override {
    AnyOutcome passed;
    return next(passed);
  }
  std::span<const std::string> context() const override { return context_; }

 private:
  const Played& run_;
  const Game& game_;
  std::size_t columns_;
  int t_ = 0;
  std::vector<std::string> context_;
};

// Where `saved` is a round, the learner is saved after it, and another one goes on from there.
Lines record_with_contexts(const Played& run, int saved = 0) {
  Lines lines;
  RecordWriter writer([&](std::string_view text) { lines.emplace_back(text.substr(0, text.size() - 1)); });
  const auto problem = make_problem(run.problem, parse_json(run.problem_params), "params");
  auto learner = problem->learner<ContextLearner>(run.learner, parse_json(run.params));
  writer.begin(*problem, *learner);
  ContextStream stream(run, problem->game(), learner->by().size());
  Listeners listeners;
  listeners.round = [&](const Round& round) { writer.round(round); };
  if (saved > 0) {
    play(*learner, stream, listeners, static_cast<std::uint64_t>(saved));
    learner = load_learner<ContextLearner>(learner->save());
  }
  play(*learner, stream, listeners, static_cast<std::uint64_t>(run.rounds));
  writer.end(*learner);
  return lines;
}

const std::vector<Played>& context_runs() {
  static const std::string kFour = R"({"experts":4})";
  static const std::string kGame = R"({"rewards":[[0.1,0.7,0.4],[0.9,0.2,0.3],[0.35,0.45,0.85]]})";
  static const std::string kBoth = R"("by":["country","site"])";
  static const std::string kOrders = R"("by":[["country","site"],["hour"]])";
  static const std::vector<Played> all{
      {"leader", "experts", kFour, "leader", "{" + kBoth + "}", 10},
      {"ada", "experts", kFour, "ada", "{" + kBoth + R"(,"perturbation":"one-hot"})", 14},
      {"flipflop", "experts", kFour, "flipflop", "{" + kBoth + "}", 14},
      {"gftpl", "experts", kFour, "gftpl", "{" + kBoth + "}", 10},
      {"gftpl_certified", "experts", kFour, "gftpl", "{" + kBoth + R"(,"certificate":"run","draw":"once"})", 8},
      {"off", "experts", kFour, "off", "{" + kBoth + R"(,"estimator":"realised","track":"end"})", 14},
      {"off_paper", "experts", kFour, "off", "{" + kBoth + R"(,"switch_a":0.005,"switch_b":60})", 10},
      {"watching_before", "experts", kFour, "ada", R"({"by":["country","site"],"open":3})", 18},
      {"gftpl_that_watched", "experts", kFour, "gftpl", R"({"by":["country"],"open":2})", 10},
      {"most_are_open", "experts", kFour, "flipflop", R"({"by":["country","site"],"most":4})", 14},
      {"watched_and_full", "experts", kFour, "leader", R"({"by":["country","site"],"open":2,"most":3})", 18},
      {"rewards", "finite-game", kGame, "ada", R"({"by":["country"],"track":"powers"})", 10},
      {"losses_alone", "experts", kFour, "ada", R"({"by":["country"],"gap":"loss","M":2})", 10},
      {"given", "experts", kFour, "ada",
       R"({"by":["country"],"perturbation":"one-hot","M":1,"alpha":{"":[[0.3,-1.2,0.1,0.9],[-2,0.4,1.1,0.2],)"
       R"([0.7,-0.6,-0.5,1.5],[0.2,0.2,-1,-0.1],[0.6,2.1,-0.3,0.8],[1.7,-0.9,0.4,0.05]],)"
       R"("0":[0.5,-0.25,1,0.1],"1":[[1,2,3,4],[0.1,-1,0.5,0.3],[-1,0.25,2,1],[0,0,1,-1],[1,0,2,0],[3,1,0,1]]}})",
       6},
      {"orders_leader", "experts", kFour, "leader", "{" + kOrders + "}", 10},
      {"orders_flipflop", "experts", kFour, "flipflop", "{" + kOrders + "}", 14},
      {"orders_watching", "experts", kFour, "ada", R"({"by":[["country"],["site"],["hour"]],"open":2,"most":6})", 14},
      {"orders_of_one_column", "finite-game", kGame, "gftpl", R"({"by":[["country","site"],["country"]]})", 10}};
  return all;
}

class ContextVerifierOf : public testing::TestWithParam<Played> {};

TEST_P(ContextVerifierOf, AcceptsTheRecordAndAddsItUp) {
  const Lines lines = record_with_contexts(GetParam());
  const auto e = refusal(lines);
  ASSERT_FALSE(e) << e->what();
  const Verification v = verify(lines);
  const Json end = parse_json(lines.back()).at("end");
  EXPECT_EQ(v.rounds, static_cast<std::uint64_t>(GetParam().rounds));
  EXPECT_NEAR(v.total, end.at("total").as_number(), 1e-12);
  EXPECT_NEAR(v.regret, end.at("regret").as_number(), 1e-12);
}

// What a record cannot settle: the version that wrote it; what an outcome or a table says of actions that no node
// played; and names that the run did not keep, or of segments that never opened.
bool names_or_unplayed(const Played& run, const Json& line, const std::string& path) {
  if (path.starts_with(".outcome.") && !path.ends_with("removed")) {
    const auto& nodes = line.at("nodes").as_array();
    return std::ranges::none_of(nodes, [&](const Json& node) { return path == ".outcome." + dump(node.at("action")); });
  }
  const bool limited =
      run.params.find("\"open\"") != std::string::npos || run.params.find("\"most\"") != std::string::npos;
  if (limited && path.starts_with(".context.") && !path.ends_with("removed"))
    return line.at("nodes").size() <= line.at("context").size();
  return path == ".program";
}

TEST_P(ContextVerifierOf, RejectsAnySingleAlteredFieldEvenUnderAFreshDigest) {
  expect_changes_refused(record_with_contexts(GetParam()), [](const Json& line, const std::string& path) {
    return names_or_unplayed(GetParam(), line, path);
  });
}

// 300 rounds, once with losses 0 and 1 and ties in nearly every round, and goes on from a state in the middle.
TEST_P(ContextVerifierOf, AcceptsALongRunAndOneFullOfTies) {
  Played run = GetParam();
  if (run.params.find("alpha") == std::string::npos) run.rounds = 300;
  for (const bool ties : {false, true}) {
    run.ties = ties;
    const Lines whole = record_with_contexts(run);
    const auto e = refusal(whole);
    EXPECT_FALSE(e) << e->what();
    EXPECT_EQ(record_with_contexts(run, run.rounds / 3), whole);
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, ContextVerifierOf, testing::ValuesIn(context_runs()),
                         [](const auto& instance) { return instance.param.name; });

// The first text of each pair in the header and in the end's copy of it.
Lines with_other_params(const Lines& lines, const std::string& from, const std::string& to) {
  return resealed(edited(edited(lines, 1, from, to), lines.size(), from, to));
}

TEST(ContextVerifier, TheKeyOfEverySegmentAndTheLimitsAreThoseOfTheHeader) {
  for (const char* learner : {"ada", "gftpl"}) {
    const Played run{"", "experts", R"({"experts":4})", learner, R"({"by":["country","site"],"seed":5})", 40};
    const Lines lines = record_with_contexts(run);
    ASSERT_FALSE(refusal(lines));
    EXPECT_EQ(code_of(with_other_params(lines, "\"seed\":5", "\"seed\":6")), Code::kRejected);
    EXPECT_EQ(code_of(with_other_params(lines, "\"run\":0", "\"run\":1")), Code::kRejected);
    EXPECT_EQ(code_of(with_other_params(lines, "\"open\":1", "\"open\":2")), Code::kRejected);
    EXPECT_EQ(code_of(with_other_params(lines, "\"most\":100000", "\"most\":5")), Code::kRejected);
  }
}

TEST(ContextVerifier, ThePickIsTheOneOfTheNumberOfTheRound) {
  const Played run{"", "experts", R"({"experts":4})", "leader", R"({"by":["country"]})", 30};
  const Lines lines = record_with_contexts(run);
  std::size_t changes = 0;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    const Json line = parse_json(lines[i]);
    const auto pick = static_cast<std::size_t>(line.at("pick").as_number());
    for (std::size_t other = 0; other < line.at("nodes").size(); ++other) {
      if (other == pick) continue;
      const auto action = static_cast<std::size_t>(line.at("nodes")[other].at("action").as_number());
      Lines changed = lines;
      changed[i] = dump(Json(line).set("pick", other).set("realised", line.at("outcome")[action]));
      const auto e = refusal(resealed(changed));
      ASSERT_TRUE(e);
      EXPECT_NE(e->message().find("\"pick\""), std::string::npos) << e->message();
      ++changes;
    }
  }
  EXPECT_GT(changes, 20U);
}

TEST(ContextVerifier, NamesTheNodeOfWhatItRejects) {
  const Played run{"", "experts", R"({"experts":4})", "ada", R"({"by":["country"]})", 12};
  const Lines lines = record_with_contexts(run);
  const std::size_t last = lines.size() - 1;
  Json line = parse_json(lines[last - 1]);
  Json nodes = line.at("nodes");
  ASSERT_EQ(nodes.size(), 2U);
  Json changed_nodes = Json::array({nodes[0], Json(nodes[1]).set("multiplier", 3)});
  Lines changed = lines;
  changed[last - 1] = dump(line.set("nodes", std::move(changed_nodes)));
  const auto e = refusal(changed);
  ASSERT_TRUE(e);
  EXPECT_NE(e->message().find("nodes[1].multiplier"), std::string::npos) << e->message();
}

TEST(ContextVerifier, FollowsSegmentsWhoseActionsCannotBeListed) {
  Json rows = Json::array();
  for (int k = 0; k < 32'768; ++k) {
    rows.push_back(
        Json::array({Json(k * 37 % 101 % 5 / 4.0), Json(k * 53 % 103 % 5 / 4.0), Json(k * 71 % 107 % 5 / 4.0)}));
  }
  const std::string game = dump(Json::object({{"losses", rows}}));
  for (const std::string learner : {"leader", "gftpl", "flipflop", "off"}) {
    const std::string noise = learner == "leader" ? "" : R"(,"perturbation":"bits")";
    const std::string more = learner == "off" ? R"(,"estimator":"realised")" : "";
    const Played run{learner, "finite-game", game, learner, R"({"by":["country"],"track":"end")" + noise + more + "}",
                     20};
    const Lines lines = record_with_contexts(run);
    const auto e = refusal(lines);
    EXPECT_FALSE(e) << learner << ": " << e->what();
    Json end = parse_json(lines.back()).at("end");
    Lines changed = lines;
    changed.back() = dump(Json::object({{"end", end.set("best", end.at("best").as_number() + 1)}, {"digest", ""}}));
    EXPECT_TRUE(refusal(resealed(changed))) << learner;
  }
}

TEST(ContextVerifier, AcceptsARunOfNoRounds) {
  const Played run{"", "experts", R"({"experts":4})", "flipflop", R"({"by":["country"]})", 0};
  const auto e = refusal(record_with_contexts(run));
  EXPECT_FALSE(e) << e->what();
}

}  // namespace context_verifier_test
}  // namespace hannan::detail
