// What item prices say of money and of logs (game/money.hpp, game/log_use.hpp): prices are levels of the cap or a list
// in money. A round gains at most the highest price for each unit that was sold in one.
#include <algorithm>
#include <memory>
#include <vector>

#include "hannan/problems/item_pricing/item_pricing_codec.hpp"

namespace hannan::detail {
namespace {

// Posted prices of a log become quantiles of themselves where none are named.
bool choose_posted(Json& params, const LogTerms& terms) {
  return terms.posted && !terms.scaled && !params.find("levels") && !params.find("prices");
}

}  // namespace

Money Codec<ItemPricing>::money(const std::shared_ptr<const ItemPricing>& p) {
  Money facts;
  facts.amounts = {.what = "price", .owner = "item", .owners = p->coordinates()};
  if (!p->in_money()) {
    facts.amounts.unit = Amounts::Unit::kScale;
    facts.amounts.levels = p->levels();
    return facts;
  }
  facts.amounts.names = Amounts::Names::kGoods;
  double top = 0;
  for (const PriceList& list : p->prices()) {
    facts.amounts.lists.emplace_back(list.prices().begin(), list.prices().end());
    top = std::max(top, list.top());
  }
  facts.most_gain = [top](const MoneyLimits& limits) -> std::optional<double> {
    if (!(limits.largest > 0)) return std::nullopt;
    return limits.unit * limits.largest * top;
  };
  return facts;
}

LogUse Codec<ItemPricing>::log_use() {
  return {.shape = LogShape::kBuyers,
          .posted = LogShape::kPosted,
          .choose = choose_posted,
          .unplayed = [](const LogUse::Unplayed& of) {
            return Json::object({{"items", of.owners}, {"prices", Json(std::vector<double>{0})}, {"demand", "single"}});
          }};
}

}  // namespace hannan::detail
