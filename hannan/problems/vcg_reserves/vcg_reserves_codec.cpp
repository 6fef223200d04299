#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

#include <string>

#include "hannan/core/error.hpp"

namespace hannan::detail {
std::shared_ptr<const VcgReserves> Codec<VcgReserves>::parse(Fields& params) {
  VcgReserves::Parts parts;
  parts.bidders = static_cast<int>(params.integer("bidders", {1, kMostBids}));
  parts.levels = static_cast<int>(params.integer("levels", {1, VcgReserves::kMaxLevels}));
  parts.units = static_cast<int>(params.integer("units", {1, VcgReserves::kMaxUnits}, 1));
  const bool lazy = params.choice("rule", {"eager", "lazy"}, "eager") == "lazy";
  parts.rule = lazy ? VcgReserves::Rule::kLazy : VcgReserves::Rule::kEager;
  return made_from(params, [&] { return std::make_shared<const VcgReserves>(parts); });
}

Json Codec<VcgReserves>::params(const VcgReserves& p) {
  return Json::object({{"bidders", p.bidders()},
                       {"levels", p.levels()},
                       {"units", p.units()},
                       {"rule", p.rule() == VcgReserves::Rule::kLazy ? "lazy" : "eager"}});
}

Json Codec<VcgReserves>::action_json(const VcgReserves&, const VcgReserves::Action& x) { return Json(x); }

VcgReserves::Action Codec<VcgReserves>::parse_action(const VcgReserves& p, const Json& json, std::string_view path) {
  const auto reserves = to_integers(json, path, {1, p.levels()});
  if (reserves.size() != p.coordinates()) {
    throw Error(Code::kBadAction,
                "found " + std::to_string(reserves.size()) + " reserves, expected one per bidder, " +
                    std::to_string(p.bidders()),
                std::string(path));
  }
  return {reserves.begin(), reserves.end()};
}

Json Codec<VcgReserves>::outcome_json(const VcgReserves&, const VcgReserves::Outcome& y) { return Json(y); }

VcgReserves::Outcome Codec<VcgReserves>::parse_outcome(const VcgReserves& p, const Json& json, std::string_view path) {
  VcgReserves::Outcome bids = to_numbers(json, path, kUnit);
  if (bids.size() != p.coordinates()) {
    throw Error(
        Code::kBadOutcome,
        "found " + std::to_string(bids.size()) + " bids, expected one per bidder, " + std::to_string(p.bidders()),
        std::string(path));
  }
  return bids;
}

ProblemInstances Codec<VcgReserves>::instances() {
  return {.tested = {R"({"bidders":1,"levels":1,"units":1,"rule":"eager"})",
                     R"({"bidders":3,"levels":4,"units":1,"rule":"eager"})",
                     R"({"bidders":3,"levels":3,"units":2,"rule":"eager"})",
                     R"({"bidders":2,"levels":5,"units":3,"rule":"eager"})",
                     R"({"bidders":3,"levels":4,"units":2,"rule":"lazy"})"},
          .signature = R"({"bidders":3,"levels":6})",
          .flat = R"({"bidders":4,"levels":32,"units":2,"rule":"lazy"})"};
}

}  // namespace hannan::detail
