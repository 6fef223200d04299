// Outcomes that vcg-reserves makes itself: rows of a table, a simulated market, and bids at the ends of its rules.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hannan/problems/extreme_rows.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {

namespace {

// A bid (or ask) for every bidder, and V.
ReserveBids single_bids(const std::vector<double>& bids, double outside) {
  ReserveBids round;
  for (const double bid : bids) round.bids.push_back({bid});
  round.outside = outside;
  return round;
}

// Bids at which the rules of bidder i change: at, just below and beyond its prices.
std::vector<double> turning_bids(const ReserveMoney& money, std::size_t bidder, double outside) {
  std::vector<double> bids;
  if (!money.reverse()) {
    const auto& prices = money.parts().prices[bidder];
    const double most = money.parts().cap.value_or(2 * std::max(prices.top(), 1.0));
    bids = {0.0, most};
    // 1e-6: well beyond the slack of 1e-9 within which a bid counts as the price, and no further than the least
    // distance of two prices.
    for (std::size_t z = 1; z < prices.size(); ++z) bids.insert(bids.end(), {prices[z], prices[z] * (1 - 1e-6)});
    return bids;
  }
  bids = {outside, outside / 2};
  for (const double entry : money.parts().falling[bidder]) {
    const double ceiling = money.parts().scale == ReserveMoney::Scale::kShares ? entry * outside : entry;
    bids.insert(bids.end(), {ceiling, ceiling * (1 + 1e-6)});
  }
  return bids;
}

double usual_outside(const ReserveMoney& money) {
  double most = money.parts().cap.value_or(1.0);
  if (money.parts().scale == ReserveMoney::Scale::kCeilings) {
    for (const auto& list : money.parts().falling) most = std::max(most, list.front());
  }
  return most;
}

}  // namespace

void VcgReserves::outcome_from_row(std::span<const double> row, Outcome& y) const {
  if (!money_) {
    y.assign(row.begin(), row.end());
    return;
  }
  const std::vector<double> bids(row.begin(), row.begin() + parts_.bidders);
  y = money_->outcome(single_bids(bids, money_->reverse() ? row.back() : 0.0));
}

// In money bids are spread over the price list and a quarter beyond it, asks over all prices up to V.
VcgReserves::Outcome VcgReserves::simulated(const MarketDraws& draws) const {
  auto bids = drawn_values(draws, coordinates());
  if (!money_) return bids;
  const double outside = money_->reverse() ? usual_outside(*money_) : 0.0;
  for (std::size_t i = 0; i < bids.size(); ++i) {
    const double most = money_->reverse() ? outside : 1.25 * money_->reserves()[i].back();
    bids[i] *= std::min(most, parts_.cap.value_or(most));
  }
  return money_->outcome(single_bids(bids, outside));
}

void VcgReserves::extreme_outcomes(ExtremeOutcomes<Outcome>& into) const {
  if (!money_) return add_level_rows(static_cast<std::uint64_t>(parts_.levels), coordinates(), into);
  const double outside = money_->reverse() ? usual_outside(*money_) : 0.0;
  std::vector<std::vector<double>> turning;
  double count = 1;
  for (std::size_t i = 0; i < coordinates(); ++i) {
    turning.push_back(turning_bids(*money_, i, outside));
    count *= static_cast<double>(turning.back().size());
  }
  // All combinations where they fit, else each bidder's bids against one bid of all others.
  if (count <= static_cast<double>(into.left())) {
    std::vector<std::size_t> at(coordinates(), 0);
    // A counter with the first digit fastest; i = at.size() after the last combination, when every digit has turned to
    // 0.
    for (std::size_t i = 0; i < at.size();) {
      std::vector<double> bids;
      for (std::size_t c = 0; c < at.size(); ++c) bids.push_back(turning[c][at[c]]);
      into.add(money_->outcome(single_bids(bids, outside)));
      for (i = 0; i < at.size() && ++at[i] == turning[i].size(); ++i) at[i] = 0;
    }
    return into.describe("bids at, just below and beyond every price");
  }
  for (std::size_t i = 0; i < coordinates(); ++i) {
    for (const double other : turning[i]) {
      for (const double bid : turning[i]) {
        std::vector<double> bids(coordinates(), other);
        bids[i] = bid;
        if (into.left() > 0) into.add(money_->outcome(single_bids(bids, outside)));
      }
    }
  }
  into.describe("one bidder at, just below and beyond every price against equal bids of the others");
}

}  // namespace hannan::detail
