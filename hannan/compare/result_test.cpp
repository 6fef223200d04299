#include "hannan/compare/result.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace result_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ResultJudgement judgement() {
  ResultJudgement of;
  of.recommendation = "keep";
  of.says = "keep today";
  of.reason = "it loses";
  of.doubts = {{.kind = "few rounds", .says = "fewer than 40"}};
  of.gain = -2;
  of.range = Interval{-kInfinity, kInfinity};
  of.anytime = of.range;
  of.blocks = Interval{-3, -1};
  of.path = {.round = {1, 2}, .range = {std::nullopt, Interval{-3, 1}}, .blocks = {std::nullopt, Interval{-3, 1}}};
  of.most_gain = 4;
  of.most_blocks = Interval{1, 7};
  of.shares = {.gain = -0.5, .range = {-1, 0}, .anytime = {-1, 1}, .blocks = {-1, 0}};
  return of;
}

ResultPlayer player() {
  ResultPlayer of;
  of.name = "flipflop";
  of.role = "learner";
  of.loss = 1.25;
  of.money = 10;
  of.regret_range = {0.5, 0.75};
  of.bound = 9.5;
  of.bound_of = "limit";
  of.against = "one for all";
  of.final_action = Json::array({Json(1), Json(2)});
  of.segments = ResultSegments{.says = "segments earned 1",
                               .gain = 1,
                               .interval = {0, 2},
                               .over = "one for all",
                               .by = Json::array({Json("site")}),
                               .depths = {0.25, 0.75}};
  of.report = Json::object({{"total", 1.25}});
  of.series = {.loss = {0.5, 1.25},
               .money = {4, 10},
               .regret = {std::nullopt, 0.5},
               .bound = {1, 9.5},
               .rate = {std::nullopt, std::nullopt},
               .calls = {1, 2},
               .regime = {"flip", "flop"},
               .depths = {{1, 0}, {1.25, 0.75}},
               .action = {Json(), Json::array({Json(1), Json(2)})}};
  of.good = "tea";
  of.price = 3;
  of.judgement = judgement();
  of.uncontested = {.rounds = 1, .gain = 0.5};
  of.final_action_name = "both";
  return of;
}

// Every part that a result can have.
ComparisonResult whole() {
  ComparisonResult of;
  of.doubts = {{.kind = "hidden", .says = "more than a tenth"}};
  of.best = {.proven = false, .loss = {0.5, 0.75}, .money = {9, 11}};
  of.problem = "experts";
  of.params = Json::object({{"experts", 2}});
  of.rounds = 2;
  of.unit = "reward";
  of.cap = 50;
  of.currency = "EUR";
  of.seed = 7;
  of.baseline = "as logged";
  of.blocks = {.length = 1, .count = 2, .resamples = 2000, .level = 0.95};
  of.first_tenth = {1, 1};
  of.last_tenth = {2, 2};
  of.points = {.round = {1, 2}, .best = {std::nullopt, 0.75}, .time = {"2026-01-01", "2026-01-02"}};
  of.players = {player()};
  of.rehearsed = 6;
  of.most_fixed_gain = 12;
  of.holdout = {
      .from = 1, .rounds = 1, .action = Json(1), .proven = false, .money = 4, .baseline = 5, .judgement = judgement()};
  of.weak_class = {
      .says = "too weak", .name = "stumps", .best = 0.25, .rival = "table", .errs = 0.125, .range = {0.0625, 0.5}};
  of.payment = "posted";
  of.price_test = {.baseline = "as logged",
                   .offers = 2,
                   .judged = 1,
                   .prices = {{.good = "tea", .price = 3, .offers = 2, .sales = 1, .mean = 1.5, .today = true},
                              {.good = "tea", .price = 4, .range = Interval{0, 2}}}};
  of.rows = {.context_not_a_number = 3};
  of.slots = {"Ann", "Bob"};
  of.data = Json::object({{"rows", 4}});
  of.not_played = 5;
  of.prices_from = "all bids";
  of.first_gave_prices = true;
  of.times = {.first = "a", .last = "b"};
  of.as_logged = Json::object({{"rule", 10}});
  of.hidden = Json::object({{"share", 0}});
  return of;
}

TEST(ComparisonResult, IsTheSameBytesAfterItWasReadFromText) {
  for (const ComparisonResult& result : {whole(), [] {
                                           ComparisonResult plain = whole();
                                           plain.players[0] = ResultPlayer();
                                           plain.players[0].role = "hindsight";
                                           plain.holdout.reset();
                                           plain.price_test.reset();
                                           plain.data = {};
                                           return plain;
                                         }()}) {
    const std::string text = dump(result_json(result));
    EXPECT_EQ(dump(result_json(read_result(parse_json(text)))), text);
  }
}

// Every field that is written is needed or has a meaning where it is absent; none is silently dropped.
TEST(ComparisonResult, HasNoFieldThatIsWrittenAndNotRead) {
  const Json json = result_json(whole());
  for (const auto& [name, value] : json.as_object()) {
    Json less;
    for (const auto& [other, kept] : json.as_object()) {
      if (other != name) less.append(other, kept);
    }
    try {
      EXPECT_NE(dump(result_json(read_result(less))), dump(json)) << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Code::kMissingField) << name;
    }
  }
}

TEST(ComparisonResult, ThatIsDamagedIsRefusedWithThePathOfTheField) {
  const auto refused = [](const char* field, Json value) {
    Json json = result_json(whole());
    json.set(field, std::move(value));
    try {
      read_result(json);
    } catch (const Error& e) {
      return e.at();
    }
    return std::string("read");
  };
  EXPECT_EQ(refused("best", Json::object({{"proven", true}, {"loss", Json::array({Json(1)})}})), "best.loss");
  EXPECT_EQ(refused("unit", 3), "unit");
  EXPECT_EQ(refused("players", Json::array({Json::object({{"name", 3}})})), "players[0].name");
  EXPECT_EQ(refused("series", Json::object({{"round", Json::array({Json(1)})}, {"best", Json::array()}})),
            "players[0].series.loss");
}

}  // namespace result_test
}  // namespace hannan::detail
