#include "service/learner_figures.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/core/tolerance.hpp"
#include "hannan/report/page_words.hpp"
#include "service/json_values.hpp"

namespace hannan::detail::service {
namespace {

// What was gained over no reserve prices, with its 95 % range from the spread of single rounds.
Json gain_json(const Published& seen, double unit) {
  if (!seen.without || seen.rounds == 0) return {};
  const auto rounds = static_cast<double>(seen.rounds);
  const double mean = seen.without->gain / rounds;
  const double variance = std::max(0.0, seen.without->squares / rounds - mean * mean);
  const double half = kNormal95 * std::sqrt(variance * rounds);
  return Json::object({{"value", unit * seen.without->gain},
                       {"low", unit * (seen.without->gain - half)},
                       {"high", unit * (seen.without->gain + half)}});
}

}  // namespace

std::optional<MoneyScale> money_scale(const Entry& entry) {
  const LearnerConfig& config = entry.config();
  if (!config.cap && !config.in_money()) return std::nullopt;
  const Game& game = entry.problem().game();
  return MoneyScale{.unit = (config.in_money() ? 1 : *config.cap) * game.normaliser(),
                    .offset = game.loss_range() == LossRange::kUnitInterval ? 1.0 : 0.0,
                    .reward = game.form() == Form::kReward,
                    .currency = config.currency};
}

std::optional<double> promise_used(const Published& seen) {
  if (!seen.bound || !seen.bound->certain || !seen.bound->regret) return std::nullopt;
  const double limit = *seen.bound->certain, regret = *seen.bound->regret;
  if (!(limit > 0)) return std::nullopt;
  // As in reports, where a bound holds that is missed by rounding alone.
  if (regret > limit && regret <= limit + tie_window(seen.total)) return 1.0;
  return regret / limit;
}

Json words_json(const Entry& entry) {
  const PageWords words = page_words(entry.config().problem_kind, entry.config().problem_params);
  return Json::object({{"title", words.title}, {"thing", words.thing}, {"round", words.round}});
}

void add_figures(Json& answer, const Entry& entry, const Published& seen) {
  Json promise;
  if (seen.bound) {
    promise = Json::object({{"round", seen.bound->round},
                            {"expected", number_or_null(seen.bound->expected)},
                            {"certain", number_or_null(seen.bound->certain)},
                            {"mean", number_or_null(seen.bound->mean)},
                            {"used", number_or_null(promise_used(seen))}});
  }
  answer.set("promise", std::move(promise));
  const auto scale = money_scale(entry);
  answer.set("gain", gain_json(seen, scale ? scale->unit : entry.problem().game().normaliser()));
  Json money;
  if (scale) {
    const auto rounds = static_cast<double>(seen.rounds);
    money = Json::object({{"currency", scale->currency},
                          {"reward", scale->reward},
                          {"unit", scale->unit},
                          {"total", scale->of(seen.total, rounds)},
                          {"best", seen.best ? Json(scale->of(*seen.best, rounds)) : Json()},
                          {"without", seen.without ? Json(scale->of(seen.without->total, rounds)) : Json()}});
  }
  answer.set("money", std::move(money));
}

}  // namespace hannan::detail::service
