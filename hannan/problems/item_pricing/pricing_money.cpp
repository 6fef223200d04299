// item-pricing with price lists: what buyers pay in money, and how far that can spread.
//
// A buyer accepts a price up to its value (1 + 1e-9), and utilities within 1e-9 of its largest value tie: the more
// expensive item wins. The spread of a round is [-sum of most_money, 0]; a bundle counts its value there and not the
// slack, which is rounding and would move ranges off round numbers, so that a loss may be below the spread by 1e-9 of
// it, which `hannan verify` allows. gamma_at: the number of wanted items times the norm of one item (docs/theory.md,
// P1).
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "hannan/core/expect.hpp"
#include "hannan/problems/item_pricing/item_pricing.hpp"

namespace hannan::detail {
namespace {

// Money that a price may miss a value by: rounding.
double slack_of(double value) { return PriceList::kSlack * value; }

// The highest price of the list within a limit, or none.
std::optional<double> highest_within(const PriceList& list, double limit) {
  // Lists begin with 0, so a limit of 0 or more has a price within it.
  if (limit < 0) return std::nullopt;
  const auto prices = list.prices();
  return *(std::upper_bound(prices.begin(), prices.end(), limit) - 1);
}

}  // namespace

void ItemPricing::expect_lists(const Parts& parts) {
  expect_whole(static_cast<std::int64_t>(parts.prices.size()), {1, kMaxItems}, "prices");
  for (std::size_t j = 0; j < parts.prices.size(); ++j) {
    const PriceList& list = parts.prices[j];
    expect_number(list.top(), kValues, path_of(path_of("prices", j), list.size() - 1));
  }
}

// What one buyer pays at the prices x, its fee included; nothing where it does not buy.
double ItemPricing::money(const Action& x, const Buyer& buyer) const {
  const auto price = [&](std::size_t j) { return parts_.prices[j][static_cast<std::size_t>(x[j])]; };
  if (parts_.demand == Demand::kSingleMinded) {
    if (buyer.bundle == 0) return 0;
    double asked = buyer.fee;
    for (std::uint32_t left = buyer.bundle; left != 0; left &= left - 1)
      asked += price(static_cast<std::size_t>(std::countr_zero(left)));
    return asked <= buyer.value + slack_of(buyer.value) ? asked : 0;
  }
  const double slack = slack_of(*std::max_element(buyer.values.begin(), buyer.values.end()));
  // Two passes: the largest utility first, then the most expensive item within the slack of it.
  double best = -slack;  // the largest utility; below it nothing is bought
  bool buys = false;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double utility = buyer.values[j] - price(j) - buyer.fee;
    buys = buys || utility >= -slack;
    best = std::max(best, utility);
  }
  if (!buys) return 0;
  double paid = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (buyer.values[j] - price(j) - buyer.fee >= best - slack) paid = std::max(paid, price(j) + buyer.fee);
  }
  return paid;
}

// The most that any prices of the lists get from this buyer: exact for one item, an upper bound for bundles of several.
double ItemPricing::most_money(const Buyer& buyer) const {
  if (parts_.demand == Demand::kSingleMinded) {
    if (buyer.bundle == 0 || buyer.fee > buyer.value + slack_of(buyer.value)) return 0;
    if (std::has_single_bit(buyer.bundle)) {
      const auto& list = parts_.prices[static_cast<std::size_t>(std::countr_zero(buyer.bundle))];
      return *highest_within(list, buyer.value + slack_of(buyer.value) - buyer.fee) + buyer.fee;
    }
    double tops = buyer.fee;
    for (std::uint32_t left = buyer.bundle; left != 0; left &= left - 1)
      tops += parts_.prices[static_cast<std::size_t>(std::countr_zero(left))].top();
    return std::min(buyer.value, tops);
  }
  const double slack = slack_of(*std::max_element(buyer.values.begin(), buyer.values.end()));
  double most = 0;
  for (std::size_t j = 0; j < buyer.values.size(); ++j) {
    const auto price = highest_within(parts_.prices[j], buyer.values[j] + slack - buyer.fee);
    if (price) most = std::max(most, *price + buyer.fee);
  }
  return most;
}

LossSpread ItemPricing::spread(const Outcome& y) const {
  if (!in_money()) return {};
  double most = 0;
  for (const Buyer& buyer : y) most += most_money(buyer);
  return {.least = -most, .most = 0};
}

// The largest norm of any item's code; lists with the price 0 alone need none.
double ItemPricing::gamma_per_item(std::string_view perturbation) const {
  double most = 0;
  for (const PriceList& list : parts_.prices) {
    if (list.size() < 2) continue;
    const double own = perturbation == "bits"          ? static_cast<double>(std::bit_width(list.size() - 1))
                       : perturbation == "thermometer" ? (list.size() > 2 ? 2.0 : 1.0)
                       : perturbation == "direct"      ? std::max(list.steepness(), list.top() / list[1])
                                                       : 1.0;
    most = std::max(most, own);
  }
  return most;
}

// The most items that one buyer of the round wants; buyers who never pay do not count.
std::optional<double> ItemPricing::gamma_at(std::string_view perturbation, const Outcome& y) const {
  if (!in_money()) return std::nullopt;
  std::ptrdiff_t wanted = 0;
  for (const Buyer& buyer : y) {
    if (most_money(buyer) <= 0) continue;
    const auto positive = std::count_if(buyer.values.begin(), buyer.values.end(), [](double v) { return v > 0; });
    wanted = std::max({wanted, positive, static_cast<std::ptrdiff_t>(std::popcount(buyer.bundle))});
  }
  return static_cast<double>(wanted) * gamma_per_item(perturbation);
}

std::size_t ItemPricing::domain(std::size_t c) const {
  return in_money() ? parts_.prices[c].size() : static_cast<std::size_t>(parts_.levels);
}

bool ItemPricing::allows(const Action& x) const {
  if (x.size() != coordinates()) return false;
  for (std::size_t c = 0; c < x.size(); ++c) {
    if (x[c] < lowest() || static_cast<std::size_t>(x[c] - lowest()) >= domain(c)) return false;
  }
  return true;
}

void ItemPricing::accumulate_money(const Outcome& y, double weight, std::span<double> totals) const {
  Action x(coordinates(), 0);
  for (double& total : totals) {
    total -= weight * raw(x, y);
    // The next action, the last item fastest; after the last one all digits are 0 and the loop over totals ends.
    std::size_t c = x.size();
    while (c > 0 && static_cast<std::size_t>(++x[c - 1]) == domain(c - 1)) x[--c] = 0;
  }
}

}  // namespace hannan::detail
