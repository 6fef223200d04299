// Reserves in money against their definition, read bid by bid, and every oracle against enumeration.
#include "hannan/problems/vcg_reserves/reserve_money.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/order_few.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/problems/vcg_reserves/vcg_oracle.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"
#include "hannan/problems/vcg_reserves/vcg_search.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace reserve_money_test {

using Action = VcgReserves::Action;
using Rule = VcgReserves::Rule;

// A bid with its reserve in force; the cost of an ask is minus its bid.
struct PlainBid {
  double bid;
  double reserve;
  std::size_t order;  // of equal bids
};

// Money by the words of the rules: forward bids, in any order.
double plain_money(std::vector<PlainBid> bids, std::size_t units, Rule rule, double floor) {
  detail::order_few(
      bids, [](const PlainBid& a, const PlainBid& b) { return a.bid != b.bid ? a.bid > b.bid : a.order < b.order; });
  std::vector<PlainBid> in;
  for (const PlainBid& b : bids) {
    if (rule == Rule::kLazy || b.bid >= b.reserve) in.push_back(b);
  }
  const double q = in.size() > units ? in[units].bid : floor;
  double sum = 0;
  for (std::size_t k = 0; k < std::min(units, in.size()); ++k) {
    if (in[k].bid >= in[k].reserve) sum += std::max(in[k].reserve, q);
  }
  return sum;
}

double plain_forward(const VcgReserves& p, const Action& x, const ReserveBids& round) {
  std::vector<PlainBid> bids;
  const auto& prices = p.money()->parts().prices;
  for (std::size_t i = 0; i < round.bids.size(); ++i) {
    for (const double bid : round.bids[i]) {
      const double reserve = std::max(prices[i][static_cast<std::size_t>(x[i])], round.opening);
      if (bid >= round.opening) bids.push_back({bid, reserve, i});
    }
  }
  for (const double bid : round.others) {
    if (bid >= round.opening) bids.push_back({bid, round.opening, round.bids.size()});
  }
  return plain_money(bids, static_cast<std::size_t>(p.units()), p.rule(), round.opening);
}

// What the buyer pays: asks as negative bids, ceilings as negative reserves, V a unit for what is not bought.
double plain_cost(const VcgReserves& p, const Action& x, const ReserveBids& round) {
  std::vector<PlainBid> bids;
  const auto& parts = p.money()->parts();
  const double outside = round.outside;
  const auto add = [&](double ask, double ceiling, std::size_t order) {
    if (ask <= outside) bids.push_back({-ask, -std::min(ceiling, outside), order});
  };
  for (std::size_t i = 0; i < round.bids.size(); ++i) {
    const double entry = parts.falling[i][static_cast<std::size_t>(x[i])];
    const bool shares = parts.scale == ReserveMoney::Scale::kShares;
    for (const double ask : round.bids[i]) add(ask, shares ? entry * outside : entry, i);
  }
  for (const double ask : round.others) add(ask, outside, round.bids.size());
  const auto units = static_cast<std::size_t>(p.units());
  // Every winner's payment is minus the larger of reserve and price; the units that are not sold cost V.
  std::vector<PlainBid> in;
  for (const PlainBid& b : bids) {
    if (p.rule() == Rule::kLazy || b.bid >= b.reserve) in.push_back(b);
  }
  detail::order_few(
      in, [](const PlainBid& a, const PlainBid& b) { return a.bid != b.bid ? a.bid > b.bid : a.order < b.order; });
  const double q = in.size() > units ? in[units].bid : -outside;
  double cost = static_cast<double>(units) * outside;
  for (std::size_t k = 0; k < std::min(units, in.size()); ++k) {
    if (in[k].bid >= in[k].reserve) cost -= outside + std::max(in[k].reserve, q);
  }
  return cost;
}

std::vector<double> draw_list(Dice& dice, int most) {
  std::vector<double> list{0.0};
  for (int k = dice.below(most); k > 0; --k) list.push_back(list.back() + 0.25 * (1 + dice.below(4)));
  return list;
}

std::shared_ptr<const VcgReserves> draw_money(Dice& dice) {
  VcgReserves::Parts parts;
  const int n = 1 + dice.below(3), scale = dice.below(4);
  const auto common = draw_list(dice, 4);
  const bool alike = dice.below(2) == 0;
  for (int i = 0; i < n; ++i) {
    const auto list = alike ? common : draw_list(dice, 4);
    std::vector<double> falling;
    for (const double price : list) falling.push_back(scale == 2 ? 1 - price / 16 : 5 - price);
    if (scale < 2) parts.prices.emplace_back(list);
    if (scale == 2) parts.shares.push_back(falling);
    if (scale == 3) parts.ceilings.push_back(falling);
  }
  parts.units = 1 + dice.below(3);
  parts.rule = dice.below(3) == 0 ? Rule::kLazy : Rule::kEager;
  return std::make_shared<VcgReserves>(parts);
}

// Bids on a grid of quarters, where ties and bids at reserves are common, or anywhere.
ReserveBids draw_round(Dice& dice, const VcgReserves& p) {
  const bool reverse = p.money()->reverse();
  ReserveBids round;
  if (reverse) round.outside = 0.5 * (2 + dice.below(10));
  const bool shares = p.money()->parts().scale == ReserveMoney::Scale::kShares;
  const auto bid = [&] {
    const double value = dice.below(3) ? 0.25 * dice.below(shares ? 33 : 24) : 5 * dice.unit();
    return shares ? value / 8 * round.outside : value;
  };
  for (int i = 0; i < p.bidders(); ++i) {
    auto& own = round.bids.emplace_back();
    const int kind = dice.below(6);
    for (int k = kind < 4 ? std::min(kind, 1) : kind - 2; k > 0; --k) own.push_back(bid());
  }
  for (int k = dice.below(2) * dice.below(4); k > 0; --k) round.others.push_back(bid());
  if (!reverse && dice.below(4) == 0) round.opening = bid();
  return round;
}

double near(double value) { return 1e-9 * std::max(1.0, std::abs(value)); }

TEST(ReserveMoney, PaysWhatTheRulesSayOnTenThousandRounds) {
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    Dice dice(seed);
    const auto p = draw_money(dice);
    const ReserveBids round = draw_round(dice, *p);
    const auto y = p->money()->outcome(round);
    ASSERT_TRUE(p->allows_outcome(y));
    ASSERT_EQ(p->money()->outcome(p->money()->round_of(y)), y);
    const auto spread = p->spread(y);
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Action& x : p->first_actions(100'000)) {
      const bool reverse = p->money()->reverse();
      const double money = reverse ? plain_cost(*p, x, round) : plain_forward(*p, x, round);
      ASSERT_NEAR(p->raw(x, y), money, near(money)) << "seed " << seed;
      const double loss = reverse ? money : -money;
      ASSERT_NEAR(p->loss(x, y), loss, near(money));
      least = std::min(least, loss);
      most = std::max(most, loss);
    }
    // Limits of the losses, the least one exact with one bid a bidder and no opening bid.
    ASSERT_LE(spread.least, least + near(least)) << "seed " << seed;
    ASSERT_GE(spread.most, most - near(most)) << "seed " << seed;
    if (p->rule() == Rule::kLazy) {
      ASSERT_NEAR(spread.least, least, near(least)) << "seed " << seed;
      ASSERT_NEAR(spread.most, most, near(most)) << "seed " << seed;
    }
    if (!p->prepare(y).several && p->money()->parts().scale == ReserveMoney::Scale::kPrices && round.opening == 0) {
      ASSERT_NEAR(spread.least, least, near(least)) << "seed " << seed;
    }
  }
}

// A few rounds of weights of both signs and a table of noise per bidder; every oracle against all actions.
TEST(ReserveMoney, EveryOracleFindsTheBestOfAllActionsOnTenThousandInstances) {
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    Dice dice(seed + 100'000);
    const auto p = draw_money(dice);
    const auto actions = p->first_actions(100'000);
    std::vector<double> values(actions.size(), 0.0);
    std::vector<std::pair<double, VcgReserves::Outcome>> data;
    for (int t = dice.below(5); t > 0; --t) {
      data.push_back({dice.below(3) ? 1.0 + dice.below(2) : -1.0, p->money()->outcome(draw_round(dice, *p))});
      for (std::size_t k = 0; k < actions.size(); ++k)
        values[k] += data.back().first * p->loss(actions[k], data.back().second);
    }
    std::vector<std::vector<double>> tables;
    const bool noisy = dice.below(2) == 0;
    for (std::size_t i = 0; i < p->coordinates(); ++i) {
      auto& table = tables.emplace_back(p->domain(i), 0.0);
      for (double& entry : table) entry = noisy ? dice.unit() : 0.0;
      for (std::size_t k = 0; k < actions.size(); ++k) values[k] += 0.5 * table[p->position(actions[k], i)];
    }
    const double least = *std::min_element(values.begin(), values.end());
    std::size_t chosen = 0;
    while (values[chosen] > least + tie_window(least)) ++chosen;
    for (const auto& oracle : VcgReserves::oracles(p)) {
      SCOPED_TRACE(oracle->name() + ", seed " + std::to_string(seed));
      const auto held = oracle->empty(), noise = oracle->empty();
      for (const auto& [weight, y] : data) held->add(y, weight);
      for (std::size_t i = 0; i < tables.size(); ++i) noise->add_table(i, tables[i]);
      const auto answer = oracle->best({*held, *noise, 0.5}, 2);
      ASSERT_EQ(answer.action, actions[chosen]);
      ASSERT_NEAR(answer.value, values[chosen], 1e-9);
      ASSERT_TRUE(answer.proven());
      ASSERT_LE(answer.floor, least + 1e-9);
    }
  }
}

// Small boxes, so that bounds decide, and a search that goes on where the last one stopped, with and without noise.
TEST(ReserveMoney, SearchByBoxesGoesOnFromRoundToRound) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Dice dice(seed + 500'000);
    const auto p = draw_money(dice);
    if (p->rule() == Rule::kLazy) continue;
    const auto actions = p->first_actions(100'000);
    const auto oracle = make_oracle("boxes", p, ReserveSearch{.leaf_points = 1});
    const auto held = oracle->empty(), noise = oracle->empty();
    std::vector<double> values(actions.size(), 0.0), noisy(actions.size(), 0.0);
    for (std::size_t i = 0; i < p->coordinates(); ++i) {
      std::vector<double> table(p->domain(i));
      for (double& entry : table) entry = dice.unit();
      noise->add_table(i, table);
      for (std::size_t k = 0; k < actions.size(); ++k) noisy[k] += table[p->position(actions[k], i)];
    }
    for (int t = 0; t < 6; ++t) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(t));
      const double weight = dice.below(4) ? 1.0 : -0.5;
      const auto y = p->money()->outcome(draw_round(dice, *p));
      held->add(y, weight);
      for (std::size_t k = 0; k < actions.size(); ++k) values[k] += weight * p->loss(actions[k], y);
      for (const double scale : {0.0, 0.7}) {
        std::vector<double> wanted = values;
        for (std::size_t k = 0; k < actions.size(); ++k) wanted[k] += scale * noisy[k];
        const double least = *std::min_element(wanted.begin(), wanted.end());
        const auto answer = oracle->best({*held, *noise, scale}, 1);
        ASSERT_TRUE(answer.proven());
        ASSERT_NEAR(answer.value, least, 1e-8);
        ASSERT_LE(answer.floor, least + 1e-9);
        ASSERT_LE(wanted[static_cast<std::size_t>(std::lower_bound(actions.begin(), actions.end(), answer.action) -
                                                  actions.begin())],
                  least + 1e-8);
      }
    }
  }
}

// The search value by value, which is for problems too large for tables of pairs, bounds and lines included.
TEST(ReserveMoney, SearchByValuesFindsTheBestOfAllActions) {
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    Dice dice(seed + 300'000);
    const auto p = draw_money(dice);
    if (p->rule() == Rule::kLazy) continue;
    const auto actions = p->first_actions(100'000);
    ReserveModel model({.bidders = p->bidders(), .auction = p->auction(), .normaliser = 1});
    std::vector<double> values(actions.size(), 0.0);
    for (int t = 1 + dice.below(4); t > 0; --t) {
      const double weight = dice.below(3) ? 1.0 : -1.0;
      const auto y = p->money()->outcome(draw_round(dice, *p));
      model.add(p->prepare(y), weight);
      for (std::size_t k = 0; k < actions.size(); ++k) values[k] += weight * p->loss(actions[k], y);
    }
    const auto found = branch_bound(model, {.keep = 1, .limits = {100'000}, .hints = {}});
    ASSERT_NEAR(found.pool.front().value, *std::min_element(values.begin(), values.end()), 1e-9) << "seed " << seed;
    for (std::size_t i = 0; i < p->coordinates(); ++i) {
      std::vector<int> positions;
      const std::size_t k = static_cast<std::size_t>(dice.below(static_cast<int>(actions.size())));
      for (std::size_t c = 0; c < p->coordinates(); ++c)
        positions.push_back(static_cast<int>(p->position(actions[k], c)));
      std::vector<double> line(p->domain(i));
      model.line(positions, i, line);
      for (std::size_t d = 0; d < line.size(); ++d) {
        positions[i] = static_cast<int>(d);
        ASSERT_NEAR(line[d], model.value(positions), 1e-9) << "seed " << seed;
      }
    }
  }
}

TEST(ReserveMoney, OnlyTheBestBidsOfABidderAreKept) {
  const VcgReserves p({.units = 2, .prices = {PriceList({0, 1}), PriceList({0, 2})}});
  const ReserveBids round{.bids = {{1, 5, 4, 3, 2}, {0}}, .others = {9, 1, 2, 3}};
  EXPECT_EQ(p.money()->round_of(p.money()->outcome(round)),
            (ReserveBids{.bids = {{5, 4, 3}, {}}, .others = {9, 3, 2}}));
  // One bid or none a bidder and nothing else is the list of bids.
  EXPECT_EQ(p.money()->outcome({.bids = {{3}, {}}}), (VcgReserves::Outcome{3, 0}));
}

TEST(ReserveMoney, RefusesWhatIsNoRound) {
  const VcgReserves forward({.prices = {PriceList({0, 1}), PriceList({0, 2})}});
  const VcgReserves reverse({.ceilings = {{2, 1}, {3}}});
  EXPECT_THROW(forward.money()->outcome({.bids = {{1}}}), Error);
  EXPECT_THROW(forward.money()->outcome({.bids = {{1}, {-1}}}), Error);
  EXPECT_THROW(forward.money()->outcome({.bids = {{1}, {std::nan("")}}}), Error);
  EXPECT_THROW(forward.money()->outcome({.bids = {{1}, {1}}, .outside = 3}), Error);
  EXPECT_THROW(reverse.money()->outcome({.bids = {{1}, {1}}}), Error);
  EXPECT_THROW(reverse.money()->outcome({.bids = {{1}, {1}}, .opening = 1, .outside = 3}), Error);
  EXPECT_FALSE(forward.allows_outcome({1, 2, 3}));
  EXPECT_FALSE(forward.allows_outcome({0, 5, 1, 0, 0}));
  EXPECT_FALSE(forward.allows_outcome({0, 0.5, 1, 0}));
  EXPECT_FALSE(forward.allows_outcome({-1, 0, 0, 0}));
  EXPECT_THROW(VcgReserves({.shares = {{0.9, 0.5}}}), Error);
  EXPECT_THROW(VcgReserves({.shares = {{1, 1}}}), Error);
  EXPECT_THROW(VcgReserves({.ceilings = {{1, 2}}}), Error);
  EXPECT_THROW(VcgReserves({.prices = {PriceList()}, .ceilings = {{2, 1}}}), Error);
  EXPECT_THROW(VcgReserves({.prices = {PriceList({0, 5})}, .cap = 4.0}), Error);
}

TEST(ReserveMoney, WithACapLossesLieInTheUnitInterval) {
  const VcgReserves p({.units = 2, .prices = {PriceList({0, 1, 3}), PriceList({0, 2})}, .cap = 4.0});
  EXPECT_EQ(p.loss_range(), LossRange::kUnitInterval);
  const auto y = p.money()->outcome({.bids = {{4, 4}, {4}}});
  EXPECT_EQ(p.loss({0, 0}, y), 0.0);  // two winners pay the third bid, 4 each
  EXPECT_EQ(p.raw({0, 0}, y), 8.0);
  EXPECT_EQ(p.loss({0, 0}, p.money()->outcome({.bids = {{}, {}}})), 1.0);
  EXPECT_THROW(p.money()->outcome({.bids = {{5}, {}}}), Error);
}

}  // namespace reserve_money_test
}  // namespace hannan::detail
