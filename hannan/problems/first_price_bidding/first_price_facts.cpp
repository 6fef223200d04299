// What first-price bids say of money and of logs (game/money.hpp, game/log_use.hpp): bids in money, or factors of the
// own value. A round gains at most what winning is worth; with factors gains are shares of that (docs/judgement.md).
#include <memory>
#include <utility>
#include <vector>

#include "hannan/problems/first_price_bidding/first_price_bidding_codec.hpp"

namespace hannan::detail {
namespace {

// Twenty factors of the value, 0 to 0.95. Division by 100 gives the double nearest to the decimal number.
bool choose_factors(Json& params, const LogTerms&) {
  if (params.find("grids")) return false;
  Json factors = Json::array();
  for (int percent = 0; percent < 100; percent += 5) factors.push_back(percent / 100.0);
  params.set("grids", Json::array({std::move(factors)}));
  return false;
}

double value_of(const FirstPriceBidding::Outcome& offers) {
  double value = 0;
  for (const BidOffer& offer : offers) value += offer.for_sale ? offer.value : 0;
  return value;
}

}  // namespace

Money Codec<FirstPriceBidding>::money(const std::shared_ptr<const FirstPriceBidding>& p) {
  const bool shade = p->parts().mode == FirstPriceBidding::Mode::kShade;
  Money facts;
  facts.amounts = {.what = shade ? "factor" : "bid",
                   .owner = "item",
                   .owners = p->items(),
                   .unit = shade ? Amounts::Unit::kShare : Amounts::Unit::kCurrency,
                   .of = "value",
                   .names = Amounts::Names::kSlots};
  for (const PriceList& grid : p->parts().grids)
    facts.amounts.lists.emplace_back(grid.prices().begin(), grid.prices().end());
  facts.most_gain = [](const MoneyLimits& limits) -> std::optional<double> {
    if (!(limits.largest > 0)) return std::nullopt;
    return limits.unit * limits.largest;
  };
  if (shade) facts.shares = {.of = [](const AnyOutcome& y) { return value_of(y.get<FirstPriceBidding::Outcome>()); }};
  return facts;
}

LogUse Codec<FirstPriceBidding>::log_use() { return {.shape = LogShape::kOwnBid, .choose = choose_factors}; }

}  // namespace hannan::detail
