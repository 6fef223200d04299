// What a learner is held against while it runs: no reserve prices, counted round by round, and bounds of its
// certificate at rounds that grow by 3 %. Both are part of a snapshot, so replay does not compute bounds again. Where
// the sums were not counted from the first round (a state from elsewhere, delayed outcomes) they stay unknown and are
// never guessed.
#include "service/baselines.hpp"

#include <string>

#include "hannan/core/error.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/fields.hpp"
#include "service/json_values.hpp"

namespace hannan::detail::service {
namespace {

constexpr double kNextBound = 1.03;  // 78 bounds for ten times as many rounds

}  // namespace

// Empty where the problem has no reserves to leave out, or its raw values are losses.
std::function<double(const AnyOutcome&)> loss_without_reserves(const AnyProblem& problem) {
  if (problem.game().form() != Form::kReward) return {};
  const auto money = problem.game().money();
  return money ? money->unasked : std::function<double(const AnyOutcome&)>();
}

Baselines::Baselines(const AnyProblem& problem) : loss_without_(loss_without_reserves(problem)) {
  if (!loss_without_) return;
  without_.emplace();
  stretches_.emplace();
}

// A bound costs a look at the learner's certificate, so it is taken at rounds that grow by 3 %: O(log T) bounds over a
// run.
Baselines::Look Baselines::add(const AnyOutcome& outcome, const Seen& seen, AnyLearner& learner) {
  if (without_ && !seen.rehearsed) {
    const double loss = loss_without_(outcome), gain = loss - seen.loss;
    without_->total += loss;
    without_->gain += gain;
    without_->squares += gain * gain;
    if (stretches_) stretches_->add(gain);
  }
  const std::uint64_t round = learner.rounds();
  const auto due = bounds_.empty() ? 1 : kNextBound * static_cast<double>(bounds_.back().round);
  if (!seen.regret || static_cast<double>(round) < due) return Look::kNone;
  try {
    const auto stated = learner.bound();
    const bool mean = stated && stated->of == StatedBound::Of::kMean;
    const auto value = stated ? std::optional(stated->value) : std::nullopt;
    bounds_.push_back({.round = round,
                       .expected = learner.setting().certifies_run ? learner.run_view().run : std::nullopt,
                       .certain = mean ? std::nullopt : value,
                       .mean = mean ? value : std::nullopt,
                       .regret = seen.regret});
  } catch (const Error&) {
    return Look::kNone;  // no certificate at this round: the chart goes without it
  }
  return Look::kTaken;
}

std::optional<Baselines::Bound> Baselines::last() const {
  if (bounds_.empty()) return std::nullopt;
  return bounds_.back();
}

Json Baselines::json() const {
  Json rounds = Json::array(), expected = Json::array(), certain = Json::array(), mean = Json::array(),
       regret = Json::array();
  for (const Bound& one : bounds_) {
    rounds.push_back(one.round);
    expected.push_back(one.expected);
    certain.push_back(one.certain);
    mean.push_back(one.mean);
    regret.push_back(range_or_null(one.regret));
  }
  Json sums;
  if (without_)
    sums = Json::object({{"total", without_->total},
                         {"gain", without_->gain},
                         {"squares", without_->squares},
                         {"stretches", stretches_ ? stretches_->json() : Json()}});
  return Json::object({{"bounds", Json::object({{"rounds", std::move(rounds)},
                                                {"expected", std::move(expected)},
                                                {"certain", std::move(certain)},
                                                {"mean", std::move(mean)},
                                                {"regret_range", std::move(regret)}})},
                       {"without", std::move(sums)}});
}

// What load() reads as "not counted".
Json Baselines::unknown() {
  const Json none = Json::array();
  return Json::object(
      {{"bounds",
        Json::object(
            {{"rounds", none}, {"expected", none}, {"certain", none}, {"mean", none}, {"regret_range", none}})},
       {"without", Json()}});
}

// All lists of one length; what an earlier version saved differently is dropped rather than misread.
void Baselines::load(const Json& json, std::string_view path) {
  Fields in(json, std::string(path));
  Fields bounds = in.fields("bounds");
  const auto rounds = bounds.integers("rounds", kNatural);
  const auto& expected = bounds.list("expected");
  const auto& certain = bounds.list("certain");
  // States up to version 0.3 have no such lists, and what they call expected may be either of two things: it is
  // dropped.
  const bool earlier = !bounds.has("mean");
  const Json::Array none(rounds.size());
  const auto& mean = earlier ? none : bounds.list("mean");
  const auto& regret = earlier ? none : bounds.list("regret_range");
  bounds.done();
  const Json& sums = in.need("without");
  in.done();
  for (const Json::Array* list : {&expected, &certain, &mean, &regret}) {
    if (list->size() != rounds.size())
      throw Error(Code::kBadState, "found lists of other lengths, expected all of one length", std::string(path));
  }
  const auto value = [&](const Json& one) -> std::optional<double> {
    if (one.is_null()) return std::nullopt;
    return to_number(one, path);
  };
  bounds_.clear();
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    bounds_.push_back({.round = static_cast<std::uint64_t>(rounds[i]),
                       .expected = earlier ? std::nullopt : value(expected[i]),
                       .certain = value(certain[i]),
                       .mean = value(mean[i]),
                       .regret = to_range(regret[i], path)});
  }
  without_.reset();  // where it was not counted from the start it stays unknown
  stretches_.reset();
  if (sums.is_null() || !loss_without_) return;
  Fields of(sums, in.at("without"));
  without_ = {.total = of.number("total"), .gain = of.number("gain"), .squares = of.number("squares")};
  if (const Json* stretches = of.maybe("stretches"); stretches && !stretches->is_null())
    stretches_ = GainStretches::of(*stretches, of.at("stretches"));
  of.done();
}

}  // namespace hannan::detail::service
