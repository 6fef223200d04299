// `security-game` as JSON: n coverages in 0..m; the number of a type.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/security_game/security_game.hpp"

namespace hannan::detail {

template <>
struct Codec<SecurityGame> {
  static constexpr std::string_view kKind = "security-game";
  static constexpr std::string_view kAbout = "coverage of targets against attackers of known types";
  static constexpr ActionLabels kActionLabels{
      .shape = ActionLabels::Shape::kNumbers, .title = "Coverage per target", .one = "target", .unit = "steps"};

  static std::shared_ptr<const SecurityGame> parse(Fields& params);
  static Json params(const SecurityGame& p);
  static Json action_json(const SecurityGame& p, const SecurityGame::Action& x);
  static SecurityGame::Action parse_action(const SecurityGame& p, const Json& json, std::string_view path);
  static Json outcome_json(const SecurityGame& p, const SecurityGame::Outcome& y);
  static SecurityGame::Outcome parse_outcome(const SecurityGame& p, const Json& json, std::string_view path);
  static ProblemInstances instances();
  static ProblemHelp help();
};

}  // namespace hannan::detail
