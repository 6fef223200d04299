// The four kinds of turn, and the one writer of their rounds.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/round_json.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail {
namespace turn_test {

AnyTurn turn(const char* problem, const char* kind, const char* params) {
  return make_problem("experts", parse_json(problem), "params")->turn(kind, parse_json(params));
}
constexpr const char* kTwo = R"({"experts":2})";

std::string word(const AnyTurn& turn) {
  return turn.visit([](PlainLearner&) { return "in order"; }, [](DelayedLearner&) { return "late"; },
                    [](ContextLearner&) { return "by context"; }, [](SleepingLearner&) { return "asleep"; },
                    [](PortfolioLearner&) { return "by proposals"; }, [](PartLearner&) { return "seen in part"; });
}

TEST(Turn, IsOfTheKindThatProblemAndParametersAskFor) {
  EXPECT_EQ(word(turn(kTwo, "ada", "{}")), "in order");
  EXPECT_EQ(word(turn(kTwo, "ada", R"({"delayed":true})")), "late");
  EXPECT_EQ(word(turn(kTwo, "ada", R"({"by":["site"]})")), "by context");
  EXPECT_EQ(word(turn(R"({"experts":2,"missing":"sleep"})", "adahedge", "{}")), "asleep");
  EXPECT_EQ(word(turn(kTwo, "portfolio", R"({"today":0})")), "by proposals");
  EXPECT_EQ(word(turn(kTwo, "leader", R"({"feedback":"looks","look":null})")), "seen in part");
}

TEST(Turn, ComesBackFromItsStateAsTheSameKind) {
  for (const char* params : {"{}", R"({"delayed":true})", R"({"by":["site"]})"}) {
    const AnyTurn made = turn(kTwo, "ada", params);
    EXPECT_EQ(word(load_turn(made->save())), word(made)) << params;
  }
}

template <class Make>
std::string refused_at(const Make& make) {
  try {
    make();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kUnavailable);
    return e.at();
  }
  return "nowhere";
}

TEST(Turn, OfAKindThatIsNotPlayedIsRefusedAtTheParameterThatAsksForIt) {
  EXPECT_EQ(refused_at([] { PromptTurn(turn(kTwo, "ada", R"({"delayed":true})"), "params"); }), "params.delayed");
  EXPECT_EQ(refused_at([] { PromptTurn(turn(kTwo, "ada", R"({"feedback":"looks","look":0})"), "params"); }),
            "params.feedback");
  EXPECT_EQ(refused_at([] { turn(kTwo, "ada", R"({"by":["site"]})").take<PlainLearner>("params"); }), "params.by");
  EXPECT_EQ(refused_at([] { turn(kTwo, "ada", "{}").take<ContextLearner>("params"); }), "params");
  EXPECT_EQ(refused_at([] { PromptTurn(turn(kTwo, "ada", R"({"by":["site"]})"), "params"); }), "nowhere");
}

using namespace round_fields;
constexpr RoundField kSome[] = {named(kNumber, "t"), kAction,   kRate,     known(kRegime), kBest,
                                known(kGap),         kSwitched, kStability};

TEST(RoundJson, WritesNullForWhatIsNotKnownAndLeavesOutWhatTheLearnerHasNot) {
  const auto problem = make_problem("experts", parse_json(kTwo), "params");
  const auto actions = problem->game().first_actions(2);
  RoundSetting setting{.game = &problem->game()};
  Round round;
  round.of = &setting;
  round.number = 7;
  round.eta = 0.5;
  EXPECT_EQ(dump(round_json(round, kSome)), R"({"t":7,"action":null,"eta":0.5,"best":null,"stability":null})");
  setting.adapts_multiplier = setting.switches = true;
  round.action = &actions[1];
  round.multiplier = 2;
  round.regime = "flop";
  round.best = 3;
  round.gap = 0.25;
  round.stability = {2, {1, 4}};
  EXPECT_EQ(dump(round_json(round, kSome, {{"key", "k"}})),
            R"({"key":"k","t":7,"action":1,"multiplier":2,"regime":"flop","best":3,"gap":0.25,"switched":false,)"
            R"("stability":[1,4]})");
}

TEST(RoundJson, NodesAreRoundsOfTheirOwn) {
  const AnyTurn made = turn(kTwo, "leader", R"({"by":["site"]})");
  ContextLearner& learner = *made.as<ContextLearner>();
  const std::vector<std::string> context{"a"};
  static constexpr RoundField kNode[] = {kSegment, kLoss};
  static constexpr RoundField kLine[] = {kContext, nodes(kNode), kOpened};
  // The first round opens the segment, the second is played by it too: both follow the leader, expert 0, then 1.
  EXPECT_EQ(dump(round_json(learner.observe(context, learner.read(parse_json("[1,0]"), "outcome")), kLine)),
            R"({"context":["a"],"nodes":[{"segment":[],"loss":1}],"opened":[["a"]]})");
  EXPECT_EQ(dump(round_json(learner.observe(context, learner.read(parse_json("[1,0]"), "outcome")), kLine)),
            R"({"context":["a"],"nodes":[{"segment":[],"loss":0},{"segment":["a"],"loss":0}],"opened":[]})");
}

}  // namespace turn_test
}  // namespace hannan::detail
