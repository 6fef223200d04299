// Second-price bidding from and to JSON. What depends on several fields at once, such as a valuation that is not
// monotone, is refused by the problem's constructor and gets the path of its parameter here.
#include "hannan/problems/second_price_bidding/second_price_bidding_codec.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/problems/bundle_values_codec.hpp"

namespace hannan::detail {
std::shared_ptr<const SecondPriceBidding> Codec<SecondPriceBidding>::parse(Fields& params) {
  const auto items = static_cast<int>(params.integer("items", {1, SecondPriceBidding::kMaxItems}));
  const auto levels = static_cast<int>(params.integer("levels", {1, SecondPriceBidding::kMaxLevels}));
  auto values = parse_bundle_values(params.list("valuation"), params.at("valuation"), {.items = items, .most = levels});
  return made_from(params,
                   [&] { return std::make_shared<const SecondPriceBidding>(items, levels, std::move(values)); });
}

Json Codec<SecondPriceBidding>::params(const SecondPriceBidding& p) {
  return Json::object(
      {{"items", p.items()}, {"levels", p.levels()}, {"valuation", bundle_values_json(p.valuation(), p.items())}});
}

Json Codec<SecondPriceBidding>::action_json(const SecondPriceBidding&, const SecondPriceBidding::Action& x) {
  return Json(x);
}

// Bids in whole levels, one for each item. Bids that could pay more than a bundle is worth are no actions.
SecondPriceBidding::Action Codec<SecondPriceBidding>::parse_action(const SecondPriceBidding& p, const Json& json,
                                                                   std::string_view path) {
  const auto bids = to_integers(json, path, {0, p.levels()});
  if (bids.size() != p.coordinates()) {
    throw Error(Code::kBadAction,
                "found " + std::to_string(bids.size()) + " bids, expected one per item, " + std::to_string(p.items()),
                std::string(path));
  }
  SecondPriceBidding::Action x(bids.begin(), bids.end());
  if (p.overbids(x)) {
    throw Error(Code::kBadAction,
                "found " + describe(json) + " bidding more for a bundle than it is worth, expected no overbidding",
                std::string(path));
  }
  return x;
}

Json Codec<SecondPriceBidding>::outcome_json(const SecondPriceBidding&, const SecondPriceBidding::Outcome& y) {
  return Json(y);
}

// The highest other bid on each item, in [0,1] and not rounded to levels: it is what the winner pays.
SecondPriceBidding::Outcome Codec<SecondPriceBidding>::parse_outcome(const SecondPriceBidding& p, const Json& json,
                                                                     std::string_view path) {
  SecondPriceBidding::Outcome y = to_numbers(json, path, kUnit);
  if (y.size() != p.coordinates()) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(y.size()) + " prices, expected one per item, " + std::to_string(p.items()),
                std::string(path));
  }
  return y;
}

Money Codec<SecondPriceBidding>::money(const std::shared_ptr<const SecondPriceBidding>& p) {
  Money facts;
  facts.amounts = {.what = "bid",
                   .owner = "item",
                   .owners = p->coordinates(),
                   .unit = Amounts::Unit::kScale,
                   .levels = static_cast<double>(p->levels())};
  return facts;
}

ProblemInstances Codec<SecondPriceBidding>::instances() {
  return {
      .tested =
          {R"({"items":1,"levels":3,"valuation":[{"items":[0],"value":2}]})",
           R"({"items":2,"levels":4,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[0,1],"value":4}]})",
           R"({"items":2,"levels":5,"valuation":[{"items":[0],"value":0},{"items":[1],"value":3},{"items":[0,1],"value":3}]})"},
      .signature =
          R"({"items":2,"levels":6,"valuation":[{"items":[0],"value":4},{"items":[1],"value":3},{"items":[0,1],"value":6}]})",
      .flat = {}};
}

ProblemHelp Codec<SecondPriceBidding>::help() {
  using enum ParameterHelp::Need;
  return {
      .parameters = {{"items", "how many auctions there are in a round; the columns of a table say it", "2", kNeeded},
                     {"levels", "bids on a grid of so many, for prices in [0,1]", "10", kNeeded},
                     {"valuation", "what each bundle is worth, in units of 1/levels",
                      R"([{"items":[0],"value":6},{"items":[1],"value":5},{"items":[0,1],"value":8}])", kNeeded}},
      .file_options = {},
      .data = "a row for each round with the highest other bid on every item, in [0,1]",
      .outcome = "[0.25,0.5]",
      .example = "hannan run second-price-bidding --params bidder.json -d prices.csv"};
}

}  // namespace hannan::detail
