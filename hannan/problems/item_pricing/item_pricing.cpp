// The game of item prices on a grid: what buyers pay, number and order of actions, losses of all actions at once. An
// action's number in base m has a digit per item, the last item fastest. Money is counted in whole grid units, so sums
// are exact below 2^63. Cost: loss O(buyers * k); accumulate O(K) a buyer in the worst case, and less where a bundle
// sells at few prices or trailing items do not matter.
#include "hannan/problems/item_pricing/item_pricing.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

ItemPricing::ItemPricing(const Parts& parts) : parts_(parts) {
  if (in_money()) {
    expect_lists(parts);
    parts_.items = static_cast<int>(parts.prices.size());
    parts_.levels = 1;  // of the grid, which there is none of
    return;
  }
  expect_whole(parts.items, {1, kMaxItems}, "items");
  expect_whole(parts.levels, {1, kMaxLevels}, "levels");
  expect_whole(parts.buyers, {1, kMaxBuyers}, "buyers");
}

// The highest whole price that the value reaches.
int ItemPricing::level(double value) const { return static_cast<int>(std::floor(parts_.levels * value + kGridSlack)); }

std::int64_t ItemPricing::ticks(double value) const {
  return std::llround(parts_.levels * value * static_cast<double>(kTicks));
}

// Unit demand: utilities in whole ticks, so ties are exact; items are met in order and a later one must be strictly
// better or more expensive, which leaves equal ones to the lower index.
int ItemPricing::pays(const Action& x, const Buyer& buyer) const {
  if (parts_.demand == Demand::kSingleMinded) {
    int price = 0;
    for (std::uint32_t left = buyer.bundle; left != 0; left &= left - 1) {
      price += x[static_cast<std::size_t>(std::countr_zero(left))];
    }
    return price <= level(buyer.value) ? price : 0;
  }
  int paid = 0;
  std::int64_t best = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const std::int64_t value = ticks(buyer.values[j]);
    if (x[j] > level_of_ticks(value)) continue;
    const std::int64_t utility = value - x[j] * kTicks;
    if (paid == 0 || utility > best || (utility == best && x[j] > paid)) {
      best = utility;
      paid = x[j];
    }
  }
  return paid;
}

// In grid units.
std::int64_t ItemPricing::total_paid(const Action& x, const Outcome& y) const {
  std::int64_t sum = 0;
  for (const Buyer& buyer : y) sum += pays(x, buyer);
  return sum;
}

double ItemPricing::raw(const Action& x, const Outcome& y) const {
  if (in_money()) {
    double sum = 0;
    for (const Buyer& buyer : y) sum += money(x, buyer);
    return sum;
  }
  return static_cast<double>(total_paid(x, y)) / parts_.levels;
}

// In money the loss is minus the money paid, without a normaliser; on the grid it is in [0,1].
double ItemPricing::loss(const Action& x, const Outcome& y) const {
  if (in_money()) return -raw(x, y);
  return 1 - static_cast<double>(total_paid(x, y)) / (static_cast<double>(parts_.levels) * parts_.buyers);
}

// As if every buyer paid all that it can, which no single action need achieve.
double ItemPricing::least_loss(const Outcome& y) const {
  if (in_money()) return spread(y).least;
  std::int64_t most = 0;
  for (const Buyer& buyer : y) {
    if (parts_.demand == Demand::kSingleMinded) {
      most += buyer.bundle != 0 ? level(buyer.value) : 0;
    } else if (!buyer.values.empty()) {
      // By ticks, as pays() decides: a value one tick and a half below a level still reaches it.
      most += level_of_ticks(ticks(*std::max_element(buyer.values.begin(), buyer.values.end())));
    }
  }
  return 1 - static_cast<double>(most) / (static_cast<double>(parts_.levels) * parts_.buyers);
}

double ItemPricing::ln_size() const {
  if (!in_money()) return parts_.items * std::log(static_cast<double>(parts_.levels));
  double sum = 0;
  for (const PriceList& list : parts_.prices) sum += std::log(static_cast<double>(list.size()));
  return sum;
}

std::optional<double> ItemPricing::action_count() const {
  // With price lists levels is 1 and the first factor 1.
  double count = std::pow(static_cast<double>(parts_.levels), parts_.items);
  for (const PriceList& list : parts_.prices) count *= static_cast<double>(list.size());
  return count <= 0x1p53 ? std::optional(std::round(count)) : std::nullopt;
}

// An odometer over the items, the last fastest: the order of action().
std::vector<ItemPricing::Action> ItemPricing::first_actions(std::uint64_t limit) const {
  std::vector<Action> some;
  Action x(coordinates(), lowest());
  const auto last = [&](std::size_t c) { return lowest() + static_cast<int>(domain(c)) - 1; };
  while (some.size() < limit) {
    some.push_back(x);
    std::size_t c = x.size();
    while (c > 0 && x[c - 1] == last(c - 1)) x[--c] = lowest();
    if (c == 0) break;
    ++x[c - 1];
  }
  return some;
}

std::uint64_t ItemPricing::size() const {
  const auto count = action_count();
  assert(count && *count <= kMaxListed);
  return static_cast<std::uint64_t>(*count);
}

ItemPricing::Action ItemPricing::action(std::uint64_t k) const {
  Action x(coordinates());
  for (std::size_t c = x.size(); c-- > 0; k /= domain(c)) x[c] = static_cast<int>(k % domain(c)) + lowest();
  return x;
}

namespace {

// Adds unit * (what a buyer pays) to the total of every action, walking the prices item by item.
// Once no later item matters, all actions below are one block of equal payments.
struct Spread {
  std::span<double> totals;
  std::size_t levels;
  double unit;

  void block(std::size_t from, std::size_t length, int paid) const {
    for (double& total : totals.subspan(from, length)) total += unit * paid;
  }

  // length = how many actions share the prices before item c.
  struct Place {
    std::size_t item;
    std::size_t from;
    std::size_t length;
    // length is a power of m, m times what is shared one item further on, so the division is exact.
    Place below(std::size_t d, std::size_t ways) const { return {item + 1, from + d * (length / ways), length / ways}; }
  };

  // Prices of the bundle's items so far are summed; a sum beyond the level sells nothing below.
  struct Offer {
    std::uint32_t bundle;  // what is left of it, the next item in bit 0
    int sum;
    int level;
  };
  // Prices rise with d, so that the first sum beyond the level ends the loop: nothing sells in the rest of the block.
  void single(Place at, Offer offer) const {
    if (offer.bundle == 0) return block(at.from, at.length, offer.sum);
    for (std::size_t d = 0; d < levels; ++d) {
      const int sum = offer.sum + ((offer.bundle & 1U) != 0 ? static_cast<int>(d) + 1 : 0);
      if (sum > offer.level) break;
      single(at.below(d, levels), {offer.bundle >> 1, sum, offer.level});
    }
  }

  struct Wish {
    std::int64_t ticks;
    int level;
  };
  struct Purchase {
    std::int64_t utility = 0;
    int price = 0;  // 0: nothing yet
  };
  // Depth first over the prices of the wished items: `best` is the purchase among those that have a price already.
  // O(m^items wished), and blocks for the rest.
  void unit_demand(Place at, std::span<const Wish> wishes, Purchase best) const {
    if (at.item == wishes.size()) {
      if (best.price > 0) block(at.from, at.length, best.price);
      return;
    }
    const Wish wish = wishes[at.item];
    for (std::size_t d = 0; d < levels; ++d) {
      const int price = static_cast<int>(d) + 1;
      const std::int64_t utility = wish.ticks - price * ItemPricing::kTicks;
      const bool better = best.price == 0 || utility > best.utility || (utility == best.utility && price > best.price);
      unit_demand(at.below(d, levels), wishes, price <= wish.level && better ? Purchase{utility, price} : best);
    }
  }
};

}  // namespace

// Every total gets weight for the round, less what each buyer pays: totals rise by weight * loss of every action.
void ItemPricing::accumulate(const Outcome& y, double weight, std::span<double> totals) const {
  if (in_money()) return accumulate_money(y, weight, totals);
  for (double& total : totals) total += weight;
  const Spread spread{.totals = totals,
                      .levels = static_cast<std::size_t>(parts_.levels),
                      .unit = -weight / (static_cast<double>(parts_.levels) * parts_.buyers)};
  const Spread::Place root{0, 0, totals.size()};
  std::vector<Spread::Wish> wishes;
  for (const Buyer& buyer : y) {
    if (parts_.demand == Demand::kSingleMinded) {
      if (buyer.bundle != 0) spread.single(root, {buyer.bundle, 0, level(buyer.value)});
      continue;
    }
    wishes.clear();
    for (const double value : buyer.values) wishes.push_back({ticks(value), level_of_ticks(ticks(value))});
    // Items that cannot be sold to this buyer change nothing: trailing ones need no walk.
    while (!wishes.empty() && wishes.back().level == 0) wishes.pop_back();
    if (!wishes.empty()) spread.unit_demand(root, wishes, {});
  }
}

std::size_t ItemPricing::row_width() const {
  if (parts_.demand == Demand::kSingleMinded || in_money()) return 0;  // any number of buyers is no row
  return static_cast<std::size_t>(parts_.buyers) * coordinates();
}

// A row is the values of the first buyer, item by item, then those of the next.
void ItemPricing::outcome_from_row(std::span<const double> row, Outcome& y) const {
  assert(parts_.demand == Demand::kUnitDemand && row.size() == row_width());
  y.resize(static_cast<std::size_t>(parts_.buyers));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto values = row.subspan(i * coordinates(), coordinates());
    y[i].values.assign(values.begin(), values.end());
  }
}

// Of grids: with price lists no outcome waits to be summarised.
void archive(Archive& a, std::vector<Buyer>& buyers) {
  const auto count = a.open_list("buyers", buyers.size());
  if (a.reading()) buyers.assign(count, Buyer{});
  for (Buyer& buyer : buyers) {
    a.item();
    a.count("bundle", buyer.bundle);
    a.field("value", buyer.value, {0, 1});
    a.list("values", buyer.values, {0, ItemPricing::kMaxItems}, {0, 1});
  }
  a.close_list();
}

}  // namespace hannan::detail
