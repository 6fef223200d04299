#include "hannan/verify/rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hannan::detail {

NoiseCheck::NoiseCheck(const RecordedSetting& setting, const ListedActions& list) {
  constexpr double kMostEntries = 4e6;
  const bool given = (setting.alpha || !setting.mc.empty()) && !setting.perturbation.empty();
  if (!given || !list.listed() || setting.columns * static_cast<double>(list.size()) > kMostEntries) return;
  for (std::size_t k = 0; k < list.size(); ++k) {
    rows_.push_back(setting.problem->row(setting.perturbation, list.action(k)));
  }
  objective_.resize(rows_.size());
}

std::span<const double> NoiseCheck::objective(std::span<const double> totals, double scale,
                                              std::span<const double> noise) {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    double product = 0;
    for (std::size_t j = 0; j < noise.size(); ++j) product += rows_[k][j] * noise[j];
    objective_[k] = totals[k] + scale * product;
  }
  return objective_;
}

void RoundRule::expect_leader(const Choice& choice, const RecomputedTotals& on) const {
  if (choice.index) {
    if (may_be_chosen(on.totals(), *choice.index)) return;
    const Json leader = list().action(smallest_minimiser(on.totals()));
    claims().suspect(choice.field, "found " + dump(choice.action) + ", expected the leader, " + dump(leader));
  } else if (std::has_single_bit(on.rounds())) {
    claims().expect_of_oracle(choice.field, on.total_of(choice.action), on.search().value);
  }
}

std::span<const double> RoundRule::given(std::uint64_t t) const {
  const auto& draws = *setting().alpha;
  if (setting().once) return draws.front();
  if (t > draws.size()) claims().reject("t", "noise was given for " + std::to_string(draws.size()) + " rounds only");
  return draws[t - 1];
}

void RoundRule::expect_perturbed(const Choice& choice, const RecomputedTotals& on, std::uint64_t t, double scale) {
  if (scale == 0) return expect_leader(choice, on);
  if (!setting().alpha) return;
  const auto draw = given(t);
  if (!noise_.able() || !choice.index) return;
  if (static_cast<double>(draw.size()) != setting().columns)
    claims().reject("t", "its given noise has not one number per column");
  const auto values = noise_.objective(on.totals(), scale, draw);
  if (may_be_chosen(values, *choice.index)) return;
  const Json expected = list().action(smallest_minimiser(values));
  claims().suspect(choice.field, "found " + dump(choice.action) + ", expected the perturbed leader, " + dump(expected));
}

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

void RoundRule::expect_switch(const RecordedRound& round, double value, double limit) const {
  const double slack = tie_slack(value);
  const bool must = value > limit + 2 * slack;
  const bool must_not = value <= limit + slack / 2;
  if ((must && !round.switched) || (must_not && round.switched)) {
    claims().reject("switched", std::string("found ") + (round.switched ? "true" : "false") + ", but " +
                                    number_text(value) + (must ? " is above " : " is not above ") + number_text(limit));
  }
}

namespace {

class LeaderRule final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    expect_no_eta(round);
    expect_leader({round.action, round.index, "action"}, recomputed());
  }
  std::uint64_t oracle_calls() const override { return recomputed().rounds(); }
};

class GftplRule final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    expect_small_loss(round, round.best_before, recomputed().rounds());
    expect_perturbed({round.action, round.index, "action"}, recomputed(), round.t, 1 / *round.eta);
  }
  // x_t and L*, which is 0 before the first round without asking.
  std::uint64_t oracle_calls() const override { return recomputed().rounds() > 0 ? 2 * recomputed().rounds() - 1 : 0; }
};

// uniform-gftpl and fake-data: noise of a fixed size, no rate.
class ClassicalRule final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    expect_no_eta(round);
    if (setting().perturbation.empty() && setting().alpha) given(round.t);
    if (!setting().perturbation.empty())
      expect_perturbed({round.action, round.index, "action"}, recomputed(), round.t, 1);
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
    if (!setting().alpha) return;
    const auto q = given(round.t);
    if (q.size() != list().size()) claims().reject("t", "its given noise has not one number per action");
    values_.assign(recomputed().totals().begin(), recomputed().totals().end());
    for (std::size_t k = 0; k < q.size(); ++k) values_[k] -= *round.eta > 0 ? q[k] / *round.eta : 0.0;
    if (may_be_chosen(values_, *round.index)) return;
    claims().reject("action", "found " + dump(round.action) + ", expected the perturbed leader, " +
                                  dump(list().action(smallest_minimiser(values_))));
  }
  std::uint64_t oracle_calls() const override { return 0; }

 private:
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<RoundRule> make_leader_rule(const RuleInput& in) { return std::make_unique<LeaderRule>(in); }
std::unique_ptr<RoundRule> make_gftpl_rule(const RuleInput& in) { return std::make_unique<GftplRule>(in); }
std::unique_ptr<RoundRule> make_classical_rule(const RuleInput& in) { return std::make_unique<ClassicalRule>(in); }
std::unique_ptr<RoundRule> make_fpl_rule(const RuleInput& in) { return std::make_unique<FplRule>(in); }

}  // namespace hannan::detail
