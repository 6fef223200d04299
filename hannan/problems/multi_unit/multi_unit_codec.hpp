// `multi-unit` as JSON: n quantities; per bidder the values of 0..h units, or steps [quantity, value].
#pragma once

#include <memory>
#include <string_view>

#include "hannan/core/keyed_random.hpp"
#include "hannan/game/log_use.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/multi_unit/multi_unit.hpp"

namespace hannan::detail {

template <>
struct Codec<MultiUnit> {
  static constexpr std::string_view kKind = "multi-unit";
  static constexpr std::string_view kAbout = "identical units allocated to bidders, reward their total value";
  static constexpr ActionLabels kActionLabels{
      .shape = ActionLabels::Shape::kNumbers, .title = "Units per bidder", .one = "bidder", .unit = "units"};

  static std::shared_ptr<const MultiUnit> parse(Fields& params);
  static Json params(const MultiUnit& p);
  static Json action_json(const MultiUnit& p, const MultiUnit::Action& x);
  static MultiUnit::Action parse_action(const MultiUnit& p, const Json& json, std::string_view path);
  static Json outcome_json(const MultiUnit& p, const MultiUnit::Outcome& y);
  static MultiUnit::Outcome parse_outcome(const MultiUnit& p, const Json& json, std::string_view path);
  static Money money(const std::shared_ptr<const MultiUnit>& p);
  static LogUse log_use() { return {.shape = LogShape::kValuations}; }
  static bool is_amounts(const Json& outcome);  // values of 1, 2, ... units, not steps of units and value
  static ProblemInstances instances();
  static ProblemHelp help();
  static MultiUnit::Outcome sample_outcome(const MultiUnit& p, const KeyedRandom& random);
};

}  // namespace hannan::detail
