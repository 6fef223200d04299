// Boosting against a plain computation over all stumps, and the class of votes against a list of what they say.
#include "hannan/problems/classification/boosting.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/problems/classification/classification_codec.hpp"
#include "hannan/problems/classification/label_rivals.hpp"

namespace hannan::detail {
namespace boosting_test {

// A number, a category and another number; labels follow them with noise, so that points repeat with both labels.
struct LabelledCase {
  PointTable points;
  std::vector<LabelledPoint> rounds;
};
LabelledCase labelled_case(std::uint64_t i) {
  const KeyedRandom random(Key{.seed = 8}, Purpose::kTest, i);
  std::uint64_t column = 0;
  LabelledCase c;
  const std::size_t m = 2 + random.below(column++, 12);
  for (std::size_t p = 0; p < m; ++p) {
    c.points.rows.push_back({static_cast<double>(random.below(column++, 5)),
                             static_cast<double>(random.below(column++, 3)), random.uniform(column++)});
  }
  c.points.categories = {{}, {"a", "b", "c"}, {}};
  const std::uint64_t rounds = 1 + random.below(column++, 40);
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const auto point = static_cast<std::uint32_t>(random.below(column++, m));
    const auto& x = c.points.rows[point];
    const bool label = (x[0] >= 2) == (x[1] == 1) || random.uniform(column++) < 0.1;
    c.rounds.push_back({point, label ? 1u : 0u});
  }
  return c;
}

TEST(Boosting, TakesAStumpOfLeastWeightedErrorInEveryStep) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const LabelledCase c = labelled_case(i);
    const FeatureCuts cuts(c.points);
    const ColumnSums columns(cuts);
    const auto votes = boosted_stumps({.cuts = cuts, .columns = columns}, c.rounds, 12);
    ASSERT_LE(votes.size(), 12u);
    const auto errs = [&](Cut cut, bool one, const LabelledPoint& y) {
      return (cuts.holds(cut, y.point) == one) != (y.label == 1);
    };
    const auto count = static_cast<double>(c.rounds.size());
    std::vector<double> weight(c.rounds.size(), 1 / count);
    const auto error = [&](Cut cut, bool one) {
      double sum = 0;
      for (std::size_t t = 0; t < weight.size(); ++t) sum += errs(cut, one, c.rounds[t]) ? weight[t] : 0;
      return sum;
    };
    for (const WeightedStump& vote : votes) {
      const double e = error(vote.cut, vote.one), held = std::max(e, 1 / (2 * count));
      ASSERT_LT(e, 0.5);
      for (const Cut& cut : cuts.all()) {
        for (const bool one : {false, true}) ASSERT_GE(error(cut, one), e - 2e-12) << "case " << i;
      }
      for (const bool one : {false, true}) ASSERT_GE(error({0, 0}, one), e - 2e-12) << "case " << i;  // constants
      ASSERT_NEAR(vote.weight, 0.5 * std::log((1 - held) / held), 1e-12);
      double sum = 0;
      for (std::size_t t = 0; t < weight.size(); ++t)
        sum += weight[t] /= errs(vote.cut, vote.one, c.rounds[t]) ? 2 * held : 2 * (1 - held);
      for (double& w : weight) w /= sum;
    }
  }
}

// Labels that one stump gives: one vote. None: no rounds. A coin at one point: nothing is better than a coin.
TEST(Boosting, StopsWhereThereIsNothingToCorrect) {
  const PointTable points(Points{{1}, {2}, {3}});
  const FeatureCuts cuts(points);
  const ColumnSums columns(cuts);
  const BoostedOn on{.cuts = cuts, .columns = columns};
  EXPECT_TRUE(boosted_stumps(on, {}, 5).empty());
  const std::vector<LabelledPoint> stump{{0, 0}, {1, 1}, {2, 1}}, coin{{1, 0}, {1, 1}};
  const auto votes = boosted_stumps(on, stump, 5);
  ASSERT_EQ(votes.size(), 1u);
  for (std::size_t p = 0; p < 3; ++p) EXPECT_EQ(votes_say_one(votes, cuts, p), p > 0);
  EXPECT_TRUE(boosted_stumps(on, coin, 5).empty());
}

TEST(Votes, AreThePrefixesOfTheListMerged) {
  for (std::uint64_t i = 0; i < 100; ++i) {
    const LabelledCase c = labelled_case(i);
    const FeatureCuts cuts(c.points);
    const ColumnSums columns(cuts);
    const auto votes = boosted_stumps({.cuts = cuts, .columns = columns}, c.rounds, 10);
    std::vector<WeightedStumpRule> rules;
    for (const auto& vote : votes)
      rules.push_back({.stump = {.cut = cuts.describe(vote.cut), .says = vote.one ? 1 : 0}, .weight = vote.weight});
    const Classification problem({.name = std::string(kVotes), .table = c.points, .votes = rules});
    const Hypotheses& all = problem.hypotheses();
    ASSERT_TRUE(all.walk());
    for (std::size_t k = 0; k <= votes.size(); ++k) {
      const auto code = all.find(VoteRule{k});
      ASSERT_TRUE(code);
      for (std::size_t p = 0; p < c.points.points(); ++p)
        ASSERT_EQ(all.says(*code, p), votes_say_one(std::span(votes).first(k), cuts, p)) << "case " << i;
    }
    EXPECT_FALSE(all.find(VoteRule{votes.size() + 1}));
    // Parameters and actions through text.
    const Json params = parse_json(dump(Codec<Classification>::params(problem)));
    Fields fields(params, "params");
    const auto again = Codec<Classification>::parse(fields);
    ASSERT_EQ(again->hypotheses().walk()->size(), all.walk()->size());
    for (const auto code : all.first(20))
      ASSERT_EQ(Codec<Classification>::parse_action(*again, Codec<Classification>::action_json(problem, code), "a"),
                code);
  }
}

TEST(Votes, RefuseStumpsOfNoColumn) {
  const WeightedStumpRule vote{.stump = {.cut = {.feature = 3, .cut = 1, .category = {}}, .says = 1}, .weight = 1};
  EXPECT_THROW(vote_hypotheses(Points{{0}, {1}}, {vote}), Error);
}

TEST(LabelRivals, WithoutColumnsAreMajorityAndLastLabel) {
  const PointTable none;
  auto rivals = label_rivals(none);
  ASSERT_EQ(rivals.size(), 2u);
  std::vector<std::uint32_t> majority, last;
  for (const std::uint32_t label : {1u, 1u, 0u, 0u, 0u, 1u}) {
    majority.push_back(rivals[0].rival->decide(0));
    last.push_back(rivals[1].rival->decide(0));
    for (auto& rival : rivals) rival.rival->observe({0, label});
  }
  EXPECT_EQ(majority, (std::vector<std::uint32_t>{0, 1, 1, 1, 0, 0}));
  EXPECT_EQ(last, (std::vector<std::uint32_t>{0, 1, 1, 0, 0, 0}));
}

// Two rounds by hand: the first point is standardised to 0 (its column has no deviation yet), so that the constant
// alone moves, by 0.5 / sqrt(2 (1 + 0.25)) = 0.3162 upwards; the second says 1 by it.
TEST(LabelRivals, LogisticRegressionMovesByTheRule) {
  const PointTable points(Points{{5}, {7}});
  auto rivals = label_rivals(points);
  ASSERT_EQ(rivals.size(), 4u);
  LabelRival& logistic = *rivals[2].rival;
  EXPECT_EQ(logistic.decide(0), 0u);
  logistic.observe({0, 1});
  EXPECT_EQ(logistic.decide(1), 1u);
  logistic.observe({1, 0});
  // Now 7 is one deviation up: z = 1, p = 1 / (1 + exp(-0.3162)) = 0.5784 pulls both weights down; 5 is then above 7.
  EXPECT_EQ(logistic.decide(1), 0u);
}

}  // namespace boosting_test
}  // namespace hannan::detail
