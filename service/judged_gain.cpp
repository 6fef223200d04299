// What the service says of a learner's gain over no reserve prices: the same judgement as `hannan compare`
// (judge_sums), fed from sums and blocks instead of rounds, and written as JSON with its sentence. Made at the rounds
// at which bounds are taken, so its cost is spread thinly.
#include "service/judged_gain.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/compare/judged_players.hpp"
#include "hannan/compare/judgement.hpp"

namespace hannan::detail::service {

Json judged_gain(const GainToJudge& of) {
  const MoneyScale scale = money_scale(of.config, of.problem.game()).value_or(plain_scale(of.problem.game()));
  const auto rounds = static_cast<double>(of.stretches.rounds());
  GainSums sums{.rounds = static_cast<std::size_t>(of.stretches.rounds()),
                .gain = scale.unit * of.without.gain,
                .squares = scale.unit * scale.unit * of.without.squares,
                .blocks = of.stretches.blocks()};
  for (double& total : sums.blocks) total *= scale.unit;
  const double found = scale.of(of.best.found, rounds), floor = scale.of(of.best.found - of.best.unproven(), rounds);
  const double today = scale.of(of.without.total, rounds);
  const hannan::detail::MoneyScale in_money{.unit = of.config.in_money() ? 1 : of.config.cap.value_or(1),
                                            .doubts = doubts_of_log(Json())};
  const Judgement judged =
      judge_sums(sums, {.doubts = {.log = doubts_of_log(Json()),
                                   .best = BestRange{.money = {std::min(found, floor), std::max(found, floor)},
                                                     .currency = scale.currency},
                                   .most = largest_gain(of.problem, in_money)},
                        .baseline = today});
  const std::string says = sentence(judged, {.player = of.config.learner_kind,
                                             .baseline = "no reserve",
                                             .money = today,
                                             .currency = scale.currency,
                                             .reward = scale.reward});
  return Json::object({{"round", of.stretches.rounds()},
                       {"recommendation", recommendation_name(judged.advice)},
                       {"says", says},
                       {"reason", judged.reason},
                       {"doubts", doubts_json(stated(judged.doubts))},
                       {"gain", judged.gain},
                       {"range", judged.has_range() ? pair_of(judged.range()) : Json()}});
}

}  // namespace hannan::detail::service
