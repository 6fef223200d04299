// Item prices and buyers from and to JSON: checks of shape and range happen here, once; what is wrong is named by its
// path.
#include "hannan/problems/item_pricing/item_pricing_codec.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/sample.hpp"
#include "hannan/problems/price_fields.hpp"

namespace hannan::detail {
// Either price lists, or a grid of levels. With lists there is no `buyers`: losses in money need no normaliser.
std::shared_ptr<const ItemPricing> Codec<ItemPricing>::parse(Fields& params) {
  ItemPricing::Parts parts;
  const auto demand = [&] {
    return params.choice("demand", {"single", "unit"}, "single") == "unit" ? ItemPricing::Demand::kUnitDemand
                                                                           : ItemPricing::Demand::kSingleMinded;
  };
  if (params.has("prices")) {
    PriceCount count{.count = {}, .parameter = "items"};
    if (params.has("items"))
      count.count = static_cast<std::size_t>(params.integer("items", {1, ItemPricing::kMaxItems}));
    parts.prices = price_lists(params, "prices", count);
    parts.demand = demand();
    return made_from(params, [&] { return std::make_shared<const ItemPricing>(parts); });
  }
  parts.items = static_cast<int>(params.integer("items", {1, ItemPricing::kMaxItems}));
  parts.levels = static_cast<int>(params.integer("levels", {1, ItemPricing::kMaxLevels}));
  parts.buyers = static_cast<int>(params.integer("buyers", {1, ItemPricing::kMaxBuyers}, 1));
  parts.demand = demand();
  return made_from(params, [&] { return std::make_shared<const ItemPricing>(parts); });
}

Json Codec<ItemPricing>::params(const ItemPricing& p) {
  if (p.in_money()) {
    Json json = Json::object({{"prices", price_lists_json(p.prices())}});
    // One list for all of them says not for how many.
    if (json.at("prices").size() > 0 && !json.at("prices")[0].is_array()) json.set("items", p.items());
    json.set("demand", p.demand() == ItemPricing::Demand::kUnitDemand ? "unit" : "single");
    return json;
  }
  return Json::object({{"items", p.items()},
                       {"levels", p.levels()},
                       {"buyers", p.buyers()},
                       {"demand", p.demand() == ItemPricing::Demand::kUnitDemand ? "unit" : "single"}});
}

Json Codec<ItemPricing>::action_json(const ItemPricing&, const ItemPricing::Action& x) { return Json(x); }

// Prices 1..m on the grid, positions from 0 in price lists.
ItemPricing::Action Codec<ItemPricing>::parse_action(const ItemPricing& p, const Json& json, std::string_view path) {
  const auto last = static_cast<std::int64_t>(PriceList::kMostPrices) - 1;
  const auto prices = to_integers(json, path, p.in_money() ? IntegerRange{0, last} : IntegerRange{1, p.levels()});
  if (prices.size() != p.coordinates()) {
    throw Error(
        Code::kBadAction,
        "found " + std::to_string(prices.size()) + " prices, expected one per item, " + std::to_string(p.items()),
        std::string(path));
  }
  for (std::size_t c = 0; p.in_money() && c < prices.size(); ++c) {
    if (static_cast<std::size_t>(prices[c]) < p.domain(c)) continue;
    throw Error(Code::kBadAction,
                "found position " + std::to_string(prices[c]) + ", expected one below " + std::to_string(p.domain(c)) +
                    ", the number of prices of the item",
                path_of(path, c));
  }
  return {prices.begin(), prices.end()};
}

// A fee of 0 is not written: parse_outcome() reads its absence as 0.
Json Codec<ItemPricing>::outcome_json(const ItemPricing& p, const ItemPricing::Outcome& y) {
  Json list = Json::array();
  for (const Buyer& buyer : y) {
    if (p.demand() == ItemPricing::Demand::kUnitDemand) {
      list.push_back(buyer.fee == 0 ? Json(buyer.values)
                                    : Json::object({{"values", Json(buyer.values)}, {"fee", buyer.fee}}));
      continue;
    }
    Json bundle = Json::array();
    for (int j = 0; j < p.items(); ++j) {
      if ((buyer.bundle >> j & 1U) != 0) bundle.push_back(j);
    }
    Json said = Json::object({{"bundle", std::move(bundle)}, {"value", buyer.value}});
    if (buyer.fee != 0) said.set("fee", buyer.fee);
    list.push_back(std::move(said));
  }
  return list;
}

namespace {

Interval values_of(const ItemPricing& p) { return p.in_money() ? ItemPricing::kValues : kUnit; }

// A bundle is a list of items, each at most once; the empty bundle is a buyer who wants nothing.
Buyer parse_single_minded(const Json& json, const std::string& path, const ItemPricing& p) {
  Fields fields(json, path);
  Buyer buyer;
  const auto bundle = fields.integers("bundle", {0, p.items() - 1});
  for (std::size_t i = 0; i < bundle.size(); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << bundle[i];
    if ((buyer.bundle & bit) != 0) {
      throw Error(Code::kBadOutcome, "found item " + std::to_string(bundle[i]) + " twice, expected each item once",
                  path_of(fields.at("bundle"), i));
    }
    buyer.bundle |= bit;
  }
  buyer.value = fields.number("value", values_of(p));
  if (p.in_money()) buyer.fee = fields.number("fee", ItemPricing::kValues, 0.0);
  fields.done();
  return buyer;
}

// A list of values, or with price lists {"values": [...], "fee": f} too.
Buyer parse_unit_demand(const Json& json, const std::string& path, const ItemPricing& p) {
  Buyer buyer;
  if (p.in_money() && json.is_object()) {
    Fields fields(json, path);
    buyer.values = fields.numbers("values", ItemPricing::kValues);
    buyer.fee = fields.number("fee", ItemPricing::kValues, 0.0);
    fields.done();
  } else {
    buyer.values = to_numbers(json, path, values_of(p));
  }
  if (buyer.values.size() == p.coordinates()) return buyer;
  throw Error(
      Code::kBadOutcome,
      "found " + std::to_string(buyer.values.size()) + " values, expected one per item, " + std::to_string(p.items()),
      path);
}

}  // namespace

// Fewer buyers than `buyers` are allowed, none too: all actions then lose the same.
ItemPricing::Outcome Codec<ItemPricing>::parse_outcome(const ItemPricing& p, const Json& json, std::string_view path) {
  const auto& list = to_list(json, path);
  const int most = p.in_money() ? ItemPricing::kMaxBuyers : p.buyers();
  if (list.size() > static_cast<std::size_t>(most)) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(list.size()) + " buyers, expected at most " + std::to_string(most),
                std::string(path));
  }
  ItemPricing::Outcome y;
  for (std::size_t i = 0; i < list.size(); ++i) {
    y.push_back(p.demand() == ItemPricing::Demand::kSingleMinded ? parse_single_minded(list[i], path_of(path, i), p)
                                                                 : parse_unit_demand(list[i], path_of(path, i), p));
  }
  return y;
}

ProblemInstances Codec<ItemPricing>::instances() {
  return {.tested = {R"({"items":1,"levels":1,"buyers":1,"demand":"single"})",
                     R"({"items":3,"levels":4,"buyers":3,"demand":"single"})",
                     R"({"items":2,"levels":5,"buyers":2,"demand":"unit"})",
                     R"({"items":3,"levels":3,"buyers":3,"demand":"unit"})",
                     R"({"prices":[[0,0.5,1,2,5],[0,3,10]],"demand":"single"})",
                     R"({"prices":[0,1,3],"items":3,"demand":"single"})",
                     R"({"prices":[[0,1,2.5,4],[0,2],[0,3,3.5]],"demand":"unit"})",
                     R"({"prices":[[0,2,4,7]],"demand":"single"})"},
          .signature = R"({"items":3,"levels":5,"buyers":2,"demand":"single"})",
          .flat = {}};
}

namespace {

// None to three buyers at prices, just below them and between, some with a fee.
ItemPricing::Outcome sample_in_money(const ItemPricing& p, const KeyedRandom& random) {
  ItemPricing::Outcome y(random.below(1000, 4));
  for (std::uint64_t i = 0; i < y.size(); ++i) {
    const std::uint64_t at = 100 * i;
    const auto value = [&](std::size_t j) {
      const PriceList& list = p.prices()[j];
      const std::uint64_t kind = random.below(at + 3 * j, 4);
      if (kind == 0) return 0.0;
      if (kind == 1) return 2 * list.top() * random.uniform(at + 3 * j + 1);
      return list[random.below(at + 3 * j + 1, list.size())] +
             0.25 * static_cast<double>(random.below(at + 3 * j + 2, 3));
    };
    if (random.below(at + 98, 3) == 0) y[i].fee = 0.5 * static_cast<double>(random.below(at + 99, 4));
    for (std::size_t j = 0; j < p.coordinates(); ++j) {
      if (p.demand() == ItemPricing::Demand::kUnitDemand) {
        y[i].values.push_back(value(j));
      } else if (random.below(2000 + at + j, 2) != 0) {
        y[i].bundle |= std::uint32_t{1} << j;
        y[i].value += value(j);
      }
    }
  }
  return y;
}

}  // namespace

// None to n buyers; bundles of any items, also of none.
ItemPricing::Outcome Codec<ItemPricing>::sample_outcome(const ItemPricing& p, const KeyedRandom& random) {
  if (p.in_money()) return sample_in_money(p, random);
  const auto items = static_cast<std::uint64_t>(p.items()), levels = static_cast<std::uint64_t>(p.levels());
  ItemPricing::Outcome y(random.below(1000, static_cast<std::uint64_t>(p.buyers()) + 1));
  for (std::uint64_t i = 0; i < y.size(); ++i) {
    for (std::uint64_t j = 0; j < items; ++j) {
      if (p.demand() == ItemPricing::Demand::kUnitDemand) {
        y[i].values.push_back(sampled_unit(random, i * items + j, levels));
      } else if (random.below(2000 + i * items + j, 2) != 0) {
        y[i].bundle |= std::uint32_t{1} << j;
      }
    }
    if (p.demand() == ItemPricing::Demand::kSingleMinded) y[i].value = sampled_unit(random, i, levels);
  }
  return y;
}

ProblemHelp Codec<ItemPricing>::help() {
  using enum ParameterHelp::Need;
  return {.parameters = {{"items", "how many are for sale", "2", kNeeded, "prices"},
                         {"levels", "prices on a grid of so many, for values in [0,1]", "20", kNeeded, "prices"},
                         {"buyers", "at most so many in a round", "1"},
                         {"demand", "single: a buyer wants one bundle; unit: one item of several", "single"},
                         {"prices",
                          "prices in money in place of levels: 0,0.5,1,2 or linear:K:TOP or geometric:K:LOW:TOP"}},
          .file_options = {},
          .data = "JSON lines: the buyers of a round, each with the bundle it wants and the value of that",
          .outcome = R"([{"bundle":[0,1],"value":0.7}])",
          .example = "hannan run item-pricing --param items=2 --param levels=20 -d buyers.jsonl"};
}

}  // namespace hannan::detail
