// Level auctions from and to JSON. An action is one list, bidder by bidder, of s thresholds each: threshold c belongs
// to bidder c / s and must exceed the one before it unless c % s = 0. An outcome is one bid in [0,1] per bidder.
#include "hannan/problems/level_auction/level_auction_codec.hpp"

#include <string>

#include "hannan/core/error.hpp"
#include "hannan/core/sample.hpp"

namespace hannan::detail {
std::shared_ptr<const LevelAuction> Codec<LevelAuction>::parse(Fields& params) {
  const auto bidders = static_cast<int>(params.integer("bidders", {1, LevelAuction::kMaxBidders}));
  const auto levels = static_cast<int>(params.integer("levels", {1, LevelAuction::kMaxLevels}));
  const auto thresholds = static_cast<int>(params.integer("thresholds", {1, levels}));
  const LevelRule rule{.bidders = bidders, .levels = levels, .thresholds = thresholds};
  return made_from(params, [&] { return std::make_shared<const LevelAuction>(rule); });
}

Json Codec<LevelAuction>::params(const LevelAuction& p) {
  const LevelRule& rule = p.rule();
  return Json::object({{"bidders", rule.bidders}, {"levels", rule.levels}, {"thresholds", rule.thresholds}});
}

Json Codec<LevelAuction>::action_json(const LevelAuction&, const LevelAuction::Action& x) { return Json(x); }

// Thresholds bidder by bidder, s each, strictly rising within a bidder.
LevelAuction::Action Codec<LevelAuction>::parse_action(const LevelAuction& p, const Json& json, std::string_view path) {
  const auto values = to_integers(json, path, {1, p.rule().levels});
  if (values.size() != p.coordinates()) {
    throw Error(Code::kBadAction,
                "found " + std::to_string(values.size()) + " thresholds, expected " + std::to_string(p.coordinates()) +
                    ", bidder by bidder",
                std::string(path));
  }
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (c % p.rule().s() != 0 && values[c] <= values[c - 1]) {
      throw Error(Code::kBadAction,
                  "found " + std::to_string(values[c]) + " after " + std::to_string(values[c - 1]) +
                      ", expected increasing thresholds of one bidder",
                  path_of(path, c));
    }
  }
  return {values.begin(), values.end()};
}

// The phantom's bid is written only where it has one, which is in the outcomes of perturbations.
Json Codec<LevelAuction>::outcome_json(const LevelAuction& p, const LevelAuction::Outcome& y) {
  Json json = Json::array();
  for (std::size_t i = 0; i <= p.rule().n(); ++i) {
    if (i < p.rule().n() || y.units[i] > 0) json.push_back(Json(static_cast<double>(y.units[i]) / p.rule().levels));
  }
  return json;
}

LevelAuction::Outcome Codec<LevelAuction>::parse_outcome(const LevelAuction& p, const Json& json,
                                                         std::string_view path) {
  const std::size_t n = p.rule().n();
  const auto bids = to_numbers(json, path, kUnit);
  if (bids.size() != n && bids.size() != n + 1) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(bids.size()) + " bids, expected " + std::to_string(n) +
                    ", or one more for the phantom",
                std::string(path));
  }
  LevelAuction::Outcome y;
  p.outcome_from_row(bids, y);
  return y;
}

// Several thresholds a bidder, which are no one price.
Money Codec<LevelAuction>::money(const std::shared_ptr<const LevelAuction>& p) {
  Money facts;
  facts.amounts = {.what = {},
                   .owner = "bidder",
                   .owners = p->rule().n(),
                   .unit = Amounts::Unit::kScale,
                   .levels = static_cast<double>(p->rule().levels)};
  return facts;
}

ProblemInstances Codec<LevelAuction>::instances() {
  return {.tested = {R"({"bidders":1,"levels":1,"thresholds":1})", R"({"bidders":2,"levels":4,"thresholds":2})",
                     R"({"bidders":3,"levels":3,"thresholds":1})"},
          .signature = R"({"bidders":2,"levels":4,"thresholds":2})",
          .flat = {}};
}

// Every other time with a bid of the phantom.
LevelAuction::Outcome Codec<LevelAuction>::sample_outcome(const LevelAuction& p, const KeyedRandom& random) {
  const std::uint64_t bids = p.rule().n() + random.below(1000, 2);
  LevelAuction::Outcome y;
  p.outcome_from_row(sampled_units(random, bids, static_cast<std::uint64_t>(p.rule().levels)), y);
  return y;
}

ProblemHelp Codec<LevelAuction>::help() {
  using enum ParameterHelp::Need;
  return {.parameters = {{"bidders", "how many bid; the columns of a table say it", "3", kNeeded},
                         {"levels", "bids and thresholds on a grid of so many", "8", kNeeded},
                         {"thresholds", "how many each bidder has, at most levels", "2", kNeeded}},
          .file_options = {},
          .data = "a row for each round with the bid of every bidder, in [0,1]",
          .outcome = "[0.3,0.7,0.5]",
          .example = "hannan run level-auction --param bidders=3 --param levels=8 --param thresholds=2 -d bids.csv"};
}

}  // namespace hannan::detail
