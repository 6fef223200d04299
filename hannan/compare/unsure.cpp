// The kindest outcome of a round that a log leaves open, and exact ranges for one reserve or price over all rounds
// (unsure.hpp). Revenue never falls in the hidden bid, so its two ends bound what lies between.
#include "hannan/compare/unsure.hpp"

#include <algorithm>
#include <memory>

#include "hannan/core/sum.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

namespace hannan::detail {

MostOutcome most_of_hidden_top(const AnyProblem& problem) {
  if (problem.kind() != Codec<VcgReserves>::kKind) return {};
  const Json params = problem.params();
  Fields fields(params, "params");
  const std::shared_ptr<const VcgReserves> typed = Codec<VcgReserves>::parse(fields);
  if (!typed->money() || typed->money()->reverse()) return {};
  return [typed](const AnyOutcome& y) {
    const ReserveMoney& money = *typed->money();
    ReserveBids round = money.round_of(y.get<VcgReserves::Outcome>());
    double* top = nullptr;
    double most = 0;
    for (std::size_t i = 0; i < round.bids.size(); ++i) {
      for (double& bid : round.bids[i]) {
        if (top && bid <= *top) continue;
        top = &bid;
        most = std::max(bid, money.parts().prices[i].top());
      }
    }
    const auto other = std::max_element(round.others.begin(), round.others.end());
    // Others have no reserve: what they would have paid does not matter.
    if (top && (other == round.others.end() || *other <= *top)) *top = most;
    return AnyOutcome::of<VcgReserves::Outcome>(money.outcome(round));
  };
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
