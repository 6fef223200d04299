#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "tests/random_bids.hpp"

namespace hannan::detail {
namespace vcg_reserves_test {

using Action = VcgReserves::Action;
using Outcome = VcgReserves::Outcome;
using Rule = VcgReserves::Rule;

// The rules once more, by comparing every pair of bidders instead of sorting.
double plain_revenue(const VcgReserves& p, const Action& x, const Outcome& y) {
  const int n = p.bidders(), units = p.auction().units;
  const auto stays = [&](int i) {
    return p.rule() == Rule::kLazy ||
           y[static_cast<std::size_t>(i)] * p.levels() + 1e-9 >= x[static_cast<std::size_t>(i)];
  };
  const auto ahead = [&](int i, int j) {
    const double a = y[static_cast<std::size_t>(i)], b = y[static_cast<std::size_t>(j)];
    return a != b ? a > b : i < j;
  };
  std::vector<int> rank(static_cast<std::size_t>(n), 0);
  double price = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) rank[static_cast<std::size_t>(i)] += stays(j) && j != i && ahead(j, i);
    if (stays(i) && rank[static_cast<std::size_t>(i)] >= units) price = std::max(price, y[static_cast<std::size_t>(i)]);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!stays(i) || rank[at] >= units) continue;
    if (y[at] * p.levels() + 1e-9 < x[at]) continue;
    sum += std::max(static_cast<double>(x[at]) / p.levels(), price);
  }
  return sum;
}

TEST(VcgReserves, PaysWhatAPairwiseEvaluatorSays) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Dice dice(seed);
    const auto p = draw_reserves(dice, seed % 2 ? Rule::kLazy : Rule::kEager);
    const auto y = draw_bids(dice, *p);
    Action x(p->coordinates());
    for (int& a : x) a = 1 + dice.below(p->levels());
    EXPECT_NEAR(p->raw(x, y), plain_revenue(*p, x, y), 1e-12);
    EXPECT_GE(p->loss(x, y), 0);
    EXPECT_LE(p->loss(x, y), 1);
  }
}

TEST(VcgReserves, FollowsBothRulesInASmallCase) {
  // Reserves 3/4, 1/4, 1/4; bids 0.7, 0.5, 0.3. Eager: bidder 0 leaves, 1 pays max(1/4, 0.3). Lazy:
  // bidder 0 would win but misses its reserve.
  const VcgReserves eager({.bidders = 3, .levels = 4, .units = 1, .rule = Rule::kEager});
  const VcgReserves lazy({.bidders = 3, .levels = 4, .units = 1, .rule = Rule::kLazy});
  EXPECT_DOUBLE_EQ(eager.raw({3, 1, 1}, {0.7, 0.5, 0.3}), 0.3);
  EXPECT_DOUBLE_EQ(lazy.raw({3, 1, 1}, {0.7, 0.5, 0.3}), 0);
  EXPECT_DOUBLE_EQ(lazy.raw({2, 4, 4}, {0.7, 0.5, 0.3}), 0.5);
  // 0.29 * 100 = 28.999999999999996 in doubles must still reach reserve 29.
  const VcgReserves fine({.bidders = 1, .levels = 100, .units = 1});
  EXPECT_DOUBLE_EQ(fine.raw({29}, {0.29}), 0.29);
}

TEST(VcgReserves, AccumulatesWhatItsLossSays) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Dice dice(seed);
    const auto p = draw_reserves(dice, seed % 2 ? Rule::kLazy : Rule::kEager);
    const auto y = draw_bids(dice, *p);
    std::vector<double> totals(p->size(), 0.25);
    p->accumulate(y, -1.5, totals);
    for (std::uint64_t k = 0; k < p->size(); ++k) EXPECT_NEAR(totals[k], 0.25 - 1.5 * p->loss(p->action(k), y), 1e-12);
  }
}

TEST(VcgReserves, DataSetsMakeEveryColumnOfEveryCode) {
  for (const VcgReserves::Parts& parts :
       {VcgReserves::Parts{.bidders = 2, .levels = 4, .units = 1},
        VcgReserves::Parts{.bidders = 3, .levels = 3, .units = 2},
        VcgReserves::Parts{.bidders = 2, .levels = 5, .units = 4},
        VcgReserves::Parts{.bidders = 2, .levels = 5, .units = 1, .rule = Rule::kLazy}}) {
    const auto p = std::make_shared<VcgReserves>(parts);
    for (const auto& matrix : VcgReserves::perturbations(p)) {
      std::vector<double> row(matrix->columns());
      for (std::size_t j = 0; j < matrix->columns(); ++j) {
        for (int sign : {1, -1}) {
          for (Weights weights : {Weights::kAnySign, Weights::kNonNegative}) {
            const auto set = matrix->data({.column = j, .sign = sign, .weights = weights});
            ASSERT_TRUE(set);
            double constant = 0;
            for (std::uint64_t k = 0; k < p->size(); ++k) {
              const Action x = p->action(k);
              double sum = 0;
              for (const auto& [w, y] : *set) {
                EXPECT_TRUE(weights == Weights::kAnySign || w >= 0);
                sum += w * (1 - p->loss(x, y));
              }
              matrix->row(x, row);
              if (k == 0) constant = sum - sign * row[j];
              EXPECT_NEAR(sum, sign * row[j] + constant, 1e-9) << matrix->name() << " column " << j;
            }
          }
        }
      }
    }
  }
}

// The hedge vectors that the header promises, held against every other action on random profiles:
// <row(x) - row(x'), s> >= reward(x') - reward(x) and ||s||_1 = gamma.
TEST(VcgReserves, OneHotHedgesWithTheClaimedGamma) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Dice dice(90'000 + seed);
    const auto p = draw_reserves(dice, Rule::kEager);
    if (p->levels() < 2) continue;
    const auto y = draw_bids(dice, *p);
    const double m = p->levels();
    const double per_change = (m - 1) / m / (p->is_separable() ? p->normaliser() : 1);
    EXPECT_NEAR(*VcgReserves::perturbations(p)[1]->gamma(), per_change * p->bidders(), 1e-12);
    const auto all = p->first_actions(p->size());
    std::vector<double> losses(all.size(), 0.0);
    p->accumulate(y, 1.0, losses);
    double worst = 0;  // what the hedge misses
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (std::size_t j = 0; j < all.size(); ++j) {
        int changed = 0;
        for (std::size_t i = 0; i < all[k].size(); ++i) changed += all[k][i] != all[j][i];
        worst = std::max(worst, losses[k] - losses[j] - per_change * changed);
      }
    }
    EXPECT_LE(worst, 1e-9);
  }
}

TEST(VcgReserves, ReadsAndWritesItsJson) {
  const Json given = Json::object({{"bidders", 3}, {"levels", 4}, {"units", 2}, {"rule", "lazy"}});
  Fields fields(given, "params");
  const auto p = Codec<VcgReserves>::parse(fields);
  fields.done();
  EXPECT_EQ(Codec<VcgReserves>::params(*p), given);
  EXPECT_EQ(Codec<VcgReserves>::parse_action(*p, Codec<VcgReserves>::action_json(*p, {1, 4, 2}), "action"),
            (Action{1, 4, 2}));
  EXPECT_EQ(Codec<VcgReserves>::parse_outcome(*p, Codec<VcgReserves>::outcome_json(*p, {0, 0.5, 1}), "outcome"),
            (Outcome{0, 0.5, 1}));
}

template <class F>
void expect_error(Code code, const std::string& at, F&& f) {
  try {
    f();
    FAIL() << "expected an error at " << at;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(error.at(), at);
  }
}

TEST(VcgReserves, RefusesWhatIsOutOfRange) {
  const auto parse = [](Json params) {
    return [params] {
      Fields fields(params, "params");
      Codec<VcgReserves>::parse(fields);
    };
  };
  expect_error(Code::kOutOfRange, "params.levels", parse(Json::object({{"bidders", 2}, {"levels", 0}})));
  expect_error(Code::kOutOfRange, "params.bidders", parse(Json::object({{"bidders", 1e9}, {"levels", 4}})));
  expect_error(Code::kOutOfRange, "params.units", parse(Json::object({{"bidders", 2}, {"levels", 4}, {"units", 0}})));
  expect_error(Code::kUnknownName, "params.rule",
               parse(Json::object({{"bidders", 2}, {"levels", 4}, {"rule", "keen"}})));
  const VcgReserves p({.bidders = 2, .levels = 4});
  expect_error(Code::kOutOfRange, "outcome[1]",
               [&] { Codec<VcgReserves>::parse_outcome(p, Json::array({0.5, 1.2}), "outcome"); });
  expect_error(Code::kBadOutcome, "outcome",
               [&] { Codec<VcgReserves>::parse_outcome(p, Json::array({0.5}), "outcome"); });
  expect_error(Code::kOutOfRange, "action[0]",
               [&] { Codec<VcgReserves>::parse_action(p, Json::array({0, 1}), "action"); });
  expect_error(Code::kBadAction, "action",
               [&] { Codec<VcgReserves>::parse_action(p, Json::array({1, 1, 1}), "action"); });
}

}  // namespace vcg_reserves_test
}  // namespace hannan::detail
