#include "hannan/problems/item_pricing/item_pricing_codec.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/sample.hpp"

namespace hannan::detail {
std::shared_ptr<const ItemPricing> Codec<ItemPricing>::parse(Fields& params) {
  ItemPricing::Parts parts;
  parts.items = static_cast<int>(params.integer("items", {1, ItemPricing::kMaxItems}));
  parts.levels = static_cast<int>(params.integer("levels", {1, ItemPricing::kMaxLevels}));
  parts.buyers = static_cast<int>(params.integer("buyers", {1, ItemPricing::kMaxBuyers}, 1));
  const bool unit = params.choice("demand", {"single", "unit"}, "single") == "unit";
  parts.demand = unit ? ItemPricing::Demand::kUnitDemand : ItemPricing::Demand::kSingleMinded;
  return made_from(params, [&] { return std::make_shared<const ItemPricing>(parts); });
}

Json Codec<ItemPricing>::params(const ItemPricing& p) {
  return Json::object({{"items", p.items()},
                       {"levels", p.levels()},
                       {"buyers", p.buyers()},
                       {"demand", p.demand() == ItemPricing::Demand::kUnitDemand ? "unit" : "single"}});
}

Json Codec<ItemPricing>::action_json(const ItemPricing&, const ItemPricing::Action& x) { return Json(x); }

ItemPricing::Action Codec<ItemPricing>::parse_action(const ItemPricing& p, const Json& json, std::string_view path) {
  const auto prices = to_integers(json, path, {1, p.levels()});
  if (prices.size() != p.coordinates()) {
    throw Error(
        Code::kBadAction,
        "found " + std::to_string(prices.size()) + " prices, expected one per item, " + std::to_string(p.items()),
        std::string(path));
  }
  return {prices.begin(), prices.end()};
}

Json Codec<ItemPricing>::outcome_json(const ItemPricing& p, const ItemPricing::Outcome& y) {
  Json list = Json::array();
  for (const Buyer& buyer : y) {
    if (p.demand() == ItemPricing::Demand::kUnitDemand) {
      list.push_back(Json(buyer.values));
      continue;
    }
    Json bundle = Json::array();
    for (int j = 0; j < p.items(); ++j) {
      if ((buyer.bundle >> j & 1U) != 0) bundle.push_back(j);
    }
    list.push_back(Json::object({{"bundle", std::move(bundle)}, {"value", buyer.value}}));
  }
  return list;
}

namespace {

Buyer parse_single_minded(const Json& json, const std::string& path, int items) {
  Fields fields(json, path);
  Buyer buyer;
  const auto bundle = fields.integers("bundle", {0, items - 1});
  for (std::size_t i = 0; i < bundle.size(); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << bundle[i];
    if ((buyer.bundle & bit) != 0) {
      throw Error(Code::kBadOutcome, "found item " + std::to_string(bundle[i]) + " twice, expected each item once",
                  path_of(fields.at("bundle"), i));
    }
    buyer.bundle |= bit;
  }
  buyer.value = fields.number("value", kUnit);
  fields.done();
  return buyer;
}

}  // namespace

ItemPricing::Outcome Codec<ItemPricing>::parse_outcome(const ItemPricing& p, const Json& json, std::string_view path) {
  const auto& list = to_list(json, path);
  if (list.size() > static_cast<std::size_t>(p.buyers())) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(list.size()) + " buyers, expected at most " + std::to_string(p.buyers()),
                std::string(path));
  }
  ItemPricing::Outcome y;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (p.demand() == ItemPricing::Demand::kSingleMinded) {
      y.push_back(parse_single_minded(list[i], path_of(path, i), p.items()));
      continue;
    }
    Buyer buyer;
    buyer.values = to_numbers(list[i], path_of(path, i), kUnit);
    if (buyer.values.size() != p.coordinates()) {
      throw Error(Code::kBadOutcome,
                  "found " + std::to_string(buyer.values.size()) + " values, expected one per item, " +
                      std::to_string(p.items()),
                  path_of(path, i));
    }
    y.push_back(std::move(buyer));
  }
  return y;
}

ProblemInstances Codec<ItemPricing>::instances() {
  return {.tested = {R"({"items":1,"levels":1,"buyers":1,"demand":"single"})",
                     R"({"items":3,"levels":4,"buyers":3,"demand":"single"})",
                     R"({"items":2,"levels":5,"buyers":2,"demand":"unit"})",
                     R"({"items":3,"levels":3,"buyers":3,"demand":"unit"})"},
          .signature = R"({"items":3,"levels":5,"buyers":2,"demand":"single"})",
          .flat = {}};
}

// None to n buyers; bundles of any items, also of none.
ItemPricing::Outcome Codec<ItemPricing>::sample_outcome(const ItemPricing& p, const KeyedRandom& random) {
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

}  // namespace hannan::detail
