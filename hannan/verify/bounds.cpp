#include "hannan/verify/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/run_bounds.hpp"
#include "hannan/verify/run_certificates.hpp"

namespace hannan::detail {

double PathSums::multiplier(double best) const { return std::max(rate_.gamma, std::sqrt(best + 1) / rate_.c); }
double PathSums::growth(double z) const {
  return rate_.growth == Growth::kFull ? std::expm1(rate_.gamma / z) : bounds::g(rate_.gamma / z);
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

}  // namespace

Bounds gftpl_bounds(const BoundFacts& f) {
  if (f.certified) return certified_gftpl(f);
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
    out.push_back({.name = "lp_simple", .value = bounds::lp_simple(terms)});
    return out;
  }
  if (!s.noise.centred) {
    if (s.unit_entries)
      out.push_back({.name = "one_sided", .value = bounds::one_sided({s.columns, gamma, s.c, f.best})});
    return out;
  }
  if (s.noise.symmetric && s.unit_entries) {
    const bounds::PaperTerms terms{.ln_K = s.ln_size, .N = s.columns, .gamma = gamma, .c = s.c, .best = f.best};
    if (s.c <= 1) out.push_back({.name = "thm1_paper", .value = bounds::thm1_paper(terms)});
    out.push_back({.name = "lower_paper", .value = bounds::lower_paper(terms), .upper = false});
  }
  if (!f.noise_size) return out;
  const bounds::Terms terms{.M = *f.noise_size, .gamma = gamma, .c = s.c, .best = f.best};
  out.push_back({.name = "thm1_simple", .value = bounds::thm1_simple(terms)});
  out.push_back({.name = "thm1_tight", .value = bounds::thm1_tight(terms)});
  if (f.path) out.push_back({.name = "trajectory", .value = f.path->base() + *f.noise_size * f.path->slope()});
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
  return {{.name = "off", .value = value, .demanded = proven && f.gap == 0}};
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

Bounds leader_bounds(const BoundFacts& f) { return f.certified ? certified_leader(f) : Bounds{}; }

Bounds ada_bounds(const BoundFacts& f) {
  if (f.certified) return certified_ada(f);
  if (!adapts_as_proven(f.setting)) return {};
  return {{.name = "ada", .value = bounds::ada({.M = *f.noise_size, .gamma = *f.setting.gamma, .best = f.best})}};
}

Bounds flipflop_bounds(const BoundFacts& f) {
  if (f.certified) return certified_flipflop(f);
  if (!adapts_as_proven(f.setting)) return {};
  const double alone = f.leader_regret.value_or(std::numeric_limits<double>::infinity());
  return {{.name = "flipflop",
           .value = bounds::flipflop(
               {.M = *f.noise_size, .gamma = *f.setting.gamma, .best = f.best, .leader_regret = alone})}};
}

std::vector<ExpectedBound> expected_bounds(const BoundFacts& f) {
  if (f.rounds == 0 || !f.setting.rule->bounds) return {};
  return f.setting.rule->bounds(f);
}

}  // namespace hannan::detail
