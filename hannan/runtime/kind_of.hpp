// The row of the registry that a typed problem P gives: the one place where P meets the run-time interface.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "hannan/game/game_of.hpp"
#include "hannan/game/registered_problem.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {

template <class P>
  requires RegisteredProblem<P>
ProblemKind kind_of() {
  ProblemKind kind;
  kind.name = Codec<P>::kKind;
  kind.about = Codec<P>::kAbout;
  kind.make = [](const Json& params, std::string_view path) {
    Fields fields(params, std::string(path));
    auto problem = Codec<P>::parse(fields);
    fields.done();
    return std::make_unique<AnyProblem>(std::make_shared<GameOf<P, Codec<P>>>(std::move(problem)));
  };
  if constexpr (requires { Codec<P>::kColumnsParam; }) kind.columns_param = Codec<P>::kColumnsParam;
  if constexpr (requires { Codec<P>::kActionLabels; }) kind.action_labels = Codec<P>::kActionLabels;
  if constexpr (requires { Codec<P>::instances(); }) kind.instances = Codec<P>::instances();
  if constexpr (requires { Codec<P>::help(); }) kind.help = Codec<P>::help();
  if constexpr (requires { Codec<P>::log_use(); }) kind.log = Codec<P>::log_use();
  kind.money = requires(const std::shared_ptr<const P>& p) { Codec<P>::money(p); };
  if constexpr (requires { Codec<P>::kRivals; }) kind.rivals = Codec<P>::kRivals;
  if constexpr (requires { Codec<P>::kSimulation; }) kind.simulation = Codec<P>::kSimulation;
  if constexpr (requires { Codec<P>::kTakesTable; }) kind.takes_table = Codec<P>::kTakesTable;
  if constexpr (requires { Codec<P>::kFileHasDecisions; }) kind.decided_in_file = Codec<P>::kFileHasDecisions;
  if constexpr (requires(const Json& json) { Codec<P>::is_amounts(json); })
    kind.is_amounts = [](const Json& outcome) { return Codec<P>::is_amounts(outcome); };
  if constexpr (requires(const Json& json) { Codec<P>::action_words(json); })
    kind.action_words = [](const Json& action) { return Codec<P>::action_words(action); };
  if constexpr (requires { Codec<P>::kFileAbout; }) {
    kind.file_about = Codec<P>::kFileAbout;
    kind.import = [](Json params, const std::string& file) { return Codec<P>::import(std::move(params), file); };
  }
  return kind;
}

}  // namespace hannan::detail
