#include "hannan/problems/multi_unit/multi_unit_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace multi_unit_test {

std::shared_ptr<const MultiUnit> make(int bidders, int units, Range range = Range::kBundles) {
  return std::make_shared<const MultiUnit>(BundleRange::Parts{.bidders = bidders, .units = units, .range = range});
}

// Values of 0..h units, non-decreasing, in eighths so that sums tie.
std::vector<std::vector<double>> random_values(Dice& dice, int bidders, int units) {
  std::vector<std::vector<double>> values(static_cast<std::size_t>(bidders));
  for (auto& row : values) {
    row.push_back(0);
    for (int q = 0; q < units; ++q) row.push_back(std::min(1.0, row.back() + dice.below(3) / 8.0));
  }
  return values;
}

Json as_json(const std::vector<std::vector<double>>& values) {
  Json json = Json::array();
  for (const auto& row : values) json.push_back(Json(row));
  return json;
}

// The range from its definition: hand out every bundle to some bidder, collect the quantity vectors.
std::set<std::vector<int>> assigned(const std::vector<int>& bundles, int bidders) {
  std::set<std::vector<int>> reached{std::vector<int>(static_cast<std::size_t>(bidders), 0)};
  for (int bundle : bundles) {
    std::set<std::vector<int>> more;
    for (auto vector : reached) {
      for (int& quantity : vector) {
        quantity += bundle;
        more.insert(vector);
        quantity -= bundle;
      }
    }
    reached = std::move(more);
  }
  return reached;
}

TEST(BundleRange, IsTheSetOfBundleAssignmentsWithoutDuplicates) {
  for (int n = 1; n <= 4; ++n) {
    for (int h = 1; h <= (n == 4 ? 40 : 60); ++h) {
      const int size = h / (n * n), count = n * n;
      std::vector<int> bundles(static_cast<std::size_t>(h < count ? h : count), h < count ? 1 : size);
      if (h >= count && h % count != 0) bundles.push_back(h - count * size);
      const auto expected = assigned(bundles, n);
      const auto p = make(n, h);
      const auto list = p->first_actions(1'000'000);
      ASSERT_EQ(std::vector<std::vector<int>>(expected.begin(), expected.end()), list) << n << " " << h;
      ASSERT_EQ(p->action_count(), static_cast<double>(expected.size()));
      ASSERT_NEAR(p->ln_size(), std::log(static_cast<double>(expected.size())), 1e-12);
      ASSERT_EQ(p->action(expected.size() - 1), *expected.rbegin());
    }
  }
}

TEST(BundleRange, MergesEqualQuantitiesOfTwoBiddersAndSixUnits) {
  // A = 1, A' = 2: ten assignments of bundles, seven quantity vectors.
  EXPECT_EQ(make(2, 6)->size(), 7U);
  // A = 2, A' = 3: two bidders, who holds the odd bundle times 5 splits of four.
  EXPECT_EQ(make(2, 11)->size(), 10U);
  // All allocations of 5 units to 3 bidders: C(7,2) = 21.
  EXPECT_EQ(make(3, 5, Range::kAll)->size(), 21U);
}

TEST(MultiUnit, LossIsOneMinusTheMeanValue) {
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    Dice dice(trial, 1);
    const int n = 1 + dice.below(4), h = 1 + dice.below(12);
    const auto p = make(n, h, dice.below(2) == 0 ? Range::kAll : Range::kBundles);
    const auto values = random_values(dice, n, h);
    const auto y = Codec<MultiUnit>::parse_outcome(*p, as_json(values), "y");
    const auto list = p->first_actions(1000);
    const auto& x = list[static_cast<std::size_t>(dice.below(static_cast<int>(list.size())))];
    double welfare = 0;
    for (std::size_t i = 0; i < x.size(); ++i) welfare += values[i][static_cast<std::size_t>(x[i])];
    ASSERT_NEAR(p->loss(x, y), 1 - welfare / n, 1e-15);
    // The steps read back as the same valuation, and the action as itself.
    ASSERT_EQ(Codec<MultiUnit>::parse_outcome(*p, Codec<MultiUnit>::outcome_json(*p, y), "y"), y);
    ASSERT_EQ(Codec<MultiUnit>::parse_action(*p, Codec<MultiUnit>::action_json(*p, x), "x"), x);
  }
}

TEST(MultiUnit, OraclesAgreeWithEnumerationOnTwoThousandRandomHistories) {
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    Dice dice(trial, 2);
    const int n = 1 + dice.below(3), h = 1 + dice.below(16);
    const auto p = make(n, h, dice.below(3) == 0 ? Range::kAll : Range::kBundles);
    const auto actions = p->first_actions(100'000);
    std::vector<double> exact(actions.size(), 0.0);
    const double scale = dice.below(2) == 0 ? 0.0 : 1.5;
    for (const auto& oracle : MultiUnit::oracles(p)) {
      Dice same(trial, 3);
      std::fill(exact.begin(), exact.end(), 0.0);
      auto data = oracle->empty(), noise = oracle->empty();
      for (int t = 0; t < 5; ++t) {
        const auto y = Codec<MultiUnit>::parse_outcome(*p, as_json(random_values(same, n, h)), "y");
        const double weight = same.below(5) - 1;
        (t < 4 ? data : noise)->add(y, weight);
        for (std::size_t k = 0; k < actions.size(); ++k)
          exact[k] += (t < 4 ? 1 : scale) * weight * p->loss(actions[k], y);
      }
      for (std::size_t c = 0; c < p->coordinates(); ++c) {
        std::vector<double> table(p->domain(c));
        for (double& v : table) v = same.below(5) / 4.0 - 0.5;
        noise->add_table(c, table);
        for (std::size_t k = 0; k < actions.size(); ++k) exact[k] += scale * table[p->position(actions[k], c)];
      }
      const double least = *std::min_element(exact.begin(), exact.end());
      std::size_t first = 0;
      while (exact[first] > least + tie_window(least)) ++first;
      const auto keep = static_cast<std::size_t>(same.below(4));
      const auto answer = oracle->best({*data, *noise, scale}, keep);
      ASSERT_EQ(answer.action, actions[first]) << oracle->name() << " trial " << trial;
      ASSERT_NEAR(answer.value, exact[first], 1e-12);
      ASSERT_NEAR(answer.floor, least, 1e-12);
      auto sorted = exact;
      std::sort(sorted.begin(), sorted.end());
      if (keep > 0 && keep < sorted.size()) {
        ASSERT_NEAR(answer.rest, sorted[keep], 1e-12);
      }
    }
  }
}

// Spread of sum w*reward - sign*column over all actions, which must be constant.
double spread(const MultiUnit& p, const Perturbation<MultiUnit>& matrix, std::size_t column, int sign) {
  const auto set = matrix.data({.column = column, .sign = sign, .weights = Weights::kNonNegative});
  if (!set) return 1;
  double low = 1e300, high = -1e300;
  std::vector<double> row(matrix.columns());
  for (const auto& x : p.first_actions(100'000)) {
    matrix.row(x, row);
    double difference = -sign * row[column];
    for (const auto& [weight, y] : *set) {
      if (weight < 0 || Codec<MultiUnit>::parse_outcome(p, Codec<MultiUnit>::outcome_json(p, y), "y") != y) return 1;
      difference += weight * (1 - p.loss(x, y));
    }
    low = std::min(low, difference), high = std::max(high, difference);
  }
  return high - low;
}

TEST(MultiUnit, EveryColumnHasNonNegativeDataSetsOfBothSigns) {
  for (const auto& p :
       {make(2, 3), make(2, 7), make(2, 11), make(3, 5), make(3, 20), make(3, 14), make(2, 9, Range::kAll)}) {
    for (const auto& matrix : MultiUnit::perturbations(p)) {
      for (std::size_t j = 0; j < matrix->columns(); ++j) {
        ASSERT_LT(spread(*p, *matrix, j, 1), 1e-11) << matrix->name() << " column " << j;
        ASSERT_LT(spread(*p, *matrix, j, -1), 1e-11) << matrix->name() << " column " << j;
      }
    }
  }
}

TEST(MultiUnit, ClaimsAreThoseOfTheProofs) {
  const auto p = make(3, 9);
  const auto all = MultiUnit::perturbations(p);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]->name(), "thermometer");
  EXPECT_EQ(all[0]->columns(), 27U);  // three bidders, sizes 0..9
  EXPECT_EQ(all[0]->gamma(), 1.0);
  EXPECT_EQ(all[1]->gamma(), 2.0 / 3);
  EXPECT_EQ(all[2]->columns(), 12U);  // four bits each
  // One bidder gets everything: one action, no column, gamma 0.
  const auto lone = make(1, 1'000'000'000, Range::kAll);
  EXPECT_EQ(lone->size(), 1U);
  for (const auto& matrix : MultiUnit::perturbations(lone)) {
    EXPECT_EQ(matrix->columns(), 0U);
    EXPECT_EQ(matrix->gamma(), 0.0);
  }
}

// The claimed gamma's own hedge vectors, checked against every action: <G_k - G_j, s> >= r_j - r_k.
TEST(MultiUnit, OneHotHedgeVectorsAreFeasible) {
  const auto p = make(3, 14);
  const auto actions = p->first_actions(1000);
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    Dice dice(trial, 4);
    const auto y = Codec<MultiUnit>::parse_outcome(*p, as_json(random_values(dice, 3, 14)), "y");
    for (const auto& k : actions) {
      for (const auto& j : actions) {
        double hedge = 0;  // s = (n-1)/n^2 on each own size, gamma = n of these
        for (std::size_t i = 0; i < 3; ++i) hedge += k[i] != j[i] ? 2.0 / 9 : 0.0;
        ASSERT_GE(hedge + 1e-12, p->loss(k, y) - p->loss(j, y));
      }
    }
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

Code parse_code(std::string_view text) {
  const Json json = parse_json(text);
  return code_of([&] {
    Fields fields(json, "params");
    Codec<MultiUnit>::parse(fields);
    fields.done();
  });
}

TEST(MultiUnit, RefusesParametersThatMakeNoSenseOrTooMuchWork) {
  EXPECT_EQ(parse_code(R"({"bidders":0,"units":3})"), Code::kOutOfRange);
  EXPECT_EQ(parse_code(R"({"bidders":1000000000,"units":3})"), Code::kOutOfRange);
  EXPECT_EQ(parse_code(R"({"bidders":2,"units":0})"), Code::kOutOfRange);
  EXPECT_EQ(parse_code(R"({"bidders":10,"units":100000,"range":"all"})"), Code::kOutOfRange);
  EXPECT_EQ(parse_code(R"({"bidders":10,"units":100000,"range":"some"})"), Code::kUnknownName);
  EXPECT_EQ(parse_code(R"({"bidders":10,"units":1000000000})"), Code::kInternal);  // no complaint
  EXPECT_EQ(parse_code(R"({"bidders":1000,"units":1000000000})"), Code::kOutOfRange);
}

TEST(MultiUnit, RefusesOutcomesAndActionsOutsideTheGame) {
  const auto p = make(2, 11);
  const auto outcome = [&](std::string_view text) {
    return code_of([&, json = parse_json(text)] { Codec<MultiUnit>::parse_outcome(*p, json, "y"); });
  };
  EXPECT_EQ(outcome("[[]]"), Code::kBadOutcome);                     // one bidder missing
  EXPECT_EQ(outcome("[[],[0,1]]"), Code::kBadOutcome);               // values of 0..11 expected
  EXPECT_EQ(outcome("[[],[[3,0.5],[4,0.25]]]"), Code::kBadOutcome);  // falls
  EXPECT_EQ(outcome("[[],[[3,0.5],[3,0.75]]]"), Code::kBadOutcome);  // twice the same quantity
  EXPECT_EQ(outcome("[[],[[3,1.5]]]"), Code::kOutOfRange);
  EXPECT_EQ(outcome("[[],[[12,0.5]]]"), Code::kOutOfRange);
  EXPECT_EQ(outcome("[[],[[11,1]]]"), Code::kInternal);  // fine
  const auto action = [&](std::string_view text) {
    return code_of([&, json = parse_json(text)] { Codec<MultiUnit>::parse_action(*p, json, "x"); });
  };
  EXPECT_EQ(action("[1,10]"), Code::kBadAction);  // 1 is no sum of bundles
  EXPECT_EQ(action("[2,8]"), Code::kBadAction);   // the odd bundle of 3 is missing
  EXPECT_EQ(action("[3,5]"), Code::kBadAction);   // handed out twice
  EXPECT_EQ(action("[11]"), Code::kBadAction);
  EXPECT_EQ(action("[2,9]"), Code::kInternal);  // fine
}

TEST(MultiUnit, TenBiddersAndTenThousandUnitsKeepAFlatHistory) {
  const auto p = make(10, 10'000);
  // A = 100, no remainder: 101 sizes, K = C(109, 9).
  EXPECT_EQ(p->domain(0), 101U);
  EXPECT_EQ(p->action_count(), 4263421511271.0);
  const auto oracle = MultiUnit::oracles(p).front();
  auto data = oracle->empty(), noise = oracle->empty();
  // Every bidder wants exactly 1000 units: the even split is worth 10, and nothing else is.
  for (int t = 0; t < 100; ++t) data->add(MultiUnit::Outcome(10, StepValuation{{1000, 1.0}}), 1.0);
  const auto answer = oracle->best({*data, *noise, 0.0}, 3);
  EXPECT_EQ(answer.action, std::vector<int>(10, 1000));
  EXPECT_NEAR(answer.value, 0.0, 1e-9);
  EXPECT_NEAR(answer.pool[1].value, 10.0, 1e-9);  // one bidder short in each of 100 rounds: 100 * 1/10
}

}  // namespace multi_unit_test
}  // namespace hannan::detail
