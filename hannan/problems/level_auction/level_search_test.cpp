#include "hannan/problems/level_auction/level_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hannan/core/keyed_random.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace level_search_test {

// The phantom bids in one profile out of `rarity`; 0: never.
BidReach random_bids(Dice& dice, const LevelRule& rule, int rarity) {
  BidReach y;
  for (int i = 0; i < rule.bidders; ++i) y.units.push_back(dice.below(rule.levels + 1));
  y.units.push_back(rarity > 0 && dice.below(rarity) == 0 ? dice.below(rule.levels + 1) : 0);
  return y;
}

// One to four bidders, weights of both signs, phantom bids, noise tables in quarters (many ties).
TEST(LevelOracle, MatchesEnumerationOnTwoThousandRandomHistories) {
  const LevelOracle oracle;
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    Dice dice(trial, 5);
    const int n = 1 + dice.below(4), s = 1 + dice.below(3);
    const int m = s + dice.below(n >= 3 ? 3 : 5);
    const LevelAuction p(LevelRule{.bidders = n, .levels = m, .thresholds = s});
    const auto actions = p.first_actions(1'000'000);
    if (actions.size() > 3000) continue;
    auto data = oracle.empty(p), noise = oracle.empty(p);
    const double scale = dice.below(2) == 0 ? 0.0 : 1.5;
    std::vector<double> exact(actions.size(), 0.0);
    const int rounds = dice.below(12), negative = dice.below(3);
    for (int t = 0; t < rounds; ++t) {
      const auto y = random_bids(dice, p.rule(), 3);
      const double weight = negative == 0 ? dice.below(5) - 2 : 1 + dice.below(2);
      const bool fake = dice.below(4) == 0;
      oracle.add(p, fake ? noise : data, y, weight);
      for (std::size_t k = 0; k < actions.size(); ++k) exact[k] += (fake ? scale : 1) * weight * p.loss(actions[k], y);
    }
    const bool coarse = dice.below(2) == 0;
    for (std::size_t c = 0; c < p.coordinates(); ++c) {
      std::vector<double> table(p.domain(c));
      for (double& v : table) v = coarse ? dice.below(3) / 4.0 - 0.25 : 2 * dice.unit() - 1;
      oracle.add_table(p, noise, c, table);
      for (std::size_t k = 0; k < actions.size(); ++k) exact[k] += scale * table[p.position(actions[k], c)];
    }
    const double least = *std::min_element(exact.begin(), exact.end());
    std::size_t first = 0;
    while (exact[first] > least + tie_window(least)) ++first;
    const auto keep = static_cast<std::size_t>(dice.below(5));
    const auto answer = oracle.best(p, {data, noise, scale}, keep);
    ASSERT_EQ(answer.action, actions[first]) << "trial " << trial;
    ASSERT_NEAR(answer.value, exact[first], 1e-11);
    ASSERT_TRUE(answer.proven());
    ASSERT_LE(answer.floor, least + 1e-11);
    if (keep == 0) continue;
    ASSERT_EQ(answer.pool.size(), std::min(keep, actions.size())) << "trial " << trial;
    std::vector<double> sorted = exact;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_NEAR(answer.pool.back().value, sorted[answer.pool.size() - 1], 2e-9) << "trial " << trial;
    for (std::size_t k = 0; k < actions.size(); ++k) {
      const auto in =
          std::find_if(answer.pool.begin(), answer.pool.end(), [&](const auto& r) { return r.action == actions[k]; });
      if (in == answer.pool.end()) {
        ASSERT_GE(exact[k], answer.rest - 1e-9) << "trial " << trial;
      } else {
        ASSERT_NEAR(in->value, exact[k], 1e-11);
      }
    }
  }
}

TEST(LevelModel, LinesAndBoundsAgreeWithValues) {
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    Dice dice(trial, 6);
    const int n = 1 + dice.below(3), s = 1 + dice.below(3), m = s + 1 + dice.below(4);
    const LevelRule rule{.bidders = n, .levels = m, .thresholds = s};
    const LevelAuction p(rule);
    const LevelOracle oracle;
    auto data = oracle.empty(p), noise = oracle.empty(p);
    for (int t = 0; t < 8; ++t) oracle.add(p, data, random_bids(dice, rule, 2), dice.below(5) - 1);
    for (double& v : noise.tables) v = 2 * dice.unit() - 1;
    LevelModel model(rule, {data, noise, 1.0});
    std::vector<int> full(p.coordinates()), partial;
    for (std::size_t c = 0; c < full.size(); ++c) {
      full[c] = c % rule.s() == 0 ? dice.below(static_cast<int>(rule.choices()))
                                  : full[c - 1] + dice.below(static_cast<int>(rule.choices()) - full[c - 1]);
    }
    std::vector<double> line(rule.choices());
    for (std::size_t c = 0; c < full.size(); ++c) {
      model.line(full, c, line);
      auto other = full;
      for (std::size_t d = 0; d < line.size(); ++d) {
        other[c] = static_cast<int>(d);
        const double value = model.value(other);
        if (std::isinf(value)) {
          ASSERT_TRUE(std::isinf(line[d]));
        } else {
          ASSERT_NEAR(line[d], value, 1e-11);
        }
      }
    }
    // Free a few coordinates: no bound of a coordinate's own position may exceed the value.
    partial = full;
    partial[0] = -1;
    for (int& v : partial) v = dice.below(2) == 0 ? -1 : v;
    std::vector<std::size_t> domains(full.size(), rule.choices());
    BoundTable bounds(domains);
    model.bound(partial, bounds);
    for (std::size_t c = 0; c < full.size(); ++c) {
      if (partial[c] < 0) {
        ASSERT_LE(bounds[c][static_cast<std::size_t>(full[c])], model.value(full) + 1e-11);
      }
    }
  }
}

// One bidder free, some of its thresholds perhaps fixed: all its lists are compared.
TEST(LevelModel, BestResponsesMatchEnumeration) {
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    Dice dice(trial, 8);
    const LevelRule rule{.bidders = 1 + dice.below(4), .levels = 6, .thresholds = 1 + dice.below(3)};
    const LevelAuction p(rule), one(LevelRule{.bidders = 1, .levels = 6, .thresholds = rule.thresholds});
    const LevelOracle oracle;
    auto data = oracle.empty(p), noise = oracle.empty(p);
    for (int t = 0; t < 10; ++t) oracle.add(p, data, random_bids(dice, rule, 2), dice.below(5) - 1);
    for (double& v : noise.tables) v = dice.below(5) / 4.0 - 0.5;
    LevelModel model(rule, {data, noise, 1.0});
    const auto lists = one.first_actions(1000);
    const auto put = [&](std::vector<int>& full, std::size_t bidder, const std::vector<int>& list) {
      for (std::size_t j = 0; j < rule.s(); ++j) full[bidder * rule.s() + j] = list[j] - static_cast<int>(j) - 1;
    };
    std::vector<int> full(p.coordinates());
    for (std::size_t i = 0; i < rule.n(); ++i)
      put(full, i, lists[static_cast<std::size_t>(dice.below(static_cast<int>(lists.size())))]);
    const auto bidder = static_cast<std::size_t>(dice.below(rule.bidders));
    auto partial = full;
    const std::size_t open = bidder * rule.s();
    for (std::size_t j = 0; j < rule.s(); ++j) partial[open + j] = j == 0 || dice.below(3) > 0 ? -1 : full[open + j];
    Incumbents found(3);
    LeafSink sink(found);
    ASSERT_TRUE(model.finish(partial, 3, kInfinity, sink));
    std::vector<Found> all;
    for (const auto& list : lists) {
      put(full, bidder, list);
      bool fits = true;
      for (std::size_t c = 0; c < full.size(); ++c) fits = fits && (partial[c] < 0 || partial[c] == full[c]);
      if (fits) all.push_back({full, model.value(full)});
    }
    std::sort(all.begin(), all.end(), [](const Found& a, const Found& b) { return a.value < b.value; });
    const auto pool = found.settle([&](const std::vector<int>& x) { return model.value(x); });
    ASSERT_EQ(pool.size(), std::min<std::size_t>(3, all.size()));
    ASSERT_NEAR(pool[0].value, all[0].value, 1e-9);
    if (all.size() > 3) {
      ASSERT_NEAR(found.rest(), all[3].value, 1e-9);
    }
  }
}

TEST(LevelOracle, StaysHonestWhenTheSearchMustStop) {
  // Six bidders with 40 levels: far beyond the work limit.
  const LevelAuction p(LevelRule{.bidders = 6, .levels = 40, .thresholds = 2});
  LevelOracle oracle;
  oracle.nodes = 50;
  auto data = oracle.empty(p), noise = oracle.empty(p);
  Dice dice(0, 7);
  for (int t = 0; t < 40; ++t) oracle.add(p, data, random_bids(dice, p.rule(), 0), 50.0);
  const auto answer = oracle.best(p, {data, noise, 0.0}, 2);
  EXPECT_LT(answer.floor, answer.value);
  EXPECT_FALSE(answer.proven());
  double exact = 0;
  for (const auto& [y, weight] : data.tally) exact += weight * p.loss(answer.action, y);
  EXPECT_NEAR(answer.value, exact, 1e-9);
  EXPECT_LE(answer.rest, answer.pool.back().value);
}

}  // namespace level_search_test
}  // namespace hannan::detail
