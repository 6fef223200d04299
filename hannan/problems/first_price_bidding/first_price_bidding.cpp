// The game: from which position on an item is won, money, ranges (F1 in docs/theory.md), and walks over all actions,
// with or without a budget. Cost: first_win O(log m), loss O(items log m), accumulate O(K) with one walk.
#include "hannan/problems/first_price_bidding/first_price_bidding.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/expect.hpp"

namespace hannan::detail {
namespace {

using Mode = FirstPriceBidding::Mode;

[[noreturn]] void refuse_grid(const std::string& what, const std::string& part) {
  throw Error(Code::kOutOfRange, what, part);
}

void expect_grid(const PriceList& grid, Mode mode, const std::string& part) {
  const std::string last = path_of(part, grid.size() - 1);
  if (mode == Mode::kAbsolute) return expect_number(grid.top(), FirstPriceBidding::kValues, last);
  if (grid.top() < 1) return;
  refuse_grid("found the factor " + number_text(grid.top()) +
                  ", expected factors below 1: whoever bids the whole value earns nothing, as with factor 0",
              last);
}

// Returns its argument, so that the checks run before chain_ is built from the grids.
const FirstPriceBidding::Parts& checked(const FirstPriceBidding::Parts& parts) {
  if (parts.grids.empty() || parts.grids.size() > FirstPriceBidding::kMaxItems) {
    refuse_grid("found " + std::to_string(parts.grids.size()) + " grids, expected one per item, 1 to " +
                    std::to_string(FirstPriceBidding::kMaxItems),
                "grids");
  }
  for (std::size_t j = 0; j < parts.grids.size(); ++j) expect_grid(parts.grids[j], parts.mode, path_of("grids", j));
  if (parts.budget && parts.mode == Mode::kShade) {
    refuse_grid(
        "found a budget in mode \"shade\", expected none: a factor's bid depends on the value of the round; use mode "
        "\"absolute\"",
        "budget");
  }
  return parts;
}

}  // namespace

FirstPriceBidding::FirstPriceBidding(Parts parts)
    : parts_(std::move(parts)), chain_(checked(parts_).grids, parts_.budget) {}

// The lowest winning position, or the length of the grid where none wins. In mode "shade" a grid holds factors of the
// value.
std::size_t FirstPriceBidding::first_win(std::size_t item, const BidOffer& offer) const {
  const auto grid = parts_.grids[item].prices();
  if (!offer.for_sale) return grid.size();
  if (offer.rival == BidOffer::Rival::kNone) return 0;
  const double unit = parts_.mode == Mode::kShade ? offer.value : 1.0;
  // Grids rise, so positions that lose come first; with the highest other bid a bid wins only if it is above it by more
  // than rounding, with the least winning bid also if it misses it by rounding.
  const double bar = offer.rival == BidOffer::Rival::kOther ? offer.price * (1 + kTie) : offer.price;
  const auto loses = [&](double at) {
    return offer.rival == BidOffer::Rival::kOther ? at * unit <= bar : at * unit * (1 + kTie) < bar;
  };
  return static_cast<std::size_t>(std::partition_point(grid.begin(), grid.end(), loses) - grid.begin());
}

// first_win() is the lowest position that wins; every higher one wins too, and pays what it bids.
double FirstPriceBidding::raw(const Action& x, const Outcome& y) const {
  double money = 0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    const auto at = static_cast<std::size_t>(x[j]);
    if (at >= first_win(j, y[j])) money += gain(j, at, y[j]);
  }
  return money;
}

LossSpread FirstPriceBidding::spread(const Outcome& y) const {
  double most = 0, least = 0;  // money
  for (std::size_t j = 0; j < y.size(); ++j) {
    const std::size_t from = first_win(j, y[j]), last = domain(j) - 1;
    if (from > last) continue;
    const double high = gain(j, from, y[j]), low = gain(j, last, y[j]);
    // Gains fall from position `from` on; below it the item is lost and brings 0, unless there is no position below.
    most += from == 0 ? high : std::max(0.0, high);
    least += from == 0 ? low : std::min(0.0, low);
  }
  return {.least = -most, .most = -least};
}

// The gamma per unit of the round's range, which does not depend on the round: 1, or the longest grid's bits. 0 where
// every grid has one position and there is nothing to learn.
std::optional<double> FirstPriceBidding::gamma_at(std::string_view perturbation, const Outcome&) const {
  double bits = 0;  // of the longest grid
  for (const auto& grid : parts_.grids) bits = std::max(bits, static_cast<double>(std::bit_width(grid.size() - 1)));
  return perturbation == "bits" ? bits : std::min(bits, 1.0);
}

// Without a budget a sum of logarithms, because the product itself may overflow; with one the logarithm of the chain's
// count.
double FirstPriceBidding::ln_size() const {
  if (!chain_.all()) return std::log(chain_.count());
  double sum = 0;
  for (const auto& grid : parts_.grids) sum += std::log(static_cast<double>(grid.size()));
  return sum;
}

std::optional<double> FirstPriceBidding::action_count() const {
  return chain_.count() <= 0x1p53 ? std::optional(chain_.count()) : std::nullopt;
}

std::vector<FirstPriceBidding::Action> FirstPriceBidding::first_actions(std::uint64_t limit) const {
  std::vector<Action> some;
  Action x;
  // Lexicographic, the last item fastest; a position that is not allowed ends its item.
  const auto walk = [&](auto&& self, std::size_t item, std::size_t left) -> void {
    if (item == items()) return some.push_back(x);
    for (std::size_t z = 0; z < domain(item) && some.size() < limit; ++z) {
      const std::size_t to = chain_.next(item, left, z);
      if (to == BidBudget::kNotAllowed) break;
      x.push_back(static_cast<int>(z));
      self(self, item + 1, to);
      x.pop_back();
    }
  };
  if (limit > 0) walk(walk, 0, chain_.start());
  return some;
}

std::uint64_t FirstPriceBidding::size() const {
  assert(chain_.count() <= kMaxTable);
  return static_cast<std::uint64_t>(chain_.count());
}

// The same walk as first_actions(), so that k runs through the actions in order; `left` is the state of the budget,
// `money` what the items so far brought.
void FirstPriceBidding::accumulate(const Outcome& y, double weight, std::span<double> totals) const {
  std::vector<std::size_t> wins;
  for (std::size_t j = 0; j < y.size(); ++j) wins.push_back(first_win(j, y[j]));
  std::size_t k = 0;
  const auto walk = [&](auto&& self, std::size_t item, std::size_t left, double money) -> void {
    if (item == items()) {
      totals[k++] -= weight * money;
      return;
    }
    for (std::size_t z = 0; z < domain(item); ++z) {
      const std::size_t to = chain_.next(item, left, z);
      if (to == BidBudget::kNotAllowed) break;
      self(self, item + 1, to, z >= wins[item] ? money + gain(item, z, y[item]) : money);
    }
  };
  walk(walk, 0, chain_.start(), 0.0);
}

// A position in range for every item, and a budget that is never overdrawn on the way.
bool FirstPriceBidding::allows(const Action& x) const {
  if (x.size() != items()) return false;
  std::size_t left = chain_.start();
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (x[j] < 0 || static_cast<std::size_t>(x[j]) >= domain(j)) return false;
    left = chain_.next(j, left, static_cast<std::size_t>(x[j]));
    if (left == BidBudget::kNotAllowed) return false;
  }
  return true;
}

// Two numbers an item: the own value, and the highest other bid. An empty cell (NaN) is an item that is not for sale,
// or one without another bid.
void FirstPriceBidding::outcome_from_row(std::span<const double> row, Outcome& y) const {
  y.assign(items(), {});
  for (std::size_t j = 0; j < y.size(); ++j) {
    const double value = row[2 * j], other = row[2 * j + 1];
    if (std::isnan(value)) continue;
    y[j] = {.for_sale = true, .value = value};
    if (std::isnan(other)) continue;
    y[j].rival = BidOffer::Rival::kOther;
    y[j].price = other;
  }
}

// Values and other bids up to the highest bid of the grid, so that some rounds are won and some are lost.
FirstPriceBidding::Outcome FirstPriceBidding::simulated(const MarketDraws& draws) const {
  Outcome y;
  for (std::size_t j = 0; j < items(); ++j) {
    const double unit = parts_.mode == Mode::kShade ? 1.0 : parts_.grids[j].top();
    y.push_back({.for_sale = true,
                 .value = unit * draws.value(2 * j),
                 .rival = BidOffer::Rival::kOther,
                 .price = unit * draws.value(2 * j + 1)});
  }
  return y;
}

void archive(Archive& a, std::vector<BidOffer>& offers) {
  const auto count = a.open_list("offers", offers.size());
  if (a.reading()) offers.assign(count, BidOffer{});
  constexpr SavedRange kSaved{FirstPriceBidding::kValues.lo, FirstPriceBidding::kValues.hi};
  for (BidOffer& offer : offers) {
    a.item();
    a.count("for_sale", offer.for_sale);
    a.field("value", offer.value, kSaved);
    a.choice("rival", offer.rival, BidOffer::Rival::kLeast);
    a.field("price", offer.price, kSaved);
  }
  a.close_list();
}

}  // namespace hannan::detail
