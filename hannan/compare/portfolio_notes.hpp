// What a portfolio does in a comparison, noted round by round: how likely each strategy was, what each lost and gained
// over the first of them, what was drawn. Kept for all rounds: 8 bytes a strategy and round, which judgements need.
#pragma once

#include <cstddef>

#include "hannan/compare/comparison.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/runtime/portfolio_learner.hpp"

namespace hannan::detail {

class PortfolioNotes {
 public:
  PortfolioNotes(std::size_t player, PortfolioLearner& learner);

  std::size_t player() const { return of_.player; }
  void round(const Round& played);  // after a round that was played
  // The sums so far, with the certificate of the run so far.
  ComparedPoint::OfPortfolio point(PortfolioLearner& learner) const;
  // After the last round: with what each strategy proposes next.
  Comparison::Portfolio end(PortfolioLearner& learner) &&;

 private:
  Comparison::Portfolio of_;
  std::vector<double> weights_;
  std::vector<Sum> losses_;
  Sum drawn_;
};

}  // namespace hannan::detail
