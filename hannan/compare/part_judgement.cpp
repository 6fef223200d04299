#include "hannan/compare/part_judgement.hpp"

#include "hannan/core/error.hpp"

namespace hannan::detail {

Json PartJudgement::json() const {
  const auto end = [](double value) { return value > kExtended.lo && value < kExtended.hi ? Json(value) : Json(); };
  return Json::object({{"recommendation", recommendation_name(judged.advice)},
                       {"reason", judged.reason},
                       {"gain", judged.gain},
                       {"low", end(judged.anytime.lo)},
                       {"high", end(judged.anytime.hi)},
                       {"sentence", sentence}});
}

// The baseline's own loss is estimated as own_estimate + look_cost - against.estimate.
PartJudgement judge_part(const PartPlayer& of) {
  const Json* list = of.report.find("against");
  if (!list || !list->is_array() || list->size() == 0)
    throw Error(Code::kMissingField, "found no action to judge against, expected a look that is one, or against",
                "params.against");
  const Json& row = (*list)[0];
  const double unit = of.game.normaliser(), estimate = row.at("estimate").as_number();
  const bool reward = of.game.form() == Form::kReward;
  const auto low = row.find_number("low"), high = row.find_number("high");
  const auto rounds = of.report.at("rounds").as_number();
  const double zero = of.game.loss_range() == LossRange::kUnitInterval ? rounds : 0.0;
  const double lost =
      of.report.find_number("own_estimate").value_or(0) + of.report.find_number("look_cost").value_or(0) - estimate;
  const double baseline = unit * (reward ? zero - lost : lost);
  std::optional<double> most;
  if (low && high) most = unit * of.game.known_range().value_or(1);
  PartJudgement found;
  found.judged = judge_range({.gain = -unit * estimate,
                              .range = low && high ? Interval{-unit * *high, -unit * *low} : kExtended,
                              .offers = static_cast<std::size_t>(rounds)},
                             {.doubts = {.log = doubts_of_log(Json()), .best = BestRange::exact(), .most = most},
                              .baseline = baseline,
                              .delta = of.report.at("delta").as_number(),
                              .most_gains = {},
                              .most_fixed = {},
                              .money = {},
                              .relative = {}});
  found.sentence = sentence(found.judged, {.player = of.label,
                                           .baseline = dump(row.at("action")),
                                           .money = baseline,
                                           .currency = of.currency,
                                           .reward = reward});
  return found;
}

}  // namespace hannan::detail
