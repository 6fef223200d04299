#include "hannan/problems/threshold_bidding/threshold_bidding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan {

ThresholdBidding::ThresholdBidding(Parts parts) : parts_(std::move(parts)) {
  assert(parts_.valuation.size() == std::size_t{1} << parts_.items && parts_.valuation[0] == 0);
  for (const auto& prices : parts_.prices) {
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
}

ThresholdBidding::Bundle ThresholdBidding::won(std::span<const int> bids, Outcome y) const {
  Bundle bundle = 0;
  for (std::size_t j = 0; j < bids.size(); ++j) {
    if (bids[j] >= need(y, j)) bundle |= Bundle{1} << j;
  }
  return bundle;
}

double ThresholdBidding::loss(const Action& x, Outcome y) const {
  return std::clamp((1 - utility(won(x.levels, y), y)) / 2, 0.0, 1.0);  // outside by rounding alone
}

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
  const auto step = std::min(static_cast<std::size_t>(need(y, last)), base);
  std::array<int, kMaxItems> room{};
  const auto bids = std::span<int>(room).first(last);
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

namespace {

std::string list_items(ThresholdBidding::Bundle bundle) {
  std::string text = "[";
  for (int j = 0; bundle >> j != 0; ++j) {
    if ((bundle >> j & 1U) != 0) text += (text.size() > 1 ? "," : "") + std::to_string(j);
  }
  return text + "]";
}

struct Sizes {
  int items;
  int levels;
};

// Every bundle once; the empty one may be left out.
std::vector<int> parse_valuation(const Json::Array& list, const std::string& path, Sizes sizes) {
  using Bundle = ThresholdBidding::Bundle;
  std::vector<std::optional<int>> values(std::size_t{1} << sizes.items);
  for (std::size_t i = 0; i < list.size(); ++i) {
    Fields entry(list[i], path_of(path, i));
    Bundle bundle = 0;
    for (const auto j : entry.integers("items", {0, sizes.items - 1})) {
      if ((bundle >> j & 1U) != 0) {
        throw Error(Code::kOutOfRange, "found item " + std::to_string(j) + " twice, expected each item once",
                    entry.at("items"));
      }
      bundle |= Bundle{1} << j;
    }
    if (values[bundle]) {
      throw Error(Code::kOutOfRange, "found bundle " + list_items(bundle) + " twice, expected each bundle once",
                  entry.at("items"));
    }
    values[bundle] = static_cast<int>(entry.integer("value", {0, bundle == 0 ? 0 : sizes.items * sizes.levels}));
    entry.done();
  }
  std::vector<int> valuation{0};
  for (Bundle s = 1; s < values.size(); ++s) {
    if (!values[s]) {
      throw Error(Code::kMissingField, "found no value of bundle " + list_items(s) + ", expected one for every bundle",
                  path);
    }
    valuation.push_back(*values[s]);
  }
  return valuation;
}

std::vector<std::vector<double>> parse_prices(Fields& params, int items) {
  auto prices = params.matrix("prices", kNonnegative);
  const std::size_t most = ThresholdBidding::kMaxUtilities >> items;
  if (prices.empty() || prices.size() > most) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(prices.size()) + " price vectors, expected 1 to " + std::to_string(most) +
                    " with so many items",
                params.at("prices"));
  }
  for (std::size_t y = 0; y < prices.size(); ++y) {
    if (prices[y].size() == static_cast<std::size_t>(items)) continue;
    throw Error(
        Code::kOutOfRange,
        "found " + std::to_string(prices[y].size()) + " prices, expected one per item, " + std::to_string(items),
        path_of(params.at("prices"), y));
  }
  return prices;
}

}  // namespace

void ThresholdBidding::check_utilities(const std::string& path) const {
  constexpr double kRounding = 1e-12;  // of a sum of a dozen prices
  const auto check = [&](Bundle bundle, Outcome y) {
    const double u = utility(bundle, y);
    if (u >= -1 - kRounding && u <= 1 + kRounding) return;
    throw Error(Code::kOutOfRange,
                "found utility " + std::to_string(u) + " of winning bundle " + list_items(bundle) +
                    ", expected one in [-1,1]: scale values and prices down",
                path_of(path, y));
  };
  for (Outcome y = 0; y < price_vectors(); ++y) {
    if (parts_.actions.given()) {
      for (const auto& x : parts_.actions.all()) check(won(x.levels, y), y);
      continue;
    }
    Bundle within_reach = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(parts_.items); ++j) {
      if (need(y, j) <= parts_.levels) within_reach |= Bundle{1} << j;
    }
    const Bundle free = won(std::vector<int>(static_cast<std::size_t>(parts_.items), 0), y);  // won by any bid
    for (Bundle s = 0; s < parts_.valuation.size(); ++s) {
      if ((s & ~within_reach) == 0 && (free & ~s) == 0) check(s, y);
    }
  }
}

std::shared_ptr<const ThresholdBidding> ThresholdBidding::parse(Fields& params) {
  Parts parts{.items = static_cast<int>(params.integer("items", {1, kMaxItems})),
              .levels = static_cast<int>(params.integer("levels", {1, kMaxLevels})),
              .valuation = {},
              .prices = {},
              .actions = {}};
  parts.valuation = parse_valuation(params.list("valuation"), params.at("valuation"), {parts.items, parts.levels});
  parts.prices = parse_prices(params, parts.items);
  if (const Json* given = params.maybe("actions")) {
    parts.actions = ActionList::parse(*given, params.at("actions"),
                                      {.width = static_cast<std::size_t>(parts.items), .levels = parts.levels});
  }
  auto problem = std::make_shared<ThresholdBidding>(std::move(parts));
  problem->check_utilities(params.at("prices"));
  return problem;
}

Json ThresholdBidding::params() const {
  Json list = Json::array();
  for (Bundle s = 1; s < parts_.valuation.size(); ++s) {
    Json members = Json::array();
    for (int j = 0; j < parts_.items; ++j) {
      if ((s >> j & 1U) != 0) members.push_back(j);
    }
    list.push_back(Json::object({{"items", std::move(members)}, {"value", parts_.valuation[s]}}));
  }
  Json json = Json::object({{"items", parts_.items},
                            {"levels", parts_.levels},
                            {"valuation", std::move(list)},
                            {"prices", Json::array(parts_.prices)}});
  if (parts_.actions.given()) json.set("actions", parts_.actions.json());
  return json;
}

ThresholdBidding::Action ThresholdBidding::parse_action(const Json& json, std::string_view path) const {
  const auto bids = to_integers(json, path, {0, parts_.levels});
  if (bids.size() != static_cast<std::size_t>(parts_.items)) {
    throw Error(
        Code::kBadAction,
        "found " + std::to_string(bids.size()) + " bids, expected one per item, " + std::to_string(parts_.items),
        std::string(path));
  }
  Action x{0, std::vector<int>(bids.begin(), bids.end())};
  if (!parts_.actions.given()) return x;
  const auto place = parts_.actions.find(x.levels);
  if (!place)
    throw Error(Code::kBadAction, "found " + describe(json) + ", expected one of the listed actions",
                std::string(path));
  x.place = *place;
  return x;
}

ThresholdBidding::Outcome ThresholdBidding::parse_outcome(const Json& json, std::string_view path) const {
  return static_cast<Outcome>(to_integer(json, path, {0, static_cast<std::int64_t>(price_vectors()) - 1}));
}

}  // namespace hannan
