// The figures of a learner that pages and scripts read: ledgers, promise, and money where cap or prices say what a
// loss is worth.
#pragma once

#include <optional>

#include "hannan/core/interval.hpp"
#include "service/host.hpp"
#include "service/money_scale.hpp"

namespace hannan::detail::service {

inline constexpr double kNormal95 = 1.959963984540054;  // 97.5 % of a normal law lie below

std::optional<MoneyScale> money_scale(const Entry& entry);
// What a learner that sees a part may say, with what a loss of 1 is in money where that is known. Requires seen.part.
Json part_json(const Entry& entry, const Published& seen);

// The best fixed choice and the regret as far as they are proven, in the fields of a report: {best, regret,
// best_proven, best_range, regret_range}; null where the best was not looked for in the last round.
void add_best(Json& answer, const Published& seen);

// What every answer to outcomes says of the learner: its total, its best fixed choice, and what comes next.
Json standing_json(const Published& seen);

// {title, thing, round}: what a page calls the decisions and the rounds of this problem.
Json words_json(const Entry& entry);

// {promise: {...}, gain: {...}, judgement: {...}, money: {...}} of what was published; fields that are not known are
// null. Of a portfolio also {portfolio: {...}} (portfolio_figures.hpp), and money.today.
void add_figures(Json& answer, const Entry& entry, const Published& seen);

// The share of the promise that is used: the regret over the limit that holds with the learner's certainty, both of the
// round in which the limit was looked at; a range where the best fixed choice is not proven. Only where its lower end
// is above 1 is a learner beyond its promise. None where there is no such limit: an expectation is no promise of a run.
std::optional<Interval> promise_used(const Published& seen);
bool is_beyond_promise(const Published& seen);

}  // namespace hannan::detail::service
