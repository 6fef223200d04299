// The built-in problems by name: the registry of runtime/ for users of C++, with texts in the place of Json.
#include "hannan/problems.hpp"

#include "hannan/core/error.hpp"
#include "hannan/game/game.hpp"
#include "hannan/runtime/make_game.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan {

std::vector<std::string> built_in_names() {
  std::vector<std::string> names;
  for (const auto& kind : detail::problem_kinds()) names.emplace_back(kind.name);
  return names;
}

std::shared_ptr<const Game> built_in(std::string_view name, std::string_view params) {
  return detail::make_game(std::string(name), detail::parse_json(params), "params");
}

AnyOutcome outcome_of(const Game& game, std::string_view json) {
  AnyOutcome y;
  game.read_outcome(detail::parse_json(json), "outcome", y);
  return y;
}

AnyOutcome outcome_of(const Game& game, std::span<const double> row) {
  if (game.row_width() > 0 && row.size() != game.row_width()) {
    throw Error(Code::kColumnCount,
                "found " + std::to_string(row.size()) + " numbers, expected " + std::to_string(game.row_width()),
                "outcome");
  }
  AnyOutcome y;
  game.read_row(row, y);
  return y;
}

AnyAction action_of(const Game& game, std::string_view json) {
  return game.parse_action(detail::parse_json(json), "action");
}

std::string action_text(const Game& game, const AnyAction& x) { return detail::dump(game.action_json(x)); }

std::vector<int> action_numbers(const Game& game, const AnyAction& x) {
  std::vector<std::int32_t> row;
  if (!game.action_row(x, row))
    throw Error(Code::kUnavailable, "found an action that is no row of whole numbers, expected action_text()",
                "action");
  return {row.begin(), row.end()};
}

}  // namespace hannan
