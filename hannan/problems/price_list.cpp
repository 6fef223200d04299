// Price lists and the named ways to make one. Invariant of a list: it begins with 0 and every price exceeds the one
// before by more than kLeastRatio of itself, so that kSlack, a thousand times smaller, never decides between two
// prices. Cost: a position by bisection, O(log m).
#include "hannan/problems/price_list.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/expect.hpp"
#include "hannan/core/text.hpp"

namespace hannan::detail {

namespace {

bool too_close(double low, double high) { return high - low <= PriceList::kLeastRatio * high; }

[[noreturn]] void refuse_price(const std::string& what, const std::string& at) {
  throw Error(Code::kOutOfRange, what, at);
}

// Rounded, in order, with 0 in front and every price clearly above the one before.
// Rounding may make neighbours equal, or the first price 0: those are left out, so a named list can be shorter than was
// asked for.
PriceList named_list(std::vector<double> prices, Decimals decimals) {
  if (decimals) {
    expect_whole(*decimals, {0, 6}, "decimals");
    double scale = 1;
    for (int d = 0; d < *decimals; ++d) scale *= 10;
    for (double& price : prices) price = std::round(price * scale) / scale;
  }
  std::vector<double> kept{0.0};
  for (const double price : prices) {
    if (price > 0 && !too_close(kept.back(), price)) kept.push_back(price);
  }
  return PriceList(std::move(kept));
}

void expect_count(std::size_t count) {
  expect_whole(static_cast<std::int64_t>(std::min<std::size_t>(count, PriceList::kMostPrices)),
               {1, static_cast<std::int64_t>(PriceList::kMostPrices) - 1}, "number of prices");
}

}  // namespace

PriceList::PriceList(std::vector<double> prices, const std::string& part) : prices_(std::move(prices)) {
  if (prices_.empty()) refuse_price("found an empty list, expected prices that begin with 0", part);
  if (prices_.size() > kMostPrices) {
    refuse_price("found " + std::to_string(prices_.size()) + " prices, expected at most " + std::to_string(kMostPrices),
                 part);
  }
  expect_numbers(prices_, kAnyMoney, part);
  if (prices_.front() != 0) {
    refuse_price("found " + number_text(prices_.front()) +
                     " as the first price, expected 0, which stands for \"none\"; "
                     "add 0 in front",
                 path_of(part, 0));
  }
  for (std::size_t z = 1; z < prices_.size(); ++z) {
    const double before = prices_[z - 1], price = prices_[z];
    if (price <= before) {
      refuse_price("found " + number_text(price) + " after " + number_text(before) + ", expected prices that rise",
                   path_of(part, z));
    }
    if (too_close(before, price)) {
      refuse_price("found " + number_text(price) + " after " + number_text(before) +
                       ", expected prices that differ by more than a millionth; leave one out",
                   path_of(part, z));
    }
  }
}

std::size_t PriceList::position(double bid) const {
  // From the second price on: position 0 is reached by every bid, and above is never the first element.
  const auto above = std::upper_bound(prices_.begin() + 1, prices_.end(), bid * (1 + kSlack));
  return static_cast<std::size_t>(above - prices_.begin()) - 1;
}

double PriceList::snapped(double bid) const { return std::max(bid, prices_[position(bid)]); }

// max over z of p_z / (p_z - p_{z-1}), at least 1. The gammas of "direct" columns use it.
double PriceList::steepness() const {
  double most = 1;
  for (std::size_t z = 1; z < prices_.size(); ++z) most = std::max(most, prices_[z] / (prices_[z] - prices_[z - 1]));
  return most;
}

PriceList linear_prices(std::size_t count, double top, Decimals decimals) {
  expect_count(count);
  expect_number(top, {kPositive.lo, kAnyMoney.hi}, "top");
  std::vector<double> prices;
  for (std::size_t k = 1; k <= count; ++k) prices.push_back(top * static_cast<double>(k) / static_cast<double>(count));
  return named_list(std::move(prices), decimals);
}

// low * (top/low)^(k/(count - 1)), with the library's own logarithm and exponential, so that prices are the same on
// every machine. The last one is `top` itself and not its rounded power.
PriceList geometric_prices(std::size_t count, Interval ends, Decimals decimals) {
  expect_count(count);
  expect_number(ends.lo, {kPositive.lo, kAnyMoney.hi}, "low");
  expect_number(ends.hi, {ends.lo, kAnyMoney.hi}, "top");
  std::vector<double> prices{ends.lo};
  const double ratio = portable_log(ends.hi / ends.lo);
  for (std::size_t k = 1; k + 1 < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    prices.push_back(ends.lo * portable_exp(share * ratio));
  }
  if (count > 1) prices.push_back(ends.hi);
  return named_list(std::move(prices), decimals);
}

// Quantiles k/(count + 1), k = 1..count, of the bids above 0. Equal quantiles become one price.
PriceList quantile_prices(std::size_t count, std::span<const double> bids, Decimals decimals) {
  expect_count(count);
  std::vector<double> sorted;
  for (const double bid : bids) {
    expect_number(bid, kAnyMoney, "bids");
    if (bid > 0) sorted.push_back(bid);
  }
  if (sorted.empty()) {
    throw Error(Code::kOutOfRange, "found no bid above 0, expected some to take quantiles of; use more warm rounds",
                "bids");
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> prices;
  for (std::size_t k = 1; k <= count; ++k) {
    // ceil(n k / (count + 1)) is in 1..n for 1 <= k <= count.
    prices.push_back(sorted[(sorted.size() * k + count) / (count + 1) - 1]);  // the quotient, rounded up
  }
  return named_list(std::move(prices), decimals);
}

}  // namespace hannan::detail
