// States as text, written and read piece by piece: the bytes and the learner of the state as one value.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/state_digest.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail {
namespace saved_text_test {

struct Text {
  std::string whole;
  std::size_t largest = 0;  // piece
};

Text text_of(AnyLearner& learner) {
  Text text;
  learner.save_to([&](std::string_view piece) {
    text.whole += piece;
    text.largest = std::max(text.largest, piece.size());
  });
  return text;
}

// Its text is that of its value, the digest in it is its own, and the learner that is read from the text has the same.
void expect_the_same(const AnyProblem& problem, AnyLearner& learner) {
  const std::string value = dump(learner.save());
  EXPECT_EQ(text_of(learner).whole, value);
  EXPECT_NO_THROW(check_digest(parse_json(value)));
  EXPECT_EQ(text_of(*problem.load_text(value)).whole, value);
}

constexpr const char* kColumns[] = {
    R"({"by":["site"]})",
    R"({"by":["site","hour"],"open":3})",
    R"({"by":[["site","hour"],["hour"]],"open":2})",
};

TEST(SavedText, IsTheTextOfTheValueForEveryKindOfTurn) {
  const auto experts = make_problem("experts", parse_json(R"({"experts":3})"), "params");
  for (const char* kind : {"ada", "flipflop", "leader"}) {
    for (const char* params : kColumns) {
      SCOPED_TRACE(std::string(kind) + " " + params);
      const AnyTurn turn = experts->turn(kind, parse_json(params));
      auto& learner = *turn.as<ContextLearner>();
      expect_the_same(*experts, learner);
      for (int t = 0; t < 40; ++t) {
        std::vector<std::string> context{"s\"" + std::to_string(t % 5), "\u00e9" + std::to_string(t % 3), "h"};
        context.resize(learner.by().size());
        learner.observe(context, learner.read(Json::array({t % 2, 0.5, 0.3 * (t % 3)}), "outcome"));
      }
      expect_the_same(*experts, learner);
    }
    const AnyTurn plain = experts->turn(kind, Json::object());
    for (int t = 0; t < 5; ++t) plain.as<PlainLearner>()->observe(Json::array({1, 0, 0.25}), "outcome");
    expect_the_same(*experts, *plain);
  }
  const auto sleeping = make_problem("experts", parse_json(R"({"experts":2,"missing":"sleep"})"), "params");
  expect_the_same(*sleeping, *sleeping->turn("adahedge", Json::object()));
  expect_the_same(*experts, *experts->turn("ada", parse_json(R"({"delayed":true})")));
}

// The memory of a state is that of its largest piece, not of the number of its segments.
TEST(SavedText, ComesInPiecesThatDoNotGrowWithTheNumberOfSegments) {
  const auto experts = make_problem("experts", parse_json(R"({"experts":3})"), "params");
  const AnyTurn turn = experts->turn("ada", parse_json(R"({"by":["site"]})"));
  auto& learner = *turn.as<ContextLearner>();
  for (int t = 0; t < 2000; ++t) {
    const std::vector<std::string> context{std::to_string(t)};
    learner.observe(context, learner.read(Json::array({1, 0, 0.25}), "outcome"));
  }
  const Text text = text_of(learner);
  EXPECT_GT(text.whole.size(), 500'000u);
  EXPECT_LT(text.largest, 80'000u);
}

// A service that ends within its grace leaves it at a segment, while it is digested too.
TEST(SavedText, CanBeLeftAtEverySegment) {
  const auto experts = make_problem("experts", parse_json(R"({"experts":3})"), "params");
  const AnyTurn turn = experts->turn("ada", parse_json(R"({"by":["site"]})"));
  auto& learner = *turn.as<ContextLearner>();
  constexpr std::size_t kSegments = 2000;
  for (std::size_t t = 0; t < kSegments; ++t) {
    const std::vector<std::string> context{std::to_string(t)};
    learner.observe(context, learner.read(Json::array({1, 0, 0.25}), "outcome"));
  }
  std::size_t points = 0;
  const std::function<void()> counted = [&] { ++points; };
  const Interruption scope(counted);
  text_of(learner);
  EXPECT_GE(points, kSegments);
}

TEST(SavedText, ThatWasChangedIsRefusedWhereTheValueIs) {
  const auto experts = make_problem("experts", parse_json(R"({"experts":3})"), "params");
  const AnyTurn turn = experts->turn("ada", parse_json(R"({"by":["site"],"open":2})"));
  auto& learner = *turn.as<ContextLearner>();
  for (int t = 0; t < 6; ++t) {
    const std::vector<std::string> context{std::to_string(t % 2)};
    learner.observe(context, learner.read(Json::array({1, 0, 0.25}), "outcome"));
  }
  const std::string text = text_of(learner).whole;
  const auto refusal = [](const auto& read) {
    try {
      read();
    } catch (const Error& e) {
      return e.at() + ": " + e.message();
    }
    return std::string("none");
  };
  for (const auto& [from, to] :
       {std::pair{R"("seen":6)", R"("seen":-1)"}, std::pair{R"("open":1)", R"("open":7)"},
        std::pair{R"("ledger":{)", R"("ledger":[],"other":{)"}, std::pair{R"("tree":{)", R"("tree":3,"other":{)"},
        std::pair{R"("learners":[{)", R"("learners":[{},{)"}, std::pair{R"("refused":)", R"("refund":)"}}) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, std::string_view(from).size(), to);
    const std::string found = refusal([&] { experts->load_text(changed); });
    EXPECT_NE(found, "none") << to;
    EXPECT_EQ(found, refusal([&] { experts->load(parse_json(changed)); })) << to;
  }
  // A text that was cut anywhere is refused, and read no further than its end.
  for (std::size_t size = 0; size < text.size(); size += 7)
    EXPECT_THROW(experts->load_text(std::string_view(text).substr(0, size)), Error) << size;
}

}  // namespace saved_text_test
}  // namespace hannan::detail
