// The built-in problems by name, for C++: the same names and parameters as in the program, the pipe and Python.
//
//   const auto auction = hannan::built_in("vcg-reserves", R"({"bidders": 2, "levels": 20})");
//   hannan::Setting<hannan::Game> setting{auction, auction->oracles().front(), auction->perturbations().front(), draw};
//   hannan::Learner<hannan::Game> learner(setting, hannan::flipflop({.noise_size = size}));
//   learner.observe(hannan::outcome_of(*auction, {{0.7, 0.4}}));
//
// A built-in problem is a Game: everything of hannan.hpp takes it as it takes a problem of your own, and its own
// oracles and matrices come with it, the default first (examples/built_in_reserves.cpp). The pages of docs/problems
// have each problem's parameters and what its actions and outcomes are. Nothing here keeps state: any number of threads
// may call. Bad input is refused with a hannan::Error that says what was found, what was expected and where.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/game/any_game.hpp"

namespace hannan {

// The names that built_in knows, in the order of the program's help.
std::vector<std::string> built_in_names();

// A problem by its name and its parameters, a JSON object. Throws kUnknownName with the names there are, kNotJson,
// kMissingField with all parameters that are missing, kUnknownField, kOutOfRange and the like, at "params.levels".
std::shared_ptr<const Game> built_in(std::string_view name, std::string_view params = "{}");

// An outcome from JSON, in the form that the problem's page shows. Throws what is wrong with it.
AnyOutcome outcome_of(const Game& game, std::string_view json);
// An outcome from its numbers, where outcomes are rows of numbers: faster, and no text. Throws kColumnCount for another
// number of them, kUnavailable where outcomes are no rows, and what is wrong with a number. To write over an outcome
// that is there already, without allocating: game.read_row(row, outcome).
AnyOutcome outcome_of(const Game& game, std::span<const double> row);

// An action from JSON, and an action as JSON. Throw kUnavailable for a game that is not built in.
AnyAction action_of(const Game& game, std::string_view json);
std::string action_text(const Game& game, const AnyAction& x);

// An action as whole numbers: the numbers of its JSON, a level of each bidder, say, or one index. Throws kUnavailable
// where actions of the problem have no such form.
std::vector<int> action_numbers(const Game& game, const AnyAction& x);

}  // namespace hannan
