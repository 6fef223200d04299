// One oracle call as an answer in JSON. Where losses are not of size 1 the history is divided by a power of two, so
// that the tie window fits their size, and values are multiplied back: both exact.
#include "hannan/runtime/best_answer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/core/oracle.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

void SeenRange::add(const Game& game, const AnyOutcome& y, double weight) {
  if (game.loss_range() == LossRange::kUnknown) {
    seen_ = std::max(seen_, game.spread(y).range());
  } else if (seen_ <= 0.5) {
    seen_ = std::max(seen_, std::min(1.0, std::abs(weight) * game.spread(y).range()));
  }
}

void SeenRange::add(const SeenRange& other) { seen_ = std::max(seen_, other.seen_); }

Json best_answer(const GameOracle& oracle, GameHistory& history, const BestQuestion& question) {
  // Tie windows are made for losses that reach 1; others are measured by the largest range there is.
  const double unit = question.range > 0 && oracle.scales() ? unit_of(question.range) : 1.0;
  if (unit != 1) history.scale(1 / unit);
  const auto nothing = oracle.empty();
  auto answer = oracle.best({history, *nothing, 0.0}, question.keep);
  answer.unit = unit;
  for (double* value : {&answer.value, &answer.floor, &answer.rest}) *value *= unit;
  for (auto& member : answer.pool) member.value *= unit;
  const Game& game = oracle.problem();
  Json pool = Json::array();
  for (const auto& [action, value] : answer.pool)
    pool.push_back(Json::object({{"action", game.action_json(action)}, {"value", value}}));
  Json json = Json::object({{"action", game.action_json(answer.action)},
                            {"value", answer.value},
                            {"floor", answer.floor},
                            {"pool", std::move(pool)},
                            {"rest", answer.rest},
                            {"oracle", oracle.name()},
                            {"proven", answer.proven()}});
  if (!oracle.claims().empty()) json.set("claims", oracle.claims());
  return json;
}

}  // namespace hannan::detail
