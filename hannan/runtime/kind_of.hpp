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
  if constexpr (requires { Codec<P>::kFileAbout; }) {
    kind.file_about = Codec<P>::kFileAbout;
    kind.import = [](Json params, const std::string& file) { return Codec<P>::import(std::move(params), file); };
  }
  return kind;
}

}  // namespace hannan::detail
