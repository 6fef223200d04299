// What a log of posted prices shows of demand: offers, refusals, and whether prices varied. doubt() says in one
// sentence why other prices cannot be judged on it, the gravest reason first; empty where they can. O(offers) a round.
#include "hannan/bidlog/posted_offers.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace hannan::detail {

void PostedDemand::add(std::span<const LoggedOffer> round) {
  bool sold = false, several_goods = false;
  for (const LoggedOffer& offer : round) {
    ++offers_;
    declined_ += offer.sold == 0 ? 1 : 0;
    several_ += offer.sold > 1 ? 1 : 0;
    sold = sold || offer.sold > 0;
    several_goods = several_goods || offer.good != round.front().good;
    if (goods_.size() <= offer.good) goods_.resize(offer.good + 1);
    Good& good = goods_[offer.good];
    if (!good.price) good.price = offer.price;
    good.varies = good.varies || *good.price != offer.price;
  }
  rounds_unsold_ += sold ? 0 : 1;
  rounds_of_several_ += several_goods ? 1 : 0;
}

std::string PostedDemand::doubt(std::span<const std::string> goods, Rounds rounds) const {
  const auto constant =
      std::find_if(goods_.begin(), goods_.end(), [](const Good& good) { return good.price && !good.varies; });
  if (constant != goods_.end()) {
    const auto place = static_cast<std::size_t>(constant - goods_.begin());
    const bool named = place < goods.size() && !goods[place].empty();
    return fmt::format(
        "{} was offered at one price only, {}, and who would have bought at another the log does not show",
        named ? dump(Json(goods[place])) : "the good", number_text(*constant->price));
  }
  if (rounds == Rounds::kChoice ? rounds_unsold_ == 0 : declined_ == 0)
    return "the log has purchases only: how many people saw a price and did not buy it does not say";
  if (several_ > 0)
    return fmt::format(
        "{} rows are several units sold at once: how many people saw the price and did not buy they do not say",
        several_);
  if (rounds == Rounds::kChoice && rounds_of_several_ > 0)
    return "a buyer chose between goods, and may turn to another one when prices change, which the log does not show";
  return {};
}

}  // namespace hannan::detail
