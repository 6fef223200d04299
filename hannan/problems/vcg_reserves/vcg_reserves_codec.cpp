// Reserve auctions from and to JSON. parse() admits one description of the reserves (levels, prices, shares or
// ceilings) and refuses fields that belong to another; numbers are checked where they are read, lists as a whole by
// VcgReserves.
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/sample.hpp"
#include "hannan/problems/price_fields.hpp"

namespace hannan::detail {
namespace {

// A list for every bidder, or one for all of them.
std::vector<std::vector<double>> falling_lists(Fields& params, std::string_view name,
                                               std::optional<std::size_t> count) {
  const Json& value = params.need(name);
  const auto& entries = to_list(value, params.at(name));
  if (!entries.empty() && entries.front().is_array()) return to_matrix(value, params.at(name));
  if (!count) {
    throw Error(Code::kMissingField, "found one list, expected bidders as well, or a list for each of them",
                params.at("bidders"));
  }
  return std::vector<std::vector<double>>(*count, to_numbers(value, params.at(name)));
}

// A field that belongs to another form of the problem is an error and not ignored: it would suggest that it has an
// effect.
void refuse_field(Fields& params, std::string_view name, const std::string& why) {
  if (params.has(name)) throw Error(Code::kUnavailable, why, params.at(name));
}

// prices, or shares or ceilings; false where levels are given.
bool parse_money(Fields& params, VcgReserves::Parts& parts) {
  const bool shares = params.has("shares"), ceilings = params.has("ceilings"), prices = params.has("prices");
  const bool falling = shares || ceilings;
  const bool reverse = params.choice("direction", {"forward", "reverse"}, falling ? "reverse" : "forward") == "reverse";
  if (reverse && !falling) {
    throw Error(Code::kMissingField, "found a reverse auction, expected shares of what is paid outside, or ceilings",
                params.at("shares"));
  }
  if (!reverse && falling)
    refuse_field(params, shares ? "shares" : "ceilings", "ceilings are for direction \"reverse\"");
  if (!prices && !falling) return false;
  const std::string why = "the reserves are given by another list";
  refuse_field(params, "levels", why);
  if (falling) refuse_field(params, "prices", why);
  if (shares) refuse_field(params, "ceilings", why);
  if (falling) {
    const std::string_view own = shares ? "share" : "money";
    if (params.choice("scale", {"share", "money"}, own) != own)
      throw Error(
          Code::kUnavailable,
          "found another scale than that of the list: shares are of scale \"share\", ceilings of scale \"money\"",
          params.at("scale"));
  } else {
    refuse_field(params, "scale", "a scale is for direction \"reverse\"");
  }
  std::optional<std::size_t> count;
  if (params.has("bidders")) count = static_cast<std::size_t>(params.integer("bidders", {1, kMostBids}));
  if (prices) parts.prices = price_lists(params, "prices", {count, "bidders"});
  if (shares) parts.shares = falling_lists(params, "shares", count);
  if (ceilings) parts.ceilings = falling_lists(params, "ceilings", count);
  const std::size_t found = parts.prices.size() + parts.shares.size() + parts.ceilings.size();
  if (count && found != *count) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(found) + " lists, expected one per bidder, " + std::to_string(*count),
                params.at("bidders"));
  }
  if (params.has("cap")) parts.cap = params.number("cap", kPositive);
  const char* const range = parts.cap ? "unit" : "unknown";
  if (params.choice("range", {"unit", "unknown"}, range) != range) {
    throw Error(Code::kUnavailable,
                parts.cap ? "found \"unknown\", expected \"unit\": the cap makes losses lie in [0,1]"
                          : "found \"unit\", expected \"unknown\": bids in money have no range unless a cap is given",
                params.at("range"));
  }
  return true;
}

Json falling_json(const std::vector<std::vector<double>>& lists) {
  Json all = Json::array();
  for (const auto& list : lists) all.push_back(Json(list));
  return all;
}

// A bid, or none.
std::vector<double> bid_of(const Json& json, std::string_view path) {
  if (json.is_null()) return {};
  return {to_number(json, path, kAnyMoney)};
}

// A plain list has one bid a bidder, null for none. An object may give a bidder several bids, and adds what a plain
// list cannot say: others, the opening bid, or the price outside.
ReserveBids round_from(const ReserveMoney& money, const Json& json, std::string_view path) {
  ReserveBids round;
  const auto add = [&](const Json& bids, std::string_view at, bool nested) {
    const auto& list = to_list(bids, at);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string place = path_of(at, i);
      round.bids.push_back(nested && list[i].is_array() ? to_numbers(list[i], place, kAnyMoney)
                                                        : bid_of(list[i], place));
    }
  };
  if (!json.is_object()) {
    add(json, path, false);
    return round;
  }
  Fields fields(json, std::string(path));
  add(fields.need("bids"), fields.at("bids"), true);
  if (fields.has("others")) round.others = fields.numbers("others", kAnyMoney);
  if (money.reverse()) {
    round.outside = fields.number("outside", kPositive);
  } else {
    round.opening = fields.number("opening", kAnyMoney, 0.0);
  }
  fields.done();
  return round;
}

}  // namespace

// Money first: with lists of reserves `bidders` is optional and `levels` is refused.
std::shared_ptr<const VcgReserves> Codec<VcgReserves>::parse(Fields& params) {
  VcgReserves::Parts parts;
  if (!parse_money(params, parts)) {
    parts.bidders = static_cast<int>(params.integer("bidders", {1, kMostBids}));
    parts.levels = static_cast<int>(params.integer("levels", {1, VcgReserves::kMaxLevels}));
  }
  parts.units = static_cast<int>(params.integer("units", {1, VcgReserves::kMaxUnits}, 1));
  const bool lazy = params.choice("rule", {"eager", "lazy"}, "eager") == "lazy";
  parts.rule = lazy ? VcgReserves::Rule::kLazy : VcgReserves::Rule::kEager;
  return made_from(params, [&] { return std::make_shared<const VcgReserves>(parts); });
}

// The inverse of parse(): every parameter that a default stood for is written.
Json Codec<VcgReserves>::params(const VcgReserves& p) {
  const char* const rule = p.rule() == VcgReserves::Rule::kLazy ? "lazy" : "eager";
  Json json = Json::object({{"bidders", p.bidders()}});
  if (!p.money()) {
    json.set("levels", p.levels());
  } else if (!p.money()->reverse()) {
    json.set("prices", price_lists_json(p.money()->parts().prices));
  } else {
    const bool shares = p.money()->parts().scale == ReserveMoney::Scale::kShares;
    json.set(shares ? "shares" : "ceilings", falling_json(p.money()->parts().falling));
    json.set("direction", "reverse").set("scale", shares ? "share" : "money");
  }
  json.set("units", p.units()).set("rule", rule);
  if (p.money() && p.money()->parts().cap) json.set("cap", *p.money()->parts().cap);
  if (p.loss_range() == LossRange::kUnknown) json.set("range", "unknown");
  return json;
}

Json Codec<VcgReserves>::action_json(const VcgReserves&, const VcgReserves::Action& x) { return Json(x); }

// Reserves are numbers: 1..m on the grid, positions from 0 in lists of money. Lists may differ in length, so the common
// limit is checked first and each bidder's own by allows().
VcgReserves::Action Codec<VcgReserves>::parse_action(const VcgReserves& p, const Json& json, std::string_view path) {
  const auto reserves = to_integers(json, path, {p.lowest(), p.levels() - 1 + p.lowest()});
  if (reserves.size() != p.coordinates()) {
    throw Error(Code::kBadAction,
                "found " + std::to_string(reserves.size()) + " reserves, expected one per bidder, " +
                    std::to_string(p.bidders()),
                std::string(path));
  }
  VcgReserves::Action x(reserves.begin(), reserves.end());
  if (!p.allows(x)) {
    throw Error(Code::kBadAction, "found a position beyond the end of its bidder's list", std::string(path));
  }
  return x;
}

// The short form stays a list; the long one is taken apart into the object that round_from() reads.
Json Codec<VcgReserves>::outcome_json(const VcgReserves& p, const VcgReserves::Outcome& y) {
  if (!p.money() || y.size() == p.coordinates()) return Json(y);
  const ReserveBids round = p.money()->round_of(y);
  Json bids = Json::array();
  for (const auto& own : round.bids) {
    bids.push_back(own.empty() ? Json() : own.size() == 1 ? Json(own.front()) : Json(own));
  }
  Json json = Json::object({{"bids", std::move(bids)}});
  if (!round.others.empty()) json.set("others", Json(round.others));
  if (p.money()->reverse()) json.set("outside", round.outside);
  if (round.opening > 0) json.set("opening", round.opening);
  return json;
}

// Errors of the round get the place in the request in front of their own.
VcgReserves::Outcome Codec<VcgReserves>::parse_outcome(const VcgReserves& p, const Json& json, std::string_view path) {
  if (p.money()) {
    const ReserveBids round = round_from(*p.money(), json, path);
    try {
      return p.money()->outcome(round);
    } catch (const Error& e) {
      throw Error(e.code(), e.message(), json.is_object() ? path_of(path, e.at()) : std::string(path));
    }
  }
  VcgReserves::Outcome bids = to_numbers(json, path, kUnit);
  if (bids.size() != p.coordinates()) {
    throw Error(
        Code::kBadOutcome,
        "found " + std::to_string(bids.size()) + " bids, expected one per bidder, " + std::to_string(p.bidders()),
        std::string(path));
  }
  return bids;
}

// With money a bid at, below or beyond a price, none, or several; others and an opening bid now and then.
VcgReserves::Outcome Codec<VcgReserves>::sample_outcome(const VcgReserves& p, const KeyedRandom& random) {
  if (!p.money()) return sampled_units(random, p.coordinates(), 1 + random.below(1'000'000, 6));
  const ReserveMoney& money = *p.money();
  std::uint64_t column = 0;
  const auto below = [&](std::uint64_t n) { return random.below(column++, n); };
  ReserveBids round;
  const double outside =
      money.reverse() ? (1.0 + static_cast<double>(below(4))) / 4 * money.parts().cap.value_or(4) : 0;
  round.outside = outside;
  const auto bid = [&](std::size_t bidder) {
    const auto& reserves = money.reserves()[bidder];
    const double price = reserves[below(reserves.size())], factor = std::vector{1.0, 1.0, 0.9, 1.2}[below(4)];
    const double most = money.parts().cap.value_or(1e30);
    if (!money.reverse()) return std::min(price * factor, most);
    const bool shares = money.parts().scale == ReserveMoney::Scale::kShares;
    return (shares ? (1 - price) * outside : -price) * factor;
  };
  for (std::size_t i = 0; i < p.coordinates(); ++i) {
    auto& own = round.bids.emplace_back();
    // 0: none; 1..5: one; 6 and 7: two and three.
    const std::uint64_t count = below(8);  // mostly one
    for (std::uint64_t k = 0; k < (count < 6 ? std::min<std::uint64_t>(count, 1) : count - 4); ++k)
      own.push_back(bid(i));
  }
  if (below(3) == 0) {
    for (std::uint64_t k = below(3) + 1; k > 0; --k) round.others.push_back(bid(below(p.coordinates())));
  }
  if (!money.reverse() && below(4) == 0) round.opening = bid(below(p.coordinates()));
  return money.outcome(round);
}

ProblemInstances Codec<VcgReserves>::instances() {
  return {.tested = {R"({"bidders":1,"levels":1,"units":1,"rule":"eager"})",
                     R"({"bidders":3,"levels":4,"units":1,"rule":"eager"})",
                     R"({"bidders":3,"levels":3,"units":2,"rule":"eager"})",
                     R"({"bidders":2,"levels":5,"units":3,"rule":"eager"})",
                     R"({"bidders":3,"levels":4,"units":2,"rule":"lazy"})", R"({"bidders":2,"prices":[0,0.5,1,2,5]})",
                     R"({"prices":[[0,3],[0],[0,0.5,1,4]],"units":2})", R"({"bidders":2,"prices":[0,1,2],"units":3})",
                     R"({"prices":[[0,0.5,3],[0,1,2,4]],"units":2,"rule":"lazy"})",
                     R"({"bidders":2,"prices":[0,1,3],"cap":4})", R"({"shares":[[1,0.9,0.75],[1,0.5]],"units":1})",
                     R"({"bidders":2,"shares":[1,0.75,0.5],"units":2,"rule":"lazy","cap":8})",
                     R"({"ceilings":[[3,2,1],[4,1]],"units":1})",
                     R"({"ceilings":[[3,2],[2.5,1.5]],"units":2,"rule":"lazy"})"},
          .signature = R"({"bidders":3,"levels":6})",
          .flat = R"({"bidders":4,"levels":32,"units":2,"rule":"lazy"})"};
}

ProblemHelp Codec<VcgReserves>::help() {
  using enum ParameterHelp::Need;
  return {.parameters =
              {{"bidders", "how many bid; the columns of a table say it", "4", kNeeded, "prices shares ceilings"},
               {"levels", "reserves on a grid of so many, for bids in [0,1]", "20", kNeeded, "prices shares ceilings"},
               {"prices", "reserves in money in place of levels: 0,0.5,1,2 or linear:K:TOP or geometric:K:LOW:TOP"},
               {"rule", "eager: who is below the own reserve leaves first; lazy: the winner must reach it", "eager"},
               {"units", "how many are sold in a round", "1"},
               {"cap", "with prices: the largest bid, which makes losses lie in [0,1]"},
               {"direction", "forward, or reverse: the lowest bid wins, with ceilings in place of reserves", "forward"},
               {"shares", "reverse: ceilings as shares of what is paid outside, falling"},
               {"ceilings", "reverse: ceilings in money, falling"},
               {"scale", "reverse: share or money, as the list is"},
               {"range", "with prices: unknown, or unit where a cap is given"}},
          .file_options = {},
          .data = "a row for each round with the bid of every bidder, in [0,1], or in money with prices",
          .outcome = "[0.3,0.7,0,0.2]",
          .example = "hannan run vcg-reserves --param levels=20 -d bids.csv"};
}

}  // namespace hannan::detail
