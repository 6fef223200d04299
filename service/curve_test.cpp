#include "service/curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hannan/io/json.hpp"

namespace hannan::detail::service {
namespace curve_test {

double regret_of(std::uint64_t round) { return std::sin(static_cast<double>(round)) + (round == 77'777 ? 50 : 0); }
Interval proven(std::uint64_t round) { return {regret_of(round), regret_of(round)}; }

Curve curve_of(std::uint64_t rounds) {
  Curve curve;
  for (std::uint64_t t = 1; t <= rounds; ++t)
    curve.add({.round = t, .total = static_cast<double>(t), .regret = proven(t)});
  return curve;
}

TEST(Curve, KeepsEveryPeakInFewPoints) {
  const Json json = curve_of(100'000).json(100);
  EXPECT_LE(json.at("rounds").size(), 100U);
  EXPECT_EQ(json.at("rounds")[json.at("rounds").size() - 1].as_number(), 100'000);
  double greatest = 0;
  for (const Json& value : json.at("greatest").as_array()) greatest = std::max(greatest, value.as_number());
  EXPECT_EQ(greatest, regret_of(77'777));
}

TEST(Curve, GoesOnFromWhatWasSavedAsIfItHadNotStopped) {
  for (const std::uint64_t rounds : {1U, 2047U, 2048U, 2049U, 5000U, 9999U}) {
    Curve whole = curve_of(rounds);
    Curve resumed = Curve::of(parse_json(dump(whole.json())), "curve");
    for (std::uint64_t t = rounds + 1; t <= rounds + 5000; ++t) {
      const Curve::Point point{.round = t, .total = static_cast<double>(t), .regret = proven(t)};
      whole.add(point);
      resumed.add(point);
    }
    EXPECT_EQ(dump(whole.json()), dump(resumed.json())) << rounds;
  }
}

TEST(Curve, TakesRoundsThatBeginLateAndAreLeftOut) {
  Curve curve;
  for (std::uint64_t t = 1'001; t <= 40'000; t += t % 3 == 0 ? 5 : 1)
    curve.add({.round = t, .total = static_cast<double>(t), .regret = proven(t)});
  const Json json = curve.json();
  const auto width = static_cast<std::uint64_t>(json.at("width").as_number());
  EXPECT_LE(json.at("rounds").size(), 2048U);
  for (std::size_t i = 1; i < json.at("rounds").size(); ++i) {
    const auto before = static_cast<std::uint64_t>(json.at("rounds")[i - 1].as_number());
    const auto last = static_cast<std::uint64_t>(json.at("rounds")[i].as_number());
    ASSERT_LT((before - 1) / width, (last - 1) / width) << last;
  }
}

// Every third round the best fixed action is known within 5 only; of the others nothing is known in every fourth.
TEST(Curve, WidensByWhatIsNotProvenAndHasTheLastRangeOfAStretch) {
  Curve curve;
  for (std::uint64_t t = 1; t <= 3000; ++t) {
    Curve::Point point{.round = t, .total = static_cast<double>(t), .regret = proven(t)};
    if (t % 3 == 0) point.regret->hi += 5;
    if (t % 4 == 0) point.regret.reset();
    curve.add(point);
  }
  const Json json = curve.json(10);
  double greatest = 0, least = 0;
  for (const Json& value : json.at("greatest").as_array()) greatest = std::max(greatest, value.as_number());
  for (const Json& value : json.at("least").as_array()) least = std::min(least, value.as_number());
  EXPECT_GT(greatest, 5.99);
  EXPECT_LE(greatest, 6);
  EXPECT_GE(least, -1) << "what is not proven makes the regret greater, never less";
  const Json& last = json.at("regret_range")[json.at("regret_range").size() - 1];
  EXPECT_EQ(last[0].as_number(), regret_of(2999));
  EXPECT_EQ(last[1].as_number(), regret_of(2999));
  EXPECT_EQ(dump(Curve::of(parse_json(dump(curve.json())), "curve").json()), dump(curve.json()));
}

}  // namespace curve_test
}  // namespace hannan::detail::service
