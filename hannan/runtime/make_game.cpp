// A game by the name of its kind: the one function through which the verifier makes problems.
#include "hannan/runtime/make_game.hpp"

#include "hannan/runtime/registry.hpp"

namespace hannan::detail {

// The problem lives as long as its game is held.
std::shared_ptr<const Game> make_game(const std::string& kind, const Json& params, std::string_view path) {
  const std::shared_ptr<const AnyProblem> problem = make_problem(kind, params, path);
  return {problem, &problem->game()};
}

}  // namespace hannan::detail
