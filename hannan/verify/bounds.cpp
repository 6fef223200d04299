#include "hannan/verify/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/run_bounds.hpp"

namespace hannan::detail {

double PathSums::multiplier(double best) const { return std::max(rate_.gamma, std::sqrt(best + 1) / rate_.c); }
// e^u - 1, or u/(1-e^-u) - 1.
double PathSums::growth(double z) const {
  const double u = rate_.gamma / z;
  if (!rate_.halved) return std::expm1(u);
  return u < 1e-4 ? u / 2 + u * u / 12 : -u / std::expm1(-u) - 1;
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

namespace {

using Bounds = std::vector<ExpectedBound>;

// ada and flipflop: a law of noise with mean zero, and a gamma.
bool adapts_as_proven(const RecordedSetting& s) { return s.gamma && !s.alpha && s.noise.p != 0 && s.noise.centred; }

bool by_mix(const RecordedSetting& s) {
  const Json* rule = s.learner_params.find("gap");
  return rule && *rule == Json("mix");
}

}  // namespace

bool of_version_0_2(const RecordedSetting& s) {
  const bool certified = s.rule->name == "ada" || s.rule->name == "flipflop" || s.rule->name == "gftpl";
  return certified && !s.learner_params.find("pivot");
}

Bounds gftpl_bounds(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  const double gamma = *s.gamma;
  Bounds out;
  if (s.alpha || s.noise.p == 0) return out;  // no law, nothing holds in expectation
  if (s.noise.p > 1) {
    if (!s.unit_entries) return out;
    const bounds::LpTerms terms{.N = s.columns, .gamma_p = gamma, .c = s.c, .best = f.best, .p = s.noise.p};
    const double scale = s.columns > 0 ? std::pow(s.columns, 1 - 1 / s.noise.p) : 1;
    // Proven for C <= 1; on the edge rounding decides.
    if (s.c * scale <= 1 + 1e-9) {
      out.push_back(
          {.name = "lp_paper", .value = bounds::lp_paper(s.ln_size, terms), .demanded = s.c * scale <= 1 - 1e-9});
    }
    if (of_version_0_2(s)) {
      out.push_back({.name = "lp_simple", .value = bounds::lp_simple(terms)});
    } else {
      out.push_back({.name = "lp_simple2", .value = bounds::lp_simple2(terms)});
    }
    return out;
  }
  if (!s.noise.centred) {
    const bounds::OneSidedTerms terms{s.columns, gamma, s.c, f.best};
    if (s.unit_entries && of_version_0_2(s)) out.push_back({.name = "one_sided", .value = bounds::one_sided(terms)});
    if (s.unit_entries && !of_version_0_2(s)) out.push_back({.name = "one_sided2", .value = bounds::one_sided2(terms)});
    return out;
  }
  if (s.noise.symmetric && s.unit_entries) {
    const bounds::PaperTerms terms{.ln_K = s.ln_size, .N = s.columns, .gamma = gamma, .c = s.c, .best = f.best};
    if (s.c <= 1) out.push_back({.name = "thm1_paper", .value = bounds::thm1_paper(terms)});
    out.push_back({.name = "lower_paper", .value = bounds::lower_paper(terms), .upper = false});
  }
  if (!f.noise_size) return out;
  const bounds::Terms terms{.M = *f.noise_size, .gamma = gamma, .c = s.c, .best = f.best};
  const bool old = of_version_0_2(s);
  out.push_back(
      {.name = old ? "thm1_simple" : "simple2", .value = old ? bounds::thm1_simple(terms) : bounds::simple2(terms)});
  out.push_back(
      {.name = old ? "thm1_tight" : "tight2", .value = old ? bounds::thm1_tight(terms) : bounds::tight2(terms)});
  if (f.path) {
    out.push_back(
        {.name = old ? "trajectory" : "trajectory2", .value = f.path->base() + *f.noise_size * f.path->slope()});
  }
  if (s.noise.symmetric) out.push_back({.name = "lower_tight", .value = bounds::lower_tight(terms), .upper = false});
  return out;
}

Bounds off_bounds(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  if (s.estimator == "regret" || s.estimator == "reused") return {};  // a Monte-Carlo mean bounds nothing for sure
  const bool measured = s.estimator == "realised";
  if (s.switch_a != 1 || s.switch_b != 1 || s.feed != "played" || (s.alpha && !measured)) return {};
  const double gamma = *s.gamma, M = f.noise_size.value_or(0), e = std::numbers::e;
  double tau = 1;  // a regret grows by at most one a round
  bool proven = true;
  if (s.estimator == "paper") {
    tau = bounds::off_tau_exact(s.ln_size, s.columns, gamma);
    proven = s.c == 1 && s.noise.p == 1 && s.noise.symmetric && s.unit_entries;
  } else if (s.estimator == "tight") {
    tau = bounds::off_tau_tight(M, gamma, s.c);
    proven = s.noise.p == 1 && s.noise.centred;
  } else if (s.estimator == "trajectory") {
    tau = e * M * std::max(gamma, 1 / s.c) + (e - 1) + e * M / (2 * s.c);
    proven = s.noise.p == 1 && s.noise.centred;
  }
  const double value = bounds::off({.leader = f.off_leader, .gftpl = f.off_gftpl, .tau = tau});
  return {{.name = "off", .value = value, .demanded = proven}};
}

Bounds hedge_bounds(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  const auto rounds = static_cast<double>(f.rounds);
  if (s.rate == "fixed") return {{.name = "hedge_fixed", .value = s.ln_size / s.eta + s.eta * rounds / 8}};
  if (s.rate == "anytime") {
    // ln K / eta_T + sum of eta_t / 8 at eta_t = sqrt(8 ln K / t): sqrt(T ln K) (1/sqrt 8 + 2 sqrt 8 / 8).
    return {{.name = "hedge_anytime", .value = std::sqrt(rounds * s.ln_size) * 3 / std::sqrt(8.0)}};
  }
  return {};
}

Bounds adahedge_bounds(const BoundFacts& f) { return {{.name = "adahedge", .value = 2 * f.mixability}}; }

Bounds ada_bounds(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  if (!adapts_as_proven(s)) return {};
  if (of_version_0_2(s))
    return {{.name = "ada", .value = bounds::ada({.M = *f.noise_size, .gamma = *s.gamma, .best = f.best})}};
  const bounds::OwnAdaTerms terms{.M = *f.noise_size, .own = *s.noise_size, .gamma = *s.gamma, .best = f.best};
  if (by_mix(s)) return {{.name = "ada2", .value = bounds::ada2_own(terms)}};
  return {{.name = "ada", .value = bounds::ada_own(terms)}};
}

Bounds flipflop_bounds(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  if (!adapts_as_proven(s)) return {};
  const double alone = f.leader_regret.value_or(std::numeric_limits<double>::infinity());
  const bounds::FlipFlopTerms plain{.M = *f.noise_size, .gamma = *s.gamma, .best = f.best, .leader_regret = alone};
  if (of_version_0_2(s)) return {{.name = "flipflop", .value = bounds::flipflop(plain)}};
  const bool usual = *s.noise_size == plain.M && s.phi == 2.37 && s.flip_a == 1.243;
  const bounds::OwnFlipFlopTerms own{.M = plain.M,
                                     .own = *s.noise_size,
                                     .gamma = plain.gamma,
                                     .best = f.best,
                                     .leader_regret = alone,
                                     .phi = s.phi,
                                     .a = s.flip_a};
  if (by_mix(s)) return {{.name = "flipflop2", .value = usual ? bounds::flipflop2(plain) : bounds::flipflop2_own(own)}};
  return {{.name = "flipflop", .value = usual ? bounds::flipflop(plain) : bounds::flipflop_own(own)}};
}

std::vector<ExpectedBound> expected_bounds(const BoundFacts& f) {
  if (f.rounds == 0 || !f.setting.rule->bounds) return {};
  Bounds all = f.setting.rule->bounds(f);
  const bool old = of_version_0_2(f.setting);
  // What is left of other learners may come from version 0.2 too, which widened it.
  const bool either = !old && !f.setting.learner_params.find("pivot");
  if (f.gap > 0 && !old && !either) std::erase_if(all, [](const ExpectedBound& bound) { return bound.upper; });
  for (auto& bound : all) {
    if (f.gap > 0 && either && bound.upper) bound.demanded = false;
    bound.value += bound.upper ? f.gap : -f.gap;
  }
  return all;
}

}  // namespace hannan::detail
