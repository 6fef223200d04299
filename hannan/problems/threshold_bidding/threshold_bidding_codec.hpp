// `threshold-bidding` as JSON: h bids in 0..m; the number of a price vector.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/game/money.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/threshold_bidding/threshold_bidding.hpp"

namespace hannan::detail {

template <>
struct Codec<ThresholdBidding> {
  static constexpr std::string_view kKind = "threshold-bidding";
  static constexpr std::string_view kAbout = "bids of one bidder against a known set of price vectors";
  static constexpr ActionLabels kActionLabels{.shape = ActionLabels::Shape::kNumbers,
                                              .title = "Bid per item",
                                              .one = "item",
                                              .unit = "level",
                                              .page = "Bids",
                                              .thing = "bids",
                                              .round = "auction"};

  static std::shared_ptr<const ThresholdBidding> parse(Fields& params);
  static Json params(const ThresholdBidding& p);
  static Json action_json(const ThresholdBidding& p, const ThresholdBidding::Action& x);
  static ThresholdBidding::Action parse_action(const ThresholdBidding& p, const Json& json, std::string_view path);
  static Json outcome_json(const ThresholdBidding& p, const ThresholdBidding::Outcome& y);
  static ThresholdBidding::Outcome parse_outcome(const ThresholdBidding& p, const Json& json, std::string_view path);
  static Money money(const std::shared_ptr<const ThresholdBidding>& p);
  static ProblemInstances instances();
  static ProblemHelp help();
};

}  // namespace hannan::detail
