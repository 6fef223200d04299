// The game of reserve prices: number and order of actions, losses, and the losses of all actions at once. An action's
// number is read in mixed base, a digit per bidder, the last bidder fastest. Cost: loss O(n log n), or O(bids) with
// prepared bids; accumulate O(K) with one response per combination of all reserves but the last.
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/expect.hpp"
#include "hannan/problems/extreme_rows.hpp"

namespace hannan::detail {

// Either a grid of m levels, or money in exactly one of three scales. With money, `bidders` and `levels` follow from
// the lists: levels is the length of the longest.
VcgReserves::VcgReserves(const Parts& parts) : parts_(parts) {
  const std::size_t given =
      std::size_t{!parts.prices.empty()} + std::size_t{!parts.shares.empty()} + std::size_t{!parts.ceilings.empty()};
  if (given > 1)
    throw Error(Code::kOutOfRange, "found several of prices, shares and ceilings, expected one of them", "prices");
  if (given == 1) {
    const bool prices = !parts.prices.empty(), shares = !parts.shares.empty();
    expect_whole(parts.units, {1, kMaxUnits}, "units");
    money_.emplace(ReserveMoney::Parts{.prices = parts.prices,
                                       .falling = shares ? parts.shares : parts.ceilings,
                                       .scale = prices   ? ReserveMoney::Scale::kPrices
                                                : shares ? ReserveMoney::Scale::kShares
                                                         : ReserveMoney::Scale::kCeilings,
                                       .units = parts.units,
                                       .lazy = parts.rule == Rule::kLazy,
                                       .cap = parts.cap});
    parts_.bidders = static_cast<int>(std::min<std::size_t>(money_->bidders(), kMostBids + 1));
    parts_.levels = 1;
    for (const auto& list : money_->reserves()) parts_.levels = std::max(parts_.levels, static_cast<int>(list.size()));
  }
  expect_whole(parts_.bidders, {1, kMostBids}, "bidders");
  expect_whole(parts_.levels, {1, kMaxLevels}, "levels");
  expect_whole(parts_.units, {1, kMaxUnits}, "units");
}

namespace {

// Lazy reserves do not change who wins: winner k pays max(its reserve, the highest losing bid) if its bid reaches the
// reserve, and nothing otherwise; a function of its own reserve alone.
Response lazy_response(const RankedBids& ranked, std::size_t k, const Auction& auction) {
  const auto loser = static_cast<std::size_t>(auction.units);
  Response r{.price = ranked.floor, .own_level = ranked[k].level, .shift = ranked.shift};
  if (loser < ranked.size()) r.price = ranked[loser].bid;
  r.price_level = auction.level_of(ranked[k].bidder, r.price, r.shift, loser < ranked.size() ? ranked[loser].level : 0);
  return r;
}

std::size_t winners(const RankedBids& ranked, const Auction& auction) {
  return std::min(ranked.size(), static_cast<std::size_t>(auction.units));
}

// What winner k pays whatever its reserve: the price, where there is none for it.
double unreserved(const RankedBids& ranked, const Auction& auction) {
  const auto loser = static_cast<std::size_t>(auction.units);
  return loser < ranked.size() ? ranked[loser].bid : ranked.floor;
}

}  // namespace

// The next combination of the first `count` reserves in order; false after the last.
bool VcgReserves::next_reserves(Action& x, std::size_t count) const {
  for (std::size_t i = count; i-- > 0;) {
    if (static_cast<std::size_t>(++x[i] - lowest()) < domain(i)) return true;
    x[i] = lowest();
  }
  return false;
}

bool VcgReserves::allows(const Action& x) const {
  if (x.size() != coordinates()) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < lowest() || static_cast<std::size_t>(x[i] - lowest()) >= domain(i)) return false;
  }
  return true;
}

// Asked of saved states, whose outcomes were not read by the codec.
bool VcgReserves::allows_outcome(const Outcome& y) const {
  if (money_) return money_->allows(y);
  return y.size() == coordinates() && std::all_of(y.begin(), y.end(), [](double bid) { return bid >= 0 && bid <= 1; });
}

double VcgReserves::ln_size() const {
  if (!money_) return parts_.bidders * std::log(static_cast<double>(parts_.levels));
  double sum = 0;
  for (const auto& list : money_->reserves()) sum += std::log(static_cast<double>(list.size()));
  return sum;
}

// No winner pays more than the highest reserve that its bid reaches or the price behind the winners, whichever is more;
// all at once is a bound that need not be attained.
double VcgReserves::least_loss(const Outcome& y) const {
  const auto ranked = prepare(y);
  if (money_) return ranked.offset - ranked.scale * money_->limits(ranked).most / normaliser();
  const std::size_t won = winners(ranked, auction());
  const double next = won < ranked.size() ? ranked[won].bid : 0.0;
  double most = 0;
  for (std::size_t k = 0; k < won; ++k) most += std::max(static_cast<double>(ranked[k].level) / parts_.levels, next);
  return 1 - most / normaliser();
}

// With money the losses of a round lie anywhere; on the grid they are in [0,1], which an empty spread stands for.
LossSpread VcgReserves::spread(const Outcome& y) const {
  if (!money_) return {};
  const auto ranked = prepare(y);
  const auto [most, least] = money_->limits(ranked);
  const auto loss = [&](double earned) { return ranked.offset - ranked.scale * earned / normaliser(); };
  return {loss(most), loss(least)};
}

// Money of one auction at the reserves x. Prepared bids are an argument because a caller scores many actions at one
// outcome.
double VcgReserves::paid(const Action& x, const RankedBids& ranked) const {
  Auction rules = auction();
  rules.first = lowest();
  if (parts_.rule == Rule::kEager) return revenue(ranked, x, rules);
  double sum = 0;
  for (std::size_t k = 0; k < winners(ranked, rules); ++k) {
    const int bidder = ranked[k].bidder;
    if (bidder == kNoReserve) {
      sum += unreserved(ranked, rules);
      continue;
    }
    const int z = x[static_cast<std::size_t>(bidder)] + 1 - lowest();
    sum += lazy_response(ranked, k, rules).at(z, reserve_price(bidder, z - 1) + ranked.shift);
  }
  return sum;
}

double VcgReserves::raw(const Action& x, const Outcome& y) const {
  const auto ranked = prepare(y);
  const double money = paid(x, ranked);
  return form() == Form::kLoss ? ranked.offset * normaliser() - ranked.scale * money : money;
}

// Rounded: pow() of whole numbers may be off by its last bit, which matters below 2^53 only.
std::optional<double> VcgReserves::action_count() const {
  double count = std::pow(parts_.levels, parts_.bidders);
  if (money_) {
    count = 1;
    for (const auto& list : money_->reserves()) count *= static_cast<double>(list.size());
  }
  if (count > 0x1p53) return std::nullopt;
  return std::round(count);
}

// In the order of action().
std::vector<VcgReserves::Action> VcgReserves::first_actions(std::uint64_t limit) const {
  std::vector<Action> all;
  Action x(coordinates(), lowest());
  do {
    if (all.size() >= limit) break;
    all.push_back(x);
  } while (next_reserves(x, x.size()));
  return all;
}

std::uint64_t VcgReserves::size() const {
  assert(action_count() && *action_count() <= kMaxListed);
  return static_cast<std::uint64_t>(*action_count());
}

VcgReserves::Action VcgReserves::action(std::uint64_t k) const {
  Action x;
  action(k, x);
  return x;
}

void VcgReserves::action(std::uint64_t k, Action& x) const {
  x.resize(coordinates());
  // Digit i is read, then k is divided by the same domain(i): the step of the loop runs after its body.
  for (std::size_t i = x.size(); i-- > 0; k /= domain(i)) x[i] = static_cast<int>(k % domain(i)) + lowest();
}

// The last bidder's reserve runs fastest: one response serves all actions of a row.
void VcgReserves::accumulate(const Outcome& y, double weight, std::span<double> totals) const {
  const auto ranked = prepare(y);
  const double factor = weight * ranked.scale / normaliser(), nothing = weight * ranked.offset;
  const std::size_t last = coordinates() - 1;
  Auction rules = auction();
  rules.first = lowest();
  Action x(coordinates(), lowest());
  CurveSums sums;
  if (parts_.rule == Rule::kLazy) {
    for (std::size_t i = 0; i < coordinates(); ++i) sums.curves.emplace_back(domain(i), 0.0);
    add_curves(y, weight, sums);
  }
  double* at = totals.data();
  do {
    if (parts_.rule == Rule::kLazy) {
      double others = sums.constant;
      for (std::size_t i = 0; i < last; ++i) others += sums.curves[i][position(x, i)];
      for (const double entry : sums.curves.back()) *at++ += others + entry;
      continue;
    }
    if (!has_response(ranked, rules)) {
      for (x[last] = lowest(); static_cast<std::size_t>(x[last] - lowest()) < domain(last); ++x[last])
        *at++ += nothing - factor * revenue(ranked, x, rules);
      continue;
    }
    const Response r = respond(ranked, x, rules, static_cast<int>(last));
    if (money_) {
      for (int z = 1; z <= static_cast<int>(domain(last)); ++z)
        *at++ += nothing - factor * r.at(z, reserve_price(static_cast<int>(last), z - 1) + ranked.shift);
      continue;
    }
    // The three pieces of the response without a test per action: price, own reserve, excluded. turn <= own_level <=
    // levels, so exactly `levels` totals are written.
    const int turn = std::min(r.price_level, r.own_level);
    const double below = weight - factor * (r.base + r.price), above = weight - factor * r.excluded;
    const double slope = factor / parts_.levels, base = weight - factor * r.base;
    for (int z = 1; z <= turn; ++z) *at++ += below;
    for (int z = turn + 1; z <= r.own_level; ++z) *at++ += base - slope * z;
    for (int z = r.own_level + 1; z <= parts_.levels; ++z) *at++ += above;
  } while (next_reserves(x, last));
}

// For the separable oracle: with lazy reserves, or one bidder, the loss is a constant plus a curve per bidder.
void VcgReserves::add_curves(const Outcome& y, double weight, CurveSums& sums) const {
  assert(is_separable());
  const auto ranked = prepare(y);
  const double factor = weight * ranked.scale / normaliser();
  sums.constant += weight * ranked.offset;
  const Auction rules = auction();
  for (std::size_t k = 0; k < winners(ranked, rules); ++k) {
    const int bidder = ranked[k].bidder;
    if (bidder == kNoReserve) {
      sums.constant -= factor * unreserved(ranked, rules);
      continue;
    }
    const Response r = lazy_response(ranked, k, rules);
    auto& curve = sums.curves[static_cast<std::size_t>(bidder)];
    for (int z = 1; z <= r.own_level; ++z)
      curve[static_cast<std::size_t>(z - 1)] -= factor * r.at(z, reserve_price(bidder, z - 1) + ranked.shift);
  }
}

void VcgReserves::action_at(const std::vector<int>& positions, Action& x) const {
  x = positions;
  for (int& reserve : x) reserve += lowest();
}

}  // namespace hannan::detail
