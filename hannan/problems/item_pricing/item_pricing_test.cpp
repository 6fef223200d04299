#include "hannan/problems/item_pricing/item_pricing_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "tests/border_faults.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace item_pricing_test {

using Demand = ItemPricing::Demand;
using P = std::shared_ptr<const ItemPricing>;

P make(const ItemPricing::Parts& parts) { return std::make_shared<ItemPricing>(parts); }

// Values are integers in units of 1/(6m): both on and off the grid, and ties in utility are common.
struct Draft {
  std::vector<int> bundle;
  std::vector<int> sixths;  // one value, or one per item
};

Buyer buyer_of(const ItemPricing& p, const Draft& draft) {
  Buyer buyer;
  for (const int j : draft.bundle) buyer.bundle |= std::uint32_t{1} << j;
  if (p.demand() == Demand::kSingleMinded) {
    buyer.value = draft.sixths[0] / (6.0 * p.levels());
  } else {
    for (const int v : draft.sixths) buyer.values.push_back(v / (6.0 * p.levels()));
  }
  return buyer;
}

Draft draft(const ItemPricing& p, Dice& dice) {
  Draft d;
  const bool single = p.demand() == Demand::kSingleMinded;
  for (int j = 0; j < p.items(); ++j) {
    if (single && dice.below(2) == 0) d.bundle.push_back(j);
    if (!single || j == 0)
      d.sixths.push_back(dice.below(3) == 0 ? 6 * dice.below(p.levels() + 1) : dice.below(6 * p.levels() + 1));
  }
  return d;
}

// The rules once more, in whole sixths of a grid unit.
int pays_exactly(const ItemPricing& p, const std::vector<int>& x, const Draft& d) {
  if (p.demand() == Demand::kSingleMinded) {
    int price = 0;
    for (const int j : d.bundle) price += x[static_cast<std::size_t>(j)];
    return 6 * price <= d.sixths[0] ? price : 0;
  }
  std::vector<std::vector<int>> offers;  // utility, price, minus index: the greatest is taken
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (const int utility = d.sixths[j] - 6 * x[j]; utility >= 0)
      offers.push_back({utility, x[j], -static_cast<int>(j)});
  }
  return offers.empty() ? 0 : (*std::max_element(offers.begin(), offers.end()))[1];
}

ItemPricing::Parts small(Dice& dice) {
  ItemPricing::Parts parts{.items = 1 + dice.below(3), .levels = 1 + dice.below(5), .buyers = 1 + dice.below(3)};
  if (dice.below(2) == 0) parts.demand = Demand::kUnitDemand;
  return parts;
}

ItemPricing::Outcome outcome(const ItemPricing& p, Dice& dice) {
  ItemPricing::Outcome y;
  for (int i = dice.below(p.buyers() + 1); i > 0; --i) y.push_back(buyer_of(p, draft(p, dice)));
  return y;
}

TEST(ItemPricing, ChargesWhatTheRulesSayOnRandomBuyers) {
  for (std::uint64_t t = 0; t < 4000; ++t) {
    Dice dice(t);
    const auto p = make(small(dice));
    std::vector<int> x;
    for (int j = 0; j < p->items(); ++j) x.push_back(1 + dice.below(p->levels()));
    ItemPricing::Outcome y;
    int paid = 0;
    for (int i = 0; i < p->buyers(); ++i) {
      const Draft d = draft(*p, dice);
      y.push_back(buyer_of(*p, d));
      paid += pays_exactly(*p, x, d);
    }
    EXPECT_NEAR(p->raw(x, y), static_cast<double>(paid) / p->levels(), 1e-12);
    EXPECT_NEAR(p->loss(x, y), 1 - static_cast<double>(paid) / (p->levels() * p->buyers()), 1e-12);
  }
}

TEST(ItemPricing, SellsAtAPriceEqualToTheValueInSpiteOfRounding) {
  const auto p = make({.items = 1, .levels = 100});
  EXPECT_LT(0.29 * 100, 29.0);
  EXPECT_EQ(p->pays({29}, {.bundle = 1, .value = 0.29}), 29);
  EXPECT_EQ(p->pays({30}, {.bundle = 1, .value = 0.29}), 0);
}

// 0.3 - 0.1 and 0.5 - 0.3 are both 0.2 on paper and differ in doubles.
TEST(ItemPricing, SendsTiesInUtilityToTheDearerItem) {
  const auto p = make({.items = 2, .levels = 10, .demand = Demand::kUnitDemand});
  EXPECT_NE(0.3 - 0.1, 0.5 - 0.3);
  EXPECT_EQ(p->pays({1, 3}, {.values = {0.3, 0.5}}), 3);
  EXPECT_EQ(p->pays({3, 1}, {.values = {0.5, 0.3}}), 3);
}

TEST(ItemPricing, AccumulatesTheLossOfEveryActionAtOnce) {
  for (std::uint64_t t = 0; t < 1000; ++t) {
    Dice dice(10'000 + t);
    const auto p = make(small(dice));
    const auto y = outcome(*p, dice);
    std::vector<double> totals(p->size(), 0.5);
    p->accumulate(y, -1.5, totals);
    for (std::size_t k = 0; k < totals.size(); ++k) {
      ASSERT_NEAR(totals[k], 0.5 - 1.5 * p->loss(p->action(k), y), 1e-12);
    }
  }
}

// Values from two ticks below a level to two above it, in quarters of a tick: the last quarters that still reach it
// differ between the two kinds of demand.
TEST(ItemPricing, LosesNoLessThanTheLeastLossAtTheEdgeOfALevel) {
  for (const Demand demand : {Demand::kSingleMinded, Demand::kUnitDemand}) {
    for (const int m : {1, 2, 3, 10}) {
      const auto p = make({.items = 2, .levels = m, .buyers = 2, .demand = demand});
      for (int level = 1; level <= m; ++level) {
        for (int quarters = -8; quarters <= (level < m ? 8 : 0); ++quarters) {
          const double value = (level + quarters * 0.25e-9) / m;
          const Buyer buyer =
              demand == Demand::kUnitDemand ? Buyer{.values = {value, value / 2}} : Buyer{.bundle = 1, .value = value};
          const ItemPricing::Outcome y{buyer, buyer};
          double least = 1;
          for (const auto& x : p->first_actions(100)) least = std::min(least, p->loss(x, y));
          EXPECT_EQ(p->least_loss(y), least) << m << " " << level << " " << quarters;
        }
      }
    }
  }
}

// 0.1 + 0.2 is more than 0.3 in doubles, and a buyer of both at 0.3 pays it: within 1e-9 of the value.
TEST(ItemPricing, SpreadsOverTheValueOfABundleAndTheSlackOfItsPrice) {
  const auto p = make({.prices = {PriceList({0, 0.1}), PriceList({0, 0.2})}});
  const ItemPricing::Outcome y{{.bundle = 3, .value = 0.3}};
  const double least = p->spread(y).least;
  EXPECT_EQ(least, -0.3);
  EXPECT_LT(p->loss({1, 1}, y), least);
  EXPECT_GE(p->loss({1, 1}, y), least * (1 + PriceList::kSlack));
}

TEST(ItemPricing, ListsActionsInOrder) {
  const auto p = make({.items = 3, .levels = 4});
  const auto all = p->first_actions(1000);
  ASSERT_EQ(all.size(), 64U);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(p->action(k), all[k]);
  EXPECT_EQ(p->first_actions(3).back(), (std::vector<int>{1, 1, 3}));
  EXPECT_FALSE(make({.items = 32, .levels = 1024})->action_count());
}

void expect_data_makes_columns(const P& p, const Perturbation<ItemPricing>& matrix) {
  std::vector<double> row(matrix.columns());
  for (std::size_t j = 0; j < matrix.columns(); ++j) {
    for (const int sign : {1, -1}) {
      for (const Weights weights : {Weights::kAnySign, Weights::kNonNegative}) {
        const auto set = matrix.data({.column = j, .sign = sign, .weights = weights});
        ASSERT_TRUE(set);
        double constant = 0;
        for (std::size_t k = 0; k < p->size(); ++k) {
          const auto x = p->action(k);
          matrix.row(x, row);
          double made = -sign * row[j];
          for (const auto& [weight, y] : *set) {
            made += weight * (1 - p->loss(x, y));
            ASSERT_TRUE(weight >= 0 || weights == Weights::kAnySign);
          }
          if (k == 0) constant = made;
          ASSERT_NEAR(made, constant, 1e-9) << matrix.name() << " column " << j << " sign " << sign;
        }
      }
    }
  }
}

TEST(PricingColumns, AreMadeByTheirDataSetsForBothSigns) {
  for (const Demand demand : {Demand::kSingleMinded, Demand::kUnitDemand}) {
    for (const int m : {1, 2, 3, 4, 7, 23}) {
      const auto p = make({.items = 2, .levels = m, .buyers = 3, .demand = demand});
      for (const auto& matrix : ItemPricing::perturbations(p)) expect_data_makes_columns(p, *matrix);
    }
  }
}

// m = 4, R = 1, high bit: signed (-4/3, 1/3, 1) at (1/2, 3/4, 1); non-negative (4, 1, 3) at
// (1/4, 3/4, 1); minus the bit (2, 2) at (1/4, 1/2).
TEST(PricingColumns, HaveTheKnownWeightsOfTheHighBit) {
  const auto bits = ItemPricing::perturbations(make({.items = 1, .levels = 4})).front();
  const auto expect = [&](int sign, Weights weights, const std::vector<std::pair<double, double>>& wanted) {
    const auto set = bits->data({.column = 0, .sign = sign, .weights = weights});
    ASSERT_EQ(set->size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_NEAR((*set)[i].weight, wanted[i].first, 1e-12);
      EXPECT_EQ((*set)[i].outcome, (ItemPricing::Outcome{{.bundle = 1, .value = wanted[i].second}}));
    }
  };
  expect(1, Weights::kAnySign, {{-4.0 / 3, 0.5}, {1.0 / 3, 0.75}, {1, 1}});
  expect(1, Weights::kNonNegative, {{4, 0.25}, {1, 0.75}, {3, 1}});
  expect(-1, Weights::kNonNegative, {{2, 0.25}, {2, 0.5}});
}

// The hedge vectors of the header's table, tried against every pair of actions.
TEST(PricingColumns, AreSingledOutByVectorsOfTheClaimedSize) {
  for (const int m : {1, 2, 3, 5}) {
    const auto p = make({.items = 2, .levels = m});
    for (const auto& matrix : ItemPricing::perturbations(p)) {
      const std::size_t n = matrix->columns(), per_item = n / 2;
      std::vector<double> own(n), other(n), s(n);
      for (std::size_t k = 0; k < p->size(); ++k) {
        matrix->row(p->action(k), own);
        for (std::size_t j = 0; j < n; ++j) {
          const std::size_t h = j % per_item, d = p->position(p->action(k), j / per_item);
          if (matrix->name() == "bits") s[j] = own[j] > 0 ? 1 : -1;
          if (matrix->name() == "one-hot") s[j] = h == d ? 1 : 0;
          if (matrix->name() == "thermometer") s[j] = h + 1 == d ? 1 : h == d ? -1 : 0;
          if (matrix->name() == "direct") s[j] = h == d ? m : 0;
        }
        double norm = 0;
        for (const double entry : s) {
          norm += std::abs(entry);
          EXPECT_TRUE(entry >= 0 || matrix->hedge_sign() == HedgeSign::kMixed);
        }
        EXPECT_LE(norm, *matrix->gamma());
        for (std::size_t i = 0; i < p->size(); ++i) {
          if (i == k) continue;
          matrix->row(p->action(i), other);
          double ahead = 0;
          for (std::size_t j = 0; j < n; ++j) ahead += (own[j] - other[j]) * s[j];
          EXPECT_GE(ahead, 1 - 1e-12) << matrix->name();
        }
      }
    }
  }
}

std::string error_at(const std::string& params, const std::string& outcome) {
  return fault_of<ItemPricing>({params, "", outcome});
}

TEST(ItemPricing, RefusesWhatItCannotMeanWithThePlaceOfTheFault) {
  const std::string good = R"({"items":2,"levels":4,"buyers":2,"demand":"single"})";
  const std::string unit = R"({"items":2,"levels":4,"buyers":2,"demand":"unit"})";
  EXPECT_EQ(error_at(good, R"([{"bundle":[0,1],"value":"3/4"},{"bundle":[],"value":0}])"), "none");
  EXPECT_EQ(error_at(unit, R"([[0,1]])"), "none");
  EXPECT_EQ(error_at(R"({"items":2,"levels":0,"buyers":1,"demand":"single"})", "[]"), "H105 params.levels");
  EXPECT_EQ(error_at(R"({"items":33,"levels":4,"buyers":1,"demand":"single"})", "[]"), "H105 params.items");
  EXPECT_EQ(error_at(R"({"items":2,"levels":4,"buyers":1000000000,"demand":"single"})", "[]"), "H105 params.buyers");
  EXPECT_EQ(error_at(R"({"items":2,"levels":4,"buyers":1,"demand":"both"})", "[]"), "H106 params.demand");
  EXPECT_EQ(error_at(R"({"items":2,"levels":4,"price":1})", "[]"), "H103 params.price");
  EXPECT_EQ(error_at(good, R"([{"bundle":[2],"value":1}])"), "H105 outcome[0].bundle[0]");
  EXPECT_EQ(error_at(good, R"([{"bundle":[1,1],"value":1}])"), "H301 outcome[0].bundle[1]");
  EXPECT_EQ(error_at(good, R"([{"bundle":[1],"value":1.2}])"), "H105 outcome[0].value");
  EXPECT_EQ(error_at(good, R"([{"bundle":[1],"value":1,"name":1}])"), "H103 outcome[0].name");
  EXPECT_EQ(error_at(unit, R"([[0,1],[0,1],[0,1]])"), "H301 outcome");
  EXPECT_EQ(error_at(unit, R"([[0,1],[0]])"), "H301 outcome[1]");
  const auto p = make({.items = 2, .levels = 4});
  EXPECT_THROW(Codec<ItemPricing>::parse_action(*p, parse_json("[0,1]"), "action"), Error);
  EXPECT_THROW(Codec<ItemPricing>::parse_action(*p, parse_json("[1]"), "action"), Error);
}

TEST(ItemPricing, ReadsBackTheOutcomesItWrites) {
  for (std::uint64_t t = 0; t < 200; ++t) {
    Dice dice(50'000 + t);
    const auto p = make(small(dice));
    const auto y = outcome(*p, dice);
    EXPECT_EQ(
        Codec<ItemPricing>::parse_outcome(*p, parse_json(dump(Codec<ItemPricing>::outcome_json(*p, y))), "outcome"), y);
  }
  const auto p = make({.items = 2, .levels = 4, .buyers = 2, .demand = Demand::kUnitDemand});
  ItemPricing::Outcome y;
  p->outcome_from_row(std::vector<double>{0.1, 0.2, 0.3, 0.4}, y);
  EXPECT_EQ(dump(Codec<ItemPricing>::outcome_json(*p, y)), "[[0.1,0.2],[0.3,0.4]]");
}

}  // namespace item_pricing_test
}  // namespace hannan::detail
