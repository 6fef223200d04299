// `vcg-reserves` as JSON: n reserves in 1..m, n bids in [0,1]; with prices n positions from 0, a list of bids in money
// or
// {"bids": [...], "others": [...], "opening": o}; reverse {"bids": [...], "others": [...], "outside": V}.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/core/keyed_random.hpp"
#include "hannan/game/log_use.hpp"
#include "hannan/game/money.hpp"
#include "hannan/game/rivals.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {

template <>
struct Codec<VcgReserves> {
  static constexpr std::string_view kKind = "vcg-reserves";
  static constexpr std::string_view kAbout = "a reserve price per bidder, s units, eager or lazy";
  static constexpr ActionLabels kActionLabels{.shape = ActionLabels::Shape::kNumbers,
                                              .title = "Reserve price per bidder",
                                              .one = "bidder",
                                              .unit = "level",
                                              .page = "Reserve prices",
                                              .thing = "prices",
                                              .round = "auction"};
  static constexpr std::string_view kColumnsParam = "bidders";  // a table of bids says how many there are

  static std::shared_ptr<const VcgReserves> parse(Fields& params);
  static Json params(const VcgReserves& p);
  static Json action_json(const VcgReserves& p, const VcgReserves::Action& x);
  static VcgReserves::Action parse_action(const VcgReserves& p, const Json& json, std::string_view path);
  static Json outcome_json(const VcgReserves& p, const VcgReserves::Outcome& y);
  static VcgReserves::Outcome parse_outcome(const VcgReserves& p, const Json& json, std::string_view path);
  static VcgReserves::Outcome sample_outcome(const VcgReserves& p, const KeyedRandom& random);
  static Money money(const std::shared_ptr<const VcgReserves>& p);
  static LogUse log_use();
  static std::unique_ptr<RivalGroup> rivals(const std::shared_ptr<const VcgReserves>& p);
  static constexpr std::string_view kRivals = "no reserve, lowest reserve, uniform, monopoly price";
  static bool is_amounts(const Json&) { return true; }  // all numbers of an outcome are bids
  static ProblemInstances instances();
  static ProblemHelp help();
};

}  // namespace hannan::detail
