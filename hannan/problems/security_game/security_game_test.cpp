#include "hannan/problems/security_game/security_game_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "hannan/core/error.hpp"
#include "hannan/problems/security_game/security_search.hpp"
#include "tests/border_faults.hpp"
#include "tests/random_evidence.hpp"

namespace hannan::detail {
namespace security_game_test {

using P = std::shared_ptr<const SecurityGame>;

enum class Listing { kGrid, kGiven };

// Payoffs in quarters make attackers indifferent often; covered may be better than uncovered.
P random_game(Dice& dice, Listing listing) {
  SecurityGame::Parts parts{
      .targets = 1 + dice.below(4), .levels = 1 + dice.below(4), .resources = 0, .types = {}, .actions = {}};
  parts.resources = dice.below(parts.targets + 1);
  const bool coarse = dice.below(2) == 0, zero_sum = dice.below(4) == 0;
  const auto payoffs = [&] {
    SecurityGame::Payoffs p;
    for (int i = 0; i < parts.targets; ++i) {
      p.covered.push_back(coarse ? (dice.below(9) - 4) / 4.0 : dice.real());
      p.uncovered.push_back(coarse ? (dice.below(9) - 4) / 4.0 : dice.real());
    }
    return p;
  };
  for (int y = dice.below(4); y >= 0; --y) {
    SecurityGame::Type type{payoffs(), payoffs()};
    if (zero_sum) {
      type.defender = type.attacker;
      for (double& v : type.defender.covered) v = -v;
      for (double& v : type.defender.uncovered) v = -v;
    }
    parts.types.push_back(type);
  }
  if (listing == Listing::kGiven) {
    std::vector<std::vector<int>> given;
    for (int k = 1 + dice.below(12); k > 0; --k) {
      given.emplace_back();
      for (int i = 0; i < parts.targets; ++i) given.back().push_back(dice.below(parts.levels + 1));
    }
    parts.actions = ActionList(given);
    parts.resources = parts.targets;  // a given list may use less, so any vector will do
  }
  return std::make_shared<SecurityGame>(std::move(parts));
}

// Payoffs in units of 1/(4 m), so that indifference is exact: the rule with integers alone.
TEST(SecurityGame, AttackersChooseAsIntegersSay) {
  int indifferent = 0;
  for (std::uint64_t t = 0; t < 3000; ++t) {
    Dice dice(t);
    const int n = 1 + dice.below(5), m = 1 + dice.below(7), r = dice.below(n + 1);
    std::vector<int> quarters[4];  // attacker covered, uncovered, defender covered, uncovered
    SecurityGame::Type type;
    for (int i = 0; i < n; ++i) {
      for (auto& side : quarters) side.push_back(dice.below(9) - 4);
      type.attacker.covered.push_back(quarters[0].back() / 4.0);
      type.attacker.uncovered.push_back(quarters[1].back() / 4.0);
      type.defender.covered.push_back(quarters[2].back() / 4.0);
      type.defender.uncovered.push_back(quarters[3].back() / 4.0);
    }
    const SecurityGame game({.targets = n, .levels = m, .resources = r, .types = {type}, .actions = {}});
    for (const auto& x : game.first_actions(200)) {
      std::size_t target = 0;
      std::pair<int, int> best{-1000, -1000};
      int equal = 0;
      for (std::size_t i = 0; i < x.levels.size(); ++i) {
        const int c = x.levels[i];
        const std::pair here{c * quarters[0][i] + (m - c) * quarters[1][i],
                             c * quarters[2][i] + (m - c) * quarters[3][i]};
        equal = here.first > best.first ? 1 : equal + (here.first == best.first ? 1 : 0);
        if (here <= best) continue;  // attacker first, then defender, then the lower target
        best = here;
        target = i;
      }
      indifferent += equal > 1 ? 1 : 0;
      ASSERT_EQ(game.attacked(x.levels, 0), target);
      ASSERT_NEAR(game.loss(x, 0), (1 - best.second / (4.0 * m)) / 2, 1e-12);
    }
  }
  EXPECT_GT(indifferent, 1000);
}

// Two targets, one resource, m = 2. At coverage (1,1) the attacker expects 0.5 * -1 + 0.5 * 1 = 0 at the
// first target and 0.5 * -0.5 + 0.5 * 0.5 = 0 at the second; the defender gets 0.5 * 0.2 + 0.5 * -1 = -0.4 or
// 0.5 * 0 + 0.5 * -0.2 = -0.1, so the second is attacked: loss 1.1/2.
TEST(SecurityGame, BreaksAnAttackersTieForTheDefender) {
  const SecurityGame game({.targets = 2,
                           .levels = 2,
                           .resources = 1,
                           .types = {{.attacker = {{-1, -0.5}, {1, 0.5}}, .defender = {{0.2, 0}, {-1, -0.2}}}},
                           .actions = {}});
  EXPECT_EQ(game.first_actions(9), (std::vector<PlacedVector>{{0, {0, 2}}, {0, {1, 1}}, {0, {2, 0}}}));
  EXPECT_EQ(game.attacked(std::vector<int>{1, 1}, 0), 1U);
  EXPECT_DOUBLE_EQ(game.loss({0, {1, 1}}, 0), 0.55);
  EXPECT_EQ(game.attacked(std::vector<int>{0, 2}, 0), 0U);
  EXPECT_DOUBLE_EQ(game.loss({0, {0, 2}}, 0), 1.0);
}

TEST(BoundedSums, ListsCountsAndRanksAllVectorsOfASum) {
  for (int n = 1; n <= 4; ++n) {
    for (int m = 1; m <= 4; ++m) {
      for (int sum = 0; sum <= n * m; ++sum) {
        const BoundedSums sums({.width = static_cast<std::size_t>(n), .levels = m, .sum = sum});
        std::vector<std::vector<int>> all;
        std::vector<int> x(static_cast<std::size_t>(n), 0);
        while (true) {  // every vector of {0..m}^n in order
          if (std::accumulate(x.begin(), x.end(), 0) == sum) all.push_back(x);
          std::size_t i = x.size();
          while (i > 0 && x[i - 1] == m) x[--i] = 0;
          if (i == 0) break;
          ++x[i - 1];
        }
        ASSERT_EQ(sums.count(), static_cast<double>(all.size()));
        std::vector<int> at = sums.first(), found;
        for (std::size_t k = 0; k < all.size(); ++k) {
          ASSERT_EQ(at, all[k]);
          sums.at(k, found);
          ASSERT_EQ(found, all[k]);
          ASSERT_EQ(sums.rank(all[k]), k);
          ASSERT_EQ(sums.next(at), k + 1 < all.size());
        }
      }
    }
  }
}

// All 40 entries at 100 is the one vector of sum 4000, though 101^39 others stand beside it in the table.
TEST(BoundedSums, KeepsASmallCountExactBesideHugeOnes) {
  EXPECT_EQ(BoundedSums({.width = 40, .levels = 100, .sum = 4000}).count(), 1);
  EXPECT_EQ(BoundedSums({.width = 40, .levels = 100, .sum = 3999}).count(), 40);
}

Scene<SecurityGame> scene(std::uint64_t t, Listing listing) {
  Dice dice(t);
  return weighted_scene(random_game(dice, listing), dice);
}

TEST(SecurityOracles, AgreeWithEnumerationOnRandomEvidence) {
  for (const Listing listing : {Listing::kGrid, Listing::kGiven}) {
    for (std::uint64_t t = 0; t < 4000; ++t) {
      const auto s = scene(10'000 + t, listing);
      const auto oracles = SecurityGame::oracles(s.p);
      ASSERT_EQ(oracles.size(), listing == Listing::kGrid ? 2U : 1U);
      for (const auto& oracle : oracles) {
        for (const std::size_t keep : {0, 1, 4, 1000}) expect_answer(s, *oracle, keep);
      }
      if (testing::Test::HasFailure()) FAIL() << "scene " << t;
    }
  }
}

// Every completion of every node; with one type the least child is the truth.
TEST(SecurityModel, NeverBoundsAboveACompletion) {
  int tight = 0;
  for (std::uint64_t t = 0; t < 1500; ++t) {
    const auto s = scene(50'000 + t, Listing::kGrid);
    SecurityModel model(*s.p, {{weights_of(s.data)}, {weights_of(s.fakes)}, s.scale});
    const std::size_t n = model.coordinates();
    BoundTable bounds(std::vector<std::size_t>(n, model.domain(0)));
    for (unsigned fixed = 0; n > 0 && fixed + 1 < 1U << n; ++fixed) {
      for (std::size_t k = 0; k < s.values.size(); ++k) {
        const auto x = s.p->action(k).levels;
        std::vector<int> partial(x.begin(), x.end() - 1);
        for (std::size_t c = 0; c < n; ++c) partial[c] = (fixed >> c & 1U) != 0 ? partial[c] : -1;
        model.bound(partial, bounds);
        for (std::size_t c = 0; c < n; ++c) {
          if (partial[c] >= 0) continue;
          const double bound = bounds[c][static_cast<std::size_t>(x[c])];
          ASSERT_LE(bound, s.values[k] + 1e-8);
          tight += bound > s.values[k] - 1e-8 ? 1 : 0;
        }
      }
    }
    if (n == 0 || s.p->types() > 1 || s.data[0].second + s.scale * s.fakes[0].second <= 0) continue;
    model.bound(std::vector<int>(n, -1), bounds);
    ASSERT_NEAR(*std::min_element(bounds[0].begin(), bounds[0].end()),
                *std::min_element(s.values.begin(), s.values.end()), 1e-8);
  }
  EXPECT_GT(tight, 1000);
}

// About 2e12 actions: the search must end, and its own bound prove it.
TEST(SecuritySearch, ProvesItsChoiceWhereNothingCanBeListed) {
  Dice dice(7);
  SecurityGame::Parts parts{.targets = 12, .levels = 20, .resources = 3, .types = {}, .actions = {}};
  for (int y = 0; y < 3; ++y) {
    SecurityGame::Type type;
    for (int i = 0; i < parts.targets; ++i) {
      type.attacker.covered.push_back(-0.5 + 0.5 * dice.real());
      type.attacker.uncovered.push_back(0.5 + 0.5 * dice.real());
      type.defender.covered.push_back(0.5 + 0.5 * dice.real());
      type.defender.uncovered.push_back(-0.5 + 0.5 * dice.real());
    }
    parts.types.push_back(type);
  }
  const SecurityGame game(std::move(parts));
  EXPECT_GT(game.ln_size(), 25);
  const SecuritySearch search;
  auto data = search.empty(game);
  data.weights = {5, 3, 2};
  const auto answer = search.best(game, {data, data, 0}, 1);
  EXPECT_TRUE(answer.proven());
  const auto limited = [&] {
    SecuritySearch few;
    few.nodes = 1;
    return few.best(game, {data, data, 0}, 1);
  }();
  EXPECT_LE(limited.floor, answer.value + 1e-9);
  EXPECT_GE(limited.value, answer.value - 1e-9);
}

TEST(SecurityGame, KeepsTheOrderOfAGivenListAndTakesARepeatedActionOnce) {
  const Json json = parse_json(R"({"targets":2,"levels":4,"resources":1,"actions":[[4,0],[0,4],[4,0],[1,1]],"types":[
      {"attacker":{"covered":[0,0],"uncovered":[0,0]},"defender":{"covered":[0,0],"uncovered":[0,0]}}]})");
  Fields fields(json, "params");
  const auto p = Codec<SecurityGame>::parse(fields);
  fields.done();
  ASSERT_EQ(p->size(), 3U);
  EXPECT_EQ(p->action(0).levels, (std::vector<int>{4, 0}));
  EXPECT_EQ(p->action(2).levels, (std::vector<int>{1, 1}));
  // All losses are equal, so the first of the list is chosen.
  const auto oracle = SecurityGame::oracles(p).front();
  const auto history = oracle->empty();
  history->add(0, 1);
  EXPECT_EQ(oracle->best({*history, *history, 0}, 1).action.levels, (std::vector<int>{4, 0}));
}

TEST(SecurityOracles, GoOnFromASavedHistory) {
  for (std::uint64_t t = 0; t < 40; ++t) {
    const auto s = scene(80'000 + t, Listing::kGrid);
    for (const auto& oracle : SecurityGame::oracles(s.p)) expect_to_go_on(s, *oracle);
  }
}

TEST(SecurityGame, RefusesWhatItCannotMeanWithThePlaceOfTheFault) {
  const std::string side = R"({"covered":[-1,0],"uncovered":[1,"1/2"]})";
  const auto with = [&](const std::string& sizes, const std::string& defender) {
    return "{" + sizes + R"(,"types":[{"attacker":)" + side + R"(,"defender":)" + defender + "}]}";
  };
  const std::string sizes = R"("targets":2,"levels":4,"resources":1)";
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes, side), "[1,3]", "0"}), "none");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes, side), "[1,2]", "0"}), "H302 action");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes, side), "[4]", "0"}), "H302 action");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes, side), "[5,0]", "0"}), "H105 action[0]");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes, side), "[1,3]", "1"}), "H105 outcome");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes, R"({"covered":[0],"uncovered":[0,0]})"), "[1,3]", "0"}),
            "H105 params.types[0].defender.covered");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes, R"({"covered":[0,0],"uncovered":[0,1.5]})"), "[1,3]", "0"}),
            "H105 params.types[0].defender.uncovered[1]");
  EXPECT_EQ(fault_of<SecurityGame>({with(R"("targets":2,"levels":4,"resources":3)", side), "[]", "0"}),
            "H105 params.resources");
  EXPECT_EQ(fault_of<SecurityGame>({with(R"("targets":2,"levels":0,"resources":1)", side), "[]", "0"}),
            "H105 params.levels");
  EXPECT_EQ(fault_of<SecurityGame>({with(R"("targets":1000000000,"levels":4,"resources":1)", side), "[]", "0"}),
            "H105 params.targets");
  EXPECT_EQ(fault_of<SecurityGame>({"{" + sizes + R"(,"types":[]})", "[]", "0"}), "H105 params.types");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes + R"(,"actions":[[1,3],[0,0]])", side), "[0,0]", "0"}), "none");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes + R"(,"actions":[[1,3],[0,0]])", side), "[0,4]", "0"}), "H302 action");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes + R"(,"actions":[[2,3]])", side), "[2,3]", "0"}), "H105 params.actions");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes + R"(,"actions":[])", side), "[]", "0"}), "H105 params.actions");
  EXPECT_EQ(fault_of<SecurityGame>({with(sizes + R"(,"actions":[[4,0],[1]])", side), "[]", "0"}),
            "H105 params.actions[1]");
}

}  // namespace security_game_test
}  // namespace hannan::detail
