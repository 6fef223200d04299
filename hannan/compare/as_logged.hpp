// What the auctions of a log brought, as a player of a comparison: the baseline that all others are held against.
//
// A log that is read directly says it auction by auction (logged_money.hpp). A table of outcomes made from a log says
// it by the rule without a reserve on each row; the rows lack what the reading hid and, in [0,1], the opening bids,
// (outcomes in money have them), whose sum the log's summary has: (as logged - what the rows bring) / rounds is added
// to every row. So the total is that of the log either way.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/json.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {

inline constexpr std::string_view kAsLogged = "as logged";

// The loss of what was logged in the round of an outcome.
using LossAsLogged = std::function<double(const AnyOutcome&)>;

// For a log that is read directly: `money` is that of the auction of the last outcome, `unit` the money of a raw 1.
LossAsLogged as_logged_of_log(const AnyProblem& problem, double unit, std::function<double()> money);

// For a table with the summary of its log. Empty where there is none, or it or the problem (Money::logged) says nothing
// of what was done.
LossAsLogged as_logged_of_rows(const AnyProblem& problem, const Json& summary, double unit);

// For a table of losses of experts: the column in use. `names` are those of the columns. Throws kUnavailable for other
// problems and where experts sleep, kUnknownName for a name that is none of them, each at `at`. The problem outlives
// it.
LossAsLogged as_logged_of_column(const AnyProblem& problem, const std::vector<std::string>& names,
                                 const std::string& column, const std::string& at);

// For decisions whose losses are known round by round, in order: classification with a column of them.
LossAsLogged as_logged_of_list(std::vector<double> losses);

// Of purchases the largest price of not buying; 0 where the summary says none.
double most_outside(const Json& summary);
// Of posted prices the most units of a round, of one bidder's log the largest value; 0 where the summary says none.
double largest_amount(const Json& summary);

}  // namespace hannan::detail
