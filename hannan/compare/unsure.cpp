// The kindest outcome of a round that a log leaves open, and exact ranges for one reserve or price over all rounds
// (unsure.hpp). Revenue never falls in the hidden bid, so its two ends bound what lies between.
#include "hannan/compare/unsure.hpp"

#include <algorithm>

#include "hannan/core/sum.hpp"
#include "hannan/game/money.hpp"

namespace hannan::detail {

MostOutcome most_of_hidden_top(const AnyProblem& problem) {
  const auto money = problem.game().money();
  return money ? money->hidden_top : MostOutcome();
}

// Low: the hidden top is what was shown, so that a reserve above it sells nothing. High: it reaches any reserve.
Interval hidden_top_money(std::span<const ShownAuction> auctions, double reserve) {
  Sum low, high;
  for (const ShownAuction& auction : auctions) {
    const double paid = std::max(reserve, auction.second);
    low.add(reserve <= std::max(auction.top, auction.second) ? paid : 0);
    high.add(paid);
  }
  return {low.value(), high.value()};
}

// Who bought at q buys at any lower price and perhaps at a higher one; who declined q buys at no price from q on, and
// perhaps at a lower one.
Interval posted_money(std::span<const PostedOffer> offers, double price) {
  Sum low, high;
  for (const PostedOffer& offer : offers) {
    const bool bought = offer.answer == PostedOffer::Answer::kBought;
    if (bought && price <= offer.price) low.add(price * offer.quantity);
    if (bought || price < offer.price) high.add(price * offer.quantity);
  }
  return {low.value(), high.value()};
}

}  // namespace hannan::detail
