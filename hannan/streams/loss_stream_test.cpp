#include "hannan/streams/loss_stream.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace loss_stream_test {

using Rows = std::vector<std::vector<double>>;

// Small enough for every stream: elimination needs 10 (4 * 1 + 3) = 70 rounds.
StreamSpec small_spec(std::string_view name, Key key = {.seed = 3, .run = 5}) {
  return {.name = std::string(name), .experts = 4, .rounds = 200, .key = key, .hits = 1, .period = 7};
}

// Plays expert t mod K throughout; adaptive streams see it.
Rows sequential(const StreamSpec& spec) {
  const auto stream = make_loss_stream(spec);
  Rows rows;
  for (std::uint64_t t = 1; t <= stream->rounds(); ++t) {
    rows.emplace_back(stream->experts());
    stream->losses(t, rows.back());
    stream->saw(t, t % stream->experts());
  }
  return rows;
}

Error error_of(const StreamSpec& spec) {
  try {
    make_loss_stream(spec);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error for " << spec.name;
  return Error(Code::kInternal, "none");
}

TEST(LossStream, EveryListedStreamPlaysItsRoundsWithLossesInTheUnitInterval) {
  ASSERT_EQ(loss_streams().size(), 16u);
  std::set<std::string_view> names;
  for (const StreamFact& fact : loss_streams()) {
    EXPECT_TRUE(names.insert(fact.name).second) << fact.name;
    EXPECT_FALSE(fact.about.empty());
    const Rows rows = sequential(small_spec(fact.name));
    EXPECT_EQ(rows.size(), 200u) << fact.name;
    double sum = 0;
    for (const auto& row : rows) {
      EXPECT_EQ(row.size(), rows[0].size());
      for (double loss : row) {
        EXPECT_TRUE(loss >= 0 && loss <= 1) << fact.name;
        sum += loss;
      }
    }
    EXPECT_GT(sum, 0) << fact.name;
  }
}

TEST(LossStream, OneThatIsNotAdaptiveGivesAnyRoundWithoutTheOnesBefore) {
  for (const StreamFact& fact : loss_streams()) {
    const StreamSpec spec = small_spec(fact.name);
    const Rows rows = sequential(spec);
    const auto stream = make_loss_stream(spec);
    if (stream->adaptive()) continue;
    std::vector<double> row(stream->experts());
    for (std::uint64_t t = spec.rounds; t >= 1; --t) {
      stream->losses(t, row);
      EXPECT_EQ(row, rows[t - 1]) << fact.name << " round " << t;
    }
    make_loss_stream(spec)->losses(137, row);
    EXPECT_EQ(row, rows[136]) << fact.name;
  }
}

TEST(LossStream, OnlyTheTwoThatAnswerTheLearnerAreAdaptive) {
  for (const StreamFact& fact : loss_streams())
    EXPECT_EQ(make_loss_stream(small_spec(fact.name))->adaptive(), fact.name == "adaptive" || fact.name == "infer");
}

TEST(LossStream, IsAFunctionOfItsSpec) {
  for (const StreamFact& fact : loss_streams())
    EXPECT_EQ(sequential(small_spec(fact.name)), sequential(small_spec(fact.name))) << fact.name;
}

TEST(LossStream, OneThatIsNotRandomIsTheSameUnderEveryKey) {
  int fixed = 0;
  for (const StreamFact& fact : loss_streams()) {
    StreamSpec spec = small_spec(fact.name), other = spec;
    other.key = {.seed = 99, .run = 5};
    if (make_loss_stream(spec)->adaptive()) continue;
    const bool same = sequential(spec) == sequential(other);
    EXPECT_EQ(same, !make_loss_stream(spec)->random()) << fact.name;
    fixed += same;
  }
  EXPECT_GE(fixed, 8);
}

TEST(LossStream, RandomOnesChangeWithSeedAndRun) {
  for (const char* name : {"iid", "small-loss", "drift"}) {
    const Rows rows = sequential(small_spec(name));
    EXPECT_NE(rows, sequential(small_spec(name, {.seed = 4, .run = 5}))) << name;
    EXPECT_NE(rows, sequential(small_spec(name, {.seed = 3, .run = 6}))) << name;
  }
}

TEST(LossStream, TheLearnersNoiseIsNotTheStreams) {
  // Same key, other purpose: the loss bits of 64 rounds and the coins of the learner's stream agree in
  // about half of the places, not in all.
  const auto stream = make_loss_stream({.name = "iid", .experts = 1, .rounds = 64, .best = 0.5});
  int same = 0;
  for (std::uint64_t t = 1; t <= 64; ++t) {
    double loss = 0;
    stream->losses(t, {&loss, 1});
    same += (loss == 1) == (KeyedRandom({}, Purpose::kNoise, t).uniform(0) < 0.5);
  }
  EXPECT_GT(same, 8);
  EXPECT_LT(same, 56);
}

TEST(LossStream, RefusesAnUnknownNameAndListsTheKnown) {
  const Error error = error_of({.name = "iidd"});
  EXPECT_EQ(error.code(), Code::kUnknownName);
  EXPECT_EQ(error.at(), "stream.name");
  EXPECT_NE(error.message().find("\"iidd\""), std::string::npos);
  for (const StreamFact& fact : loss_streams())
    EXPECT_NE(error.message().find(fact.name), std::string::npos) << fact.name;
}

TEST(LossStream, RefusesNumbersOutOfRangeAndNamesTheField) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    StreamSpec spec;
    const char* at;
  } cases[] = {
      {{.name = "iid", .experts = 0}, "stream.experts"},
      {{.name = "iid", .experts = (1u << 30) + 1}, "stream.experts"},
      {{.name = "killer", .rounds = 0}, "stream.rounds"},
      {{.name = "killer", .rounds = (std::uint64_t{1} << 40) + 1}, "stream.rounds"},
      {{.name = "iid", .best = -0.1}, "stream.best"},
      {{.name = "iid", .best = 0.6}, "stream.best"},  // above others = 0.5
      {{.name = "iid", .best = nan}, "stream.best"},
      {{.name = "drift", .others = 1.1}, "stream.others"},
      {{.name = "drift", .others = nan}, "stream.others"},
      {{.name = "drift", .period = 0}, "stream.period"},
      {{.name = "small-loss", .rounds = 9, .hits = 10}, "stream.hits"},
      // 10 (64 * 1 + 63) = 1270 hits; and a number of passes that would overflow 64 bits.
      {{.name = "elimination", .rounds = 1269, .hits = 1}, "stream.hits"},
      {{.name = "elimination", .hits = ~std::uint64_t{0}}, "stream.hits"},
  };
  for (const auto& c : cases) {
    const Error error = error_of(c.spec);
    EXPECT_EQ(error.code(), Code::kOutOfRange) << c.at;
    EXPECT_EQ(error.at(), c.at) << error.message();
  }
}

}  // namespace loss_stream_test
}  // namespace hannan::detail
