// What reserve auctions say of money and of logs (game/money.hpp, game/log_use.hpp).
//
// Reserves are levels of the cap, prices, or of purchases ceilings or shares of what it costs not to buy. A list of
// prices begins with 0 and one of shares with 1, so that their first action asks for nothing; levels begin with 1/m of
// the cap and ceilings with the highest one, which may bind. Where the range of losses is unknown a round of s units
// gains at most s times the highest price; of purchases s V (1 - least share), or s (V - least ceiling), V the largest
// price of not buying.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "hannan/problems/unreserved_auction.hpp"
#include "hannan/problems/vcg_reserves/reserve_rivals.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

namespace hannan::detail {
namespace {

using Scale = ReserveMoney::Scale;

VcgReserves::Action lowest_of(const VcgReserves& p) { return VcgReserves::Action(p.coordinates(), p.lowest()); }

std::vector<std::vector<double>> price_lists_of(const ReserveMoney& money) {
  if (money.reverse()) return money.parts().falling;
  std::vector<std::vector<double>> lists;
  for (const PriceList& list : money.parts().prices) lists.emplace_back(list.prices().begin(), list.prices().end());
  return lists;
}

double least_of(const std::vector<std::vector<double>>& lists) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& list : lists) least = std::min(least, *std::min_element(list.begin(), list.end()));
  return least;
}

Amounts amounts_of(const VcgReserves& p) {
  Amounts amounts{.what = "reserve", .owner = "bidder", .owners = p.coordinates(), .names = Amounts::Names::kSlots};
  if (!p.money()) {
    amounts.unit = Amounts::Unit::kScale;
    amounts.levels = p.levels();
    amounts.shown = Amounts::Shown::kCurrency;
    return amounts;
  }
  amounts.lists = price_lists_of(*p.money());
  if (!p.money()->reverse()) return amounts;
  amounts.page = "Ceiling prices";
  amounts.thing = "ceilings";
  amounts.what = "ceiling";
  if (p.money()->parts().scale != Scale::kShares) return amounts;
  amounts.what = "share";
  amounts.unit = Amounts::Unit::kShare;
  amounts.of = "estimate";
  return amounts;
}

std::optional<double> most_gain(const VcgReserves& p, const MoneyLimits& limits) {
  if (!p.money()) return std::nullopt;
  const ReserveMoney::Parts& parts = p.money()->parts();
  double top = 0;
  if (parts.scale == Scale::kPrices) {
    for (const PriceList& list : parts.prices) top = std::max(top, list.top());
  } else if (parts.scale == Scale::kShares) {
    top = (1 - least_of(parts.falling)) * limits.outside;
  } else {
    top = limits.outside - least_of(parts.falling);
  }
  if (!(top > 0)) return std::nullopt;
  return limits.unit * p.units() * top;
}

// The loss without any reserve or ceiling; opening bids of the outcome stay.
double unasked_loss(const VcgReserves& p, const VcgReserves::Outcome& y) {
  const auto units = static_cast<std::uint64_t>(p.units());
  if (!p.money()) return 1 - rule_money(y, units, 0) / p.normaliser();
  if (p.money()->parts().scale != Scale::kCeilings) return p.loss(lowest_of(p), y);
  const ReserveBids round = p.money()->round_of(y);
  std::vector<double> asks = round.others;
  for (const auto& own : round.bids) asks.insert(asks.end(), own.begin(), own.end());
  return rule_cost(asks, units, round.outside) / p.normaliser();
}

double logged_loss(const VcgReserves& p, const VcgReserves::Outcome& y, double unseen) {
  if (p.money()) return p.loss(lowest_of(p), y) - unseen / p.normaliser();
  return 1 - (rule_money(y, static_cast<std::uint64_t>(p.units()), 0) + unseen) / p.normaliser();
}

// The winner would have paid any price of its list. Others have no reserve: what they would have paid does not matter.
VcgReserves::Outcome with_top_shown(const ReserveMoney& money, const VcgReserves::Outcome& y) {
  ReserveBids round = money.round_of(y);
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
  if (top && (other == round.others.end() || *other <= *top)) *top = most;
  return money.outcome(round);
}

bool is_uncontested(const VcgReserves& p, const VcgReserves::Outcome& y) {
  std::size_t bids = 0;
  if (p.money()) {
    const ReserveBids round = p.money()->round_of(y);
    bids = round.others.size();
    for (const auto& own : round.bids) bids += own.size();
  } else {
    for (const double bid : y) bids += bid > 0 ? 1 : 0;
  }
  return bids > 0 && bids <= static_cast<std::size_t>(p.units());
}

bool has_any(const Json& params, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return params.find(name) != nullptr; });
}

// Eleven shares of the price of not buying, from 1 (no ceiling) down to a half, where nothing is named.
bool choose(Json& params, const LogTerms& terms) {
  if (has_any(params, {"levels", "prices", "shares", "ceilings"})) return false;
  if (!terms.reverse) return !terms.scaled;  // with a scale levels are asked for
  Json shares = Json::array();
  for (int percent = 100; percent >= 50; percent -= 5) shares.push_back(percent / 100.0);
  params.set("shares", std::move(shares));
  return false;
}

}  // namespace

Money Codec<VcgReserves>::money(const std::shared_ptr<const VcgReserves>& p) {
  const auto outcome = [](const AnyOutcome& y) -> const VcgReserves::Outcome& { return y.get<VcgReserves::Outcome>(); };
  const auto& money = p->money();
  const bool reverse = money && money->reverse(), shares = money && money->parts().scale == Scale::kShares;
  Money facts;
  facts.amounts = amounts_of(*p);
  facts.most_gain = [p](const MoneyLimits& limits) { return most_gain(*p, limits); };
  if (shares) {
    const double least = std::min(1.0, least_of(money->parts().falling));
    facts.shares = {.of = [p, outcome](const AnyOutcome& y) { return p->money()->round_of(outcome(y)).outside; },
                    .most = p->units() * (1 - least),
                    .judged = Money::Shares::Judged::kAlways};
  }
  facts.unasked = [p, outcome](const AnyOutcome& y) { return unasked_loss(*p, outcome(y)); };
  facts.first_asks_nothing = money && money->parts().scale != Scale::kCeilings;
  if (!reverse)
    facts.logged = [p, outcome](const AnyOutcome& y, double unseen) { return logged_loss(*p, outcome(y), unseen); };
  facts.shows_openings = money.has_value();
  if (money && !reverse) {
    facts.hidden_top = [p, outcome](const AnyOutcome& y) {
      return AnyOutcome::of<VcgReserves::Outcome>(with_top_shown(*p->money(), outcome(y)));
    };
  }
  facts.uncontested = [p, outcome](const AnyOutcome& y) { return is_uncontested(*p, outcome(y)); };
  facts.floors = reverse ? Money::Floors::kCeilings : Money::Floors::kReserves;
  return facts;
}

LogUse Codec<VcgReserves>::log_use() {
  return {.shape = LogShape::kBids,
          .in_money = LogShape::kMoneyBids,
          .floors = true,
          .states_money = [](const Json& params) { return has_any(params, {"prices", "shares", "ceilings"}); },
          .choose = choose,
          .unplayed =
              [](const LogUse::Unplayed& of) {
                return of.reverse ? Json::object({{"shares", Json::array({Json(std::vector<double>{1})})}})
                                  : Json::object({{"bidders", of.owners}, {"prices", Json(std::vector<double>{0})}});
              }};
}

}  // namespace hannan::detail
