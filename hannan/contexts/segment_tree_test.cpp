#include "hannan/contexts/segment_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "hannan/contexts/prunings.hpp"
#include "hannan/io/json_archive.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace segment_tree_test {

using Context = std::vector<std::string>;
using Id = SegmentTree::Id;

std::size_t below(Dice& dice, std::size_t n) { return static_cast<std::size_t>(dice.below(static_cast<int>(n))); }

struct Played {
  std::size_t nodes = 0;
  double loss = 0;
};

// A round whose learners lose what `own` says, by depth.
Played play_round(SegmentTree& tree, const Context& context, const std::function<double(std::size_t)>& own) {
  SegmentTree::Path path;
  tree.find(context, path);
  std::vector<double> losses;
  for (const Id id : path.nodes) losses.push_back(own(tree.at(id).depth));
  const double loss = tree.settle(path, losses);
  SegmentTree::Counted counted;
  tree.count(context, path, counted);
  return {path.nodes.size(), loss};
}

TEST(SegmentTree, ASegmentOpensAfterItsFirstRounds) {
  SegmentTree tree({.depths = {2}, .open = 2, .most = 100});
  const auto half = [](std::size_t) { return 0.5; };
  EXPECT_EQ(play_round(tree, {"de", "a"}, half).nodes, 1U);  // both seen once
  EXPECT_EQ(play_round(tree, {"de", "b"}, half).nodes, 1U);  // de opens behind it, b has one round
  EXPECT_EQ(play_round(tree, {"de", "a"}, half).nodes, 2U);  // de; a opens
  EXPECT_EQ(play_round(tree, {"de", "a"}, half).nodes, 3U);
  EXPECT_EQ(tree.opened(), 3U);
  EXPECT_EQ(tree.size(), 4U);
  EXPECT_EQ(tree.refused(), 0U);
}

TEST(SegmentTree, BeyondTheLimitRoundsAreRefusedAndNamesAreNotKept) {
  SegmentTree tree({.depths = {1}, .open = 1, .most = 3});
  const auto none = [](std::size_t) { return 0.0; };
  for (const char* name : {"a", "b", "c", "d", "c"}) play_round(tree, {name}, none);
  EXPECT_EQ(tree.opened(), 3U);  // root, a, b
  EXPECT_EQ(tree.size(), 3U);
  EXPECT_EQ(tree.refused(), 3U);
  EXPECT_EQ(play_round(tree, {"a"}, none).nodes, 2U);
  EXPECT_EQ(tree.refused(), 3U);
}

TEST(SegmentTree, AtMostFourTimesAsManySegmentsAreWatched) {
  SegmentTree tree({.depths = {1}, .open = 2, .most = 2});
  const auto none = [](std::size_t) { return 0.0; };
  for (int i = 0; i < 20; ++i) play_round(tree, {std::to_string(i)}, none);
  EXPECT_EQ(tree.size(), 1U + 8U);
  EXPECT_EQ(tree.refused(), 12U);
}

TEST(SegmentTree, TheHashOfAPathIsFnvOverLengthsAndBytes) {
  // FNV-1a of the bytes 01 00 00 00 00 00 00 00 61, computed by hand from the definition.
  std::uint64_t expected = 14695981039346656037ULL;
  for (const unsigned byte : {1U, 0U, 0U, 0U, 0U, 0U, 0U, 0U, 0x61U}) expected = (expected ^ byte) * 1099511628211ULL;
  EXPECT_EQ(hash_with(14695981039346656037ULL, "a"), expected);
  // The lengths part the values: ("ab","c") and ("a","bc") differ.
  const std::uint64_t root = 14695981039346656037ULL;
  EXPECT_NE(hash_with(hash_with(root, "ab"), "c"), hash_with(hash_with(root, "a"), "bc"));
}

TEST(SegmentTree, WeightsOfAnInnerSegmentAreHalfBeforeItsFirstMixedRound) {
  SegmentTree tree({.depths = {1}, .open = 1, .most = 10});
  play_round(tree, {"a"}, [](std::size_t) { return 1.0; });
  SegmentTree::Path path;
  tree.find(Context{"a"}, path);
  std::vector<double> p;
  tree.weights(path, p);
  EXPECT_EQ(p, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(SegmentTree::pick(p, 0.49), 0U);
  EXPECT_EQ(SegmentTree::pick(p, 0.5), 1U);
}

// C(v) by its definition, from the segments alone.
double certificate_of(const SegmentTree& tree, Id id) {
  const auto& segment = tree.at(id);
  if (!segment.mixes) return segment.own.value();
  double least = segment.own.value();
  for (std::size_t j = 0; j < tree.trees(); ++j) {
    if (id != SegmentTree::kRoot && segment.tree != j) continue;
    double below = tree.waited(id, j);
    for (const Id c : tree.children(id)) {
      if (tree.at(c).open && tree.at(c).tree == j) below += certificate_of(tree, c);
    }
    least = std::min(least, below);
  }
  return 2 * tree.gap(id) + least;
}

// One order of one to three columns, or several of one or two.
std::vector<std::size_t> random_depths(Dice& dice) {
  std::vector<std::size_t> depths(1 + below(dice, 3));
  for (std::size_t& depth : depths) depth = 1 + below(dice, depths.size() == 1 ? 3 : 2);
  return depths;
}

// Losses of one style for a segment's learner: noise, one good level, sudden changes, all or nothing.
double loss_of(std::size_t style, std::size_t depth, std::uint64_t t, Dice& dice) {
  switch (style) {
    case 0:
      return dice.unit();
    case 1:
      return depth == 1 ? 0.1 * dice.unit() : dice.unit();
    case 2:
      return (t / 16 + depth) % 2 == 0 ? 1.0 : 0.0;
    case 3:
      return dice.unit() < 0.5 ? 0.0 : 1.0;
    default:
      return 0.5;
  }
}

TEST(SegmentTree, MixingHoldsOnTenThousandRandomTrees) {
  for (std::uint64_t run = 0; run < 10'000; ++run) {
    Dice dice(run);
    const TreeLimits limits{.depths = random_depths(dice), .open = 1 + below(dice, 3), .most = 2 + below(dice, 20)};
    SegmentTree tree(limits);
    const std::size_t style = below(dice, 5), fan = 1 + below(dice, 4), rounds = 10 + below(dice, 60);
    double total = 0;
    for (std::size_t t = 0; t < rounds; ++t) {
      Context context;
      for (std::size_t d = std::accumulate(limits.depths.begin(), limits.depths.end(), std::size_t{0}); d > 0; --d)
        context.push_back(std::string(1, static_cast<char>('a' + below(dice, fan))));
      total += play_round(tree, context, [&](std::size_t d) { return loss_of(style, d, t, dice); }).loss;
    }
    const MixingBound bound = mixing_bound(tree);
    ASSERT_LE(total, bound.value + 1e-9) << "tree " << run;
    ASSERT_NEAR(bound.value, certificate_of(tree, SegmentTree::kRoot), 1e-9) << "tree " << run;
  }
}

TEST(SegmentTree, RoundsOfOtherSegmentsDoNotChangeThoseOfASegment) {
  // AdaHedge(de) is told the rounds of de alone: with those of fr left out it has the same weights.
  const auto losses = [](std::size_t d) { return d == 1 ? 0.9 : 0.2; };
  SegmentTree both({.depths = {2}, .open = 1, .most = 100}), alone({.depths = {2}, .open = 1, .most = 100});
  for (int t = 0; t < 30; ++t) {
    play_round(both, {"de", t % 2 == 0 ? "a" : "b"}, losses);
    play_round(both, {"fr", "a"}, losses);
    play_round(alone, {"de", t % 2 == 0 ? "a" : "b"}, losses);
  }
  SegmentTree::Path in_both, in_alone;
  both.find(Context{"de", "a"}, in_both);
  alone.find(Context{"de", "a"}, in_alone);
  EXPECT_EQ(both.own_weight(in_both.nodes[1]), alone.own_weight(in_alone.nodes[1]));
  EXPECT_EQ(both.at(in_both.nodes[1]).hedge.gap(), alone.at(in_alone.nodes[1]).hedge.gap());
}

TEST(SegmentTree, ASavedTreeGoesOnAsIfItHadNotBeenSaved) {
  for (const std::vector<std::size_t>& depths : {std::vector<std::size_t>{2}, {1, 1}}) {
    SegmentTree tree({.depths = depths, .open = 2, .most = 6});
    Dice dice(7);
    for (int t = 0; t < 200; ++t) {
      JsonWriter writer;
      tree.archive(writer);
      const Json state = writer.take();
      SegmentTree copy({.depths = depths, .open = 2, .most = 6});
      JsonReader reader(state, "state");
      copy.archive(reader);
      const Context context{std::to_string(below(dice, 3)), std::to_string(below(dice, 3))};
      const double loss = dice.unit();
      const auto own = [&](std::size_t d) { return d == 0 ? loss : 1 - loss; };
      ASSERT_EQ(play_round(tree, context, own).loss, play_round(copy, context, own).loss);
      ASSERT_EQ(tree.opened(), copy.opened());
      ASSERT_EQ(tree.refused(), copy.refused());
      ASSERT_EQ(mixing_bound(tree).value, mixing_bound(copy).value);
    }
  }
}

TEST(SegmentTree, TwoOrdersShareTheRootAndHaveSegmentsOfTheirOwn) {
  SegmentTree tree({.depths = {1, 1}, .open = 1, .most = 100});
  play_round(tree, {"a", "a"}, [](std::size_t) { return 0.5; });
  SegmentTree::Path path;
  tree.find(Context{"a", "b"}, path);
  EXPECT_EQ(path.nodes.size(), 2U);  // b of the second tree is not known
  std::vector<double> p;
  tree.weights(path, p);
  EXPECT_DOUBLE_EQ(p[0], 2.0 / 3);  // its own third, and that of the tree in which nothing is open
  EXPECT_DOUBLE_EQ(p[1], 1.0 / 3);
  // AdaHedge over three: own and the second tree lose 1, the first 0. Expected 2/3, mix 0: Delta = 2/3.
  EXPECT_DOUBLE_EQ(tree.settle(path, std::vector<double>{1, 0}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(tree.gap(SegmentTree::kRoot), 2.0 / 3);
  EXPECT_EQ(tree.waited(SegmentTree::kRoot, 0), 0.5);
  EXPECT_EQ(tree.waited(SegmentTree::kRoot, 1), 1.5);
  const Id first = tree.at_path(Context{"1", "a"}), second = tree.at_path(Context{"2", "a"});
  EXPECT_NE(first, second);
  EXPECT_NE(tree.at(first).hash, tree.at(second).hash);
  EXPECT_EQ(tree.path_of(second), (Context{"2", "a"}));
  EXPECT_EQ(tree.at_path(Context{"3", "a"}), SegmentTree::kNone);
  EXPECT_NE(tree.place(first), tree.place(second));
  EXPECT_TRUE(tree.prefers_below(SegmentTree::kRoot));
  EXPECT_EQ(tree.preferred_tree(), 0U);
}

TEST(SegmentTree, ADamagedTreeIsRefused) {
  SegmentTree tree({.depths = {1}, .open = 1, .most = 10});
  for (const char* name : {"a", "b", "a"}) play_round(tree, {name}, [](std::size_t) { return 0.5; });
  JsonWriter writer;
  tree.archive(writer);
  const std::string whole = dump(writer.take());
  const std::pair<std::string, std::string> changes[] = {{"\"value\":\"b\"", "\"value\":\"a\""},
                                                         {"\"parent\":0", "\"parent\":7"},
                                                         {"\"seen\":3", "\"seen\":1"},
                                                         {"\"open\":1", "\"open\":0"},
                                                         {"\"refused\":0", "\"refused\":-1"}};
  for (const auto& [from, to] : changes) {
    std::string text = whole;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    const Json state = parse_json(text);
    SegmentTree copy({.depths = {1}, .open = 1, .most = 10});
    JsonReader reader(state, "state");
    EXPECT_THROW(copy.archive(reader), Error) << from;
  }
}

// All prunings below a segment, as sets of leaves; below one that is not complete there is none but itself.
std::vector<std::vector<Id>> all_prunings(const SegmentTree& tree, const std::vector<LeastLoss>& least, Id id) {
  std::vector<std::vector<Id>> found{{id}};
  for (std::size_t j = 0; j < tree.trees(); ++j) {
    std::uint64_t covered = 0;
    std::vector<std::vector<Id>> products{{}};
    for (const Id c : tree.children(id)) {
      if (!least[c].known || tree.at(c).tree != j) continue;
      covered += tree.at(c).seen;
      std::vector<std::vector<Id>> longer;
      for (const auto& some : products) {
        for (const auto& more : all_prunings(tree, least, c)) {
          longer.push_back(some);
          longer.back().insert(longer.back().end(), more.begin(), more.end());
        }
      }
      products = std::move(longer);
    }
    if (covered == tree.at(id).seen) found.insert(found.end(), products.begin(), products.end());
  }
  return found;
}

TEST(Prunings, TheBestOneIsThatOfAnEnumeration) {
  for (std::uint64_t run = 0; run < 200; ++run) {
    Dice dice(run);
    const std::vector<std::size_t> depths = run % 2 == 0 ? std::vector<std::size_t>{2} : std::vector<std::size_t>{1, 1};
    SegmentTree tree({.depths = depths, .open = 1 + below(dice, 2), .most = 100});
    for (int t = 0; t < 25; ++t)
      play_round(tree, {std::to_string(below(dice, 3)), std::to_string(below(dice, 3))},
                 [](std::size_t) { return 0.5; });
    std::vector<LeastLoss> least(tree.size());
    for (Id id = 0; id < tree.size(); ++id) {
      const auto loss = static_cast<double>(below(dice, 6));
      least[id] = {.value = loss, .floor = loss, .known = tree.at(id).open || dice.unit() < 0.8};
    }
    for (const double penalty : {0.0, 1.0, 2.5}) {
      double best = 1e9;
      for (const auto& leaves : all_prunings(tree, least, SegmentTree::kRoot)) {
        double sum = penalty * static_cast<double>(leaves.size());
        for (const Id id : leaves) sum += least[id].value;
        best = std::min(best, sum);
      }
      const Pruning found = best_pruning(tree, least, penalty);
      ASSERT_NEAR(found.loss + penalty * static_cast<double>(found.leaves.size()), best, 1e-9);
    }
  }
}

}  // namespace segment_tree_test
}  // namespace hannan::detail
