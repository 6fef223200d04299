#include "hannan/verify/rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hannan::detail {

// At least as good as every action, and the smallest of the best.
template <class Values>
void RoundRule::judge(const Choice& choice, const Judged& rule, const Values& at) const {
  const auto facts = facts_of_choice(list().size(), *choice.index, at, rule.unit);
  if (choice.counted && !facts.best) claims().fell_short(facts.above);
  // A program of the user's own need not know which of two equal actions is the smaller.
  if (facts.best && (facts.smallest || setting().external)) return;
  const std::size_t expected = smallest_minimiser_of(list().size(), at, rule.unit);
  claims().suspect(choice.field, "found " + dump(choice.action) + ", expected the " + rule.name + ", " +
                                     dump(list().action(expected)) +
                                     (facts.best ? ", which is as good and smaller" : ""));
}

void RoundRule::expect_leader(const Choice& choice, const RecomputedTotals& on) const {
  if (choice.index) {
    judge(choice, {"leader", on.unit()}, [totals = on.totals().data()](std::size_t k) { return totals[k]; });
  } else if (on.rounds() == 0 || std::has_single_bit(on.rounds())) {
    expect_searched(choice, {.on = on});
  }
}

void RoundRule::expect_perturbed(const Choice& choice, const Objective& at) const {
  if (at.scale == 0 && (choice.index || !std::has_single_bit(at.t))) return expect_leader(choice, at.on);
  if (choice.index && noise().of_all_actions()) {
    const auto value = [totals = at.on.totals().data(), noise = noise().on_actions(at.t).data(),
                        scale = at.scale](std::size_t k) { return totals[k] + scale * noise[k]; };
    judge(choice, {"perturbed leader", at.on.unit()}, value);
  } else if (std::has_single_bit(at.t)) {
    expect_searched(choice, at);
  }
}

// The search is one more oracle, and not trusted: what it finds is valued here.
void RoundRule::expect_searched(const Choice& choice, const Objective& at) const {
  const auto alpha = at.scale == 0 ? std::span<const double>() : noise().numbers(at.t);
  const auto found = noise().search(at.on, at.scale, alpha);
  if (!found) return;
  const Game& game = *setting().problem;
  const AnyAction chosen = game.parse_action(choice.action, choice.field);
  if (chosen == *found) return;
  const auto value = [&](const AnyAction& x) {
    return at.on.total_of(x) + (at.scale == 0 ? 0.0 : at.scale * noise().on_action(x, alpha));
  };
  const double ours = value(*found), theirs = value(chosen);
  const bool worse = theirs > ours + 2 * at.on.slack(ours);
  if (worse && choice.counted) claims().fell_short(theirs - ours);
  const bool second = *found < chosen && ours <= theirs && !setting().external;
  if (!worse && !second) return;
  claims().suspect(choice.field,
                   "found " + dump(choice.action) + ", expected the " + (at.scale == 0 ? "" : "perturbed ") +
                       "leader; " + dump(game.action_json(*found)) +
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
  if (!std::has_single_bit(at.t)) return std::nullopt;
  const Game& game = *setting().problem;
  const AnyAction x = game.parse_action(first.action, first.field), z = game.parse_action(second.action, second.field);
  double difference = at.on.total_of(x) - at.on.total_of(z);
  if (at.scale == 0) return difference;
  const auto alpha = noise().numbers(at.t);
  return difference + at.scale * (noise().on_action(x, alpha) - noise().on_action(z, alpha));
}

std::optional<double> RoundRule::above_best(const Choice& choice, const Objective& at) const {
  if (!choice.index || !noise().of_all_actions()) return std::nullopt;
  const auto value = [totals = at.on.totals().data(), noise = noise().on_actions(at.t).data(),
                      scale = at.scale](std::size_t k) { return totals[k] + scale * noise[k]; };
  return value(*choice.index) - least_value_of(list().size(), value);
}

std::optional<double> RoundRule::checked_gap(const RecordedRound& round, std::optional<double> expected) const {
  if (!round.has_gap) return std::nullopt;
  if (!round.gap) claims().reject("gap", "found null, expected a number");
  if (expected) claims().expect_of_oracle("gap", *round.gap, std::max(*expected, 0.0));
  // What an oracle with a work limit found first may be worse by more than a round can cost.
  const double most = most_gap();
  if (!(*round.gap >= 0 && (!setting().exact || *round.gap <= most || agree(*round.gap, most, claims().precision()))))
    claims().reject("gap", "found " + number_text(*round.gap) + ", expected a number in [0," + number_text(most) + "]");
  return round.gap;
}

double RoundRule::most_gap() const { return setting().any_range ? recomputed().ranges().largest : 1.0; }

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
    // L* lies between 0 and the number of rounds behind it.
    const double least = rate(static_cast<double>(rounds));
    if (*round.eta < least * (1 - 1e-9)) claims().expect("eta", *round.eta, least);
    if (*round.eta > rate(0) * (1 + 1e-9)) claims().expect("eta", *round.eta, rate(0));
  }
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
  void observed(const RecordedRound& round) override {
    std::optional<double> gap;
    if (round.best_before && round.best_after) gap = round.action_loss - (*round.best_after - *round.best_before);
    checked_gap(round, gap);
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
