#include "hannan/problems/level_auction/level_auction_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/problems/level_auction/level_columns.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace level_auction_test {

std::shared_ptr<const LevelAuction> make(int bidders, int levels, int thresholds) {
  return std::make_shared<const LevelAuction>(
      LevelRule{.bidders = bidders, .levels = levels, .thresholds = thresholds});
}

// The phantom bids in one profile out of `rarity`; 0: never.
BidReach random_bids(Dice& dice, const LevelRule& rule, int rarity) {
  BidReach y;
  for (int i = 0; i < rule.bidders; ++i) y.units.push_back(dice.below(rule.levels + 1));
  y.units.push_back(rarity > 0 && dice.below(rarity) == 0 ? dice.below(rule.levels + 1) : 0);
  return y;
}

// The rule word for word: the winner pays the least of its thresholds at which it would still win,
// found by lowering its bid step by step.
double by_definition(const LevelRule& rule, std::vector<int> thresholds, std::vector<int> bids) {
  const int s = rule.thresholds;
  for (int j = 1; j <= s; ++j) thresholds.push_back(j == 1 ? 1 : j - 1);  // the phantom
  const auto winner = [&] {
    int best = -1, highest = 0;
    for (std::size_t i = 0; i < bids.size(); ++i) {
      int level = 0;
      for (int j = 0; j < s; ++j)
        level += thresholds[i * static_cast<std::size_t>(s) + static_cast<std::size_t>(j)] <= bids[i];
      if (level > highest) highest = level, best = static_cast<int>(i);
    }
    return best;
  };
  const int w = winner();
  if (w < 0) return 0;
  int& bid = bids[static_cast<std::size_t>(w)];
  while (bid > 0) {
    --bid;
    if (winner() != w) return (bid + 1.0) / rule.levels;
  }
  return 0;
}

TEST(LevelAuction, RevenueIsTheLeastBidThatStillWins) {
  for (std::uint64_t trial = 0; trial < 5000; ++trial) {
    Dice dice(trial, 1);
    const int m = 1 + dice.below(7);
    const int bidders = 1 + dice.below(4), thresholds = 1 + dice.below(std::min(m, 4));
    const auto p = make(bidders, m, thresholds);
    const auto list = p->first_actions(300);
    const auto& x = list[static_cast<std::size_t>(dice.below(static_cast<int>(list.size())))];
    const auto y = random_bids(dice, p->rule(), 2);
    ASSERT_DOUBLE_EQ(p->raw(x, y), by_definition(p->rule(), x, y.units));
    ASSERT_EQ(Codec<LevelAuction>::parse_outcome(*p, Codec<LevelAuction>::outcome_json(*p, y), "y"), y);
    ASSERT_EQ(Codec<LevelAuction>::parse_action(*p, Codec<LevelAuction>::action_json(*p, x), "x"), x);
  }
}

TEST(LevelAuction, ListsItsActionsInOrder) {
  const auto p = make(2, 5, 3);
  ASSERT_EQ(p->action_count(), 100.0);  // C(5,3)^2
  EXPECT_NEAR(p->ln_size(), std::log(100.0), 1e-12);
  const auto list = p->first_actions(1000);
  ASSERT_EQ(list.size(), 100U);
  EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
  EXPECT_TRUE(std::adjacent_find(list.begin(), list.end()) == list.end());
  for (std::size_t k = 0; k < list.size(); ++k) {
    EXPECT_EQ(p->action(k), list[k]);
    for (std::size_t c = 0; c < p->coordinates(); ++c) {
      EXPECT_EQ(p->position_at(k, c), p->position(list[k], c));
      EXPECT_EQ(p->position_at(k / p->run_length(c) * p->run_length(c), c), p->position(list[k], c));
    }
  }
  std::vector<double> totals(100, 0.0);
  Dice dice(0, 2);
  const auto y = random_bids(dice, p->rule(), 1);
  p->accumulate(y, 2.0, totals);
  for (std::size_t k = 0; k < list.size(); ++k) EXPECT_DOUBLE_EQ(totals[k], 2 * p->loss(list[k], y));
}

// Table 1 of the paper for one bidder, m = 5, s = 3, in fifths; the rule gives 1 where it prints 2 in
// column (3,1) of the lists 145, 245 and 345.
TEST(LevelAuction, ReproducesTheCorrectedTable) {
  const int expected[10][9] = {{1, 1, 1, 2, 2, 2, 3, 3, 3}, {1, 1, 1, 2, 2, 2, 2, 4, 4}, {1, 1, 1, 2, 2, 2, 2, 2, 5},
                               {1, 1, 1, 1, 3, 3, 2, 4, 4}, {1, 1, 1, 1, 3, 3, 2, 2, 5}, {1, 1, 1, 1, 1, 4, 1, 2, 5},
                               {0, 2, 2, 1, 3, 3, 2, 4, 4}, {0, 2, 2, 1, 3, 3, 2, 2, 5}, {0, 2, 2, 1, 1, 4, 1, 2, 5},
                               {0, 0, 3, 1, 1, 4, 1, 2, 5}};
  const auto p = make(1, 5, 3);
  const auto direct = LevelAuction::perturbations(p).front();
  ASSERT_EQ(direct->name(), "direct");
  ASSERT_EQ(direct->columns(), 9U);
  EXPECT_EQ(direct->gamma(), 15.0);
  std::vector<double> row(9);
  for (std::size_t k = 0; k < 10; ++k) {
    direct->row(p->action(k), row);
    for (std::size_t j = 0; j < 9; ++j) EXPECT_DOUBLE_EQ(row[j], expected[k][j] / 5.0) << k << " " << j;
  }
}

// A history that keeps evidence per action, to see what is poured.
struct Listed final : AnyHistory<LevelAuction> {
  explicit Listed(std::shared_ptr<const LevelAuction> p)
      : problem(std::move(p)), actions(problem->first_actions(100'000)), totals(actions.size(), 0.0) {}
  void add(const BidReach& y, double weight) override {
    least_weight = std::min(least_weight, weight);
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += weight * problem->loss(actions[k], y);
  }
  void add_table(std::size_t c, std::span<const double> values) override {
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += values[problem->position(actions[k], c)];
  }
  void scale(double factor) override {
    for (double& total : totals) total *= factor;
  }
  void clear() override {}
  void archive(Archive&) override {}
  std::shared_ptr<const LevelAuction> problem;
  std::vector<LevelAuction::Action> actions;
  std::vector<double> totals;
  double least_weight = 0;
};

TEST(LevelAuction, TablesAndDataSetsPourTheSameNoise) {
  for (const auto& p : {make(1, 5, 3), make(2, 4, 2), make(2, 5, 1), make(1, 7, 4), make(2, 3, 3)}) {
    for (const auto& matrix : LevelAuction::perturbations(p)) {
      Dice dice(static_cast<std::uint64_t>(p->rule().levels), 3);
      std::vector<double> alpha(matrix->columns()), row(matrix->columns());
      for (double& a : alpha) a = dice.unit() - 0.5;
      Listed tables(p), any(p), positive(p);
      matrix->pour(alpha, tables);
      ASSERT_TRUE(matrix->pour_data(alpha, any, Weights::kAnySign));
      ASSERT_TRUE(matrix->pour_data(alpha, positive, Weights::kNonNegative));
      EXPECT_EQ(positive.least_weight, 0.0) << matrix->name();
      std::vector<double> noise(tables.actions.size(), 0.0);
      for (std::size_t k = 0; k < noise.size(); ++k) {
        matrix->row(tables.actions[k], row);
        for (std::size_t j = 0; j < row.size(); ++j) noise[k] += alpha[j] * row[j];
        // Each up to one constant for all actions: compare with the first.
        for (const Listed* poured : {&tables, &any, &positive}) {
          EXPECT_NEAR(poured->totals[k] - poured->totals[0], noise[k] - noise[0], 1e-9) << matrix->name() << k;
        }
      }
    }
  }
}

TEST(LevelAuction, EveryColumnHasDataSetsOfBothSigns) {
  for (const auto& p : {make(1, 5, 3), make(2, 4, 2), make(1, 8, 4)}) {
    const auto actions = p->first_actions(1000);
    for (const auto& matrix : LevelAuction::perturbations(p)) {
      std::vector<double> row(matrix->columns());
      for (std::size_t j = 0; j < matrix->columns(); ++j) {
        for (const int sign : {1, -1}) {
          for (const Weights weights : {Weights::kAnySign, Weights::kNonNegative}) {
            const auto set = matrix->data({.column = j, .sign = sign, .weights = weights});
            ASSERT_TRUE(set);
            double low = 1e300, high = -1e300;
            for (const auto& x : actions) {
              matrix->row(x, row);
              double difference = -sign * row[j];
              for (const auto& [weight, y] : *set) {
                if (weights == Weights::kNonNegative) {
                  ASSERT_GE(weight, 0);
                }
                difference += weight * p->raw(x, y);
              }
              low = std::min(low, difference), high = std::max(high, difference);
            }
            ASSERT_LT(high - low, 1e-9) << matrix->name() << " column " << j << " sign " << sign;
          }
        }
      }
    }
  }
}

TEST(LevelAuction, OneValuePerThresholdMeansNoColumn) {
  const auto p = make(2, 3, 3);
  EXPECT_EQ(p->size(), 1U);
  for (const auto& matrix : LevelAuction::perturbations(p)) {
    EXPECT_EQ(matrix->columns(), 0U);
    EXPECT_EQ(matrix->gamma(), 0.0);
  }
}

Code code_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kInternal;
}

TEST(LevelAuction, RefusesWhatIsNotPartOfTheGame) {
  const auto params = [](std::string_view text) {
    return code_of([json = parse_json(text)] {
      Fields fields(json, "params");
      Codec<LevelAuction>::parse(fields);
      fields.done();
    });
  };
  EXPECT_EQ(params(R"({"bidders":2,"levels":0,"thresholds":1})"), Code::kOutOfRange);
  EXPECT_EQ(params(R"({"bidders":2,"levels":4,"thresholds":5})"), Code::kOutOfRange);
  EXPECT_EQ(params(R"({"bidders":1000000000,"levels":4,"thresholds":2})"), Code::kOutOfRange);
  EXPECT_EQ(params(R"({"bidders":64,"levels":1000,"thresholds":500})"), Code::kOutOfRange);
  EXPECT_EQ(params(R"({"bidders":2,"levels":4})"), Code::kMissingField);
  EXPECT_EQ(params(R"({"bidders":2,"levels":4,"thresholds":2,"phantom":1})"), Code::kUnknownField);
  const auto p = make(2, 4, 2);
  const auto outcome = [&](std::string_view text) {
    return code_of([&, json = parse_json(text)] { Codec<LevelAuction>::parse_outcome(*p, json, "y"); });
  };
  EXPECT_EQ(outcome("[0.5]"), Code::kBadOutcome);
  EXPECT_EQ(outcome("[0.5,0.5,0.5,0.5]"), Code::kBadOutcome);
  EXPECT_EQ(outcome("[0.5,1.2]"), Code::kOutOfRange);
  EXPECT_EQ(outcome("[0.5,\"1/4\",0.25]"), Code::kInternal);  // fine
  const auto action = [&](std::string_view text) {
    return code_of([&, json = parse_json(text)] { Codec<LevelAuction>::parse_action(*p, json, "x"); });
  };
  EXPECT_EQ(action("[1,2,3]"), Code::kBadAction);
  EXPECT_EQ(action("[1,2,3,3]"), Code::kBadAction);
  EXPECT_EQ(action("[1,2,3,5]"), Code::kOutOfRange);
  EXPECT_EQ(action("[1,2,3,4]"), Code::kInternal);  // fine
}

TEST(LevelAuction, BidsReachTheGridDespiteRounding) {
  const auto p = make(1, 100, 1);
  // 0.29 * 100 is 28.999999999999996 in doubles and must reach threshold 29.
  EXPECT_DOUBLE_EQ(p->raw({29}, Codec<LevelAuction>::parse_outcome(*p, parse_json("[0.29]"), "y")), 0.29);
}

}  // namespace level_auction_test
}  // namespace hannan::detail
