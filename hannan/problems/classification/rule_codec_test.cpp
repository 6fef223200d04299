// Rules of classifiers as JSON: what is written is read back, by names and places.
#include "hannan/problems/classification/classification_codec.hpp"

#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "tests/hypothesis_rows.hpp"

namespace hannan::detail {
namespace rule_codec_test {

Points real_points(std::uint64_t seed, std::size_t count, std::size_t features) {
  const KeyedRandom random(Key{.seed = seed}, Purpose::kTest, 0);
  Points points(count, std::vector<double>(features));
  std::uint64_t column = 0;
  for (auto& point : points) {
    for (double& x : point) x = random.uniform(column++);
  }
  return points;
}

Json json_of(const Hypotheses& all, const PointTable& points, std::uint64_t code) {
  return rule_json(all.describe(code), points);
}

// The classifiers of one class as their JSON is read.
struct Reader {
  std::string_view name;
  PointTable points;
  std::optional<std::uint64_t> operator()(const Hypotheses& all, const Json& json) const {
    return all.find(parse_rule(name, points, json, "action"));
  }
};

TEST(Thresholds, AreAllOnesFirstThenOneCutFurtherEach) {
  // Sorted the values are 1, 1, 2, 3: cuts 1, 2, 3 and infinity.
  const Points points{{3}, {1}, {2}, {1}};
  const auto all = make_hypotheses(kThresholds, points, "points");
  ASSERT_EQ(all->walk()->size(), 4u);
  EXPECT_EQ(row_of(*all, 0), (LabelRow{true, true, true, true}));
  EXPECT_EQ(row_of(*all, 1), (LabelRow{true, false, true, false}));
  EXPECT_EQ(row_of(*all, 2), (LabelRow{true, false, false, false}));
  EXPECT_EQ(row_of(*all, 3), (LabelRow{false, false, false, false}));
  EXPECT_EQ(dump(json_of(*all, points, 1)), R"({"cut":2})");
  EXPECT_EQ(dump(json_of(*all, points, 3)), R"({"cut":"inf"})");
  const Reader read{kThresholds, points};
  EXPECT_EQ(read(*all, parse_json(R"({"cut":1.2})")), 1u);  // any number is a cut
  EXPECT_EQ(read(*all, parse_json(R"({"cut":-8})")), 0u);
}

TEST(Stumps, AskForACategoryOrForANumber) {
  PointTable points(Points{{1, 5}, {0, 6}, {1, 7}});
  points.categories = {{"a", "b", "never seen"}, {}};
  points.names = {"colour", "size"};
  const auto all = make_hypotheses(kStumps, points, "points");
  EXPECT_EQ(rows_of(*all), (std::set<LabelRow>{{true, true, true},
                                               {false, false, false},
                                               {false, true, false},
                                               {true, false, true},
                                               {false, true, true},
                                               {true, false, false},
                                               {false, false, true},
                                               {true, true, false}}));
  const Reader read{kStumps, points};
  const auto says = [&](const char* stump) { return row_of(*all, read(*all, parse_json(stump)).value()); };
  EXPECT_EQ(says(R"({"feature":"colour","is":"b","says":1})"), (LabelRow{true, false, true}));
  EXPECT_EQ(says(R"({"feature":0,"is":"a","says":0})"), (LabelRow{true, false, true}));
  EXPECT_EQ(says(R"({"feature":0,"is":"never seen","says":1})"), (LabelRow{false, false, false}));
  EXPECT_EQ(says(R"({"feature":0,"is":null,"says":0})"), (LabelRow{true, true, true}));
  EXPECT_EQ(says(R"({"feature":"size","cut":5.5,"above":1})"), (LabelRow{false, true, true}));
  EXPECT_EQ(dump(json_of(*all, points, 0)), R"({"feature":"colour","is":null,"says":1})");
  for (const auto code : all->first(100)) EXPECT_EQ(read(*all, json_of(*all, points, code)), code);
  for (const char* bad : {R"({"feature":"weight","cut":1,"above":1})", R"({"feature":0,"is":"red","says":1})",
                          R"({"feature":0,"cut":1,"above":1})", R"({"feature":2,"cut":1,"above":1})",
                          R"({"feature":0,"is":1,"says":1})"}) {
    EXPECT_THROW(read(*all, parse_json(bad)), Error) << bad;
  }
}

TEST(UnlistedClasses, WriteAndReadTheirRules) {
  const Points points = real_points(9, 6, 2);
  for (const auto name : {kRectangles, kTrees}) {
    const auto all =
        name == kTrees ? tree_hypotheses(points, Listing::kNever) : box_hypotheses(points, Listing::kNever);
    const Reader read{name, points};
    for (const auto code : all->first(3000)) {
      const Json json = json_of(*all, points, code);
      ASSERT_EQ(row_of(*all, read(*all, parse_json(dump(json))).value()), row_of(*all, code)) << dump(json);
    }
  }
}

}  // namespace rule_codec_test
}  // namespace hannan::detail
