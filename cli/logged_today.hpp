// What was done today, for a portfolio of `hannan run` whose first strategy is logged: the loss of it comes with every
// outcome. Of a log it is what its auctions brought, of a table of losses that of a column, of a table of labels that
// of the column with those that were decided.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hannan/bidlog/facts.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/streams/source.hpp"
#include "log_data.hpp"

namespace hannan::detail::cli {

struct LoggedToday {
  std::string column;  // of --as-logged; empty: none was named
  const AnyProblem& problem;
  const std::vector<std::string>& names;  // of the columns of a table
  std::vector<double> losses;             // of what was decided, by round, where the problem's own file says them
  std::shared_ptr<LogData> bids;          // null: the data are no log
  const LogFacts& log;
  std::uint64_t played = 0;  // rounds that an earlier run has played
};

// The outcomes with that loss; they outlive it, and their digest is theirs alone. Throws kMissingField where the data
// do not say what was done.
std::unique_ptr<Source> with_logged_today(Source& outcomes, LoggedToday today);

}  // namespace hannan::detail::cli
