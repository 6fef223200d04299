#include "hannan/problems/second_price_bidding/second_price_bidding_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/problems/second_price_bidding/bidding_search.hpp"
#include "tests/border_faults.hpp"
#include "tests/random_evidence.hpp"

namespace hannan::detail {
namespace second_price_bidding_test {

using P = std::shared_ptr<const SecondPriceBidding>;

P make(int items, int levels, std::vector<int> valuation) {
  return std::make_shared<SecondPriceBidding>(items, levels, std::move(valuation));
}

// Any monotone valuation: a random number per bundle, raised to that of its parts.
P random_problem(Dice& dice) {
  const int items = 1 + dice.below(4), levels = 1 + dice.below(4);
  std::vector<int> v(std::size_t{1} << items, 0);
  for (std::size_t s = 1; s < v.size(); ++s) {
    v[s] = dice.below(levels + 1);
    for (std::size_t part = (s - 1) & s; part != 0; part = (part - 1) & s) v[s] = std::max(v[s], v[part]);
  }
  return make(items, levels, v);
}

// Prices in sixths of a level: on the grid, off it, and at the ends.
std::vector<int> sixths(const SecondPriceBidding& p, Dice& dice) {
  std::vector<int> prices;
  for (int j = 0; j < p.items(); ++j) {
    prices.push_back(dice.below(2) == 0 ? 6 * dice.below(p.levels() + 1) : dice.below(6 * p.levels() + 1));
  }
  return prices;
}

SecondPriceBidding::Outcome outcome(const SecondPriceBidding& p, const std::vector<int>& prices) {
  SecondPriceBidding::Outcome y;
  for (const int price : prices) y.push_back(price / (6.0 * p.levels()));
  return y;
}

TEST(SecondPriceBidding, ListsExactlyTheBidsWithoutOverbiddingInOrder) {
  for (std::uint64_t t = 0; t < 400; ++t) {
    Dice dice(t);
    const auto p = random_problem(dice);
    const auto all = p->first_actions(1'000'000);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    const std::set<std::vector<int>> listed(all.begin(), all.end());
    EXPECT_EQ(listed.size(), all.size());
    ASSERT_EQ(p->size(), all.size());
    EXPECT_EQ(p->action(all.size() - 1), all.back());
    std::vector<int> x(p->coordinates(), 0);
    while (true) {  // every vector of {0..m}^h
      bool over = false;
      for (unsigned s = 1; s < 1U << p->items(); ++s) {
        int sum = 0;
        for (int j = 0; j < p->items(); ++j) sum += (s >> j & 1U) != 0 ? x[static_cast<std::size_t>(j)] : 0;
        over = over || sum > p->value(s);
      }
      ASSERT_EQ(listed.contains(x), !over);
      ASSERT_EQ(p->overbids(x), over);
      std::size_t c = x.size();
      while (c > 0 && x[c - 1] == p->levels()) x[--c] = 0;
      if (c == 0) break;
      ++x[c - 1];
    }
  }
}

TEST(SecondPriceBidding, EarnsWhatTheRulesSayOnRandomPrices) {
  for (std::uint64_t t = 0; t < 3000; ++t) {
    Dice dice(1000 + t);
    const auto p = random_problem(dice);
    const auto prices = sixths(*p, dice);
    const auto y = outcome(*p, prices);
    std::vector<double> totals(p->size(), 0.25);
    p->accumulate(y, -2, totals);
    for (std::size_t k = 0; k < p->size(); ++k) {
      const auto x = p->action(k);
      int gained = 0;  // in sixths of a level
      unsigned won = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        if (6 * x[j] <= prices[j]) continue;
        won |= 1U << j;
        gained -= prices[j];
      }
      gained += 6 * p->value(won);
      EXPECT_NEAR(p->raw(x, y), gained / (6.0 * p->levels()), 1e-12);
      EXPECT_GE(p->loss(x, y), 0);
      EXPECT_LE(p->loss(x, y), 1);
      EXPECT_NEAR(totals[k], 0.25 - 2 * p->loss(x, y), 1e-12);
    }
  }
}

TEST(SecondPriceBidding, LosesAtAPriceEqualToTheBidInSpiteOfRounding) {
  const auto p = make(1, 100, {0, 100});
  EXPECT_LT(0.29 * 100, 29.0);
  EXPECT_EQ(p->raw({29}, {0.29}), 0);
  EXPECT_NEAR(p->raw({30}, {0.29}), 0.71, 1e-15);
}

// h = 12, m = 1024, nearly additive: far too many to count, and that must not take long.
TEST(SecondPriceBidding, LeavesHugeActionSetsUncounted) {
  std::vector<int> v(4096);
  for (unsigned s = 0; s < v.size(); ++s) v[s] = 85 * std::popcount(s);
  const auto p = make(12, 1024, v);
  EXPECT_FALSE(p->action_count());
  EXPECT_NEAR(p->ln_size(), 12 * std::log(86.0), 1e-12);
  EXPECT_EQ(p->first_actions(3).back(), (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}));
  EXPECT_EQ(SecondPriceBidding::oracles(p).size(), 1U);
}

TEST(BiddingColumns, AreMadeByTheirDataSetsWhereTheyExist) {
  int made = 0, refused = 0;
  for (std::uint64_t t = 0; t < 150; ++t) {
    Dice dice(5000 + t);
    const auto p = random_problem(dice);
    for (const auto& matrix : SecondPriceBidding::perturbations(p)) {
      std::vector<double> row(matrix->columns());
      for (std::size_t j = 0; j < matrix->columns(); ++j) {
        for (const int sign : {1, -1}) {
          for (const Weights weights : {Weights::kAnySign, Weights::kNonNegative}) {
            const auto set = matrix->data({.column = j, .sign = sign, .weights = weights});
            if (!set) {
              ASSERT_EQ(weights, Weights::kNonNegative);
              ASSERT_FALSE(matrix->name() == "thermometer" && sign == 1);
              ++refused;
              continue;
            }
            ++made;
            double constant = 0;
            for (std::size_t k = 0; k < p->size(); ++k) {
              const auto x = p->action(k);
              matrix->row(x, row);
              double sum = -sign * row[j];
              for (const auto& [weight, y] : *set) {
                ASSERT_TRUE(weight >= 0 || weights == Weights::kAnySign);
                sum += weight * (1 - p->loss(x, y));
              }
              if (k == 0) constant = sum;
              ASSERT_NEAR(sum, constant, 1e-9) << matrix->name();
            }
          }
        }
      }
    }
  }
  EXPECT_GT(made, 1000);
  EXPECT_GT(refused, 1000);
}

// v(e_0) = 3/4, m = 4, l = 3: price 1/2 and weight 1/(3/4 - 1/2) = 4.
TEST(BiddingColumns, HaveOnePointPerThermometerColumn) {
  const auto p = make(2, 4, {0, 3, 3, 3});
  const auto matrix = SecondPriceBidding::perturbations(p).front();
  EXPECT_EQ(matrix->name(), "thermometer");
  EXPECT_EQ(matrix->columns(), 6U);
  EXPECT_EQ(matrix->gamma(), 6.0);
  const auto set = matrix->data({.column = 2});
  ASSERT_EQ(set->size(), 1U);
  EXPECT_DOUBLE_EQ(set->front().weight, 4);
  EXPECT_EQ(set->front().outcome, (std::vector<double>{0.5, 1}));
}

Scene<SecondPriceBidding> scene(std::uint64_t t) {
  Dice dice(t, 42);
  const auto p = random_problem(dice);
  return random_scene<SecondPriceBidding>(
      p, dice, [](const SecondPriceBidding& on, Dice& d) { return outcome(on, sixths(on, d)); });
}

TEST(BiddingOracles, AgreeWithEnumerationOnRandomEvidence) {
  for (std::uint64_t t = 0; t < 3000; ++t) {
    const auto s = scene(20'000 + t);
    for (const auto& oracle : SecondPriceBidding::oracles(s.p)) {
      for (const std::size_t keep : {0, 1, 4, 1000}) expect_answer(s, *oracle, keep);
    }
    if (testing::Test::HasFailure()) FAIL() << "scene " << t;
  }
}

// Every completion of every node, not only those the search happens to meet.
TEST(BiddingModel, NeverBoundsAboveACompletion) {
  int tight = 0;
  for (std::uint64_t t = 0; t < 300; ++t) {
    const auto s = scene(30'000 + t);
    const BiddingSearch search;
    auto data = search.empty(*s.p), noise = search.empty(*s.p);
    for (const auto& [y, w] : s.data) search.add(*s.p, data, y, w);
    for (const auto& [y, w] : s.fakes) search.add(*s.p, noise, y, w);
    for (std::size_t c = 0; c < s.tables.size(); ++c) search.add_table(*s.p, noise, c, s.tables[c]);
    BiddingModel model(*s.p, {data, noise, s.scale});
    std::vector<std::size_t> domains;
    for (std::size_t c = 0; c < s.p->coordinates(); ++c) domains.push_back(s.p->domain(c));
    BoundTable bounds(domains);
    for (unsigned fixed = 0; fixed + 1 < 1U << s.p->items(); ++fixed) {
      for (std::size_t k = 0; k < s.values.size(); ++k) {
        const auto x = s.p->action(k);
        std::vector<int> partial = x;
        int free = 0;
        for (std::size_t c = 0; c < x.size(); ++c) {
          if ((fixed >> c & 1U) != 0) continue;
          partial[c] = -1;
          ++free;
        }
        model.bound(partial, bounds);
        for (std::size_t c = 0; c < x.size(); ++c) {
          if (partial[c] >= 0) continue;
          const double bound = bounds[c][static_cast<std::size_t>(x[c])];
          ASSERT_LE(bound, s.values[k] + 1e-9);
          ASSERT_TRUE(free > 1 || bound >= s.values[k] - 1e-9);
          tight += bound > s.values[k] - 1e-9 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(tight, 1000);
}

TEST(BiddingOracles, GoOnFromASavedHistory) {
  for (std::uint64_t t = 0; t < 40; ++t) {
    const auto s = scene(40'000 + t);
    for (const auto& oracle : SecondPriceBidding::oracles(s.p)) expect_to_go_on(s, *oracle);
  }
}

TEST(SecondPriceBidding, RefusesWhatItCannotMeanWithThePlaceOfTheFault) {
  const auto with = [](const std::string& valuation) {
    return R"({"items":2,"levels":4,"valuation":[)" + valuation + "]}";
  };
  const std::string both = R"({"items":[0],"value":3},{"items":[1],"value":2})";
  const std::string good = with(both + R"(,{"items":[0,1],"value":4})");
  EXPECT_EQ(fault_of<SecondPriceBidding>({good, "[2,2]", "[0,1]"}), "none");
  EXPECT_EQ(fault_of<SecondPriceBidding>(
                {with(both + R"(,{"items":[],"value":0},{"items":[1,0],"value":4})"), "[2,2]", "[0,1]"}),
            "none");
  EXPECT_EQ(fault_of<SecondPriceBidding>({with(both), "[0,0]", "[0,1]"}), "H102 params.valuation");
  EXPECT_EQ(fault_of<SecondPriceBidding>({with(both + R"(,{"items":[0,1],"value":2})"), "[0,0]", "[0,1]"}),
            "H105 params.valuation");
  EXPECT_EQ(fault_of<SecondPriceBidding>({with(both + R"(,{"items":[1],"value":2})"), "[0,0]", "[0,1]"}),
            "H105 params.valuation[2].items");
  EXPECT_EQ(fault_of<SecondPriceBidding>({with(both + R"(,{"items":[1,1],"value":2})"), "[0,0]", "[0,1]"}),
            "H105 params.valuation[2].items");
  EXPECT_EQ(fault_of<SecondPriceBidding>({with(both + R"(,{"items":[2],"value":2})"), "[0,0]", "[0,1]"}),
            "H105 params.valuation[2].items[0]");
  EXPECT_EQ(fault_of<SecondPriceBidding>({with(both + R"(,{"items":[0,1],"value":5})"), "[0,0]", "[0,1]"}),
            "H105 params.valuation[2].value");
  EXPECT_EQ(fault_of<SecondPriceBidding>({with(both + R"(,{"items":[],"value":1})"), "[0,0]", "[0,1]"}),
            "H105 params.valuation[2].value");
  EXPECT_EQ(fault_of<SecondPriceBidding>({R"({"items":13,"levels":4,"valuation":[]})", "[]", "[]"}),
            "H105 params.items");
  EXPECT_EQ(fault_of<SecondPriceBidding>({R"({"items":1,"levels":0,"valuation":[]})", "[]", "[]"}),
            "H105 params.levels");
  EXPECT_EQ(fault_of<SecondPriceBidding>({good, "[3,2]", "[0,1]"}), "H302 action");  // 5 > 4 on both items
  EXPECT_EQ(fault_of<SecondPriceBidding>({good, "[0]", "[0,1]"}), "H302 action");
  EXPECT_EQ(fault_of<SecondPriceBidding>({good, "[0,0]", "[0,1.2]"}), "H105 outcome[1]");
  EXPECT_EQ(fault_of<SecondPriceBidding>({good, "[0,0]", "[0]"}), "H301 outcome");
}

TEST(SecondPriceBidding, ReadsBackTheParamsItWrites) {
  for (std::uint64_t t = 0; t < 100; ++t) {
    Dice dice(60'000 + t);
    const auto p = random_problem(dice);
    const Json json = parse_json(dump(Codec<SecondPriceBidding>::params(*p)));
    Fields fields(json, "params");
    const auto back = Codec<SecondPriceBidding>::parse(fields);
    fields.done();
    EXPECT_EQ(Codec<SecondPriceBidding>::params(*back), Codec<SecondPriceBidding>::params(*p));
    EXPECT_EQ(back->first_actions(1000), p->first_actions(1000));
  }
}

}  // namespace second_price_bidding_test
}  // namespace hannan::detail
