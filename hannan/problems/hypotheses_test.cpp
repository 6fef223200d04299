// Every class against an independent list of what its rules can say, and the searches against that list.
#include "hannan/problems/hypotheses.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/core/stream.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan {
namespace {

using Row = std::vector<bool>;

Row row_of(const Hypotheses& all, std::uint64_t code) {
  Row row(all.points());
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = all.says(code, i);
  return row;
}

std::set<Row> rows_of(const Hypotheses& all) {
  std::set<Row> rows;
  for (const auto code : all.first(1'000'000)) rows.insert(row_of(all, code));
  return rows;
}

// Points on a small grid, so that coordinates repeat, points coincide and triples are collinear.
Points grid_points(std::uint64_t i, std::size_t features) {
  const Stream stream(Key{.seed = 77}, Purpose::kTest, i);
  Points points(1 + stream.below(0, 7), std::vector<double>(features));
  std::uint64_t column = 1;
  for (auto& point : points) {
    for (double& x : point) x = static_cast<double>(stream.below(column++, 4)) - 1;
  }
  return points;
}

Points real_points(std::uint64_t seed, std::size_t count, std::size_t features) {
  const Stream stream(Key{.seed = seed}, Purpose::kTest, 0);
  Points points(count, std::vector<double>(features));
  std::uint64_t column = 0;
  for (auto& point : points) {
    for (double& x : point) x = stream.uniform(column++);
  }
  return points;
}

template <class Says>
Row say(const Points& points, Says&& says) {
  Row row;
  for (const auto& point : points) row.push_back(says(point));
  return row;
}

// Cuts on both sides of every value -1..2 of the grid.
const std::vector<double> kCuts{-1.5, -0.5, 0.5, 1.5, 2.5};

std::set<Row> all_stumps(const Points& points) {
  std::set<Row> rows;
  for (std::size_t f = 0; f < points[0].size(); ++f) {
    for (const double cut : kCuts) {
      for (const bool above : {false, true}) rows.insert(say(points, [&](const auto& p) { return (p[f] >= cut) == above; }));
    }
  }
  return rows;
}

// Every listed hypothesis is new on the points, the class is complete, and its JSON leads back to it.
void expect_class(const Hypotheses& all, const std::set<Row>& wanted) {
  ASSERT_TRUE(all.walk());
  ASSERT_EQ(all.walk()->size(), wanted.size());
  ASSERT_EQ(rows_of(all), wanted);
  for (const auto code : all.first(1'000'000)) {
    const Json json = all.json(code);
    if (json.is_object()) {
      ASSERT_EQ(all.parse(json, "action"), code) << dump(json);
    }
  }
}

TEST(Thresholds, AreAllOnesFirstThenOneCutFurtherEach) {
  // Sorted the values are 1, 1, 2, 3: cuts 1, 2, 3 and infinity.
  const auto all = make_hypotheses(kThresholds, {{3}, {1}, {2}, {1}}, "points");
  ASSERT_EQ(all->walk()->size(), 4u);
  EXPECT_EQ(row_of(*all, 0), (Row{true, true, true, true}));
  EXPECT_EQ(row_of(*all, 1), (Row{true, false, true, false}));
  EXPECT_EQ(row_of(*all, 2), (Row{true, false, false, false}));
  EXPECT_EQ(row_of(*all, 3), (Row{false, false, false, false}));
  EXPECT_EQ(dump(all->json(1)), R"({"cut":2})");
  EXPECT_EQ(dump(all->json(3)), R"({"cut":"inf"})");
  EXPECT_EQ(all->parse(parse_json(R"({"cut":1.2})"), "action"), 1u);  // any number is a cut
  EXPECT_EQ(all->parse(parse_json(R"({"cut":-8})"), "action"), 0u);
}

TEST(Stumps, AreAllOneSidedCutsInBothDirectionsMerged) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Points points = grid_points(i, 1 + i % 3);
    expect_class(*make_hypotheses(kStumps, points, "points"), all_stumps(points));
    if (HasFatalFailure()) return;
  }
}

TEST(Rectangles, AreAllBoxesAndTheEmptyOneMerged) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Points points = grid_points(i, 2);
    std::set<Row> wanted;
    for (const double a : kCuts) {
      for (const double b : kCuts) {
        for (const double c : kCuts) {
          for (const double d : kCuts) {
            wanted.insert(say(points, [&](const auto& p) { return a <= p[0] && p[0] <= b && c <= p[1] && p[1] <= d; }));
          }
        }
      }
    }
    expect_class(*make_hypotheses(kRectangles, points, "points"), wanted);
    if (HasFatalFailure()) return;
  }
}

TEST(Trees, AreACutAndAStumpOnEitherSideMerged) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Points points = grid_points(i, 1 + i % 2);
    const auto stumps = all_stumps(points);
    std::set<Row> wanted;
    for (std::size_t f = 0; f < points[0].size(); ++f) {
      for (const double cut : kCuts) {
        for (const auto& left : stumps) {
          for (const auto& right : stumps) {
            Row row;
            for (std::size_t p = 0; p < points.size(); ++p) row.push_back(points[p][f] >= cut ? right[p] : left[p]);
            wanted.insert(row);
          }
        }
      }
    }
    expect_class(*make_hypotheses(kTrees, points, "points"), wanted);
    if (HasFatalFailure()) return;
  }
}

// On a 4 x 4 grid a parting line touches two points whose difference is at most 3 each way; turning it off
// them by one part in ten leaves a normal with whole entries of at most 33.
TEST(Halfplanes, AreAllPartingsByALineOnGridsWithCollinearAndEqualPoints) {
  for (std::uint64_t i = 0; i < 150; ++i) {
    const Points points = grid_points(i, 2);
    std::set<Row> wanted;
    for (int a = -33; a <= 33; ++a) {
      for (int b = -33; b <= 33; ++b) {
        const auto height = [&](const auto& p) { return a * p[0] + b * p[1]; };
        std::vector<double> offsets{std::numeric_limits<double>::infinity()};
        for (const auto& p : points) offsets.push_back(height(p));
        for (const double c : offsets) wanted.insert(say(points, [&](const auto& p) { return height(p) >= c; }));
      }
    }
    const auto all = make_hypotheses(kHalfplanes, points, "points");
    expect_class(*all, wanted);
    if (HasFatalFailure()) return;
    for (const auto code : all->first(1000)) ASSERT_TRUE(all->json(code).is_object()) << "no line found for " << code;
  }
}

TEST(Halfplanes, OnPointsInGeneralPositionAreManyButTheWalkStaysShort) {
  // m points in general position are parted in m (m-1) + 2 ways (Cover 1965).
  const auto all = make_hypotheses(kHalfplanes, real_points(3, 60, 2), "points");
  EXPECT_EQ(all->walk()->size(), 60u * 59u + 2u);
  EXPECT_LT(all->walk()->flips(), 3 * all->walk()->size());  // an exchange is two flips; row by row it would be 30
  for (const auto code : all->first(4000)) ASSERT_TRUE(all->json(code).is_object());
}

struct Case {
  std::vector<double> gain;
  double constant;
};
Case random_case(std::uint64_t i, std::size_t points) {
  const Stream stream(Key{.seed = 5}, Purpose::kTest, i);
  Case c{std::vector<double>(points), 3.0};
  for (std::size_t p = 0; p < points; ++p) {
    // Whole numbers make ties, all zeros ties everywhere.
    c.gain[p] = i % 3 == 0 ? stream.uniform(p) - 0.5 : i % 11 == 1 ? 0.0 : static_cast<double>(stream.below(p, 5)) - 2;
  }
  return c;
}

void expect_search_is_exact(const Hypotheses& all, const Case& c) {
  ASSERT_FALSE(all.walk());
  const auto codes = all.first(10'000'000);
  std::vector<double> values;
  for (const auto code : codes) {
    double value = c.constant;
    for (std::size_t p = 0; p < all.points(); ++p) value += all.says(code, p) ? c.gain[p] : 0;
    values.push_back(value);
  }
  const double least = *std::min_element(values.begin(), values.end());
  std::size_t first = 0;
  while (values[first] > least + tie_window(least)) ++first;
  const auto found = all.search({c.gain, c.constant});
  ASSERT_EQ(found.code, codes[first]);
  ASSERT_NEAR(found.value, values[first], 1e-12);
  ASSERT_NEAR(found.floor, least, 1e-12);
}

TEST(Rectangles, UnlistedAreSearchedExactlyWithTiesToTheSmallest) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Points points = grid_points(i, 2);
    const auto all = box_hypotheses(points, Listing::kNever);
    expect_search_is_exact(*all, random_case(i, points.size()));
    if (HasFatalFailure()) FAIL() << "case " << i;
  }
}

TEST(Trees, UnlistedAreSearchedExactlyWithTiesToTheSmallest) {
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const Points points = grid_points(i, 1 + i % 2);
    const auto all = tree_hypotheses(points, Listing::kNever);
    expect_search_is_exact(*all, random_case(i, points.size()));
    if (HasFatalFailure()) FAIL() << "case " << i;
  }
}

// The two ways to the same minimum, on points too many for the brute force above.
TEST(UnlistedClasses, FindTheSameLeastErrorAsTheirLists) {
  const auto agree = [](const HypothesesPtr& listed, const HypothesesPtr& searched, std::uint64_t seed) {
    const Case c = random_case(3 * seed, listed->points());
    std::vector<double> values(listed->walk()->size());
    listed->walk()->values({c.gain, c.constant}, values);
    EXPECT_NEAR(searched->search({c.gain, c.constant}).value, *std::min_element(values.begin(), values.end()), 1e-10);
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Points points = real_points(seed, 14, 2);
    agree(box_hypotheses(points), box_hypotheses(points, Listing::kNever), seed);
    agree(tree_hypotheses(points), tree_hypotheses(points, Listing::kNever), seed);
  }
}

TEST(UnlistedClasses, WriteAndReadTheirRules) {
  const Points points = real_points(9, 6, 2);
  for (const auto& all : {box_hypotheses(points, Listing::kNever), tree_hypotheses(points, Listing::kNever)}) {
    for (const auto code : all->first(3000)) {
      const auto back = all->parse(parse_json(dump(all->json(code))), "action");
      ASSERT_EQ(row_of(*all, back), row_of(*all, code)) << dump(all->json(code));
    }
  }
}

TEST(HypothesisWalk, ValuesDoNotDriftOverALongWalk) {
  // Four points flip in turn, 30000 times eight flips; plain summing would be off by 3.5e-6 in the end.
  HypothesisWalk walk(4, HypothesisWalk::Equals::kKept);
  for (std::size_t i = 0; i < 240'000; ++i) {
    walk.flip(i % 4);
    walk.stop();
  }
  walk.finish();
  std::vector<double> values(walk.size());
  const std::vector<double> gain{0.3, 0.1, 1e6, 0.7};
  walk.values({gain, 0.0}, values);
  EXPECT_NEAR(values[0], 0.3, 1e-12);                // {0}
  EXPECT_NEAR(values[239'992], 0.3, 1e-12);          // {0} again
  EXPECT_NEAR(values[239'995], 1000001.1, 1e-9);     // all four
  EXPECT_NEAR(values[239'999], 0.0, 1e-12);          // none
}

}  // namespace
}  // namespace hannan
