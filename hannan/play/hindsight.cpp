#include "hannan/play/hindsight.hpp"

namespace hannan::detail {

Hindsight::Hindsight(const Game& game)
    : game_(game), oracle_(game.oracles().front()), history_(oracle_->empty()), nothing_(oracle_->empty()) {}

void Hindsight::round(const AnyAction& played, const AnyOutcome& y) {
  total_.add(game_.loss(played, y));
  history_->add(y, 1);
  ++rounds_;
}

const GameAnswer& Hindsight::best() {
  if (searched_ != rounds_) oracle_->choose({*history_, *nothing_, 0.0}, best_);
  searched_ = rounds_;
  return best_;
}

Json Hindsight::json() {
  const GameAnswer& found = best();
  return Json::object({{"total", total()},
                       {"best", found.value},
                       {"best_action", rounds_ > 0 ? game_.action_json(found.action) : Json()},
                       {"regret", regret()},
                       {"proven", found.proven()}});
}

}  // namespace hannan::detail
