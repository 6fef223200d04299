#include "hannan/certify/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/emax.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace {

class Checks {
 public:
  explicit Checks(const RunFacts& run) : run_(run) {}

  void upper(std::string name, double value) {
    const double widened = value + run_.gap;
    const double regret = run_.total - run_.floor;
    all_.push_back({std::move(name), widened, BoundCheck::Side::kUpper, regret <= widened + tie_window(run_.total)});
  }
  void lower(std::string name, double value) {
    const double regret = run_.total - run_.best;
    const double widened = value - run_.gap;
    all_.push_back({std::move(name), widened, BoundCheck::Side::kLower, regret >= widened - tie_window(run_.total)});
  }
  std::vector<BoundCheck> take() { return std::move(all_); }

 private:
  const RunFacts& run_;
  std::vector<BoundCheck> all_;
};

void check_gftpl(const RunFacts& run, Checks& checks) {
  if (!run.gamma || run.noise_given || run.noise.p == 0) return;
  const double gamma = *run.gamma;
  if (run.noise.p != 1) {
    const bounds::LpTerms terms{run.columns, gamma, run.c, run.best, run.noise.p};
    if (run.unit_entries) {
      if (run.c * bounds::lp_scale(run.columns, run.noise.p) <= 1)
        checks.upper("lp_paper", bounds::lp_paper(run.ln_size, terms));
      checks.upper("lp_simple", bounds::lp_simple(terms));
    }
    return;
  }
  if (run.noise.one_sided && !run.noise.centred) {
    if (run.unit_entries) checks.upper("one_sided", bounds::one_sided({run.columns, gamma, run.c, run.best}));
    return;
  }
  const bounds::PaperTerms paper{run.ln_size, run.columns, gamma, run.c, run.best};
  if (run.noise.symmetric && run.unit_entries) {
    if (run.c <= 1) checks.upper("thm1_paper", bounds::thm1_paper(paper));
    checks.lower("lower_paper", bounds::lower_paper(paper));
  }
  if (!run.noise_size) return;
  const bounds::Terms terms{*run.noise_size, gamma, run.c, run.best};
  checks.upper("thm1_simple", bounds::thm1_simple(terms));
  checks.upper("thm1_tight", bounds::thm1_tight(terms));
  if (run.trajectory_base) checks.upper("trajectory", *run.trajectory_base + *run.noise_size * *run.trajectory_slope);
  if (run.noise.symmetric) checks.lower("lower_tight", bounds::lower_tight(terms));
}

// The largest one-round increase of the estimate that off switches by.
double off_tau(const RunFacts& run) {
  const double gamma = *run.gamma;
  const double size = run.noise_size.value_or(0);
  if (run.estimator == "paper") return bounds::off_tau_exact(run.ln_size, run.columns, gamma);
  if (run.estimator == "tight") return bounds::off_tau_tight(size, gamma, run.c);
  if (run.estimator == "trajectory") {
    const double e = std::numbers::e;
    return e * size * std::max(gamma, 1 / run.c) + (e - 1) + e * size / (2 * run.c);
  }
  return 1;  // realised regret grows by at most one a round
}

// Does the estimate bound gftpl's regret on its own rounds? The running maximum of what it realised does
// by definition; that of a Monte-Carlo mean only up to its error, so no bound is claimed with it.
bool off_estimate_is_proven(const RunFacts& run) {
  if (run.estimator == "realised") return true;
  if (run.estimator == "regret" || run.estimator == "reused") return false;
  if (!run.gamma || run.noise_given || run.noise.p != 1 || !run.noise.centred) return false;
  return run.estimator != "paper" || (run.c == 1 && run.noise.symmetric && run.unit_entries);
}

void check_off(const RunFacts& run, Checks& checks) {
  const bool closed_form = run.estimator != "realised";
  if (!run.off_as_proven || !off_estimate_is_proven(run)) return;
  const double tau = closed_form ? off_tau(run) : 1;
  checks.upper("off", bounds::off({run.off_leader, run.off_gftpl, tau}));
}

void check_hedge(const RunFacts& run, Checks& checks) {
  const auto rounds = static_cast<double>(run.rounds);
  if (run.rate == "fixed" && run.eta > 0) {
    checks.upper("hedge_fixed", run.ln_size / run.eta + run.eta * rounds / 8);
  } else if (run.rate == "anytime") {
    // ln K / eta_T + sum of eta_t / 8 with eta_t = sqrt(8 ln K / t).
    checks.upper("hedge_anytime", std::sqrt(rounds * run.ln_size) * (std::sqrt(1.0 / 8) + std::sqrt(1.0 / 2)));
  }
}

// Noise by a law of mean zero, and a gamma.
bool adapts_as_proven(const RunFacts& run) {
  return run.gamma && run.noise_size && !run.noise_given && run.noise.p > 0 && run.noise.centred;
}

void check_ada(const RunFacts& run, Checks& checks) {
  if (adapts_as_proven(run)) checks.upper("ada", bounds::ada({*run.noise_size, *run.gamma, run.best}));
}

void check_flipflop(const RunFacts& run, Checks& checks) {
  if (!adapts_as_proven(run)) return;
  // Without the leader's own regret only the second branch is known.
  const double leader = run.leader_regret.value_or(std::numeric_limits<double>::infinity());
  checks.upper("flipflop", bounds::flipflop({*run.noise_size, *run.gamma, run.best, leader}));
}

}  // namespace

std::vector<BoundCheck> certificate(const RunFacts& facts) {
  RunFacts run = facts;
  run.best = std::max(0.0, run.best);  // a sum of losses; rounding may take it below 0, and bounds take its root
  Checks checks(run);
  if (run.rounds == 0) return {};
  switch (run.proof) {
    case Proof::kNone:
      break;
    case Proof::kGftpl:
      check_gftpl(run, checks);
      break;
    case Proof::kOff:
      check_off(run, checks);
      break;
    case Proof::kAda:
      check_ada(run, checks);
      break;
    case Proof::kFlipFlop:
      check_flipflop(run, checks);
      break;
    case Proof::kHedge:
      check_hedge(run, checks);
      break;
    case Proof::kAdaHedge:
      checks.upper("adahedge", 2 * run.mixability);
      break;
  }
  return checks.take();
}

std::optional<double> sharpest(const std::vector<BoundCheck>& checks) {
  std::optional<double> least;
  for (const auto& check : checks) {
    if (check.side == BoundCheck::Side::kUpper && (!least || check.value < *least)) least = check.value;
  }
  return least;
}

}  // namespace hannan::detail
