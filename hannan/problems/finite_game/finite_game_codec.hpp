// `finite-game` as JSON: actions and outcomes are places in the table.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/finite_game/finite_game.hpp"

namespace hannan::detail {

template <>
struct Codec<FiniteGame> {
  static constexpr std::string_view kKind = "finite-game";
  static constexpr std::string_view kAbout = "a table of K actions by d outcomes, losses or rewards";
  static constexpr ActionLabels kActionLabels{
      .shape = ActionLabels::Shape::kIndex, .title = {}, .one = "action", .unit = {}};

  static std::shared_ptr<const FiniteGame> parse(Fields& params);
  static Json params(const FiniteGame& p);
  static Json action_json(const FiniteGame& p, const FiniteGame::Action& x);
  static FiniteGame::Action parse_action(const FiniteGame& p, const Json& json, std::string_view path);
  static Json outcome_json(const FiniteGame& p, const FiniteGame::Outcome& y);
  static FiniteGame::Outcome parse_outcome(const FiniteGame& p, const Json& json, std::string_view path);
  static constexpr bool kTakesTable = true;  // `losses` or `rewards` of all actions and outcomes, and a `matrix`
  static ProblemInstances instances();
  static ProblemHelp help();
};

}  // namespace hannan::detail
