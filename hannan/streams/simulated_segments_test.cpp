#include "hannan/streams/simulated_segments.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace simulated_segments_test {

using Context = std::vector<std::string>;

// The laws of each context over so many rounds.
std::map<Context, std::set<std::uint64_t>> laws(const SegmentSpec& spec, std::uint64_t rounds) {
  SimulatedSegments segments(spec);
  std::map<Context, std::set<std::uint64_t>> found;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    segments.round(t);
    found[{segments.context().begin(), segments.context().end()}].insert(segments.law());
  }
  return found;
}

TEST(SimulatedSegments, ALawBelongsToWhatTheKindSays) {
  const SegmentSpec spec{.by = {"a", "b"}, .fan = 2, .period = 100, .key = {.seed = 1}};
  const auto kind = [&](const char* name) {
    SegmentSpec other = spec;
    other.kind = name;
    return laws(other, 200);
  };
  const auto nothing = kind("void"), matter = kind("matter"), mixed = kind("mixed"), drifting = kind("drifting");
  ASSERT_EQ(matter.size(), 4U);  // each of the four is missed in 200 rounds with chance 0.75^200
  std::set<std::uint64_t> all;
  for (const auto& [context, found] : matter) {
    EXPECT_EQ(found.size(), 1U);
    all.insert(*found.begin());
    EXPECT_EQ(nothing.at(context), std::set<std::uint64_t>{0});
    EXPECT_EQ(mixed.at(context), context[0] == "a 2" ? std::set<std::uint64_t>{2} : std::set<std::uint64_t>{0});
    EXPECT_EQ(drifting.at(context).size(), 2U);  // two periods
  }
  EXPECT_EQ(all.size(), 4U);
  EXPECT_FALSE(all.contains(0));
}

TEST(SimulatedSegments, OneNameHasOneValueInARoundHoweverOftenItIsThere) {
  SimulatedSegments segments({.by = {"a", "b", "b", "a"}, .fan = 5, .key = {.seed = 3}});
  for (std::uint64_t t = 1; t <= 50; ++t) {
    segments.round(t);
    EXPECT_EQ(segments.context()[0], segments.context()[3]);
    EXPECT_EQ(segments.context()[1], segments.context()[2]);
  }
}

TEST(SimulatedSegments, LawZeroChangesNothingAndOthersStayInTheirRange) {
  SimulatedSegments nothing({.kind = "void", .by = {"a"}});
  nothing.round(1);
  EXPECT_EQ(nothing.turn(7), 0U);
  EXPECT_EQ(nothing.scale(3), 1);
  EXPECT_EQ(nothing.lasting(3, 0.25), 0.25);
  SimulatedSegments drifting({.kind = "drifting", .by = {"a"}, .fan = 1'000'000, .period = 1});
  for (std::uint64_t t = 1; t <= 200; ++t) {
    drifting.round(t);
    EXPECT_LT(drifting.turn(7), 7U);
    EXPECT_GE(drifting.scale(t), 0.25);
    EXPECT_LE(drifting.scale(t), 1);
    EXPECT_LT(drifting.lasting(t, 2), 1);
  }
}

TEST(SimulatedSegments, WrongSpecsAreRefused) {
  const auto code = [](const SegmentSpec& spec) {
    try {
      SimulatedSegments segments(spec);
    } catch (const Error& e) {
      return e.code();
    }
    return Code::kInternal;
  };
  EXPECT_EQ(code({.by = {}}), Code::kOutOfRange);
  EXPECT_EQ(code({.by = std::vector<std::string>(17, "a")}), Code::kOutOfRange);
  EXPECT_EQ(code({.by = {"a"}, .fan = 0}), Code::kOutOfRange);
  EXPECT_EQ(code({.by = {"a"}, .period = 0}), Code::kOutOfRange);
  EXPECT_EQ(code({.kind = "some", .by = {"a"}}), Code::kUnknownName);
}

}  // namespace simulated_segments_test
}  // namespace hannan::detail
