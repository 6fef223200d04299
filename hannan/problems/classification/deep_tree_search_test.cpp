// Trees of depth 3 against an enumeration that shares no code with the search, and codes against each other.
#include "hannan/problems/classification/deep_tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "hannan/core/keyed_random.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/problems/classification/classification_codec.hpp"

namespace hannan::detail {
namespace deep_tree_search_test {

struct DeepCase {
  PointTable points;
  std::vector<double> gain;
  double constant = 2;
};

struct DeepShape {
  std::uint64_t most_points, most_features, values;
};

// Small grids, so that values repeat and points coincide; every other case has a column of categories. Gains are real,
// whole (ties) or all zero.
DeepCase deep_case(std::uint64_t i, const DeepShape& shape) {
  const KeyedRandom random(Key{.seed = 91}, Purpose::kTest, i);
  std::uint64_t column = 0;
  const std::size_t m = 1 + random.below(column++, shape.most_points),
                    d = 1 + random.below(column++, shape.most_features);
  DeepCase c{.points = Points(m, std::vector<double>(d)), .gain = std::vector<double>(m)};
  for (auto& row : c.points.rows) {
    for (double& x : row) x = static_cast<double>(random.below(column++, shape.values));
  }
  if (i % 2 == 1) {
    c.points.categories.resize(d);
    c.points.categories[d - 1] = {"a", "b", "c", "d", "e"};
  }
  for (double& gain : c.gain) {
    gain = i % 3 == 0    ? random.uniform(column++) - 0.5
           : i % 11 == 1 ? 0.0
                         : static_cast<double>(random.below(column++, 5)) - 2;
  }
  return c;
}

// The least error of a tree of this depth on these points, without the constant: every question of every feature.
double least_by_enumeration(const DeepCase& c, const std::vector<std::size_t>& on, int depth) {
  double all = 0;
  for (const auto i : on) all += c.gain[i];
  double least = std::min(all, 0.0);
  if (depth == 0) return least;
  for (std::size_t f = 0; f < c.points.features(); ++f) {
    for (const double value : {0.0, 1.0, 2.0, 3.0, 4.0}) {
      std::vector<std::size_t> left, right;
      for (const auto i : on) {
        const double x = c.points.rows[i][f];
        (c.points.categorical(f) ? x == value : x >= value) ? right.push_back(i) : left.push_back(i);
      }
      if (left.empty() || right.empty()) continue;
      least = std::min(least, least_by_enumeration(c, left, depth - 1) + least_by_enumeration(c, right, depth - 1));
    }
  }
  return least;
}

double error_of_code(const Hypotheses& all, std::uint64_t code, const DeepCase& c) {
  double value = c.constant;
  for (std::size_t i = 0; i < c.gain.size(); ++i) value += all.says(code, i) ? c.gain[i] : 0;
  return value;
}

std::vector<std::size_t> everything(const DeepCase& c) {
  std::vector<std::size_t> all(c.gain.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

TEST(DeepTrees, AreSearchedExactlyForWeightsOfAnySign) {
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const DeepCase c = deep_case(i, {.most_points = 12, .most_features = 3, .values = 2 + i % 4});
    const auto all = deep_tree_hypotheses(c.points, Listing::kNever);
    ASSERT_FALSE(all->walk());
    const auto found = all->search({.gain = c.gain, .constant = c.constant}, 0);
    const double least = c.constant + least_by_enumeration(c, everything(c), 3);
    ASSERT_NEAR(found.value, least, 1e-12) << "case " << i;
    ASSERT_NEAR(found.floor, least, 1e-12) << "case " << i;
    ASSERT_TRUE(found.proven());
    ASSERT_NEAR(error_of_code(*all, found.action, c), least, 1e-12) << "case " << i;
  }
}

// At most two cuts: 2 (2 * 6^2)^2 = 10368 codes, all of them looked at.
TEST(DeepTrees, GoToTheSmallestOfTiesAndShowAPoolOfTheBest) {
  std::size_t looked_at = 0;
  for (std::uint64_t i = 0; i < 400 && looked_at < 120; ++i) {
    const DeepCase c = deep_case(i, {.most_points = 6, .most_features = 2, .values = i % 4 == 0 ? 3u : 2u});
    const auto all = deep_tree_hypotheses(c.points, Listing::kNever);
    const auto codes = all->first(20'000);
    if (codes.size() == 20'000) continue;
    ++looked_at;
    std::vector<double> values;
    for (const auto code : codes) values.push_back(error_of_code(*all, code, c));
    const double least = *std::min_element(values.begin(), values.end());
    std::size_t first = 0;
    while (values[first] > least + tie_window(least)) ++first;
    const std::size_t keep = 1 + i % 9;
    const auto found = all->search({.gain = c.gain, .constant = c.constant}, keep);
    ASSERT_EQ(found.action, codes[first]) << "case " << i;
    ASSERT_EQ(found.pool.size(), std::min(keep, codes.size())) << "case " << i;
    ASSERT_EQ(found.pool[0].action, found.action);
    for (std::size_t k = 0; k < found.pool.size(); ++k) {
      double& value = values[found.pool[k].action];  // codes are all numbers from 0 on
      ASSERT_NEAR(found.pool[k].value, value, 1e-12) << "case " << i;
      value = std::numeric_limits<double>::infinity();  // shown
    }
    const double outside = *std::min_element(values.begin(), values.end());
    ASSERT_LE(found.rest, outside + 1e-12) << "case " << i;
    ASSERT_LE(found.pool.back().value, outside + tie_window(outside)) << "case " << i;
  }
  EXPECT_EQ(looked_at, 120u);
}

// With less work than a sweep needs: a true floor, a value that a tree has, never worse than a tree of depth 2.
TEST(DeepTrees, BeyondTheWorkKeepAFloorAndBeatDepthTwo) {
  std::size_t unproven = 0;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const DeepCase c = deep_case(i, {.most_points = 14, .most_features = 3, .values = 5});
    const auto all = deep_tree_hypotheses(c.points, Listing::kNever, 1.0);
    const auto found = all->search({.gain = c.gain, .constant = c.constant}, 3);
    const double least = c.constant + least_by_enumeration(c, everything(c), 3);
    ASSERT_LE(found.floor, least + 1e-12) << "case " << i;
    ASSERT_LE(found.rest, least + 1e-12) << "case " << i;
    ASSERT_NEAR(error_of_code(*all, found.action, c), found.value, 1e-12) << "case " << i;
    ASSERT_GE(found.value, least - 1e-12) << "case " << i;
    ASSERT_LE(found.value, c.constant + least_by_enumeration(c, everything(c), 2) + 1e-12) << "case " << i;
    unproven += found.proven() ? 0 : 1;
  }
  EXPECT_GT(unproven, 100u);  // it is this path that was taken
}

TEST(DeepTrees, AreWrittenAndReadBack) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    const DeepCase c = deep_case(i, {.most_points = 9, .most_features = 3, .values = 4});
    for (const auto listing : {Listing::kWhereFew, Listing::kNever}) {
      const auto all = deep_tree_hypotheses(c.points, listing);
      const KeyedRandom random(Key{.seed = 4}, Purpose::kTest, i);
      const double count = std::exp(all->ln_size());
      for (std::uint64_t k = 0; k < 20; ++k) {
        const auto code = static_cast<std::uint64_t>(random.uniform(k) * count * 0.999);
        ASSERT_TRUE(all->allows(code));
        const Json json = parse_json(dump(rule_json(all->describe(code), c.points)));
        const auto read = all->find(parse_rule(kDeepTrees, c.points, json, "action"));
        ASSERT_TRUE(read) << dump(json);
        for (std::size_t p = 0; p < c.gain.size(); ++p)
          ASSERT_EQ(all->says(*read, p), all->says(code, p)) << dump(json);
      }
    }
  }
}

TEST(DeepTrees, ListedAndSearchedFindTheSameLeastError) {
  std::size_t listed = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const DeepCase c = deep_case(i, {.most_points = 7, .most_features = 2, .values = 2});
    const auto few = deep_tree_hypotheses(c.points), many = deep_tree_hypotheses(c.points, Listing::kNever);
    if (!few->walk()) continue;
    ++listed;
    std::vector<double> values(few->walk()->size());
    few->walk()->values({c.gain, c.constant}, values);
    const auto found = many->search({.gain = c.gain, .constant = c.constant}, 0);
    EXPECT_NEAR(found.value, *std::min_element(values.begin(), values.end()), 1e-12) << "case " << i;
  }
  EXPECT_GT(listed, 30u);
}

}  // namespace deep_tree_search_test
}  // namespace hannan::detail
