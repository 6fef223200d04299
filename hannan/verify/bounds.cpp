#include "hannan/verify/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/verify/gftpl_forms.hpp"
#include "hannan/verify/small_arguments.hpp"

namespace hannan::detail {

double PathSums::multiplier(double best) const { return std::max(rate_.gamma, std::sqrt(best + 1) / rate_.c); }
double PathSums::growth(double z) const {
  return rate_.growth == Growth::kFull ? forms::exp_less_one(rate_.gamma / z) : forms::g(rate_.gamma / z);
}

void PathSums::observe(double best) {
  best = std::max(best, best_);
  const double z = multiplier(best_), next = multiplier(best);
  if (!started_) slope_ = growth(z) * z;
  started_ = true;
  base_ += growth(z) * (best - best_);
  slope_ += growth(z) * (next - z);
  last_ = z;
  best_ = best;
}

using Bounds = std::vector<ExpectedBound>;

Bounds off_bounds(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  if (s.estimator == "regret" || s.estimator == "reused") return {};  // a Monte-Carlo mean bounds nothing for sure
  const bool measured = s.estimator == "realised";
  if (s.switch_a != 1 || s.switch_b != 1 || s.feed != "played" || (s.alpha && !measured)) return {};
  if (!measured && !s.gamma_serves()) return {};
  const forms::PaperTerms paper{.ln_K = s.ln_size, .N = s.columns, .gamma = *s.gamma, .c = 1, .best = 0};
  const forms::GftplTerms terms{.M = f.noise_size.value_or(0), .gamma = *s.gamma, .c = s.c, .best = 0};
  double tau = 1;  // a regret grows by at most one a round
  bool proven = true;
  if (s.estimator == "paper") {
    tau = forms::off_tau_exact(paper);
    proven = s.c == 1 && s.noise.p == 1 && s.noise.symmetric && s.unit_entries;
  } else if (s.estimator == "tight") {
    tau = forms::off_tau_tight(terms);
    proven = s.noise.p == 1 && s.noise.centred;
  } else if (s.estimator == "trajectory") {
    tau = forms::off_tau_trajectory(terms);
    proven = s.noise.p == 1 && s.noise.centred;
  }
  const double value = forms::off({.leader = f.off_leader, .gftpl = f.off_gftpl, .tau = tau});
  const auto covers = measured ? ExpectedBound::Covers::kRun : ExpectedBound::Covers::kMean;
  return {{.name = "off", .value = value, .demanded = proven && f.gap == 0, .covers = covers}};
}

Bounds hedge_bounds(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  const auto rounds = static_cast<double>(f.rounds);
  constexpr auto kRun = ExpectedBound::Covers::kRun;  // a mixture's loss is its mean: nothing is random
  if (s.rate == "fixed")
    return {{.name = "hedge_fixed", .value = s.ln_size / s.eta + s.eta * rounds / 8, .covers = kRun}};
  if (s.rate == "anytime") {
    // ln K / eta_T + sum of eta_t / 8 at eta_t = sqrt(8 ln K / t): sqrt(T ln K) (1/sqrt 8 + 2 sqrt 8 / 8).
    return {{.name = "hedge_anytime", .value = std::sqrt(rounds * s.ln_size) * 3 / std::sqrt(8.0), .covers = kRun}};
  }
  return {};
}

Bounds adahedge_bounds(const BoundFacts& f) {
  return {{.name = "adahedge", .value = 2 * f.mixability, .covers = ExpectedBound::Covers::kRun}};
}

std::vector<ExpectedBound> expected_bounds(const BoundFacts& f) {
  if (f.rounds == 0 || !f.setting.rule->bounds) return {};
  BoundFacts facts = f;
  // A sum of losses in [0,1]: rounding may take it below 0, and bounds take its root.
  if (!f.setting.any_range) facts.best = std::max(0.0, f.best);
  return f.setting.rule->bounds(facts);
}

}  // namespace hannan::detail
