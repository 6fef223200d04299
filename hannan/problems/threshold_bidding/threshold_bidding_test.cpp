#include "hannan/problems/threshold_bidding/threshold_bidding_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/problems/threshold_bidding/threshold_search.hpp"
#include "tests/border_faults.hpp"
#include "tests/random_evidence.hpp"

namespace hannan::detail {
namespace threshold_bidding_test {

using P = std::shared_ptr<const ThresholdBidding>;

enum class Listing { kGrid, kGiven };

struct Market {
  ThresholdBidding::Parts parts;
  std::vector<std::vector<int>> sixths;  // prices in units of 1/(6m)
};

// Any valuation, not only monotone; prices on the grid and off it, 0, 1, or out of reach (7/6 and more).
Market random_market(Dice& dice, Listing listing) {
  Market market{
      .parts = {.items = 1 + dice.below(3), .levels = 1 + dice.below(4), .valuation = {0}, .prices = {}, .actions = {}},
      .sixths = {}};
  auto& parts = market.parts;
  const int m = parts.levels;
  while (parts.valuation.size() < std::size_t{1} << parts.items) parts.valuation.push_back(dice.below(m + 1));
  for (int y = dice.below(5); y >= 0; --y) {
    int reachable = 0;
    std::vector<int> row;
    do {  // all that can be won must not cost more than 1 together
      row.clear();
      reachable = 0;
      for (int j = 0; j < parts.items; ++j) {
        const int kind = dice.below(4);
        row.push_back(kind == 0 ? 7 * m : kind == 1 ? 6 * dice.below(m + 1) : dice.below(6 * m + 1));
        if (row.back() <= 6 * m) reachable += row.back();
      }
    } while (reachable > 6 * m);
    parts.prices.emplace_back();
    for (const int price : row) parts.prices.back().push_back(price / (6.0 * m));
    market.sixths.push_back(row);
  }
  if (listing == Listing::kGiven) {
    std::vector<std::vector<int>> given;
    for (int k = 1 + dice.below(10); k > 0; --k) {
      given.emplace_back();
      for (int j = 0; j < parts.items; ++j) given.back().push_back(dice.below(m + 1));
    }
    parts.actions = ActionList(given);
  }
  return market;
}

TEST(ThresholdBidding, LosesAsIntegersSay) {
  int exact_hits = 0;
  for (std::uint64_t t = 0; t < 4000; ++t) {
    Dice dice(t);
    const Market market = random_market(dice, t % 2 == 0 ? Listing::kGrid : Listing::kGiven);
    const ThresholdBidding p(market.parts);
    const int m = p.levels();
    for (const auto& x : p.first_actions(1000)) {
      for (std::size_t y = 0; y < market.sixths.size(); ++y) {
        std::size_t won = 0;
        int paid = 0;
        for (std::size_t j = 0; j < x.levels.size(); ++j) {
          if (6 * x.levels[j] < market.sixths[y][j]) continue;
          exact_hits += 6 * x.levels[j] == market.sixths[y][j] ? 1 : 0;
          won |= std::size_t{1} << j;
          paid += market.sixths[y][j];
        }
        const double utility = (6 * market.parts.valuation[won] - paid) / (6.0 * m);
        ASSERT_NEAR(p.loss(x, y), (1 - utility) / 2, 1e-12);
      }
    }
  }
  EXPECT_GT(exact_hits, 1000);
}

TEST(ThresholdBidding, ListsEveryBidInOrder) {
  for (std::uint64_t t = 0; t < 200; ++t) {
    Dice dice(9000 + t);
    const ThresholdBidding p(random_market(dice, Listing::kGrid).parts);
    const auto all = p.first_actions(1'000'000);
    ASSERT_EQ(p.size(), all.size());
    ASSERT_TRUE(std::is_sorted(all.begin(), all.end()));
    for (std::size_t k = 0; k < all.size(); ++k) {
      ASSERT_EQ(p.action(k), all[k]);
      ASSERT_EQ(p.position(all[k], 0), k);
      if (k > 0) {
        ASSERT_NE(all[k - 1], all[k]);
      }
    }
  }
}

Scene<ThresholdBidding> scene(std::uint64_t t, Listing listing) {
  Dice dice(t);
  return weighted_scene(P(std::make_shared<ThresholdBidding>(random_market(dice, listing).parts)), dice);
}

TEST(ThresholdOracles, AgreeWithEnumerationOnRandomEvidence) {
  for (const Listing listing : {Listing::kGrid, Listing::kGiven}) {
    for (std::uint64_t t = 0; t < 4000; ++t) {
      const auto s = scene(10'000 + t, listing);
      const auto oracles = ThresholdBidding::oracles(s.p);
      ASSERT_EQ(oracles.size(), listing == Listing::kGrid ? 2U : 1U);
      for (const auto& oracle : oracles) {
        for (const std::size_t keep : {0, 1, 4, 1000}) expect_answer(s, *oracle, keep);
      }
      if (testing::Test::HasFailure()) FAIL() << "scene " << t;
    }
  }
}

// Every completion of every node; a single free item is bounded exactly.
TEST(ThresholdModel, NeverBoundsAboveACompletion) {
  int tight = 0;
  for (std::uint64_t t = 0; t < 1000; ++t) {
    const auto s = scene(50'000 + t, Listing::kGrid);
    ThresholdModel model(*s.p, {{weights_of(s.data)}, {weights_of(s.fakes)}, s.scale});
    std::vector<std::size_t> domains;
    for (std::size_t c = 0; c < model.coordinates(); ++c) domains.push_back(model.domain(c));
    BoundTable bounds(domains);
    std::vector<int> full(domains.size(), 0);
    while (true) {  // every assignment of positions
      const double value = model.value(full);
      for (unsigned fixed = 0; fixed + 1 < 1U << full.size(); ++fixed) {
        std::vector<int> partial = full;
        for (std::size_t c = 0; c < full.size(); ++c) partial[c] = (fixed >> c & 1U) != 0 ? full[c] : -1;
        model.bound(partial, bounds);
        const auto free = std::count(partial.begin(), partial.end(), -1);
        for (std::size_t c = 0; c < full.size(); ++c) {
          if (partial[c] >= 0) continue;
          const double bound = bounds[c][static_cast<std::size_t>(full[c])];
          ASSERT_LE(bound, value + 1e-9);
          ASSERT_TRUE(free > 1 || bound >= value - 1e-9);
          tight += free > 1 && bound > value - 1e-9 ? 1 : 0;
        }
      }
      std::size_t c = full.size();
      while (c > 0 && static_cast<std::size_t>(full[c - 1]) + 1 == domains[c - 1]) full[--c] = 0;
      if (c == 0) break;
      ++full[c - 1];
    }
  }
  EXPECT_GT(tight, 1000);
}

// 101^6 is about 1.06e12 bids: the search must end, and its own bound prove it.
TEST(ThresholdSearch, ProvesItsChoiceWhereNothingCanBeListed) {
  Dice dice(3);
  ThresholdBidding::Parts parts{.items = 6, .levels = 100, .valuation = {}, .prices = {}, .actions = {}};
  for (int s = 0; s < 64; ++s)
    parts.valuation.push_back(s == 0 ? 0 : std::min(100, 25 * std::popcount(static_cast<unsigned>(s))));
  for (int y = 0; y < 20; ++y) {
    parts.prices.emplace_back();
    for (int j = 0; j < 6; ++j) parts.prices.back().push_back((1 + dice.real()) / 12);
  }
  const ThresholdBidding p(std::move(parts));
  EXPECT_NEAR(p.ln_size(), 6 * std::log(101.0), 1e-9);
  const ThresholdSearch search;
  auto data = search.empty(p);
  for (std::size_t y = 0; y < 20; ++y) data.weights[y] = static_cast<double>(1 + y % 3);
  EXPECT_TRUE(search.best(p, {data, data, 0}, 1).proven());
}

TEST(ThresholdOracles, GoOnFromASavedHistory) {
  for (std::uint64_t t = 0; t < 40; ++t) {
    const auto s = scene(80'000 + t, Listing::kGrid);
    for (const auto& oracle : ThresholdBidding::oracles(s.p)) expect_to_go_on(s, *oracle);
  }
}

TEST(ThresholdBidding, RefusesWhatItCannotMeanWithThePlaceOfTheFault) {
  const auto with = [](const std::string& rest) {
    return R"({"items":2,"levels":4,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[1,0],"value":4}],)" +
           rest + "}";
  };
  const std::string good = with(R"("prices":[["1/4",0.5],[0,9]])");
  EXPECT_EQ(fault_of<ThresholdBidding>({good, "[4,4]", "1"}), "none");
  EXPECT_EQ(fault_of<ThresholdBidding>({good, "[4,4]", "2"}), "H105 outcome");
  EXPECT_EQ(fault_of<ThresholdBidding>({good, "[5,4]", "0"}), "H105 action[0]");
  EXPECT_EQ(fault_of<ThresholdBidding>({good, "[4]", "0"}), "H302 action");
  EXPECT_EQ(fault_of<ThresholdBidding>({with(R"("prices":[])"), "[]", "0"}), "H105 params.prices");
  EXPECT_EQ(fault_of<ThresholdBidding>({with(R"("prices":[[0,0],[0]])"), "[]", "0"}), "H105 params.prices[1]");
  EXPECT_EQ(fault_of<ThresholdBidding>({with(R"("prices":[[0,-0.1]])"), "[]", "0"}), "H105 params.prices[0][1]");
  // 1 - 1 - 1 = -1 for both is still a utility in [-1,1].
  EXPECT_EQ(fault_of<ThresholdBidding>({with(R"("prices":[[1,1]])"), "[4,4]", "0"}), "none");
  const std::string poor =
      R"({"items":2,"levels":4,"valuation":[{"items":[0],"value":1},{"items":[1],"value":1},{"items":[1,0],"value":1}],)";
  EXPECT_EQ(fault_of<ThresholdBidding>({poor + R"("prices":[[0,0],[1,1]]})", "[]", "0"}),
            "H105 params.prices[1]");  // 1/4 - 2
  EXPECT_EQ(fault_of<ThresholdBidding>({poor + R"("prices":[[0,0],[1,1]],"actions":[[4,0],[0,4]]})", "[4,0]", "0"}),
            "none");  // never both
  EXPECT_EQ(fault_of<ThresholdBidding>({with(R"("prices":[[0,0]],"actions":[[4,0]])"), "[0,4]", "0"}), "H302 action");
  EXPECT_EQ(fault_of<ThresholdBidding>({R"({"items":1,"levels":4,"valuation":[],"prices":[[0]]})", "[]", "0"}),
            "H102 params.valuation");
  EXPECT_EQ(fault_of<ThresholdBidding>({R"({"items":13,"levels":4,"valuation":[],"prices":[[0]]})", "[]", "0"}),
            "H105 params.items");
  EXPECT_EQ(fault_of<ThresholdBidding>({R"({"items":1,"levels":0,"valuation":[],"prices":[[0]]})", "[]", "0"}),
            "H105 params.levels");
}

}  // namespace threshold_bidding_test
}  // namespace hannan::detail
