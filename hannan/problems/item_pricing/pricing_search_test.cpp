#include "hannan/problems/item_pricing/pricing_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <type_traits>
#include <utility>

#include "hannan/core/keyed_random.hpp"
#include "hannan/io/json_archive.hpp"
#include "tests/random_evidence.hpp"

namespace hannan::detail {
namespace pricing_search_test {

using Demand = ItemPricing::Demand;
using P = std::shared_ptr<const ItemPricing>;

P make(const ItemPricing::Parts& parts) { return std::make_shared<ItemPricing>(parts); }

ItemPricing::Parts small(Dice& dice) {
  ItemPricing::Parts parts{.items = 1 + dice.below(3), .levels = 1 + dice.below(5), .buyers = 1 + dice.below(3)};
  if (dice.below(2) == 0) parts.demand = Demand::kUnitDemand;
  return parts;
}

// Values in sixths of a level, on and off the grid; there may be no buyer, or buyers of nothing.
ItemPricing::Outcome outcome(const ItemPricing& p, Dice& dice) {
  const auto value = [&] {
    const int sixths = dice.below(3) == 0 ? 6 * dice.below(p.levels() + 1) : dice.below(6 * p.levels() + 1);
    return sixths / (6.0 * p.levels());
  };
  ItemPricing::Outcome y(static_cast<std::size_t>(dice.below(p.buyers() + 1)));
  for (Buyer& buyer : y) {
    if (p.demand() == Demand::kSingleMinded) {
      buyer.bundle = static_cast<std::uint32_t>(dice.below(1 << p.items()));
      buyer.value = value();
    } else {
      for (int j = 0; j < p.items(); ++j) buyer.values.push_back(value());
    }
  }
  return y;
}

Scene<ItemPricing> scene(std::uint64_t t) {
  Dice dice(t, 2027);
  const auto p = make(small(dice));
  return random_scene<ItemPricing>(p, dice, outcome);
}

TEST(PricingOracles, AgreeWithEnumerationOnRandomEvidence) {
  for (std::uint64_t t = 0; t < 3000; ++t) {
    const auto s = scene(20'000 + t);
    for (const auto& oracle : ItemPricing::oracles(s.p)) {
      for (const std::size_t keep : {0, 1, 4, 1000}) expect_answer(s, *oracle, keep);
    }
    if (testing::Test::HasFailure()) FAIL() << "scene " << t;
  }
}

template <class Search>
std::pair<typename Search::History, typename Search::History> histories(const Scene<ItemPricing>& s,
                                                                        const Search& search) {
  auto data = search.empty(*s.p), noise = search.empty(*s.p);
  for (const auto& [y, w] : s.data) search.add(*s.p, data, y, w);
  for (const auto& [y, w] : s.fakes) search.add(*s.p, noise, y, w);
  for (std::size_t c = 0; c < s.tables.size(); ++c) search.add_table(*s.p, noise, c, s.tables[c]);
  return {std::move(data), std::move(noise)};
}

// Rounds enough that one bound does not settle it.
void add_rounds(Scene<ItemPricing>& s, Dice& dice) {
  for (int t = 0; t < 40; ++t) {
    s.data.emplace_back(outcome(*s.p, dice), dice.below(3) ? 1.0 : -1.0);
    const auto& [y, w] = s.data.back();
    for (std::size_t k = 0; k < s.values.size(); ++k) s.values[k] += w * s.p->loss(s.p->action(k), y);
  }
}

template <class Search>
constexpr Demand kDemand = std::is_same_v<Search, BundleSearch> ? Demand::kSingleMinded : Demand::kUnitDemand;

template <class Search>
class PricingBoxes : public testing::Test {};
using Searches = testing::Types<BundleSearch, UnitDemandSearch>;
TYPED_TEST_SUITE(PricingBoxes, Searches);

// Up to five items, so that some bundles do not fit into a table and buyers have more than two candidates; leaves of a
// few actions, so that boxes are split.
TYPED_TEST(PricingBoxes, AgreeWithEnumeration) {
  const char* asked = std::getenv("HANNAN_BOX_TRIALS");
  const std::uint64_t trials = asked ? std::strtoull(asked, nullptr, 10) : 600;
  std::uint64_t split = 0;
  for (std::uint64_t t = 0; t < trials; ++t) {
    Dice dice(50'000 + t, 2028);
    const int items = 3 + dice.below(3);
    const auto p = make({.items = items,
                         .levels = items == 5 ? 2 + dice.below(3) : 2 + dice.below(5),
                         .buyers = 3,
                         .demand = kDemand<TypeParam>});
    auto s = random_scene<ItemPricing>(p, dice, outcome);
    add_rounds(s, dice);
    TypeParam search;
    search.leaf_points = 1.0 + dice.below(4);
    const auto oracle = make_oracle("boxes", p, search);
    for (const std::size_t keep : {0, 1, 5}) expect_answer(s, *oracle, keep);
    const auto [data, noise] = histories(s, search);
    split += search.best(*p, {data, noise, s.scale}, 5).nodes > 1;
    if (testing::Test::HasFailure()) FAIL() << "scene " << t;
  }
  EXPECT_GT(split, trials / 10);
}

TYPED_TEST(PricingBoxes, StayHonestUnderALimit) {
  int stopped = 0;
  for (std::uint64_t t = 0; t < 300; ++t) {
    Dice dice(70'000 + t, 2028);
    const auto p = make({.items = 3 + dice.below(3), .levels = 4, .buyers = 3, .demand = kDemand<TypeParam>});
    auto s = random_scene<ItemPricing>(p, dice, outcome);
    add_rounds(s, dice);
    TypeParam search;
    search.nodes = static_cast<std::uint64_t>(dice.below(4));
    search.leaf_points = 2;
    const auto [data, noise] = histories(s, search);
    const auto answer = search.best(*p, {data, noise, s.scale}, 2);
    stopped += !answer.proven();
    for (std::size_t k = 0; k < s.values.size(); ++k) {
      EXPECT_LE(answer.floor, s.values[k] + 1e-9);
      const auto x = p->action(k);
      const bool in = std::any_of(answer.pool.begin(), answer.pool.end(), [&](auto& q) { return q.action == x; });
      EXPECT_TRUE(in || answer.rest <= s.values[k] + 1e-9);
    }
  }
  EXPECT_GT(stopped, 10);
}

// Every completion of every node, not only those a search happens to meet; returns how many were
// met exactly.
template <class Model>
int check_bounds(const Scene<ItemPricing>& s, Model& model) {
  int tight = 0;
  BoundTable bounds(std::vector<std::size_t>(s.p->coordinates(), s.p->domain(0)));
  for (unsigned fixed = 0; fixed + 1 < 1U << s.p->items(); ++fixed) {
    for (std::size_t k = 0; k < s.values.size(); ++k) {
      const auto x = s.p->action(k);
      std::vector<int> partial(x.size(), -1);
      for (std::size_t c = 0; c < x.size(); ++c) {
        if ((fixed >> c & 1U) != 0) partial[c] = x[c] - 1;
      }
      const auto free = std::count(partial.begin(), partial.end(), -1);
      model.bound(partial, bounds);
      for (std::size_t c = 0; c < x.size(); ++c) {
        if (partial[c] >= 0) continue;
        const double bound = bounds[c][s.p->position(x, c)];
        EXPECT_LE(bound, s.values[k] + 1e-9);
        EXPECT_TRUE(free > 1 || bound >= s.values[k] - 1e-9);
        tight += bound >= s.values[k] - 1e-9 ? 1 : 0;
      }
    }
  }
  return tight;
}

TEST(PricingModels, NeverBoundAboveACompletion) {
  int plain = 0, sharp = 0, unit = 0;
  for (std::uint64_t t = 0; t < 400 && !testing::Test::HasFailure(); ++t) {
    const auto s = scene(30'000 + t);
    if (s.p->demand() == Demand::kUnitDemand) {
      const auto [data, noise] = histories(s, UnitDemandSearch{});
      UnitDemandModel model(*s.p, {data, noise, s.scale});
      unit += check_bounds(s, model);
      continue;
    }
    const auto [data, noise] = histories(s, BundleSearch{});
    BundleModel model(*s.p, {data, noise, s.scale});
    plain += check_bounds(s, model);
    model.sharpen();
    sharp += check_bounds(s, model);
  }
  EXPECT_GT(plain, 1000);
  EXPECT_GT(sharp, 1000);
  EXPECT_GT(unit, 1000);
}

TEST(PricingOracles, ListActionsOnlyWhereTheyAreFew) {
  const auto names = [](const ItemPricing::Parts& parts) {
    std::vector<std::string> all;
    for (const auto& oracle : ItemPricing::oracles(make(parts))) all.push_back(oracle->name());
    return all;
  };
  EXPECT_EQ(names({.items = 4, .levels = 16}), (std::vector<std::string>{"tabulate", "branch_bound"}));
  EXPECT_EQ(names({.items = 4, .levels = 32}), (std::vector<std::string>{"branch_bound", "tabulate"}));
  EXPECT_EQ(names({.items = 8, .levels = 32}), (std::vector<std::string>{"branch_bound"}));
}

TEST(PricingOracles, GoOnFromASavedHistory) {
  for (std::uint64_t t = 0; t < 40; ++t) {
    const auto s = scene(40'000 + t);
    for (const auto& oracle : ItemPricing::oracles(s.p)) expect_to_go_on(s, *oracle);
  }
}

}  // namespace pricing_search_test
}  // namespace hannan::detail
