// Holds a recorded choice against all listed actions, or against what a new search finds, and the values that follow
// from choices: rates, gaps between two choices, switches. A round costs a pass over the listed actions for each
// choice, or a search while the work lasts (search_budget.hpp).
#include "hannan/verify/round_rule.hpp"

#include <algorithm>
#include <cmath>

namespace hannan::detail {

void RoundRule::read(Fields& in) {
  eta_.reset();
  if (!in.need("eta").is_null()) eta_ = in.number("eta", {0, kExtended.hi});
}

// At least as good as every action, and the smallest of the best.
template <class Values>
void RoundRule::judge(const Choice& choice, const Judged& rule, const Values& at) const {
  const auto facts = facts_of_choice(list().size(), *choice.index, at, rule.unit);
  ++claims().choices().listed;
  if (!facts.best) ++claims().choices().above;
  if (facts.best && !facts.smallest) ++claims().choices().larger;
  if (choice.counted && !facts.best) claims().fell_short(facts.above);
  // A program of the user's own need not know which of two equal actions is the smaller.
  if (facts.best && (facts.smallest || setting().external)) return;
  const std::size_t expected = smallest_minimiser_of(list().size(), at, rule.unit);
  claims().suspect(choice.field, "found " + dump(choice.action) + ", expected the " + rule.name + ", " +
                                     dump(list().action(expected)) +
                                     (facts.best ? ", which is as good and smaller" : ""));
}

void RoundRule::expect_leader(const Choice& choice, const RecomputedTotals& on) const {
  expect_perturbed(choice, {.on = on, .t = std::max<std::uint64_t>(on.rounds(), 1), .scale = 0});
}

// An oracle answers with an action and a floor below which there is none: both lie within what the losses of the
// outcomes and the noise can add up to, so that a call leaves at most their spread unproven.
void RoundRule::expect_perturbed(const Choice& choice, const Objective& at) const {
  if (choice.asked && !setting().exact) {
    const double noisy = at.scale == 0 ? 0.0 : std::abs(at.scale) * noise().span(at.t);
    claims().may_leave(static_cast<double>(at.on.rounds()) * at.on.largest_loss() + noisy);
  }
  hold(choice, at);
}

void RoundRule::hold(const Choice& choice, const Objective& at) const {
  if (choice.index && at.scale == 0) {
    judge(choice, {"leader", at.on.unit()}, [totals = at.on.totals().data()](std::size_t k) { return totals[k]; });
  } else if (choice.index && noise().of_all_actions()) {
    const auto value = [totals = at.on.totals().data(), noise = noise().on_actions(at.t).data(),
                        scale = at.scale](std::size_t k) { return totals[k] + scale * noise[k]; };
    judge(choice, {"perturbed leader", at.on.unit()}, value);
  } else if (at.on.looks(at.t)) {
    expect_searched(choice, at);
  } else {
    ++claims().choices().skipped;
  }
}

double RoundRule::value_of(const AnyAction& x, const Objective& at) const {
  const double total = at.on.total_of(x);
  return at.scale == 0 ? total : total + at.scale * noise().on_action(x, noise().numbers(at.t));
}

// The search is one more oracle, and not trusted: what it finds is valued here.
void RoundRule::expect_searched(const Choice& choice, const Objective& at) const {
  ChoiceCounts& counts = claims().choices();
  const auto alpha = at.scale == 0 ? std::span<const double>() : noise().numbers(at.t);
  const auto found = noise().search(at.on, at.scale, alpha);
  ++(!found ? counts.skipped : found->proven ? counts.proven : counts.unproven);
  if (!found) return;
  const Game& game = *setting().problem;
  const AnyAction chosen = game.parse_action(choice.action, choice.field);
  if (chosen == found->action) return;
  const double ours = value_of(found->action, at), theirs = value_of(chosen, at);
  const bool worse = theirs > ours + 2 * at.on.slack(ours);
  if (worse) ++counts.above;
  if (worse && choice.counted) claims().fell_short(theirs - ours);
  const bool second = found->action < chosen && ours <= theirs && !setting().external;
  if (!worse && !second) return;
  claims().suspect(choice.field,
                   "found " + dump(choice.action) + ", expected the " + (at.scale == 0 ? "" : "perturbed ") +
                       "leader; " + dump(game.action_json(found->action)) +
                       (worse ? " is better by " + number_text(theirs - ours) : " is as good and smaller"));
}

std::optional<double> RoundRule::above(const Choice& first, const Choice& second, const Objective& at) const {
  if (first.index && second.index && (at.scale == 0 || noise().of_all_actions())) {
    const auto totals = at.on.totals();
    double difference = totals[*first.index] - totals[*second.index];
    if (at.scale == 0) return difference;
    const auto on_actions = noise().on_actions(at.t);
    return difference + at.scale * (on_actions[*first.index] - on_actions[*second.index]);
  }
  if (!at.on.looks(at.t)) return std::nullopt;
  const Game& game = *setting().problem;
  at.on.searched(0);
  return value_of(game.parse_action(first.action, first.field), at) -
         value_of(game.parse_action(second.action, second.field), at);
}

std::optional<double> RoundRule::above_best(const Choice& choice, const Objective& at) const {
  if (choice.index && noise().of_all_actions()) {
    const auto value = [totals = at.on.totals().data(), noise = noise().on_actions(at.t).data(),
                        scale = at.scale](std::size_t k) { return totals[k] + scale * noise[k]; };
    return value(*choice.index) - least_value_of(list().size(), value);
  }
  if (!at.on.looks(at.t)) return std::nullopt;
  const auto found = noise().search(at.on, at.scale, noise().numbers(at.t));
  if (!found || !found->proven) return std::nullopt;
  const AnyAction chosen = setting().problem->parse_action(choice.action, choice.field);
  return value_of(chosen, at) - value_of(found->action, at);
}

RoundRule::ScoredAction RoundRule::scored_action(const Json& action, const char* field,
                                                 const AnyOutcome& outcome) const {
  const auto index = place_of(list(), action, field, claims());
  const Game& game = *setting().problem;
  return {index, game.loss(game.parse_action(action, field), outcome)};
}

void RoundRule::expect_no_eta() const {
  if (eta_) claims().reject("eta", "found " + number_text(*eta_) + ", expected null: there is no rate here");
}

void RoundRule::expect_regime(const std::string& found, std::string_view expected) const {
  if (found != expected)
    claims().reject("regime", "found \"" + found + "\", expected \"" + std::string(expected) + "\"");
}

void RoundRule::expect_small_loss(const SmallLoss& at) const {
  const RecordedNoise& noise = setting().noise;
  if (!eta_) claims().reject("eta", "found null, expected a number");
  const double widening = noise.p > 1 && noise.columns > 0 ? std::pow(noise.columns, 1 - 1 / noise.p) : 1;
  const auto rate = [&](double loss) {
    const double eta = at.c * widening / std::sqrt(loss + 1);
    return *noise.gamma > 0 ? std::min(eta, 1 / *noise.gamma) : eta;
  };
  if (at.best) {
    claims().expect_of_oracle("eta", *eta_, rate(*at.best));
  } else {
    ++claims().taken_over().rates;
  }
  // What an oracle found lies between L* and the number of rounds behind it.
  const double least = rate(static_cast<double>(at.rounds)), most = rate(list().listed() ? at.best.value_or(0) : 0.0);
  if (*eta_ < least * (1 - 1e-9)) claims().expect("eta", *eta_, least);
  if (*eta_ > most * (1 + 1e-9)) claims().expect("eta", *eta_, most);
}

bool RoundRule::switches(std::optional<bool> recorded, double value, double limit) const {
  const double slack = recomputed().slack(value);
  if (!recorded) return value > limit + slack;
  const bool must = value > limit + 2 * slack;
  const bool must_not = value <= limit + slack / 2;
  if ((must && !*recorded) || (must_not && *recorded)) {
    claims().reject("switched", std::string("found ") + (*recorded ? "true" : "false") + ", but " + number_text(value) +
                                    (must ? " is above " : " is not above ") + number_text(limit));
  }
  return *recorded;
}

}  // namespace hannan::detail
