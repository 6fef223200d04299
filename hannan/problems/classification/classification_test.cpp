#include "hannan/problems/classification/classification_codec.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/problems/classification/weighted_error.hpp"

namespace hannan::detail {
namespace classification_test {

std::shared_ptr<const Classification> make(const std::string& params) {
  const Json json = parse_json(params);
  Fields fields(json, "params");
  auto p = Codec<Classification>::parse(fields);
  fields.done();
  return p;
}

std::string refusal(const std::string& params) {
  try {
    make(params);
  } catch (const Error& e) {
    return code_name(e.code()) + " " + e.at();
  }
  return "accepted";
}

TEST(Classification, LosesOneWhereTheHypothesisSaysTheOtherLabel) {
  const auto p = make(R"({"points":[[1],[2],[3]],"hypotheses":"thresholds"})");
  const auto x = Codec<Classification>::parse_action(*p, parse_json(R"({"cut":2})"), "action");  // 0, 1, 1
  EXPECT_EQ(x, 1u);
  for (std::uint32_t point = 0; point < 3; ++point) {
    EXPECT_EQ(p->loss(x, {point, 1}), point == 0 ? 1 : 0);
    EXPECT_EQ(p->loss(x, {point, 0}), point == 0 ? 0 : 1);
  }
}

TEST(Classification, KeepsGivenRowsApartAndNamesThemByIndex) {
  const auto p = make(R"({"predictions":[[1,0],[1,0],[0,1]]})");
  EXPECT_EQ(p->size(), 3u);
  EXPECT_EQ(dump(Codec<Classification>::action_json(*p, 2)), "2");
  EXPECT_EQ(p->loss(2, {0, 1}), 1);
  EXPECT_EQ(Classification::oracles(p)[0]->name(), "tabulate");
}

TEST(Classification, RefusesBadParametersEachWithItsPlace) {
  EXPECT_EQ(refusal(R"({})"), "H102 params.hypotheses");
  EXPECT_EQ(refusal(R"({"points":[[1]],"hypotheses":"forests"})"), "H106 params.hypotheses");
  EXPECT_EQ(refusal(R"({"points":[],"hypotheses":"stumps"})"), "H105 params.points");
  EXPECT_EQ(refusal(R"({"points":[[]],"hypotheses":"stumps"})"), "H105 params.points");
  EXPECT_EQ(refusal(R"({"points":[[1,2],[1]],"hypotheses":"stumps"})"), "H105 params.points[1]");
  EXPECT_EQ(refusal(R"({"points":[[1,2]],"hypotheses":"thresholds"})"), "H105 params.points");
  EXPECT_EQ(refusal(R"({"points":[[1]],"hypotheses":"halfplanes"})"), "H105 params.points");
  EXPECT_EQ(refusal(R"({"predictions":[[1,0],[0.5,1]]})"), "H105 params.predictions[1][0]");
  EXPECT_EQ(refusal(R"({"predictions":[[1]],"points":[[1]]})"), "H103 params.points");
  std::string many = R"({"hypotheses":"halfplanes","points":[[0,0])";
  for (int i = 0; i < 400; ++i) many += ",[1,2]";
  EXPECT_EQ(refusal(many + "]}"), "H105 params.points");  // 401 points
}

TEST(Classification, RefusesOutcomesAndActionsThatDoNotExist) {
  const auto p = make(R"({"points":[[1],[2]],"hypotheses":"thresholds"})");
  for (const char* text : {R"({"point":2,"label":0})", R"({"point":0,"label":2})", R"({"point":0.5,"label":1})",
                           R"({"point":0})", R"({"point":0,"label":1,"weight":2})", "[0,1]"}) {
    EXPECT_THROW(Codec<Classification>::parse_outcome(*p, parse_json(text), "outcome"), Error) << text;
  }
  for (const char* text : {"3", "0.5", R"({"cut":"x"})", R"({"cut":1,"feature":0})"}) {
    EXPECT_THROW(Codec<Classification>::parse_action(*p, parse_json(text), "action"), Error) << text;
  }
  LabelledPoint y;
  EXPECT_THROW(p->outcome_from_row(std::vector<double>{1, 0.5}, y), Error);
  p->outcome_from_row(std::vector<double>{1, 0}, y);
  EXPECT_EQ(y, (LabelledPoint{1, 0}));
}

TEST(Classification, HalfplanesAreReadFromAnyLineAndFromNothingElse) {
  const auto p = make(R"({"points":[[0,0],[1,0],[2,0]],"hypotheses":"halfplanes"})");
  EXPECT_EQ(p->size(), 6u);  // 000 111 100 110 001 011
  EXPECT_THROW(Codec<Classification>::parse_action(*p, parse_json(R"({"low":[1,0],"high":[1,0]})"), "action"), Error);
  const auto x = Codec<Classification>::parse_action(*p, parse_json(R"({"normal":[1,5],"offset":1.5})"), "action");
  EXPECT_EQ(p->loss(x, {1, 1}), 1);
  EXPECT_EQ(p->loss(x, {2, 1}), 0);
}

// 60 points are too many to list their boxes or trees: the engine is told that there is no count, only one
// perturbation is offered, and one oracle, whose answers are still exact and say so.
TEST(Classification, UnlistedClassesOfferTheOutcomesPerturbationAndAnExactOracle) {
  for (const char* name : {"rectangles", "trees2"}) {
    Json points = Json::array();
    const KeyedRandom place(Key{.seed = 8}, Purpose::kTest, 0);
    for (std::uint64_t i = 0; i < 60; ++i)
      points.push_back(Json::array({place.uniform(2 * i), place.uniform(2 * i + 1)}));
    const auto p = make(dump(Json::object({{"points", points}, {"hypotheses", name}})));
    EXPECT_FALSE(p->action_count());
    EXPECT_THROW(p->size(), Error);
    EXPECT_EQ(Classification::perturbations(p).size(), 1u);
    ASSERT_EQ(Classification::oracles(p).size(), 1u);
    const auto oracle = Classification::oracles(p)[0];
    auto data = oracle->empty(), noise = oracle->empty();
    // Labels of a box that both classes hold (x >= 1/2), so the least error is 0 and no wrong label survives.
    std::vector<LabelledPoint> seen;
    for (std::uint32_t i = 0; i < 60; ++i) seen.push_back({i, points[i][0].as_number() >= 0.5 ? 1u : 0u});
    for (const auto& y : seen) data->add(y, 2.0);
    const auto answer = oracle->best({*data, *noise, 0.0}, 5);
    EXPECT_NEAR(answer.value, 0, 1e-9);
    EXPECT_TRUE(answer.proven());
    ASSERT_EQ(answer.pool.size(), 5u);
    EXPECT_EQ(answer.pool[0].action, answer.action);
    EXPECT_GE(answer.rest, answer.pool.back().value - 1e-9);
    for (const auto& y : seen) EXPECT_EQ(p->loss(answer.action, y), 0) << name;
    const auto back = Codec<Classification>::parse_action(
        *p, parse_json(dump(Codec<Classification>::action_json(*p, answer.action))), "action");
    for (const auto& y : seen) EXPECT_EQ(p->loss(back, y), 0);
    // Noise that pays 5 for every wrong label turns the answer round where the class can.
    for (const auto& y : seen) noise->add(y, -5.0);
    EXPECT_LT(oracle->best({*data, *noise, 1.0}, 0).value, answer.value);
  }
}

TEST(Classification, RefusesCategoriesAndNamesThatDoNotFit) {
  EXPECT_EQ(refusal(R"({"points":[[0,1]],"hypotheses":"stumps","categories":[["a"]]})"), "H105 params.categories");
  EXPECT_EQ(refusal(R"({"points":[[0,1]],"hypotheses":"stumps","categories":[["a"],[]]})"),
            "H105 params.categories[1]");
  EXPECT_EQ(refusal(R"({"points":[[0],[1]],"hypotheses":"stumps","categories":[["a"]]})"), "H105 params.points[1][0]");
  EXPECT_EQ(refusal(R"({"points":[[0],[0.5]],"hypotheses":"trees2","categories":[["a","b"]]})"),
            "H105 params.points[1][0]");
  EXPECT_EQ(refusal(R"({"points":[[0]],"hypotheses":"stumps","categories":[["a","a"]]})"),
            "H105 params.categories[0][1]");
  EXPECT_EQ(refusal(R"({"points":[[0]],"hypotheses":"thresholds","categories":[["a"]]})"), "H105 params.points");
  EXPECT_EQ(refusal(R"({"points":[[0]],"hypotheses":"stumps","names":["a","b"]})"), "H105 params.names");
  const std::string good =
      R"({"points":[[1,0.5],[0,2]],"categories":[["no","yes"],null],"names":["likes","size"],"hypotheses":"trees2"})";
  EXPECT_EQ(dump(Codec<Classification>::params(*make(good))), good);
}

// A history is changed point by point and poured anew; what a call sees must be the gains of the moment.
TEST(WeightedError, KeepsItsSumsUpToDateHoweverTheyChange) {
  Json points = Json::array();
  const KeyedRandom place(Key{.seed = 4}, Purpose::kTest, 0);
  for (std::uint64_t i = 0; i < 70; ++i)
    points.push_back(Json::array({place.below(2 * i, 6), place.below(2 * i + 1, 6)}));
  for (const char* name : {"stumps", "trees2"}) {
    const auto p = make(dump(Json::object({{"points", points}, {"hypotheses", name}})));
    const WeightedError oracle;
    auto data = oracle.empty(*p), noise = oracle.empty(*p);
    for (std::uint64_t t = 0; t < 300; ++t) {
      const KeyedRandom s(Key{.seed = 5}, Purpose::kTest, t);
      for (std::uint64_t k = 0; k < (t % 50 == 7 ? 200u : 1u); ++k) {
        oracle.add(*p, data,
                   {static_cast<std::uint32_t>(s.below(2 * k, 70)), static_cast<std::uint32_t>(s.below(2 * k + 1, 2))},
                   1.0);
      }
      if (t % 3 == 0) {
        noise.clear();
        for (std::uint32_t i = 0; i < 70; ++i) oracle.add(*p, noise, {i, 1}, s.uniform(1000 + i) - 0.5);
      }
      auto fresh = oracle.empty(*p), fresh_noise = oracle.empty(*p);
      fresh.gain = data.gain;
      fresh.constant = data.constant;
      fresh_noise.gain = noise.gain;
      fresh_noise.constant = noise.constant;
      const auto kept = oracle.best(*p, {data, noise, 1.5}, 3), anew = oracle.best(*p, {fresh, fresh_noise, 1.5}, 3);
      ASSERT_EQ(kept.action, anew.action) << name << " round " << t;
      ASSERT_NEAR(kept.value, anew.value, 1e-9);
      double value = 0;  // point by point
      for (std::uint32_t i = 0; i < 70; ++i)
        value += p->loss(kept.action, {i, 0}) * (data.gain[i] + 1.5 * noise.gain[i]);
      ASSERT_NEAR(kept.value, value + data.constant + 1.5 * noise.constant, 1e-9);
    }
  }
}

TEST(WeightedError, KeepsOneNumberAPointHoweverManyRounds) {
  const auto p = make(R"({"points":[[1],[2],[3]],"hypotheses":"thresholds"})");
  const WeightedError oracle;
  auto history = oracle.empty(*p);
  for (int t = 0; t < 1000; ++t) oracle.add(*p, history, {static_cast<std::uint32_t>(t % 3), t % 2 ? 1u : 0u}, 1.0);
  EXPECT_EQ(history.gain.size(), 3u);
  EXPECT_EQ(history.constant, 500);  // every odd round has label 1
  // 1000 rounds: points come 334, 333, 333 times, labels alternate, so point 0 (t = 0, 3, 6, ..., 999) has each label
  // 167 times, point 1 (t = 1, 4, ...) label 1 167 times and 0 166 times, point 2 the other way round.
  EXPECT_EQ(history.gain, (std::vector<double>{0, -1, 1}));
  const auto answer = oracle.best(*p, {history, oracle.empty(*p), 0.0}, 9);
  // All ones 500; from 2 on 500; from 3 on 501; none 500. Ties to the first.
  EXPECT_EQ(answer.action, 0u);
  EXPECT_EQ(answer.value, 500);
  ASSERT_EQ(answer.pool.size(), 4u);
  EXPECT_EQ(answer.pool[3].action, 2u);
  EXPECT_EQ(answer.pool[3].value, 501);
}

}  // namespace classification_test
}  // namespace hannan::detail
