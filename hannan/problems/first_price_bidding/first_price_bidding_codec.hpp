// `first-price-bidding` as JSON: a position per item; per item {"value":v,"other":d} or {"value":v,"least":w}.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/core/keyed_random.hpp"
#include "hannan/game/log_use.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/first_price_bidding/first_price_bidding.hpp"

namespace hannan::detail {

template <>
struct Codec<FirstPriceBidding> {
  static constexpr std::string_view kKind = "first-price-bidding";
  static constexpr std::string_view kAbout = "bids of one bidder in first-price auctions, shaded or in money";
  static constexpr ActionLabels kActionLabels{.shape = ActionLabels::Shape::kNumbers,
                                              .title = "Bid per item",
                                              .one = "item",
                                              .unit = "position",
                                              .page = "Bids",
                                              .thing = "bids",
                                              .round = "auction"};

  static std::shared_ptr<const FirstPriceBidding> parse(Fields& params);
  static Json params(const FirstPriceBidding& p);
  static Json action_json(const FirstPriceBidding& p, const FirstPriceBidding::Action& x);
  static FirstPriceBidding::Action parse_action(const FirstPriceBidding& p, const Json& json, std::string_view path);
  static Json outcome_json(const FirstPriceBidding& p, const FirstPriceBidding::Outcome& y);
  static FirstPriceBidding::Outcome parse_outcome(const FirstPriceBidding& p, const Json& json, std::string_view path);
  static Money money(const std::shared_ptr<const FirstPriceBidding>& p);
  static LogUse log_use();
  static ProblemInstances instances();
  static ProblemHelp help();
  static FirstPriceBidding::Outcome sample_outcome(const FirstPriceBidding& p, const KeyedRandom& random);
};

}  // namespace hannan::detail
