// Figures of a learner as lists, pages and answers show them: best, regret and gain with what is proven of each. A best
// that is not proven is a range, from what was found to the proven floor.
#include "service/learner_figures.hpp"

#include <algorithm>

#include "hannan/core/tolerance.hpp"
#include "hannan/report/page_words.hpp"
#include "service/json_values.hpp"

namespace hannan::detail::service {
namespace {

// What was gained over no reserve prices, with the range of what was judged of it.
Json gain_json(const Published& seen, double unit) {
  if (!seen.without || seen.rounds == 0) return {};
  const Json* range = seen.judged.is_object() ? seen.judged.find("range") : nullptr;
  const bool known = range && range->is_array();
  return Json::object({{"value", unit * seen.without->gain},
                       {"low", known ? (*range)[0] : Json()},
                       {"high", known ? (*range)[1] : Json()}});
}

// From what is less to what is more.
Json best_in_money(const Published& seen, const MoneyScale& scale) {
  if (!seen.best || !seen.floor) return {};
  const auto rounds = static_cast<double>(seen.rounds);
  const double found = scale.of(*seen.best, rounds), floor = scale.of(*seen.floor, rounds);
  return range_or_null(Interval{std::min(found, floor), std::max(found, floor)});
}

}  // namespace

std::optional<MoneyScale> money_scale(const Entry& entry) {
  return money_scale(entry.config(), entry.problem().game());
}

void add_best(Json& answer, const Published& seen) {
  answer.set("best", seen.best).set("regret", seen.regret);
  if (!seen.best || !seen.floor) {
    answer.set("best_proven", Json()).set("best_range", Json()).set("regret_range", Json());
    return;
  }
  answer.set("best_proven", *seen.floor == *seen.best)
      .set("best_range", range_or_null(Interval{*seen.floor, *seen.best}));
  answer.set("regret_range", range_or_null(Interval{seen.total - *seen.best, seen.total - *seen.floor}));
}

Json standing_json(const Published& seen) {
  Json now = Json::object({{"total", seen.seen_total()}});
  if (!seen.part.is_null()) now.set("part", seen.part);
  add_best(now, seen);
  if (seen.delayed) return now.set("settled", seen.rounds).set("open", seen.open);
  return now.set("next", seen.decision);
}

std::optional<Interval> promise_used(const Published& seen) {
  if (!seen.bound || !seen.bound->certain || !seen.bound->regret) return std::nullopt;
  const double limit = *seen.bound->certain;
  if (!(limit > 0)) return std::nullopt;
  const auto share = [&](double regret) {
    // As in reports, where a bound holds that is missed by rounding alone.
    return regret > limit && regret <= limit + tie_window(seen.total) ? 1.0 : regret / limit;
  };
  return Interval{share(seen.bound->regret->lo), share(seen.bound->regret->hi)};
}

bool is_beyond_promise(const Published& seen) {
  const auto used = promise_used(seen);
  return used && used->lo > 1;
}

Json words_json(const Entry& entry) {
  const PageWords words = page_words(entry.config().problem_kind, entry.config().problem_params);
  return Json::object({{"title", words.title}, {"thing", words.thing}, {"round", words.round}});
}

Json part_json(const Entry& entry, const Published& seen) {
  Json part = seen.part;
  const auto scale = money_scale(entry);
  return part.set(
      "money",
      scale ? Json::object({{"currency", scale->currency}, {"reward", scale->reward}, {"unit", scale->unit}}) : Json());
}

void add_figures(Json& answer, const Entry& entry, const Published& seen) {
  Json promise;
  if (seen.bound) {
    const auto used = promise_used(seen);
    promise = Json::object({{"round", seen.bound->round},
                            {"expected", seen.bound->expected},
                            {"certain", seen.bound->certain},
                            {"mean", seen.bound->mean},
                            {"used", used ? Json(used->lo) : Json()},
                            {"used_range", range_or_null(used)}});
  }
  answer.set("promise", std::move(promise));
  const auto scale = money_scale(entry);
  answer.set("gain", gain_json(seen, scale ? scale->unit : entry.problem().game().normaliser()));
  answer.set("judgement", seen.judged);
  Json money;
  if (scale && seen.part.is_null()) {
    // The ledger of a portfolio leaves out what was rehearsed.
    const auto rounds =
        seen.portfolio.is_null() ? static_cast<double>(seen.rounds) : seen.portfolio.at("played").as_number();
    money = Json::object({{"currency", scale->currency},
                          {"reward", scale->reward},
                          {"unit", scale->unit},
                          {"total", scale->of(seen.total, rounds)},
                          {"best", seen.best ? Json(scale->of(*seen.best, rounds)) : Json()},
                          {"best_range", best_in_money(seen, *scale)},
                          {"without", seen.without ? Json(scale->of(seen.without->total, rounds)) : Json()}});
  }
  if (scale && !seen.portfolio.is_null()) {
    const double played = seen.portfolio.at("played").as_number();
    money.set("today", scale->of(seen.portfolio.at("today_total").as_number(), played));
  }
  answer.set("money", std::move(money));
  if (!seen.portfolio.is_null()) answer.set("portfolio", seen.portfolio);
}

}  // namespace hannan::detail::service
