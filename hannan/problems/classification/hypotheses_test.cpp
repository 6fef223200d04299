// Every class against an independent list of what its rules can say, and the searches against that list.
#include "hannan/problems/classification/hypotheses.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "hannan/problems/classification/classification_codec.hpp"

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/core/tolerance.hpp"
#include "tests/hypothesis_rows.hpp"

namespace hannan::detail {
namespace hypotheses_test {

// Points on a small grid, so that coordinates repeat, points coincide and triples are collinear.
Points grid_points(std::uint64_t i, std::size_t features) {
  const KeyedRandom random(Key{.seed = 77}, Purpose::kTest, i);
  Points points(1 + random.below(0, 7), std::vector<double>(features));
  std::uint64_t column = 1;
  for (auto& point : points) {
    for (double& x : point) x = static_cast<double>(random.below(column++, 4)) - 1;
  }
  return points;
}

Points real_points(std::uint64_t seed, std::size_t count, std::size_t features) {
  const KeyedRandom random(Key{.seed = seed}, Purpose::kTest, 0);
  Points points(count, std::vector<double>(features));
  std::uint64_t column = 0;
  for (auto& point : points) {
    for (double& x : point) x = random.uniform(column++);
  }
  return points;
}

template <class Says>
LabelRow say(const Points& points, Says&& says) {
  LabelRow row;
  for (const auto& point : points) row.push_back(says(point));
  return row;
}

// Cuts on both sides of every value -1..2 of the grid.
const std::vector<double> kCuts{-1.5, -0.5, 0.5, 1.5, 2.5};

std::set<LabelRow> all_stumps(const Points& points) {
  std::set<LabelRow> rows;
  for (std::size_t f = 0; f < points[0].size(); ++f) {
    for (const double cut : kCuts) {
      for (const bool above : {false, true})
        rows.insert(say(points, [&](const auto& p) { return (p[f] >= cut) == above; }));
    }
  }
  return rows;
}

// Every listed hypothesis is new on the points, the class is complete, and its rule leads back to it.
void expect_class(std::string_view name, const PointTable& points, const std::set<LabelRow>& wanted) {
  const auto made = make_hypotheses(name, points, "points");
  const Hypotheses& all = *made;
  ASSERT_TRUE(all.walk());
  ASSERT_EQ(all.walk()->size(), wanted.size());
  ASSERT_EQ(rows_of(all), wanted);
  for (const auto code : all.first(1'000'000)) {
    const ClassifierRule rule = all.describe(code);
    ASSERT_EQ(all.find(rule), code) << dump(rule_json(rule, points));
    if (std::holds_alternative<ListedRule>(rule)) continue;
    // Through text too.
    const Json json = parse_json(dump(rule_json(rule, points)));
    ASSERT_EQ(all.find(parse_rule(name, points, json, "action")), code) << dump(json);
  }
}

TEST(Stumps, AreAllOneSidedCutsInBothDirectionsMerged) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Points points = grid_points(i, 1 + i % 3);
    expect_class(kStumps, points, all_stumps(points));
    if (HasFatalFailure()) return;
  }
}

TEST(Rectangles, AreAllBoxesAndTheEmptyOneMerged) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Points points = grid_points(i, 2);
    std::set<LabelRow> wanted;
    for (const double a : kCuts) {
      for (const double b : kCuts) {
        for (const double c : kCuts) {
          for (const double d : kCuts) {
            wanted.insert(say(points, [&](const auto& p) { return a <= p[0] && p[0] <= b && c <= p[1] && p[1] <= d; }));
          }
        }
      }
    }
    expect_class(kRectangles, points, wanted);
    if (HasFatalFailure()) return;
  }
}

TEST(Trees, AreACutAndAStumpOnEitherSideMerged) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Points points = grid_points(i, 1 + i % 2);
    const auto stumps = all_stumps(points);
    std::set<LabelRow> wanted;
    for (std::size_t f = 0; f < points[0].size(); ++f) {
      for (const double cut : kCuts) {
        for (const auto& left : stumps) {
          for (const auto& right : stumps) {
            LabelRow row;
            for (std::size_t p = 0; p < points.size(); ++p) row.push_back(points[p][f] >= cut ? right[p] : left[p]);
            wanted.insert(row);
          }
        }
      }
    }
    expect_class(kTrees, points, wanted);
    if (HasFatalFailure()) return;
  }
}

// On a 4 x 4 grid a parting line touches two points whose difference is at most 3 each way; turning it off
// them by one part in ten leaves a normal with whole entries of at most 33.
TEST(Halfplanes, AreAllPartingsByALineOnGridsWithCollinearAndEqualPoints) {
  for (std::uint64_t i = 0; i < 150; ++i) {
    const Points points = grid_points(i, 2);
    std::set<LabelRow> wanted;
    for (int a = -33; a <= 33; ++a) {
      for (int b = -33; b <= 33; ++b) {
        const auto height = [&](const auto& p) { return a * p[0] + b * p[1]; };
        std::vector<double> offsets{std::numeric_limits<double>::infinity()};
        for (const auto& p : points) offsets.push_back(height(p));
        for (const double c : offsets) wanted.insert(say(points, [&](const auto& p) { return height(p) >= c; }));
      }
    }
    const auto all = make_hypotheses(kHalfplanes, points, "points");
    expect_class(kHalfplanes, points, wanted);
    if (HasFatalFailure()) return;
    for (const auto code : all->first(1000))
      ASSERT_TRUE(std::holds_alternative<HalfplaneRule>(all->describe(code))) << "no line found for " << code;
  }
}

TEST(Halfplanes, OnPointsInGeneralPositionAreManyButTheWalkStaysShort) {
  // m points in general position are parted in m (m-1) + 2 ways (Cover 1965).
  const auto all = make_hypotheses(kHalfplanes, real_points(3, 60, 2), "points");
  EXPECT_EQ(all->walk()->size(), 60u * 59u + 2u);
  EXPECT_LT(all->walk()->flips(), 3 * all->walk()->size());  // an exchange is two flips; row by row it would be 30
  for (const auto code : all->first(4000)) ASSERT_TRUE(std::holds_alternative<HalfplaneRule>(all->describe(code)));
}

struct Case {
  std::vector<double> gain;
  double constant;
};
Case random_case(std::uint64_t i, std::size_t points) {
  const KeyedRandom random(Key{.seed = 5}, Purpose::kTest, i);
  Case c{std::vector<double>(points), 3.0};
  for (std::size_t p = 0; p < points; ++p) {
    // Whole numbers make ties, all zeros ties everywhere.
    c.gain[p] = i % 3 == 0 ? random.uniform(p) - 0.5 : i % 11 == 1 ? 0.0 : static_cast<double>(random.below(p, 5)) - 2;
  }
  return c;
}

// The sums that the class keeps of these gains, half of them added point by point.
std::vector<double> sums_of(const Hypotheses& all, std::span<const double> gain) {
  std::vector<double> sums(all.sums(), 0.0), first(gain.begin(), gain.end());
  if (sums.empty()) return sums;
  for (std::size_t p = 1; p < gain.size(); p += 2) first[p] = 0;
  all.add_points(first, sums);
  for (std::size_t p = 1; p < gain.size(); p += 2) all.add_point(p, gain[p], sums);
  return sums;
}

double error_of(const Hypotheses& all, std::uint64_t code, const Case& c) {
  double value = c.constant;
  for (std::size_t p = 0; p < all.points(); ++p) value += all.says(code, p) ? c.gain[p] : 0;
  return value;
}

// The pool holds true errors, the choice first and the others by value, the least that there are; no code
// outside it is below rest.
void expect_pool(const Answer<std::uint64_t>& found, const std::vector<std::uint64_t>& codes,
                 const std::vector<double>& values) {
  std::vector<double> left = values;
  for (std::size_t i = 0; i < found.pool.size(); ++i) {
    const auto at =
        static_cast<std::size_t>(std::lower_bound(codes.begin(), codes.end(), found.pool[i].action) - codes.begin());
    ASSERT_NEAR(found.pool[i].value, values[at], 1e-12);
    ASSERT_TRUE(std::isfinite(left[at])) << "shown twice";
    left[at] = std::numeric_limits<double>::infinity();
    if (i > 1) {
      ASSERT_LE(found.pool[i - 1].value, found.pool[i].value);
    }
  }
  const double outside = *std::min_element(left.begin(), left.end());
  ASSERT_LE(found.rest, outside + 1e-12);
  ASSERT_LE(found.pool.back().value, outside + tie_window(outside));
}

void expect_search_is_exact(const Hypotheses& all, const Case& c, std::size_t keep = 0) {
  ASSERT_FALSE(all.walk());
  const auto codes = all.first(10'000'000);
  std::vector<double> values;
  for (const auto code : codes) values.push_back(error_of(all, code, c));
  const double least = *std::min_element(values.begin(), values.end());
  std::size_t first = 0;
  while (values[first] > least + tie_window(least)) ++first;
  // The gains as data plus twice a noise, each with sums of its own.
  std::vector<double> noise(c.gain.size()), data(c.gain.size());
  for (std::size_t p = 0; p < noise.size(); ++p) {
    noise[p] = 0.25 * static_cast<double>(p % 5) - 0.5;
    data[p] = c.gain[p] - 2 * noise[p];
  }
  const auto data_sums = sums_of(all, data), noise_sums = sums_of(all, noise);
  const auto found =
      all.search({.gain = c.gain, .constant = c.constant, .data = data_sums, .noise = noise_sums, .scale = 2}, keep);
  ASSERT_EQ(found.action, codes[first]);
  ASSERT_NEAR(found.value, values[first], 1e-12);
  ASSERT_NEAR(found.floor, least, 1e-12);
  if (keep == 0) return;
  ASSERT_EQ(found.pool[0].action, found.action);
  expect_pool(found, codes, values);
}

TEST(Rectangles, UnlistedAreSearchedExactlyWithTiesToTheSmallest) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Points points = grid_points(i, 2);
    const auto all = box_hypotheses(points, Listing::kNever);
    expect_search_is_exact(*all, random_case(i, points.size()), i % 7);
    if (HasFatalFailure()) FAIL() << "case " << i;
  }
}

// The second column of every other case holds categories (its numbers -1..2 are places 0..3).
PointTable mixed_points(std::uint64_t i, std::size_t features) {
  PointTable table(grid_points(i, features));
  if (i % 2 == 0) return table;
  table.categories.resize(features);
  for (std::size_t f = features - 1; f < features; f -= 2) {
    table.categories[f] = {"a", "b", "c", "d", "e"};
    for (auto& row : table.rows) row[f] += 1;
  }
  return table;
}

TEST(Trees, UnlistedAreSearchedExactlyInBothWaysWithTiesToTheSmallest) {
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const PointTable points = mixed_points(i, i % 40 == 0 ? 3 : 1 + i % 2);
    const auto way = i % 3 == 0 ? TreeSearch::kRoots : TreeSearch::kPairs;
    const auto all = tree_hypotheses(points, Listing::kNever, way);
    EXPECT_EQ(all->sums() > 0, way == TreeSearch::kPairs);
    expect_search_is_exact(*all, random_case(i, points.points()), i % 7);
    if (HasFatalFailure()) FAIL() << "case " << i;
  }
}

TEST(Trees, ShowAllOfThemWhereThePoolIsLargeEnough) {
  const auto all = tree_hypotheses(Points{{1}, {2}}, Listing::kNever, TreeSearch::kPairs);
  ASSERT_EQ(all->first(1000).size(), 16u);  // one root, four stumps on either side
  const Case c{{1.0, -1.0}, 2.0};
  const auto sums = sums_of(*all, c.gain);
  const auto found = all->search({.gain = c.gain, .constant = c.constant, .data = sums}, 50);
  EXPECT_EQ(found.pool.size(), 16u);
  EXPECT_EQ(found.rest, std::numeric_limits<double>::infinity());
}

// Signed gains, ties, categories: the errors from sums are those counted point by point.
TEST(Stumps, HaveTheirErrorsFromSumsPerValue) {
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const PointTable points = mixed_points(i, 1 + i % 3);
    const auto all = stump_hypotheses(points, Directions::kBoth);
    const Case c = random_case(i, points.points());
    const auto sums = sums_of(*all, c.gain);
    std::vector<double> values(all->walk()->size()), buffer(all->sums());
    all->values({.gain = c.gain, .constant = c.constant, .data = sums, .noise = {}, .scale = 0, .buffer = buffer},
                values);
    for (std::size_t k = 0; k < values.size(); ++k) ASSERT_NEAR(values[k], error_of(*all, k, c), 1e-12) << "case " << i;
  }
}

// Three points of the categories b, a, b and one number: constants, "is a" and "is b" (each the other's
// opposite), and the cuts of the number 5, 6, 7.
TEST(Stumps, OfMixedColumnsAreAllQuestionsInBothDirectionsMerged) {
  for (std::uint64_t i = 1; i < 400; i += 2) {
    const PointTable points = mixed_points(i, 1 + i % 3);
    std::set<LabelRow> wanted{LabelRow(points.points(), true), LabelRow(points.points(), false)};
    for (std::size_t f = 0; f < points.features(); ++f) {
      for (const double c : {0.0, 1.0, 2.0, 3.0, -0.5, -1.0, 1.5, 0.5}) {
        for (const bool one : {false, true}) {
          wanted.insert(
              say(points.rows, [&](const auto& p) { return (points.categorical(f) ? p[f] == c : p[f] >= c) == one; }));
        }
      }
    }
    expect_class(kStumps, points, wanted);
    if (HasFatalFailure()) FAIL() << "case " << i;
  }
}

// Forty points of six columns: both searches of the trees, and a pool that both show alike.
TEST(Trees, AreFoundAlikeByPairsAndRootByRoot) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    PointTable points(real_points(seed, 40, 6));
    bin_columns(points, 3 + seed % 6);
    points.categories = {{"a", "b", "c"}, {}, {}, {"x", "y"}, {}, {}};
    for (std::size_t i = 0; i < points.points(); ++i) {
      points.rows[i][0] = static_cast<double>((i * 7 + seed) % 3);
      points.rows[i][3] = static_cast<double>(i % 5 / 4);
    }
    const Case c = random_case(3 * seed, 40);
    const auto pairs = tree_hypotheses(points, Listing::kNever, TreeSearch::kPairs),
               roots = tree_hypotheses(points, Listing::kNever, TreeSearch::kRoots);
    const auto sums = sums_of(*pairs, c.gain);
    const auto one = pairs->search({.gain = c.gain, .constant = c.constant, .data = sums}, 20),
               other = roots->search({.gain = c.gain, .constant = c.constant}, 20);
    ASSERT_NEAR(one.value, other.value, 1e-12);
    ASSERT_NEAR(one.value, error_of(*pairs, one.action, c), 1e-12);
    ASSERT_NEAR(one.rest, other.rest, 1e-12);
    ASSERT_EQ(one.pool.size(), 20u);
    for (std::size_t i = 0; i < 20; ++i) {
      ASSERT_NEAR(one.pool[i].value, other.pool[i].value, 1e-12);
      ASSERT_NEAR(one.pool[i].value, error_of(*pairs, one.pool[i].action, c), 1e-12);
    }
  }
}

// The two ways to the same minimum, on points too many for the brute force above.
TEST(UnlistedClasses, FindTheSameLeastErrorAsTheirLists) {
  const auto agree = [](const HypothesesPtr& listed, const HypothesesPtr& searched, std::uint64_t seed) {
    const Case c = random_case(3 * seed, listed->points());
    std::vector<double> values(listed->walk()->size());
    listed->walk()->values({c.gain, c.constant}, values);
    const auto sums = sums_of(*searched, c.gain);
    const auto found = searched->search({.gain = c.gain, .constant = c.constant, .data = sums}, 0);
    EXPECT_NEAR(found.value, *std::min_element(values.begin(), values.end()), 1e-10);
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Points points = real_points(seed, 14, 2);
    agree(box_hypotheses(points), box_hypotheses(points, Listing::kNever), seed);
    agree(tree_hypotheses(points), tree_hypotheses(points, Listing::kNever), seed);
    agree(tree_hypotheses(points), tree_hypotheses(points, Listing::kNever, TreeSearch::kRoots), seed);
  }
}

}  // namespace hypotheses_test
}  // namespace hannan::detail
