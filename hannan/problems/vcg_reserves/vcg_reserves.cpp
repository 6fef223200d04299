#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/core/expect.hpp"
#include "hannan/problems/extreme_rows.hpp"

namespace hannan {

VcgReserves::VcgReserves(const Parts& parts) : parts_(parts) {
  detail::expect_whole(parts.bidders, {1, kMostBids}, "bidders");
  detail::expect_whole(parts.levels, {1, kMaxLevels}, "levels");
  detail::expect_whole(parts.units, {1, kMaxUnits}, "units");
}

namespace {

// Lazy reserves: bidder k of the ranking, a winner, as a function of its own reserve.
Response lazy_response(std::span<const RankedBid> ranked, std::size_t k, const Auction& auction) {
  Response r{.own_level = ranked[k].level};
  if (const auto loser = static_cast<std::size_t>(auction.units); loser < ranked.size()) {
    r.price = ranked[loser].bid;
    r.price_level = ranked[loser].level;
  }
  return r;
}

std::size_t winners(std::span<const RankedBid> ranked, const Auction& auction) {
  return std::min(ranked.size(), static_cast<std::size_t>(auction.units));
}

// The next combination in order; false after the last. `reserves` may be empty.
bool next_reserves(std::span<int> reserves, int levels) {
  for (std::size_t i = reserves.size(); i-- > 0;) {
    if (++reserves[i] <= levels) return true;
    reserves[i] = 1;
  }
  return false;
}

}  // namespace

double VcgReserves::least_loss(const Outcome& y) const {
  const auto ranked = prepare(y);
  const std::size_t won = winners(ranked, auction());
  const double next = won < ranked.size() ? ranked[won].bid : 0.0;
  double most = 0;
  for (std::size_t k = 0; k < won; ++k) most += std::max(static_cast<double>(ranked[k].level) / parts_.levels, next);
  return 1 - most / normaliser();
}

double VcgReserves::raw_prepared(const Action& x, std::span<const RankedBid> ranked) const {
  if (parts_.rule == Rule::kEager) return revenue(ranked, x, auction());
  double sum = 0;
  for (std::size_t k = 0; k < winners(ranked, auction()); ++k) {
    sum += lazy_response(ranked, k, auction()).at(x[static_cast<std::size_t>(ranked[k].bidder)], parts_.levels);
  }
  return sum;
}

std::optional<double> VcgReserves::action_count() const {
  const double count = std::pow(parts_.levels, parts_.bidders);
  if (count > 0x1p53) return std::nullopt;
  return std::round(count);
}

std::vector<VcgReserves::Action> VcgReserves::first_actions(std::uint64_t limit) const {
  std::vector<Action> all;
  Action x(coordinates(), 1);
  do {
    if (all.size() >= limit) break;
    all.push_back(x);
  } while (next_reserves(x, parts_.levels));
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
  const auto m = static_cast<std::uint64_t>(parts_.levels);
  x.resize(coordinates());
  for (std::size_t i = x.size(); i-- > 0; k /= m) x[i] = static_cast<int>(k % m) + 1;
}

// The last bidder's reserve runs fastest: one response serves m actions in a row.
void VcgReserves::accumulate(const Outcome& y, double weight, std::span<double> totals) const {
  const auto ranked = rank_bids(y, parts_.levels);
  const double factor = weight / normaliser();
  const int last = parts_.bidders - 1;
  Action x(coordinates(), 1);
  CurveSums sums;
  if (parts_.rule == Rule::kLazy) {
    sums.curves.assign(coordinates(), std::vector<double>(domain(0), 0.0));
    add_curves(y, weight, sums);
  }
  double* at = totals.data();
  do {
    if (parts_.rule == Rule::kLazy) {
      double others = sums.constant;
      for (std::size_t i = 0; i + 1 < x.size(); ++i) others += sums.curves[i][static_cast<std::size_t>(x[i] - 1)];
      for (const double entry : sums.curves.back()) *at++ += others + entry;
      continue;
    }
    const Response r = respond(ranked, x, auction(), last);
    const int turn = std::min(r.price_level, r.own_level);
    const double below = weight - factor * (r.base + r.price), above = weight - factor * r.excluded;
    const double slope = factor / parts_.levels, base = weight - factor * r.base;
    for (int z = 1; z <= turn; ++z) *at++ += below;
    for (int z = turn + 1; z <= r.own_level; ++z) *at++ += base - slope * z;
    for (int z = r.own_level + 1; z <= parts_.levels; ++z) *at++ += above;
  } while (next_reserves(std::span<int>(x).first(static_cast<std::size_t>(last)), parts_.levels));
}

void VcgReserves::add_curves(const Outcome& y, double weight, CurveSums& sums) const {
  assert(is_separable());
  const auto ranked = rank_bids(y, parts_.levels);
  const double factor = weight / normaliser();
  sums.constant += weight;
  for (std::size_t k = 0; k < winners(ranked, auction()); ++k) {
    const Response r = lazy_response(ranked, k, auction());
    auto& curve = sums.curves[static_cast<std::size_t>(ranked[k].bidder)];
    for (int z = 1; z <= r.own_level; ++z) curve[static_cast<std::size_t>(z - 1)] -= factor * r.at(z, parts_.levels);
  }
}

void VcgReserves::action_at(const std::vector<int>& positions, Action& x) const {
  x = positions;
  for (int& reserve : x) ++reserve;
}

void VcgReserves::extreme_outcomes(ExtremeOutcomes<Outcome>& into) const {
  detail::add_level_rows(static_cast<std::uint64_t>(parts_.levels), coordinates(), into);
}

}  // namespace hannan
