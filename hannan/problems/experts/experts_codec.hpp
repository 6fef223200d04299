// `experts` as JSON: an action is an index, an outcome the list of losses.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/experts/experts.hpp"

namespace hannan::detail {

template <>
struct Codec<Experts> {
  static constexpr std::string_view kKind = "experts";
  static constexpr std::string_view kAbout = "K explicit experts, each with its own loss every round";
  static constexpr ActionLabels kActionLabels{
      .shape = ActionLabels::Shape::kIndex, .title = {}, .one = "expert", .unit = {}};
  static constexpr std::string_view kColumnsParam = "experts";
  static constexpr Simulation kSimulation = Simulation::kLosses;

  static std::shared_ptr<const Experts> parse(Fields& params);
  static Json params(const Experts& p);
  static Json action_json(const Experts& p, const Experts::Action& x);
  static Experts::Action parse_action(const Experts& p, const Json& json, std::string_view path);
  static Json outcome_json(const Experts& p, const Experts::Outcome& y);
  static Experts::Outcome parse_outcome(const Experts& p, const Json& json, std::string_view path);
  static bool is_amounts(const Json&) { return true; }  // all numbers of an outcome are losses
  static ProblemInstances instances();
  static ProblemHelp help();
};

}  // namespace hannan::detail
