// Threshold bidding from and to JSON: the valuation of all bundles, the price vectors, and actions as bids or as one of
// a given list. Shapes are checked here, with the place in the file; that utilities stay in [-1,1] is checked by the
// problem.
#include "hannan/problems/threshold_bidding/threshold_bidding_codec.hpp"

#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/problems/action_list_codec.hpp"
#include "hannan/problems/bundle_values_codec.hpp"

namespace hannan::detail {
// Items and levels first: they say how long everything else must be. Listed actions are read last, after the prices are
// known to be well formed.
std::shared_ptr<const ThresholdBidding> Codec<ThresholdBidding>::parse(Fields& params) {
  ThresholdBidding::Parts parts{.items = static_cast<int>(params.integer("items", {1, ThresholdBidding::kMaxItems})),
                                .levels = static_cast<int>(params.integer("levels", {1, ThresholdBidding::kMaxLevels})),
                                .valuation = {},
                                .prices = {},
                                .actions = {}};
  parts.valuation = parse_bundle_values(params.list("valuation"), params.at("valuation"),
                                        {.items = parts.items, .most = parts.items * parts.levels});
  parts.prices = params.matrix("prices", kNonnegative);
  made_from(params, [&] { ThresholdBidding::expect_prices(parts); });
  if (const Json* given = params.maybe("actions")) {
    parts.actions = parse_action_list(*given, params.at("actions"),
                                      {.width = static_cast<std::size_t>(parts.items), .levels = parts.levels});
  }
  return made_from(params, [&] { return std::make_shared<const ThresholdBidding>(std::move(parts)); });
}

Json Codec<ThresholdBidding>::params(const ThresholdBidding& p) {
  const ThresholdBidding::Parts& parts = p.parts();
  Json json = Json::object({{"items", parts.items},
                            {"levels", parts.levels},
                            {"valuation", bundle_values_json(parts.valuation, parts.items)},
                            {"prices", Json::array(parts.prices)}});
  if (parts.actions.given()) json.set("actions", action_list_json(parts.actions));
  return json;
}

Json Codec<ThresholdBidding>::action_json(const ThresholdBidding&, const ThresholdBidding::Action& x) {
  return Json(x.levels);
}

// An action is its bids. With a given list it must be one of that list.
ThresholdBidding::Action Codec<ThresholdBidding>::parse_action(const ThresholdBidding& p, const Json& json,
                                                               std::string_view path) {
  const auto bids = to_integers(json, path, {0, p.levels()});
  if (bids.size() != static_cast<std::size_t>(p.items())) {
    throw Error(Code::kBadAction,
                "found " + std::to_string(bids.size()) + " bids, expected one per item, " + std::to_string(p.items()),
                std::string(path));
  }
  ThresholdBidding::Action x{0, std::vector<int>(bids.begin(), bids.end())};
  return p.parts().actions.given() ? listed_action(p.parts().actions, std::move(x.levels), json, path) : x;
}

Json Codec<ThresholdBidding>::outcome_json(const ThresholdBidding&, const ThresholdBidding::Outcome& y) {
  return Json(y);
}

// An outcome is the number of a price vector, from 0.
ThresholdBidding::Outcome Codec<ThresholdBidding>::parse_outcome(const ThresholdBidding& p, const Json& json,
                                                                 std::string_view path) {
  const auto last = static_cast<std::int64_t>(p.price_vectors()) - 1;
  return static_cast<ThresholdBidding::Outcome>(to_integer(json, path, {0, last}));
}

// Bids on a grid; a cap says nothing of them, as the prices that they meet are parameters.
Money Codec<ThresholdBidding>::money(const std::shared_ptr<const ThresholdBidding>& p) {
  Money facts;
  facts.amounts = {.what = {},
                   .owner = "item",
                   .owners = static_cast<std::size_t>(p->items()),
                   .unit = Amounts::Unit::kScale,
                   .levels = static_cast<double>(p->levels())};
  return facts;
}

ProblemInstances Codec<ThresholdBidding>::instances() {
  return {
      .tested =
          {R"({"items":1,"levels":1,"valuation":[{"items":[0],"value":1}],"prices":[[0.5]]})",
           R"({"items":2,"levels":4,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[0,1],"value":4}],
             "prices":[[0.25,0.5],["1/3","2/3"],[0,1],[0.5,7],[1,1]]})",
           R"({"items":3,"levels":3,"valuation":[{"items":[0],"value":0},{"items":[1],"value":1},{"items":[2],"value":1},{"items":[0,1],"value":3},
             {"items":[0,2],"value":1},{"items":[1,2],"value":2},{"items":[0,1,2],"value":3}],
             "prices":[["1/3","1/3","1/3"],[0.1,0.7,0.1],[0,0,0.9],[0.4,2,0.4]]})",
           R"({"items":2,"levels":5,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[0,1],"value":3}],
             "prices":[[0.9,0.1],[0.2,0.6]],"actions":[[5,5],[0,0],[1,3],[5,0],[1,3]]})"},
      .signature =
          R"({"items":2,"levels":5,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[0,1],"value":4}],
        "prices":[[0.25,0.5],["1/3","2/3"],[0,0.5],[0.5,0.125],[0.5,0.375]]})",
      .flat =
          R"({"items":3,"levels":8,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[2],"value":3},
        {"items":[0,1],"value":4},{"items":[0,2],"value":6},{"items":[1,2],"value":5},{"items":[0,1,2],"value":7}],
        "prices":[[0.25,0.5,0.125],["1/3","1/3","1/3"],[0,0.5,0.5],[0.5,0.125,0.5],[0.125,0.25,0.375]]})"};
}

ProblemHelp Codec<ThresholdBidding>::help() {
  using enum ParameterHelp::Need;
  return {.parameters = {{"items", "how many are for sale", "1", kNeeded},
                         {"levels", "bids on a grid of so many", "10", kNeeded},
                         {"valuation", "what each bundle is worth, in units of 1/levels",
                          R"([{"items":[0],"value":7}])", kNeeded},
                         {"prices", "the price vectors that may come", "[[0.2],[0.5]]", kNeeded},
                         {"actions", "only these bids, each a list of levels for every item"}},
          .file_options = {},
          .data = "the number of the price vector that came, from 0",
          .outcome = "1",
          .example = "hannan run threshold-bidding --params buyer.json -d prices.csv"};
}

}  // namespace hannan::detail
