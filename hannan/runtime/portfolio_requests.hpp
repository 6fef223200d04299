// Rounds of a portfolio as requests and answers in JSON: for the pipe, the service and Python.
//
//   act      {"proposals": {NAME: action or null}, "context": [...]}
//            -> round, action, strategy, share, weights, held, proposals
//   observe  {"outcome": Y, "losses": {"today": loss}, "warm": true, "proposals": {...}, "context": [...]}
//            -> loss, realised, losses, total, gain, low, today, share_cost, mixing, held, warm, oracle_calls
//
// Fields are read to the last and those left over are refused. A request that is refused changes nothing.
#pragma once

#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
#include "hannan/runtime/portfolio_learner.hpp"

namespace hannan::detail {

Json act_portfolio(PortfolioLearner& learner, Fields& in);
Json observe_portfolio(PortfolioLearner& learner, Fields& in);

}  // namespace hannan::detail
