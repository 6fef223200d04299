#include "hannan/compare/portfolio_notes.hpp"

#include <cmath>
#include <utility>

namespace hannan::detail {

PortfolioNotes::PortfolioNotes(std::size_t player, PortfolioLearner& learner)
    : weights_(learner.strategies()), losses_(learner.strategies()) {
  of_.player = player;
  for (std::size_t i = 0; i < learner.strategies(); ++i)
    of_.strategies.push_back(
        {.name = learner.strategy(i).name(), .kind = learner.strategy(i).kind(), .gains = {}, .action = {}});
}

// Where a strategy proposed nothing its loss is not a number.
void PortfolioNotes::round(const Round& played) {
  const double today = played.strategies.front().loss;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const double own = played.strategies[i].loss, loss = std::isnan(own) ? played.loss : own;
    weights_[i] += played.weights[i];
    losses_[i].add(loss);
    of_.strategies[i].gains.push_back(today - loss);
  }
  const double drawn = played.realised.value_or(played.loss);
  drawn_.add(drawn);
  of_.drawn_gains.push_back(today - drawn);
}

ComparedPoint::OfPortfolio PortfolioNotes::point(PortfolioLearner& learner) const {
  ComparedPoint::OfPortfolio point{
      .weights = weights_, .losses = {}, .drawn = drawn_.value(), .certificate = *learner.certified().today};
  for (const Sum& loss : losses_) point.losses.push_back(loss.value());
  return point;
}

// Strategies that need a context or a proposal have no action yet.
Comparison::Portfolio PortfolioNotes::end(PortfolioLearner& learner) && {
  for (std::size_t i = 0; i < of_.strategies.size(); ++i) {
    if (learner.strategy(i).tree()) continue;
    StrategyRound next;
    learner.strategy(i).propose({}, next);
    if (next.awake && next.action) of_.strategies[i].action = learner.game().action_json(*next.action);
  }
  of_.state = learner.save();
  return std::move(of_);
}

}  // namespace hannan::detail
