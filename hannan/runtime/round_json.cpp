// A field is left out where the learner has no such thing, or where it is shown only if known; otherwise what is not
// known is null. Linear in what is written; actions and outcomes become JSON here and nowhere before, so a round that
// is not written costs none.
#include "hannan/runtime/round_json.hpp"

#include <cmath>
#include <utility>

namespace hannan::detail {
namespace {

template <class Items, class Write>
Json list_of(const Items& items, const Write& write) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(write(item));
  return list;
}

bool is_there(const RoundSetting& of, RoundField::When when) {
  switch (when) {
    case RoundField::When::kAlways:
    case RoundField::When::kKnown:
      return true;
    case RoundField::When::kSwitches:
      return of.switches;
    case RoundField::When::kCertified:
      return of.certifies_run;
    case RoundField::When::kGapRecorded:
      return of.records_gap;
  }
  return true;
}

}  // namespace

namespace round_fields {

Value after_of(const Round& round) {
  return {round.after ? round.of->game->action_json(*round.after) : Json(), round.after != nullptr};
}

Value stability_of(const Round& round) {
  const auto& [parts, value] = round.stability;
  if (parts == 0) return {{}, false};
  if (parts == 1) return value[0];
  return Json::array({Json(value[0]), Json(value[1])});
}

std::optional<double> seen_loss(const Round& round) {
  if (round.elements) return round.loss / round.of->game->normaliser();
  if (!round.looked) return round.loss;
  return round.outcome ? std::optional(round.of->game->loss(*round.action, *round.outcome)) : std::nullopt;
}

Value estimates_of(const Round& round) {
  if (!round.estimates) return {{}, false};
  return Json::object({{"leader", round.estimates->leader}, {"gftpl", round.estimates->gftpl}});
}

Value discounted_of(const Round& round) {
  if (!round.discounted) return {{}, false};
  const auto& [total, best] = *round.discounted;
  return Json::object({{"total", total}, {"best", best}, {"regret", best ? Json(total - *best) : Json()}});
}

Value segment_of(const Round& round) {
  if (!round.segment) return {{}, false};
  return Json(round.of->tree->path_of(*round.segment));
}

Value order_of(const Round& round) {
  if (!round.segment || round.of->tree->trees() == 1) return {{}, false};
  const auto& segment = round.of->tree->at(*round.segment);
  if (segment.depth == 0) return {{}, false};
  return segment.tree + 1;
}

Value opened_of(const Round& round) {
  return list_of(round.opened, [&](SegmentTree::Id id) { return Json(round.of->tree->path_of(id)); });
}

Value losses_of_nodes(const Round& round) {
  return list_of(round.nodes(), [](const Round& node) { return Json(node.loss); });
}

Value stabilities_of_nodes(const Round& round) {
  return list_of(round.nodes(), [](const Round& node) { return stability_of(node).json; });
}

// The actions of all strategies; null: it sleeps, or there is none of ours (logged).
Value proposals_of(const Round& round) {
  return list_of(round.strategies, [&](const StrategyRound& strategy) {
    return strategy.action ? round.of->game->action_json(*strategy.action) : strategy.other;
  });
}

namespace {

constexpr RoundField kInnerPlayed[] = {kAction,    kRate,    known(kRegime),    kLoss,
                                       kBest,      kAfter,   known(kStability), shown(kGap, When::kGapRecorded),
                                       kEstimates, kSwitched};
constexpr RoundField kInnerNode[] = {kAction, kRate, known(kRegime), kAfter, known(kStability), kEstimates};
constexpr RoundField kInnerByContext[] = {nodes(kInnerNode), kWeights, kPick, kLoss, kRealised};

}  // namespace

// A line of the learner's own record without its number, context and outcome, which are those of the round.
Value inner_of(const Round& round) {
  Json list = Json::array();
  for (const StrategyRound& strategy : round.strategies) {
    if (!strategy.inner) continue;
    const Round& inner = *strategy.inner;
    list.push_back(round_json(inner, inner.nodes().empty() ? RoundFields(kInnerPlayed) : kInnerByContext));
  }
  const bool some = list.size() > 0;
  return {std::move(list), some};
}

Value losses_of_strategies(const Round& round) {
  return list_of(round.strategies, [](const StrategyRound& strategy) {
    return std::isnan(strategy.loss) ? Json() : Json(strategy.loss);
  });
}

Value today_loss_of(const Round& round) {
  return {Json::object({{"today", round.today_loss}}), round.today_loss.has_value()};
}

}  // namespace round_fields

Json round_json(const Round& round, RoundFields fields, Json::Object before) {
  Json::Object& all = before;
  all.reserve(all.size() + fields.size());
  for (const RoundField& field : fields) {
    if (!is_there(*round.of, field.when)) continue;
    if (!field.value) {
      all.emplace_back(field.name,
                       list_of(round.nodes(), [&](const Round& node) { return round_json(node, field.of_nodes); }));
      continue;
    }
    auto [json, known] = field.value(round);
    if (field.when == RoundField::When::kKnown && !known) continue;
    const auto rate = round.of->adapts_multiplier ? "multiplier" : "eta";
    all.emplace_back(field.name.empty() ? rate : field.name, std::move(json));
  }
  return Json::of_fields(std::move(all));
}

}  // namespace hannan::detail
