// A portfolio as pages and scripts see it: what it gained over today's decision, what was at risk, and who plays.
//
// Amounts are losses, as those of all ledgers; a page takes them to money by `money.unit`. Certificates are those of
// the learner's own report (docs/theory-portfolio.md).
#pragma once

#include <cstdint>
#include <vector>

#include "hannan/io/json.hpp"
#include "hannan/runtime/portfolio_learner.hpp"
#include "service/entry.hpp"

namespace hannan::detail::service {

// {today, risk, largest, hard, most, gain, low, drawn_gain, certain, rehearsed, played, today_total, best, behind,
// certified, strategies: [{name, kind, gain, weight}]}. most: what the mean loss above today's is bounded by; certain:
// what is gained at least; rehearsed, played: rounds. Cost: a bisection.
Json portfolio_figures(PortfolioLearner& learner);

// Who played in the last rounds, from rows of the log: the mean weight of each strategy over stretches of rounds, at
// most 128 of them, which are merged by two when there are too many.
class PortfolioRounds {
 public:
  void add(const Json& line);  // a row of the log; one that was not played has no weights
  // {names, rounds: [of each stretch], shares: [of each strategy: [by stretch]]}; null where nothing was played.
  Json json(const LearnerConfig& config) const;

 private:
  struct Stretch {
    std::uint64_t rounds = 0;
    std::vector<double> weights;
    void add(const Stretch& more);
  };
  std::vector<Stretch> stretches_;
  std::uint64_t full_ = 1;  // rounds of a full one
};

}  // namespace hannan::detail::service
