// First-price bidding from and to JSON: grids as lists or by name, offers with the rival's bid or the least bid that
// wins.
#include "hannan/problems/first_price_bidding/first_price_bidding_codec.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/sample.hpp"
#include "hannan/problems/price_fields.hpp"

namespace hannan::detail {
namespace {

using Rival = BidOffer::Rival;

[[noreturn]] void refuse_offer(const std::string& what, std::string path) {
  throw Error(Code::kBadOutcome, what, std::move(path));
}

// Exactly one of "other" and "least" unless the item is not for sale: neither would leave open who wins, both might
// disagree.
BidOffer parse_offer(const Json& json, const std::string& path) {
  Fields fields(json, path);
  const Json& value = fields.need("value");
  const Json* other = fields.maybe("other");
  const Json* least = fields.maybe("least");
  fields.done();
  BidOffer offer;
  if (value.is_null()) return offer;  // not for sale, whatever the others bid
  offer.for_sale = true;
  offer.value = to_number(value, fields.at("value"), FirstPriceBidding::kValues);
  if (!other == !least) {
    refuse_offer(std::string("found ") + (other ? "both" : "neither") +
                     R"( of "other" and "least", expected one: the highest other bid (null: no other bid), or the )"
                     "least bid that wins",
                 path);
  }
  if (other && other->is_null()) return offer;
  if (least && least->is_null()) {
    refuse_offer(R"(found null, expected a number: where there is no other bid, write "other":null)",
                 fields.at("least"));
  }
  offer.rival = other ? Rival::kOther : Rival::kLeast;
  offer.price = to_number(other ? *other : *least, fields.at(other ? "other" : "least"), FirstPriceBidding::kValues);
  return offer;
}

// The inverse of parse_offer: an item not for sale has the value null.
Json offer_json(const BidOffer& offer) {
  if (!offer.for_sale) return Json::object({{"value", Json()}, {"other", Json()}});
  return Json::object(
      {{"value", offer.value},
       {offer.rival == Rival::kLeast ? "least" : "other", offer.rival == Rival::kNone ? Json() : Json(offer.price)}});
}

}  // namespace

// A grid may be a list of numbers or a named list such as linear:10:5 (price_fields.hpp).
std::shared_ptr<const FirstPriceBidding> Codec<FirstPriceBidding>::parse(Fields& params) {
  FirstPriceBidding::Parts parts;
  const auto& grids = params.list("grids");
  for (std::size_t j = 0; j < grids.size(); ++j)
    parts.grids.push_back(to_price_list(grids[j], path_of(params.at("grids"), j)));
  const bool shade = params.choice("mode", {"shade", "absolute"}, "shade") == "shade";
  parts.mode = shade ? FirstPriceBidding::Mode::kShade : FirstPriceBidding::Mode::kAbsolute;
  if (params.has("budget")) parts.budget = params.number("budget", kNonnegative);
  return made_from(params, [&] { return std::make_shared<const FirstPriceBidding>(std::move(parts)); });
}

Json Codec<FirstPriceBidding>::params(const FirstPriceBidding& p) {
  const auto& parts = p.parts();
  Json grids = Json::array();
  for (const PriceList& grid : parts.grids) {
    const auto prices = grid.prices();
    grids.push_back(Json(std::vector<double>(prices.begin(), prices.end())));
  }
  Json json = Json::object(
      {{"grids", std::move(grids)}, {"mode", parts.mode == FirstPriceBidding::Mode::kShade ? "shade" : "absolute"}});
  if (parts.budget) json.set("budget", *parts.budget);
  return json;
}

Json Codec<FirstPriceBidding>::action_json(const FirstPriceBidding&, const FirstPriceBidding::Action& x) {
  return Json(x);
}

// Three errors in this order: a wrong number of positions, a position beyond its grid, and bids that exceed the budget.
FirstPriceBidding::Action Codec<FirstPriceBidding>::parse_action(const FirstPriceBidding& p, const Json& json,
                                                                 std::string_view path) {
  const auto found = to_integers(json, path, {0, static_cast<std::int64_t>(PriceList::kMostPrices) - 1});
  if (found.size() != p.items()) {
    throw Error(
        Code::kBadAction,
        "found " + std::to_string(found.size()) + " positions, expected one per item, " + std::to_string(p.items()),
        std::string(path));
  }
  FirstPriceBidding::Action x(found.begin(), found.end());
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (static_cast<std::size_t>(x[j]) < p.domain(j)) continue;
    throw Error(Code::kBadAction,
                "found position " + std::to_string(x[j]) + ", expected one below " + std::to_string(p.domain(j)) +
                    ", the length of the item's grid",
                path_of(path, j));
  }
  if (!p.allows(x)) {
    throw Error(Code::kBadAction, "found " + describe(json) + ", whose bids together are above the budget",
                std::string(path));
  }
  return x;
}

Json Codec<FirstPriceBidding>::outcome_json(const FirstPriceBidding&, const FirstPriceBidding::Outcome& y) {
  Json list = Json::array();
  for (const BidOffer& offer : y) list.push_back(offer_json(offer));
  return list;
}

FirstPriceBidding::Outcome Codec<FirstPriceBidding>::parse_outcome(const FirstPriceBidding& p, const Json& json,
                                                                   std::string_view path) {
  const auto& list = to_list(json, path);
  if (list.size() != p.items()) {
    refuse_offer(
        "found " + std::to_string(list.size()) + " offers, expected one per item, " + std::to_string(p.items()),
        std::string(path));
  }
  FirstPriceBidding::Outcome y;
  for (std::size_t j = 0; j < list.size(); ++j) y.push_back(parse_offer(list[j], path_of(path, j)));
  return y;
}

ProblemInstances Codec<FirstPriceBidding>::instances() {
  return {.tested = {R"({"grids":[[0,"1/2","3/5","4/5","9/10"]],"mode":"shade"})",
                     R"({"grids":[[0,0.25,0.5],[0],[0,0.5,0.75,0.9]]})",
                     R"({"grids":[[0,0.5,1,2,5],[0,3,10]],"mode":"absolute"})",
                     R"({"grids":[[0,1,2,4],[0,2,3],[0,1,5]],"mode":"absolute","budget":4})",
                     R"({"grids":[[0,10]],"mode":"absolute","budget":7.5})", R"({"grids":[[0]]})"},
          .signature = {},
          .flat = {}};
}

// Values that are whole, prices at a bid, just beside it, and anywhere.
FirstPriceBidding::Outcome Codec<FirstPriceBidding>::sample_outcome(const FirstPriceBidding& p,
                                                                    const KeyedRandom& random) {
  FirstPriceBidding::Outcome y;
  for (std::size_t j = 0; j < p.items(); ++j) {
    const std::uint64_t at = 8 * j;
    const std::uint64_t kind = random.below(at, 8);
    BidOffer offer;
    if (kind > 0) offer = {.for_sale = true, .value = 2 * static_cast<double>(random.below(at + 1, 5))};
    if (kind > 1) {
      const double bid = p.parts().grids[j][random.below(at + 2, p.domain(j))];
      const double unit = p.parts().mode == FirstPriceBidding::Mode::kShade ? offer.value : 1.0;
      offer.rival = random.below(at + 3, 2) == 0 ? Rival::kOther : Rival::kLeast;
      offer.price = kind < 6 ? bid * unit : 6 * random.uniform(at + 4);
    }
    y.push_back(offer);
  }
  return y;
}

ProblemHelp Codec<FirstPriceBidding>::help() {
  using enum ParameterHelp::Need;
  return {.parameters = {{"grids", "for each item the bids to choose from, from 0 up: shares of the value, or money",
                          "[[0,0.5,0.6,0.7,0.8,0.9]]", kNeeded},
                         {"mode", "shade: bids are shares of the own value; absolute: money", "shade"},
                         {"budget", "absolute: the most that the bids of a round may add up to"}},
          .file_options = {},
          .data = "a row for each round with two numbers for every item: the own value and the highest other bid",
          .outcome = R"([{"value":10,"other":5}])",
          .example = "hannan run first-price-bidding --param 'grids=[[0,0.5,0.7,0.9]]' -d ads.csv"};
}

}  // namespace hannan::detail
