// The one function that writes a round: as a line of a record or of decisions, as an answer of the pipe or of the
// service. Who writes one lists the fields that it shows, in order: kLoss, known(kRegime), named(kNumber, "t").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "hannan/io/json.hpp"
#include "hannan/runtime/round.hpp"

namespace hannan::detail {

struct RoundField {
  struct Value {
    Value(Json value, bool is_known = true) : json(std::move(value)), known(is_known) {}
    template <class T>
      requires std::convertible_to<T, Json>
    Value(T value) : Value(Json(std::move(value))) {}
    Value(const std::optional<double>& value) : Value(Json(value), value.has_value()) {}
    Json json;
    bool known;
  };
  // Whether it is there at all; a field that is there and not known is null.
  enum class When : std::uint8_t { kAlways, kKnown, kSwitches, kCertified, kGapRecorded };

  std::string_view name;  // empty: "multiplier" or "eta", whichever the learner has
  Value (*value)(const Round&) = nullptr;
  When when = When::kAlways;
  std::span<const RoundField> of_nodes;  // without a value: a list of these of every node
};
using RoundFields = std::span<const RoundField>;

// An object of these fields, behind those of `before`, whose names are others.
Json round_json(const Round& round, RoundFields fields, Json::Object before = {});

namespace round_fields {

using When = RoundField::When;
using Value = RoundField::Value;
constexpr RoundField shown(RoundField field, When when) { return {field.name, field.value, when, field.of_nodes}; }
constexpr RoundField known(RoundField field) { return shown(field, When::kKnown); }
constexpr RoundField named(RoundField field, std::string_view name) {
  return {name, field.value, field.when, field.of_nodes};
}

Value after_of(const Round& round);
Value stability_of(const Round& round);  // a number, flip and flop, or null
Value estimates_of(const Round& round);
Value discounted_of(const Round& round);
Value segment_of(const Round& round);  // the values of its path
Value order_of(const Round& round);    // of columns, from 1; known where there are several and the segment is in one
Value opened_of(const Round& round);
Value losses_of_nodes(const Round& round);
Value stabilities_of_nodes(const Round& round);
Value proposals_of(const Round& round);
Value inner_of(const Round& round);  // of each learner of a portfolio, what its own record has
Value losses_of_strategies(const Round& round);
Value today_loss_of(const Round& round);  // {"today": loss}, where it was told

inline constexpr RoundField kWarm{"warm", [](const Round& r) -> Value { return {Json(true), r.rehearsed()}; },
                                  When::kKnown};
// The decision.
inline constexpr RoundField kNumber{"round", [](const Round& r) -> Value { return r.number; }};
inline constexpr RoundField kAction{"action", [](const Round& r) -> Value { return r.action_json(); }};
inline constexpr RoundField kRate{"", [](const Round& r) -> Value { return r.rate(); }};
inline constexpr RoundField kRegime{"regime", [](const Round& r) -> Value { return {r.regime, !r.regime.empty()}; }};
inline constexpr RoundField kWeights{
    "weights", [](const Round& r) -> Value { return {Json::array(r.weights), !r.weights.empty()}; }};
// What came of it.
inline constexpr RoundField kOutcome{
    "outcome", [](const Round& r) -> Value { return r.outcome ? r.of->game->outcome_json(*r.outcome) : Json(); }};
inline constexpr RoundField kLoss{"loss", [](const Round& r) -> Value { return r.loss; }};
inline constexpr RoundField kTotal{"total", [](const Round& r) -> Value { return r.total; }};
inline constexpr RoundField kBest{"best", [](const Round& r) -> Value { return r.best; }};
inline constexpr RoundField kRegret{"regret", [](const Round& r) -> Value { return r.regret; }};
inline constexpr RoundField kOracleCalls{"oracle_calls", [](const Round& r) -> Value { return r.oracle_calls; }};
inline constexpr RoundField kSwitched{"switched", [](const Round& r) -> Value { return r.switched; }, When::kSwitches};
inline constexpr RoundField kAfter{"after", after_of, When::kKnown};
inline constexpr RoundField kStability{"stability", stability_of};
inline constexpr RoundField kEstimates{"estimates", estimates_of, When::kKnown};
inline constexpr RoundField kGap{"gap", [](const Round& r) -> Value { return r.gap; }};
inline constexpr RoundField kRun{"run", [](const Round& r) -> Value { return r.run; }, When::kCertified};
inline constexpr RoundField kLimit{"limit", [](const Round& r) -> Value { return r.limit; }, When::kCertified};
inline constexpr RoundField kDiscounted{"discounted", discounted_of, When::kKnown};
// Late.
inline constexpr RoundField kSettled{"settled", [](const Round& r) -> Value { return r.settled; }};
inline constexpr RoundField kGaps{"gaps", [](const Round& r) -> Value { return Json::array(r.gaps); }};
// By context.
inline constexpr RoundField kContext{
    "context", [](const Round& r) -> Value { return {Json::array(r.context), !r.context.empty()}; }};
inline constexpr RoundField kSegment{"segment", segment_of, When::kKnown};
inline constexpr RoundField kDepth{"depth",
                                   [](const Round& r) -> Value {
                                     if (!r.segment) return {{}, false};
                                     return r.of->tree->at(*r.segment).depth;
                                   },
                                   When::kKnown};
inline constexpr RoundField kOrder{"order", order_of, When::kKnown};
inline constexpr RoundField kWeight{"weight", [](const Round& r) -> Value { return r.weight; }};
inline constexpr RoundField kPick{"pick", [](const Round& r) -> Value { return r.pick; }};
inline constexpr RoundField kRealised{"realised", [](const Round& r) -> Value { return r.realised; }};
inline constexpr RoundField kOpened{"opened", opened_of};
inline constexpr RoundField kOwn{"own", losses_of_nodes};
inline constexpr RoundField kStabilities{"stability", stabilities_of_nodes};
constexpr RoundField nodes(RoundFields of_nodes) { return {"nodes", nullptr, When::kAlways, of_nodes}; }
// Seen in part.
inline constexpr RoundField kLook{
    "look", [](const Round& r) -> Value { return r.looked->look ? Json(*r.looked->look) : Json(); }};
inline constexpr RoundField kChoice{"choice",
                                    [](const Round& r) -> Value { return r.of->game->action_json(*r.looked->choice); }};
inline constexpr RoundField kLookWeight{"weight", [](const Round& r) -> Value { return r.looked->weight; }};
inline constexpr RoundField kLooks{"looks", [](const Round& r) -> Value { return r.looked->looks; }};
inline constexpr RoundField kLost{"lost", [](const Round& r) -> Value { return r.looked->losses; }};
inline constexpr RoundField kLookCost{"look_cost", [](const Round& r) -> Value { return r.looked->cost; }};
inline constexpr RoundField kEstimate{"estimate", [](const Round& r) -> Value { return r.looked->estimate; }};
inline constexpr RoundField kOwnEstimate{"own_estimate", [](const Round& r) -> Value { return r.looked->own; }};
inline constexpr RoundField kBestEstimate{"best_estimate", [](const Round& r) -> Value { return r.looked->best; }};
inline constexpr RoundField kIsLost{"lost", [](const Round& r) -> Value { return {r.looked->lost, r.looked->lost}; }};
inline constexpr RoundField kRoundsAtOnce{
    "rounds", [](const Round& r) -> Value { return {r.looked->rounds, r.looked->rounds > 1}; }};
inline constexpr RoundField kRaw{"raw", [](const Round& r) -> Value { return r.looked->raw; }};
inline constexpr RoundField kDrawCap{"cap", [](const Round& r) -> Value { return r.elements->cap; }};
inline constexpr RoundField kSeenParts{
    "outcome", [](const Round& r) -> Value { return Json::object({{"seen", Json::array(r.elements->seen)}}); }};
inline constexpr RoundField kCopies{"copies", [](const Round& r) -> Value { return Json::array(r.elements->copies); }};
inline constexpr RoundField kCapped{"capped", [](const Round& r) -> Value { return r.elements->capped; }};
inline constexpr RoundField kNewDraws{"draws", [](const Round& r) -> Value { return r.elements->draws; }};
inline constexpr RoundField kMeasured{"measured", [](const Round& r) -> Value { return r.elements->measured; }};
// The loss of what was played, in losses of the problem; none where it was not seen.
std::optional<double> seen_loss(const Round& round);
inline constexpr RoundField kSeenLoss{"loss", [](const Round& r) -> Value { return seen_loss(r); }};
// What is not seen there.
inline constexpr RoundField kUnseenTotal{"total", [](const Round&) -> Value { return Json(); }};
// Asleep.
inline constexpr RoundField kRegrets{"regrets", [](const Round& r) -> Value { return Json::array(r.regrets); }};

// Of a portfolio; those of a played round are not known in a rehearsed one.
inline constexpr RoundField kHeld{"held", [](const Round& r) -> Value { return {r.held, r.held}; }};
inline constexpr RoundField kStrategy{"strategy", [](const Round& r) -> Value { return r.strategies[r.pick].name; }};
inline constexpr RoundField kShare{"share", [](const Round& r) -> Value { return r.share; }};
inline constexpr RoundField kProposals{"proposals", proposals_of};
inline constexpr RoundField kInner{"inner", inner_of, When::kKnown};
inline constexpr RoundField kTodayLoss{"losses", today_loss_of, When::kKnown};
inline constexpr RoundField kLosses{"losses", losses_of_strategies};
inline constexpr RoundField kPlayedPick{"pick", [](const Round& r) -> Value { return {r.pick, !r.rehearsed()}; },
                                        When::kKnown};
inline constexpr RoundField kPlayedLoss{"loss", [](const Round& r) -> Value { return {r.loss, !r.rehearsed()}; },
                                        When::kKnown};
inline constexpr RoundField kGain{"gain", [](const Round& r) -> Value { return r.gain; }};
inline constexpr RoundField kLow{"low", [](const Round& r) -> Value { return r.low; }};
inline constexpr RoundField kToday{"today", [](const Round& r) -> Value { return r.today; }};
inline constexpr RoundField kShareCost{"share_cost", [](const Round& r) -> Value { return r.share_cost; }};
inline constexpr RoundField kMixing{"mixing", [](const Round& r) -> Value { return Json::array(r.mixing); }};

}  // namespace round_fields
}  // namespace hannan::detail
