// `second-price-bidding` as JSON: h bids in 0..m, h prices in [0,1].
#pragma once

#include <memory>
#include <string_view>

#include "hannan/game/log_use.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/second_price_bidding/second_price_bidding.hpp"

namespace hannan::detail {

template <>
struct Codec<SecondPriceBidding> {
  static constexpr std::string_view kKind = "second-price-bidding";
  static constexpr std::string_view kAbout = "bids of one bidder in simultaneous second-price auctions";
  static constexpr ActionLabels kActionLabels{.shape = ActionLabels::Shape::kNumbers,
                                              .title = "Bid per item",
                                              .one = "item",
                                              .unit = "level",
                                              .page = "Bids",
                                              .thing = "bids",
                                              .round = "auction"};
  static constexpr std::string_view kColumnsParam = "items";

  static std::shared_ptr<const SecondPriceBidding> parse(Fields& params);
  static Json params(const SecondPriceBidding& p);
  static Json action_json(const SecondPriceBidding& p, const SecondPriceBidding::Action& x);
  static SecondPriceBidding::Action parse_action(const SecondPriceBidding& p, const Json& json, std::string_view path);
  static Json outcome_json(const SecondPriceBidding& p, const SecondPriceBidding::Outcome& y);
  static SecondPriceBidding::Outcome parse_outcome(const SecondPriceBidding& p, const Json& json,
                                                   std::string_view path);
  static Money money(const std::shared_ptr<const SecondPriceBidding>& p);
  static LogUse log_use() { return {.shape = LogShape::kPrices}; }
  static bool is_amounts(const Json&) { return true; }  // all numbers of an outcome are prices
  static ProblemInstances instances();
  static ProblemHelp help();
};

}  // namespace hannan::detail
