// The end of the record of a portfolio: totals of every strategy, the state of the share, every statement about the
// run, and the reports of the learners among its strategies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hannan/verify/driver.hpp"
#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/recomputed_portfolio.hpp"
#include "hannan/verify/recomputed_rules.hpp"

namespace hannan::detail {

// A strategy as its lines are followed.
struct FollowedStrategy {
  FollowedStrategy(RecordedPortfolio::Strategy of, const std::string& name) : strategy(std::move(of)), claims(name) {}

  RecordedPortfolio::Strategy strategy;
  Claims claims;                       // of the learner
  std::unique_ptr<Driver> driver;      // of a learner: of its own record
  bool tree = false;                   // it has a decision for every segment
  std::shared_ptr<const Game> listed;  // of a tied one: the losses of `tied` as outcomes
  std::vector<Json> tied;
  std::unique_ptr<RecomputedRule> rule;  // of a rule of the problem
  std::uint64_t proposed = 0;            // played rounds in which it proposed
  ExactTotal total;                      // of a shadow, over these
};
using FollowedStrategies = std::vector<std::unique_ptr<FollowedStrategy>>;

struct PortfolioEnd {
  RecordState& record;
  RecomputedPortfolio& rule;
  const FollowedStrategies& strategies;
};
EndFacts check_portfolio_end(Fields& end, const PortfolioEnd& of, Verification& said);

}  // namespace hannan::detail
