#include "hannan/runtime/default_strategies.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"
#include "hannan/game/money.hpp"
#include "hannan/game/rivals.hpp"
#include "hannan/runtime/strategy.hpp"

namespace hannan::detail {
namespace {

constexpr std::uint64_t kMostFixed = 16;  // so many actions are strategies each, where outcomes are their losses

StrategyParams of_kind(std::string name, std::string kind) {
  StrategyParams made;
  made.name = std::move(name);
  made.kind = std::move(kind);
  made.path = "params.strategies";
  return made;
}
StrategyParams fixed(std::string name, Json action) {
  StrategyParams made = of_kind(std::move(name), "fixed");
  made.params.set("action", std::move(action));
  return made;
}

}  // namespace

std::vector<StrategyParams> default_strategies(const Game& game, const PortfolioOptions& asked) {
  const auto money = game.money();
  const auto rivals = game.rivals();
  // Ceilings have no rule: the price that earns most is none that buys cheapest.
  const bool ruled = rivals && !(money && money->floors == Money::Floors::kCeilings);
  std::vector<std::string_view> rules;
  if (ruled) rules.assign(rivals->rule_names().begin(), rivals->rule_names().end());
  std::vector<StrategyParams> all;
  if (!asked.today.is_null()) {
    all.push_back(fixed("today", asked.today));
  } else if (!rules.empty() && rivals->place() == RivalGroup::Place::kWithoutClass) {
    all.push_back(of_kind("today", std::string(rules.front())));
    rules.erase(rules.begin());
  } else if (money && money->first_asks_nothing) {
    all.push_back(fixed("today", game.action_json(game.first_actions(1).front())));
  } else {
    throw Error(Code::kMissingField,
                "expected today's decision: \"today\" with an action, or \"strategies\" of which the first is today",
                "params.today");
  }
  for (const std::string_view rule : rules) all.push_back(of_kind(std::string(rule), std::string(rule)));
  if (money && money->amounts.owners > 1 && !tied_actions(game).empty()) {
    all.push_back(of_kind("one for all", "leader"));
    all.back().tied = Tied::kAll;
  }
  if (!money && !rivals && game.numbers_actions()) {
    all.push_back(of_kind("leader", "leader"));
    const std::uint64_t columns = game.row_width() == game.size() && game.size() <= kMostFixed ? game.size() : 0;
    for (const AnyAction& action : game.first_actions(columns)) {
      const Json json = game.action_json(action);
      if (json != asked.today) all.push_back(fixed("always " + dump(json), json));
    }
  }
  all.push_back(of_kind("flipflop", "flipflop"));
  if (!asked.columns.is_null()) {
    all.push_back(of_kind("segments", "flipflop"));
    for (const auto& [name, value] : asked.columns.as_object()) all.back().params.set(name, value);
  }
  return all;
}

}  // namespace hannan::detail
