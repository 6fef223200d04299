// The actions that a solution draws from, as a table: how often, what each brings alone on average and in its worst
// scenario, and where each is one posted price how much it sells.
#pragma once

#include <functional>
#include <string>

#include "hannan/bidlog/action_money.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/solution_words.hpp"

namespace hannan::detail {

struct MixtureRequest {
  const Json& solution;
  const SolutionAmounts& amounts;
  const Money* money;  // null: the problem has none
  const ActionMoney& action_money;
  std::string noun;                              // of a scenario: "group"
  std::function<std::string(const Json&)> text;  // of an entry with an action
};
PageTable mixture_table(const MixtureRequest& of);

}  // namespace hannan::detail
