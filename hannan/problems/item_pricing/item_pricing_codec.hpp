// `item-pricing` as JSON: k prices in 1..m; a list of buyers, {"bundle", "value"} or a value per item.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/core/keyed_random.hpp"
#include "hannan/game/log_use.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/item_pricing/item_pricing.hpp"

namespace hannan::detail {

template <>
struct Codec<ItemPricing> {
  static constexpr std::string_view kKind = "item-pricing";
  static constexpr std::string_view kAbout = "posted prices for k items in unlimited supply, n buyers a round";
  static constexpr ActionLabels kActionLabels{.shape = ActionLabels::Shape::kNumbers,
                                              .title = "Price per item",
                                              .one = "item",
                                              .unit = "level",
                                              .page = "Prices",
                                              .thing = "prices"};

  static std::shared_ptr<const ItemPricing> parse(Fields& params);
  static Json params(const ItemPricing& p);
  static Json action_json(const ItemPricing& p, const ItemPricing::Action& x);
  static ItemPricing::Action parse_action(const ItemPricing& p, const Json& json, std::string_view path);
  static Json outcome_json(const ItemPricing& p, const ItemPricing::Outcome& y);
  static ItemPricing::Outcome parse_outcome(const ItemPricing& p, const Json& json, std::string_view path);
  static Money money(const std::shared_ptr<const ItemPricing>& p);
  static LogUse log_use();
  static ProblemInstances instances();
  static ProblemHelp help();
  static ItemPricing::Outcome sample_outcome(const ItemPricing& p, const KeyedRandom& random);
};

}  // namespace hannan::detail
