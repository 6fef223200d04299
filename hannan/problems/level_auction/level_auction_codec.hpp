// `level-auction` as JSON: n s thresholds, bidder by bidder; n bids in [0,1], or one more for the phantom.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/core/keyed_random.hpp"
#include "hannan/game/log_use.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/level_auction/level_auction.hpp"

namespace hannan::detail {

template <>
struct Codec<LevelAuction> {
  static constexpr std::string_view kKind = "level-auction";
  static constexpr std::string_view kAbout = "a single item sold by an s-level auction, reward the revenue";
  static constexpr std::string_view kColumnsParam = "bidders";

  static std::shared_ptr<const LevelAuction> parse(Fields& params);
  static Json params(const LevelAuction& p);
  static Json action_json(const LevelAuction& p, const LevelAuction::Action& x);
  static LevelAuction::Action parse_action(const LevelAuction& p, const Json& json, std::string_view path);
  static Json outcome_json(const LevelAuction& p, const LevelAuction::Outcome& y);
  static LevelAuction::Outcome parse_outcome(const LevelAuction& p, const Json& json, std::string_view path);
  static Money money(const std::shared_ptr<const LevelAuction>& p);
  static LogUse log_use() { return {.shape = LogShape::kBids}; }
  static bool is_amounts(const Json&) { return true; }  // all numbers of an outcome are bids
  static ProblemInstances instances();
  static ProblemHelp help();
  static LevelAuction::Outcome sample_outcome(const LevelAuction& p, const KeyedRandom& random);
};

}  // namespace hannan::detail
