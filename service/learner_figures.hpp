// The figures of a learner that pages and scripts read: ledgers, promise, and money where cap or prices say what a
// loss is worth.
#pragma once

#include <optional>

#include "service/host.hpp"

namespace hannan::detail::service {

inline constexpr double kNormal95 = 1.959963984540054;  // 97.5 % of a normal law lie below

// What the losses of a learner are worth.
struct MoneyScale {
  double unit = 1;       // money of a loss of 1
  double offset = 0;     // of the loss of no money: 1 where losses are in [0,1]
  bool reward = true;    // false: a cost
  std::string currency;  // empty: not known
  double of(double loss, double rounds) const { return unit * (reward ? offset * rounds - loss : loss); }
};
// Nothing where neither a cap nor a list of prices was stated.
std::optional<MoneyScale> money_scale(const Entry& entry);

// {title, thing, round}: what a page calls the decisions and the rounds of this problem.
Json words_json(const Entry& entry);

// {promise: {...}, money: {...}} of what was published; fields that are not known are
// null.
void add_figures(Json& answer, const Entry& entry, const Published& seen);

// The share of the promise that is used: the regret over the limit that holds with the learner's certainty, both of the
// round in which the limit was looked at. None where there is no such limit: an expectation is no promise of a run.
std::optional<double> promise_used(const Published& seen);

}  // namespace hannan::detail::service
