#include "hannan/verify/rules.hpp"

#include <algorithm>
#include <cmath>

namespace hannan::detail {
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

std::optional<double> RoundRule::checked_gap(const RecordedRound& round, std::optional<double> expected) const {
  if (!round.has_gap) return std::nullopt;
  if (!round.gap) claims().reject("gap", "found null, expected a number");
  if (expected) claims().expect_of_oracle("gap", *round.gap, std::max(*expected, 0.0));
  if (!expected) ++claims().taken_over().gaps;
  // What an oracle with a work limit found first may be worse by more than a round can cost.
  const double most = most_gap();
  if (!(*round.gap >= 0 && (!setting().exact || *round.gap <= most || agree(*round.gap, most, claims().precision()))))
    claims().reject("gap", "found " + number_text(*round.gap) + ", expected a number in [0," + number_text(most) + "]");
  return round.gap;
}

double RoundRule::most_gap() const { return recomputed().largest_loss(); }

void RoundRule::expect_no_eta(const RecordedRound& round) const {
  if (round.eta) claims().reject("eta", "found " + number_text(*round.eta) + ", expected null: there is no rate here");
}

void RoundRule::expect_small_loss(const RecordedRound& round, std::optional<double> best, std::uint64_t rounds) const {
  const RecordedSetting& s = setting();
  if (!round.eta) claims().reject("eta", "found null, expected a number");
  const double widening = s.noise.p > 1 && s.columns > 0 ? std::pow(s.columns, 1 - 1 / s.noise.p) : 1;
  const auto rate = [&](double loss) {
    const double eta = s.c * widening / std::sqrt(loss + 1);
    return *s.gamma > 0 ? std::min(eta, 1 / *s.gamma) : eta;
  };
  if (best) {
    claims().expect_of_oracle("eta", *round.eta, rate(*best));
  } else {
    ++claims().taken_over().rates;
  }
  // What an oracle found lies between L* and the number of rounds behind it.
  const double least = rate(static_cast<double>(rounds)), most = rate(list().listed() ? best.value_or(0) : 0.0);
  if (*round.eta < least * (1 - 1e-9)) claims().expect("eta", *round.eta, least);
  if (*round.eta > most * (1 + 1e-9)) claims().expect("eta", *round.eta, most);
}

bool RoundRule::switches(const RecordedRound& round, double value, double limit) const {
  const double slack = recomputed().slack(value);
  if (!round.switched) return value > limit + slack;
  const bool must = value > limit + 2 * slack;
  const bool must_not = value <= limit + slack / 2;
  if ((must && !*round.switched) || (must_not && *round.switched)) {
    claims().reject("switched", std::string("found ") + (*round.switched ? "true" : "false") + ", but " +
                                    number_text(value) + (must ? " is above " : " is not above ") + number_text(limit));
  }
  return *round.switched;
}

namespace {

class LeaderRule final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    expect_no_eta(round);
    expect_leader({round.action, round.index, "action"}, recomputed());
  }
  std::uint64_t oracle_calls() const override { return played(); }
};

class GftplRule final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    expect_small_loss(round, round.best_before, recomputed().rounds());
    expect_perturbed({round.action, round.index, "action"}, {recomputed(), round.t, 1 / *round.eta});
  }
  void observed(const RecordedRound& round) override {
    if (!round.has_gap) return;
    if (setting().certificate != "run") {
      if (round.gap) claims().reject("gap", "found " + number_text(*round.gap) + ", expected null: it is not computed");
      return;
    }
    claims().may_leave(recomputed().largest_loss());  // the call for x' has this outcome more than that for x
    checked_gap(round, above_best({round.action, round.index, "action"}, {recomputed(), round.t, 1 / *round.eta}));
  }
  // x_t and L*, which is 0 before the first outcome without asking.
  std::uint64_t oracle_calls() const override { return 2 * played() - (played() > 0 && input().watched == 0 ? 1 : 0); }
};

// uniform-gftpl and fake-data: noise of a fixed size, no rate.
class ClassicalRule final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    expect_no_eta(round);
    expect_perturbed({round.action, round.index, "action"}, {recomputed(), round.t, 1});
  }
  std::uint64_t oracle_calls() const override { return recomputed().rounds(); }
};

// eps_t = min{1, sqrt(ln K / (L*_{t-1} + 1))}, x_t = argmin L_k - q_k / eps_t.
class FplRule final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    if (!round.eta) claims().reject("eta", "found null, expected a number");
    claims().expect("eta", *round.eta, std::min(1.0, std::sqrt(setting().ln_size / (*round.best_before + 1))));
    // eta = 0 only where there is one action.
    const double scale = *round.eta > 0 ? -1 / *round.eta : 0.0;
    expect_perturbed({round.action, round.index, "action"}, {recomputed(), round.t, scale});
  }
  std::uint64_t oracle_calls() const override { return 0; }
};

}  // namespace

std::unique_ptr<RoundRule> make_leader_rule(const RuleInput& in) { return std::make_unique<LeaderRule>(in); }
std::unique_ptr<RoundRule> make_gftpl_rule(const RuleInput& in) { return std::make_unique<GftplRule>(in); }
std::unique_ptr<RoundRule> make_classical_rule(const RuleInput& in) { return std::make_unique<ClassicalRule>(in); }
std::unique_ptr<RoundRule> make_fpl_rule(const RuleInput& in) { return std::make_unique<FplRule>(in); }

}  // namespace hannan::detail
