// A game by the name of its problem: what the verifier needs of runtime/, without learners, checks and certificates.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hannan/game/game.hpp"

namespace hannan::detail {

// Throws kUnknownName with the list of kinds, and what is wrong with the parameters, named from `path`.
std::shared_ptr<const Game> make_game(const std::string& kind, const Json& params, std::string_view path);

}  // namespace hannan::detail
