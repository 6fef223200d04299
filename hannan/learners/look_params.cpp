// Reading and writing of the parameters of looks; parse_looks(print_looks(p)) is p again. Actions stay JSON here: the
// problem reads them.
#include "hannan/learners/look_params.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

constexpr Interval kCostOfLook{1e-3, 1};
constexpr std::size_t kMostAgainst = 100;

void parse_share(Fields& fields, LookParams& p) {
  const Json* share = fields.maybe("share");
  if (!share) return;
  if (!share->is_string()) {
    p.share = LookParams::Share::kFixed;
    p.chance = fields.number("share", kLookChance);
    return;
  }
  const std::string word = fields.choice("share", {"adaptive", "logged"});
  if (word == "logged") p.share = LookParams::Share::kLogged;
}

void parse_coins(Fields& fields, LookParams& p) {
  if (!fields.has("coins")) return;
  p.coins = fields.numbers("coins", kUnit);
  for (std::size_t t = 0; t < p.coins->size(); ++t) {
    const double coin = (*p.coins)[t];
    if (!(coin > 0 && coin < 1))
      throw Error(Code::kOutOfRange, "found a coin of 0 or 1, expected a number between them",
                  path_of(fields.at("coins"), t));
  }
}

}  // namespace

LookParams parse_looks(Fields& fields) {
  LookParams p;
  if (!fields.has("look")) {
    throw Error(Code::kMissingField,
                "\"look\" is missing: the action that is played where a round is seen in full, or null where the "
                "learner's own choice is played and the outcome is asked for besides",
                fields.at("look"));
  }
  p.look = fields.need("look");
  if (p.look == Json("own")) p.look = Json();  // for plans, whose format has no null
  parse_share(fields, p);
  if (p.share == LookParams::Share::kAdaptive) p.cost = fields.number("cost", kCostOfLook, 1.0);
  if (p.share != LookParams::Share::kLogged) {
    if (fields.choice("coin", {"learner", "client"}, "learner") == "client") p.coin = LookParams::Coin::kClient;
    if (p.coin == LookParams::Coin::kLearner) parse_coins(fields, p);
  }
  if (const Json* against = fields.maybe("against")) {
    const auto& list = to_list(*against, fields.at("against"));
    if (list.size() > kMostAgainst) {
      throw Error(Code::kOutOfRange,
                  "found " + std::to_string(list.size()) + " actions, expected at most " + std::to_string(kMostAgainst),
                  fields.at("against"));
    }
    p.against.emplace(list.begin(), list.end());
  }
  return p;
}

void print_looks(const LookParams& p, Json& json) {
  json.set("feedback", "looks").set("look", p.look);
  switch (p.share) {
    case LookParams::Share::kAdaptive:
      json.set("share", "adaptive").set("cost", p.cost);
      break;
    case LookParams::Share::kFixed:
      json.set("share", p.chance);
      break;
    case LookParams::Share::kLogged:
      json.set("share", "logged");
      break;
  }
  if (p.coin == LookParams::Coin::kClient) json.set("coin", "client");
  if (p.coins) json.set("coins", Json(*p.coins));
  if (!p.against) return;
  Json list = Json::array();
  for (const Json& action : *p.against) list.push_back(action);
  json.set("against", std::move(list));
}

}  // namespace hannan::detail
