// The rule of ada for rounds that are decided by what has arrived, and settled once their outcome and all earlier ones
// are there (docs/theory-run.md, "Outcomes that come late"): z = S/M with S of the settled rounds alone. x'_s, the
// choice on the settled rounds 1..s, is not recorded: where actions are listed it is found again, and where several tie
// the gap must be that of one of them that may be chosen. Its bounds are measured, delayed and delayed_total. Cost of a
// round: two looks at all actions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "hannan/verify/adaptive_forms.hpp"
#include "hannan/verify/certificates.hpp"
#include "hannan/verify/end.hpp"

namespace hannan::detail {

// A round that was opened and is not settled.
struct OpenRound {
  Json action;
  std::optional<std::size_t> index;  // of the action, where actions are listed
  double multiplier = 0;
  std::uint64_t missing = 0;  // earlier outcomes when it was opened
  bool arrived = false;
  AnyOutcome outcome;
  double loss = 0;
};

class LateAdaRule final : public RoundRule {
 public:
  // The sums outlive the rule.
  LateAdaRule(const RuleInput& in, const DelaySums& delays) : RoundRule(in), delays_(delays) {}

  void read(Fields& in) override { multiplier_ = in.number("multiplier", kNonnegative); }
  void decided(const RecordedRound& round) override {
    const double size = *setting().noise.size;
    claims().expect("multiplier", multiplier_, size <= 0 ? 0.0 : stability_ / size);
    expect_perturbed(played_in(round), {recomputed(), round.t, multiplier_});
    ++calls_;
  }
  double multiplier() const { return multiplier_; }
  // An oracle is asked for x of every round and for x' of every settled one.
  std::uint64_t oracle_calls() const override { return calls_; }

  struct Settled {
    std::uint64_t t;
    const OpenRound& round;
    const RecomputedTotals& on;  // with the outcome of the round
    std::span<const double> losses;
  };
  // The gap of the round: the mix gap where no earlier outcome was missing, otherwise max(0, f(x,y) - f(x',y)).
  void settled(double found, const Settled& at) {
    ++calls_;
    if (!(found >= 0 && found <= 1))
      claims().reject("gaps", "found " + number_text(found) + ", expected a number in [0,1]");
    const bool late = at.round.missing > 0;
    // f(x',y) is not negative.
    if (late && found > at.round.loss && !agree(found, at.round.loss)) claims().expect("gaps", found, at.round.loss);
    if (at.round.index && list().listed() && (at.round.multiplier == 0 || noise().of_all_actions())) {
      late ? check_late(found, at) : check_mix(found, at);
    } else if (!late && at.on.looks(at.t)) {
      check_searched(found, at);
    } else {
      ++claims().taken_over().gaps;
    }
    stability_ += found;
    last_ = at.round.multiplier;
  }
  // S of the settled rounds; a recorded value that was held against it takes its place.
  double stability() const { return stability_; }
  void take_stability(double recorded) { stability_ = recorded; }

  // The closed forms hold once every round is settled, for Laplace noise on codes that single an action out.
  BoundsLater bounds() const override {
    return [&s = setting(), delays = delays_, stability = stability_, last = last_](const BoundFacts& f) {
      Bounds out;
      const RecordedNoise& noise = s.noise;
      if (!noise_is_fresh(noise) || !f.noise_size) return out;
      out.push_back({.name = "measured",
                     .value = stability + *f.noise_size * last,
                     .kind = ExpectedBound::Kind::kRun,
                     .known = f.gap == 0,
                     .least = true});
      const std::optional<double> gamma = noise.matrix ? noise.matrix->single_out() : std::nullopt;
      const bool laplace = !noise.alpha && noise.p == 1 && noise.symmetric;
      if (f.gap != 0 || delays.played != f.rounds || !laplace || !gamma || noise.size != f.noise_size) return out;
      forms::DelayTerms terms{.M = *f.noise_size,
                              .gamma = *gamma,
                              .missing = static_cast<double>(delays.missing),
                              .open = static_cast<double>(delays.open)};
      out.push_back({.name = "delayed", .value = forms::delayed(terms, f.best)});
      terms.missing = static_cast<double>(delays.missing_total);
      out.push_back({.name = "delayed_total", .value = forms::delayed_total(terms, static_cast<double>(f.rounds))});
      return out;
    };
  }
  void end(Fields& end, const BoundValues& values) const override {
    check_run_values(end, values, claims(), setting().certificates.delta);
  }

 private:
  // Of listed actions, under the noise of the round.
  auto values(const Settled& at) const {
    const double z = at.round.multiplier;
    const std::span<const double> on_actions = z == 0 ? std::span<const double>() : noise().on_actions(at.t);
    return [totals = at.on.totals().data(), noise = on_actions.data(), z](std::size_t k) {
      return z == 0 ? totals[k] : totals[k] + z * noise[k];
    };
  }

  void check_mix(double found, const Settled& at) const {
    const auto value = values(at);
    const double above = value(*at.round.index) - least_value_of(list().size(), value);
    claims().expect_of_oracle("gaps", found, std::clamp(above, 0.0, 1.0));
  }

  // x' is one of the actions that tie with the best.
  void check_late(double found, const Settled& at) const {
    const auto value = values(at);
    const double least = least_value_of(list().size(), value), slack = at.on.slack(least);
    const std::size_t first = first_within(list().size(), least + slack, value);
    const auto gap_for = [&](std::size_t k) { return std::max(0.0, at.round.loss - at.losses[k]); };
    for (std::size_t k = 0; k < list().size(); ++k) {
      if (value(k) > least + 2 * slack) continue;
      if (agree(found, gap_for(k))) return;
      if (value(k) <= least + slack / 2 && !setting().external) break;  // those after it are not the smallest
    }
    claims().expect_of_oracle("gaps", found, gap_for(first));
  }

  void check_searched(double found, const Settled& at) const {
    const auto above = above_best({at.round.action, std::nullopt, "action"}, {at.on, at.t, at.round.multiplier});
    if (above) {
      claims().expect_of_oracle("gaps", found, std::clamp(*above, 0.0, 1.0));
    } else {
      ++claims().taken_over().gaps;
    }
  }

  const DelaySums& delays_;
  double multiplier_ = 0;  // of the line
  double stability_ = 0;
  double last_ = 0;  // the multiplier of the last settled round
  std::uint64_t calls_ = 0;
};

}  // namespace hannan::detail
