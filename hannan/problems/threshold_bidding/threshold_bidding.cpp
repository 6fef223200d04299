// The game: utilities of all bundles at all price vectors are computed once, utilities_[y 2^h + S], so that a loss
// costs O(h). Actions are numbers in base m + 1, the last item fastest, or places in a given list.
#include "hannan/problems/threshold_bidding/threshold_bidding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/problems/bundle_values.hpp"

namespace hannan::detail {

// Also asked by the codec, before the actions are read.
void ThresholdBidding::expect_prices(const Parts& parts) {
  // One utility per price vector and bundle, 2^h bundles.
  const std::size_t most = kMaxUtilities >> parts.items;
  if (parts.prices.empty() || parts.prices.size() > most) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(parts.prices.size()) + " price vectors, expected 1 to " +
                    std::to_string(most) + " with so many items",
                "prices");
  }
  for (std::size_t y = 0; y < parts.prices.size(); ++y) {
    if (parts.prices[y].size() != static_cast<std::size_t>(parts.items)) {
      throw Error(Code::kOutOfRange,
                  "found " + std::to_string(parts.prices[y].size()) + " prices, expected one per item, " +
                      std::to_string(parts.items),
                  path_of("prices", y));
    }
    expect_numbers(parts.prices[y], kNonnegative, path_of("prices", y));
  }
}

namespace {

ThresholdBidding::Parts checked(ThresholdBidding::Parts parts) {
  expect_whole(parts.items, {1, ThresholdBidding::kMaxItems}, "items");
  expect_whole(parts.levels, {1, ThresholdBidding::kMaxLevels}, "levels");
  expect_bundle_values(parts.valuation, parts.items, parts.items * parts.levels, "valuation");
  ThresholdBidding::expect_prices(parts);
  parts.actions.expect({.width = static_cast<std::size_t>(parts.items), .levels = parts.levels}, "actions");
  return parts;
}

}  // namespace

// needs_[y h + j]: the least bid that wins item j at price vector y, m + 1 where no bid does. least_[y]: the loss of
// the best bundle at these prices, whether or not some bids win exactly that bundle.
ThresholdBidding::ThresholdBidding(Parts parts) : parts_(checked(std::move(parts))) {
  for (const auto& prices : parts_.prices) {
    // paid[S] from S without its lowest item.
    std::vector<double> paid(parts_.valuation.size(), 0.0);
    for (Bundle s = 0; s < paid.size(); ++s) {
      if (s != 0) paid[s] = paid[s & (s - 1)] + prices[static_cast<std::size_t>(std::countr_zero(s))];
      utilities_.push_back(static_cast<double>(parts_.valuation[s]) / parts_.levels - paid[s]);
    }
    const double most =
        *std::max_element(utilities_.end() - static_cast<std::ptrdiff_t>(paid.size()), utilities_.end());
    least_.push_back(std::clamp((1 - most) / 2, 0.0, 1.0));
    for (const double price : prices) {
      // The comparison before the ceiling: a price may be too large for an integer.
      needs_.push_back(price > 1 + kGridSlack
                           ? parts_.levels + 1
                           : static_cast<int>(std::ceil(std::max(0.0, parts_.levels * price - kGridSlack))));
    }
  }
  expect_utilities();
}

ThresholdBidding::Bundle ThresholdBidding::won(std::span<const int> bids, Outcome y) const {
  Bundle bundle = 0;
  for (std::size_t j = 0; j < bids.size(); ++j) {
    if (bids[j] >= need(y, j)) bundle |= Bundle{1} << j;
  }
  return bundle;
}

// Utilities are in [-1,1] (expect_utilities), so that (1 - u)/2 is in [0,1].
double ThresholdBidding::loss(const Action& x, Outcome y) const {
  return std::clamp((1 - utility(won(x.levels, y), y)) / 2, 0.0, 1.0);  // outside by rounding alone
}

// h ln(m + 1), finite where the count itself is not.
double ThresholdBidding::ln_size() const {
  return parts_.actions.given() ? std::log(static_cast<double>(parts_.actions.size()))
                                : parts_.items * std::log(parts_.levels + 1.0);
}

std::optional<double> ThresholdBidding::action_count() const {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (parts_.actions.given()) return static_cast<double>(parts_.actions.size());
  const double count = std::pow(parts_.levels + 1.0, parts_.items);
  return count <= kExact ? std::optional(count) : std::nullopt;
}

std::vector<ThresholdBidding::Action> ThresholdBidding::first_actions(std::uint64_t limit) const {
  std::vector<Action> some;
  if (const auto count = action_count()) limit = std::min(limit, static_cast<std::uint64_t>(*count));
  for (std::uint64_t k = 0; k < limit; ++k) some.push_back(action(k));
  return some;
}

std::uint64_t ThresholdBidding::size() const {
  assert(action_count() && *action_count() <= kMaxListed);
  return static_cast<std::uint64_t>(*action_count());
}

ThresholdBidding::Action ThresholdBidding::action(std::uint64_t k) const {
  Action x;
  action(k, x);
  return x;
}

// Digits of k in base m + 1. A given list keeps its own order.
void ThresholdBidding::action(std::uint64_t k, Action& x) const {
  if (parts_.actions.given()) {
    x = parts_.actions[k];
    return;
  }
  const auto base = static_cast<std::uint64_t>(parts_.levels) + 1;
  x.place = 0;
  x.levels.resize(static_cast<std::size_t>(parts_.items));
  for (std::size_t j = x.levels.size(); j-- > 0; k /= base) x.levels[j] = static_cast<int>(k % base);
}

// The inverse of action(k): one coordinate whose positions are the actions themselves.
std::size_t ThresholdBidding::position(const Action& x, std::size_t) const {
  if (parts_.actions.given()) return x.place;
  std::size_t k = 0;
  for (const int bid : x.levels) k = k * (static_cast<std::size_t>(parts_.levels) + 1) + static_cast<std::size_t>(bid);
  return k;
}

void ThresholdBidding::accumulate(Outcome y, double weight, std::span<double> totals) const {
  if (parts_.actions.given()) {
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += weight * loss(parts_.actions[k], y);
    return;
  }
  // Items before the last by counting up; along the last item the loss has one step.
  const auto base = static_cast<std::size_t>(parts_.levels) + 1, last = static_cast<std::size_t>(parts_.items) - 1;
  // Bids 0..step-1 of the last item lose it and step..m win it; step = base where none wins.
  const auto step = std::min(static_cast<std::size_t>(need(y, last)), base);
  std::array<int, kMaxItems> storage{};
  const auto bids = std::span<int>(storage).first(last);
  for (std::size_t from = 0; from < totals.size(); from += base) {
    const Bundle others = won(bids, y);
    const double lost = weight * std::clamp((1 - utility(others, y)) / 2, 0.0, 1.0);
    const double taken = weight * std::clamp((1 - utility(others | Bundle{1} << last, y)) / 2, 0.0, 1.0);
    for (std::size_t d = 0; d < step; ++d) totals[from + d] += lost;
    for (std::size_t d = step; d < base; ++d) totals[from + d] += taken;
    for (std::size_t j = last; j-- > 0;) {
      if (++bids[j] <= parts_.levels) break;
      bids[j] = 0;
    }
  }
}

std::vector<ThresholdBidding::Outcome> ThresholdBidding::outcomes() const {
  std::vector<Outcome> all(price_vectors());
  std::iota(all.begin(), all.end(), Outcome{0});
  return all;
}

// Utilities of all bundles that can be won lie in [-1,1], or the problem is refused with the first that does not.
void ThresholdBidding::expect_utilities() const {
  constexpr double kRounding = 1e-12;  // of a sum of a dozen prices
  const auto check = [&](Bundle bundle, Outcome y) {
    const double u = utility(bundle, y);
    if (u >= -1 - kRounding && u <= 1 + kRounding) return;
    throw Error(Code::kOutOfRange,
                "found utility " + std::to_string(u) + " of winning bundle " + list_items(bundle) +
                    ", expected one in [-1,1]: scale values and prices down",
                path_of("prices", y));
  };
  // Refused here and not clamped: a clamped loss would no longer be linear in the utility.
  for (Outcome y = 0; y < price_vectors(); ++y) {
    if (parts_.actions.given()) {
      for (const auto& x : parts_.actions.all()) check(won(x.levels, y), y);
      continue;
    }
    Bundle within_reach = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(parts_.items); ++j) {
      if (need(y, j) <= parts_.levels) within_reach |= Bundle{1} << j;
    }
    // Only bundles that some bids win are checked: all items within reach, and those at price 0 always won.
    const Bundle free = won(std::vector<int>(static_cast<std::size_t>(parts_.items), 0), y);  // won by any bid
    for (Bundle s = 0; s < parts_.valuation.size(); ++s) {
      if ((s & ~within_reach) == 0 && (free & ~s) == 0) check(s, y);
    }
  }
}

}  // namespace hannan::detail
