// Which bounds a run may state, by the conditions of their theorems (docs/theory.md, docs/theory-run.md). Each check_*
// function belongs to one Proof; a number is left out where a condition is not known to hold. O(1) but for anytime
// limits.
#include "hannan/certify/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/run_bounds.hpp"
#include "hannan/core/text.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace {

constexpr const char* kOfLeader = "nothing is drawn: this is the regret itself";

// What a number that is no closed form says.
std::string sentence(const BoundCheck& of) {
  const std::string& name = of.name;
  if (name == "limit")
    return "with this certainty, at every round so far at once: the regret, each round in the mean over its own draw, "
           "is at most this";
  if (name == "leaderless")
    return "with this certainty, at every round so far at once: the regret is at most this, so the best fixed choice "
           "lost at least the learner's total less this";
  const std::string from = name == "measured" ? "the learner's own sums and every step of its noise upwards"
                           : name == "exact"  ? "run less what the noise in use is worth"
                                              : "the gaps of the rounds and the moves of the noise";
  return "an estimate, from " + from + ": the expected " + (of.discounted ? "discounted regret" : "regret") +
         " is at most its mean over the learner's noise; one value bounds nothing";
}

// A constant that was given serves a proof if it is not below the proven one, but for rounding.
bool serves(double given, double proven) { return given >= proven * (1 - 1e-9); }

bool gamma_proven(const RunFacts& run) { return !run.gamma || !run.claimed || serves(*run.gamma, *run.claimed); }

// Given noise has the law that the user says it has, and with it this number.
bool rho2_proven(const RunFacts& run) {
  return run.noise_given || (run.rho2 && run.rho2_proven && serves(*run.rho2, *run.rho2_proven));
}

// Collects bounds with what each is about. A closed form is stated only for an exact oracle (gap 0), an estimate never
// says `holds`; a statement about this run says it either way, one about the conditional regret only where the run is
// within it.
class Checks {
 public:
  explicit Checks(const RunFacts& run) : run_(run) {}

  using Kind = BoundCheck::Kind;
  using Covers = BoundCheck::Covers;
  // In the mean, of an exact oracle. Closed forms have no theorem for one that stopped early.
  void closed(std::string name, double value) { closed(std::move(name), value, Covers::kMean); }
  // On every path, of an exact oracle.
  void on_every_path(std::string name, double value) { closed(std::move(name), value, Covers::kRun); }
  void estimate(std::string name, double value) { upper(std::move(name), value, {Kind::kRun, Covers::kMean}); }
  void limit(std::string name, double value, Covers covers) { upper(std::move(name), value, {Kind::kLimit, covers}); }
  // In the mean.
  void lower(std::string name, double value) {
    all_.push_back({.name = std::move(name),
                    .value = value - run_.gap,
                    .side = BoundCheck::Side::kLower,
                    .holds = {},
                    .says = {}});
  }
  std::vector<BoundCheck> take() { return std::move(all_); }

 private:
  struct What {
    Kind kind;
    Covers covers;
  };
  void closed(std::string name, double value, Covers covers) {
    if (run_.gap == 0) upper(std::move(name), value, {Kind::kClosed, covers});
  }
  void upper(std::string name, double value, What what) {
    BoundCheck check{
        .name = std::move(name), .value = value, .holds = {}, .kind = what.kind, .covers = what.covers, .says = {}};
    const bool within = run_.total - run_.floor <= value + window();
    check.if_drawn = run_.noise_given && what.kind != Kind::kClosed;
    if (what.covers == Covers::kConditional && within && !check.if_drawn) check.holds = true;
    if (what.covers == Covers::kRun && !check.if_drawn) check.holds = within;
    if (what.kind == Kind::kLimit) check.certainty = 1 - run_.delta;
    check.discounted = run_.discount != 1;
    if (what.kind != Kind::kClosed) check.says = run_.proof == Proof::kLeader ? kOfLeader : sentence(check);
    all_.push_back(std::move(check));
  }

  double window() const { return tie_window(run_.total, run_.ranges ? run_.ranges->largest : 1.0); }

  const RunFacts& run_;
  std::vector<BoundCheck> all_;
};

// Noise by a law of mean zero, drawn every round: what the certificates of the run need. Given noise may be that.
bool run_is_certified(const RunFacts& run) {
  if (!run.sums || !run.fresh) return false;
  return run.noise_given || run.noise.centred;
}

// run: M z_1 + gaps + moves, and what inexact calls left open (docs/theory-run.md, inexact oracles).
std::optional<double> run_value(const RunFacts& run) {
  if (!run_is_certified(run)) return std::nullopt;
  const AccountSums& sums = *run.sums;
  if (sums.first > 0 && !run.noise_size) return std::nullopt;
  // Without measured gaps gamma stands for them.
  if (!run.gaps_measured && (run.gap > 0 || !run.gamma || !gamma_proven(run) || run.noise.p != 1)) return std::nullopt;
  const double gaps = run.gaps_measured ? sums.gaps() : sums.free_gaps;
  return run.noise_size.value_or(0) * sums.first + gaps + sums.moves + sums.left + sums.moved_left;
}

// limit (docs/theory-run.md): M z_1 + G_0 + SU(G_1, 0.8 delta) + MU(W, Q, 0.2 delta). Its conditions: pivots lead, gaps
// are measured, losses in [0,1], no discount, an exact oracle, and an M and rho_2 that are not below the true ones.
std::optional<double> limit_value(const RunFacts& run) {
  if (!run_is_certified(run) || run.gap > 0 || !run.gaps_measured || run.pivot != Pivot::kLeader) return std::nullopt;
  if (!run.noise_size || !run.rho2 || !rho2_proven(run) || run.discount != 1 || run.ranges) return std::nullopt;
  const AccountSums& sums = *run.sums;
  return bounds::anytime_limit({.M = *run.noise_size,
                                .z_1 = sums.first,
                                .G0 = sums.quiet_gaps,
                                .G1 = sums.noisy_gaps,
                                .count = static_cast<double>(sums.noisy),
                                .W = sums.up_moves,
                                .Q = sums.up_squares,
                                .P = sums.up,
                                .rho2 = *run.rho2,
                                .delta = run.delta});
}

void check_run(const RunFacts& run, Checks& checks) {
  const auto value = run_value(run);
  if (value) checks.estimate("run", *value);
  if (value && run.credit && run.gap == 0 && run.gaps_measured)
    checks.estimate("exact", *value - run.sums->credits - *run.credit);
  if (const auto limit = limit_value(run)) checks.limit("limit", *limit, BoundCheck::Covers::kConditional);
}

// measured: the learner's own sums, and M for every step of the multiplier upwards.
std::optional<double> measured_value(const RunFacts& run) {
  if (!run_is_certified(run) || !run.noise_size) return std::nullopt;
  return run.stability + *run.noise_size * (run.sums->first + run.sums->up) + run.sums->left;
}

void check_leader(const RunFacts& run, Checks& checks) {
  // What it lost beyond L* is the sum of its gaps; nothing is random.
  checks.estimate("run", run.total - run.floor);
}

// Which theorem covers the law: l_p with p > 1 by lp_*, one-sided and not centred by one_sided, everything else in the
// l_1 norm by thm1_* and its successors. The printed forms need c <= 1 and entries in [0,1].
void check_gftpl_closed(const RunFacts& run, Checks& checks) {
  if (!run.gamma || run.noise_given || run.noise.p == 0) return;
  const double gamma = *run.gamma;
  const bool proven = gamma_proven(run);  // which lower bounds do not need
  if (run.noise.p != 1) {
    const bounds::LpTerms terms{run.columns, gamma, run.c, run.best, run.noise.p};
    if (run.unit_entries && proven) {
      if (run.c * bounds::lp_scale(run.columns, run.noise.p) <= 1)
        checks.closed("lp_paper", bounds::lp_paper(run.ln_size, terms));
      checks.closed("lp_simple2", bounds::lp_simple2(terms));
    }
    return;
  }
  if (run.noise.one_sided && !run.noise.centred) {
    if (run.unit_entries && proven)
      checks.closed("one_sided2", bounds::one_sided2({run.columns, gamma, run.c, run.best}));
    return;
  }
  const bounds::PaperTerms paper{run.ln_size, run.columns, gamma, run.c, run.best};
  if (run.noise.symmetric && run.unit_entries) {
    if (run.c <= 1 && proven) checks.closed("thm1_paper", bounds::thm1_paper(paper));
    checks.lower("lower_paper", bounds::lower_paper(paper));
  }
  if (!run.noise_size) return;
  const bounds::Terms terms{*run.noise_size, gamma, run.c, run.best};
  if (proven) {
    checks.closed("simple2", bounds::simple2(terms));
    checks.closed("tight2", bounds::tight2(terms));
    if (run.trajectory_base)
      checks.closed("trajectory2", *run.trajectory_base + *run.noise_size * *run.trajectory_slope);
  }
  if (run.noise.symmetric) checks.lower("lower_tight", bounds::lower_tight(terms));
}

void check_gftpl(const RunFacts& run, Checks& checks) {
  check_run(run, checks);
  check_gftpl_closed(run, checks);
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
  if (!run.gamma || !gamma_proven(run) || run.noise_given || run.noise.p != 1 || !run.noise.centred) return false;
  return run.estimator != "paper" || (run.c == 1 && run.noise.symmetric && run.unit_entries);
}

void check_off(const RunFacts& run, Checks& checks) {
  const bool closed_form = run.estimator != "realised";
  if (!run.off_as_proven || !off_estimate_is_proven(run)) return;
  const double tau = closed_form ? off_tau(run) : 1;
  const double value = bounds::off({run.off_leader, run.off_gftpl, tau});
  if (closed_form) return checks.closed("off", value);
  checks.on_every_path("off", value);
}

// hedge (docs/theory.md): ln K/eta + eta T/8 for a fixed rate; on every path, because the loss is that of the mixture.
void check_hedge(const RunFacts& run, Checks& checks) {
  const auto rounds = static_cast<double>(run.rounds);
  if (run.rate == "fixed" && run.eta > 0) {
    checks.on_every_path("hedge_fixed", run.ln_size / run.eta + run.eta * rounds / 8);
  } else if (run.rate == "anytime") {
    // ln K / eta_T + sum of eta_t / 8 with eta_t = sqrt(8 ln K / t).
    checks.on_every_path("hedge_anytime", std::sqrt(rounds * run.ln_size) * (std::sqrt(1.0 / 8) + std::sqrt(1.0 / 2)));
  }
}

// Noise by a law of mean zero, and a gamma. The learner's own M may be another than that of the noise.
bool adapts_as_proven(const RunFacts& run) {
  return run.gamma && gamma_proven(run) && run.noise_size && run.own_size && !run.noise_given && run.noise.p > 0 &&
         run.noise.centred;
}

void check_discounted(const RunFacts& run, Checks& checks) {
  if (!adapts_as_proven(run) || run.ranges) return;
  checks.closed("discounted", bounds::discounted_own({.M = *run.noise_size,
                                                      .gamma = *run.gamma,
                                                      .discount = run.discount,
                                                      .rounds = static_cast<double>(run.rounds)},
                                                     *run.own_size));
}

void check_ada(const RunFacts& run, Checks& checks) {
  check_run(run, checks);
  if (run.discount != 1) return check_discounted(run, checks);
  if (const auto value = measured_value(run)) checks.estimate("measured", *value);
  if (run.pivot == Pivot::kLast && !run.ranges && run_is_certified(run) && run.noise_size && run.gap == 0) {
    checks.limit("leaderless",
                 bounds::leaderless_limit({.M = *run.noise_size,
                                           .G0 = run.sums->quiet_gaps,
                                           .G1 = run.sums->noisy_gaps,
                                           .count = static_cast<double>(run.sums->noisy),
                                           .P = run.sums->up,
                                           .squares = run.sums->squares,
                                           .delta = run.delta}),
                 BoundCheck::Covers::kRun);
  }
  if (!adapts_as_proven(run)) return;
  if (run.ranges) {
    return checks.closed("ada2_range", bounds::ada2_range_own({.M = *run.noise_size,
                                                               .own = *run.own_size,
                                                               .gamma = *run.gamma,
                                                               .squares = run.ranges->squares,
                                                               .range = run.ranges->largest}));
  }
  const bounds::OwnAdaTerms terms{.M = *run.noise_size, .own = *run.own_size, .gamma = *run.gamma, .best = run.best};
  if (run.rule == GapRule::kMix) {
    checks.closed("ada2", bounds::ada2_own(terms));
  } else {
    checks.closed("ada", bounds::ada_own(terms));
  }
}

// Of the settled rounds. The closed forms are proven for Laplace noise on codes that single an action out, and for a
// learner that plays by the M of the noise.
void check_delayed(const RunFacts& run, Checks& checks) {
  const DelayFacts& delays = *run.delays;
  if (!run.fresh || !run.noise_size || !(run.noise_given || run.noise.centred)) return;
  checks.estimate("measured", run.stability + *run.noise_size * run.multiplier + delays.left);
  const bool laplace = !run.noise_given && run.noise.p == 1 && run.noise.symmetric;
  if (delays.played != run.rounds || !laplace || !delays.single_out || run.own_size != run.noise_size) return;
  const auto open = static_cast<double>(delays.open);
  checks.closed("delayed", bounds::delayed({.M = *run.noise_size,
                                            .gamma = *delays.single_out,
                                            .best = run.best,
                                            .missing = static_cast<double>(delays.missing),
                                            .open = open}));
  checks.closed("delayed_total", bounds::delayed_total({.M = *run.noise_size,
                                                        .gamma = *delays.single_out,
                                                        .rounds = static_cast<double>(run.rounds),
                                                        .missing = static_cast<double>(delays.missing_total),
                                                        .open = open}));
}

void check_flipflop(const RunFacts& run, Checks& checks) {
  check_run(run, checks);
  if (const auto value = measured_value(run)) checks.estimate("measured", *value);
  if (!adapts_as_proven(run)) return;
  // Without the leader's own regret only the second branch is known.
  const bounds::OwnFlipFlopTerms terms{
      .M = *run.noise_size,
      .own = *run.own_size,
      .gamma = *run.gamma,
      .best = run.best,
      .leader_regret = run.leader_regret.value_or(std::numeric_limits<double>::infinity()),
      .phi = run.phi,
      .a = run.flip_a};
  // The printed constants are those of the usual phi and a, rounded up.
  const bool usual = terms.own == terms.M && terms.phi == 2.37 && terms.a == 1.243;
  if (run.ranges) {
    // L* of the losses less the least of their round.
    bounds::OwnFlipFlopTerms above = terms;
    above.best = std::max(0.0, run.best - run.ranges->least);
    const double range = run.ranges->largest;
    const bounds::RangeTerms rounded{
        .M = above.M, .gamma = above.gamma, .best = above.best, .leader_regret = above.leader_regret, .range = range};
    checks.closed("flipflop2_range",
                  usual ? bounds::flipflop2_range(rounded) : bounds::flipflop2_range_own(above, range));
    return;
  }
  const bounds::FlipFlopTerms plain{
      .M = terms.M, .gamma = terms.gamma, .best = terms.best, .leader_regret = terms.leader_regret};
  if (run.rule == GapRule::kMix) {
    checks.closed("flipflop2", usual ? bounds::flipflop2(plain) : bounds::flipflop2_own(terms));
  } else {
    checks.closed("flipflop", usual ? bounds::flipflop(plain) : bounds::flipflop_own(terms));
  }
}

}  // namespace

std::vector<BoundCheck> certificate(const RunFacts& facts) {
  RunFacts run = facts;
  if (run.discount != 1) {
    run.total = run.discounted_total;
    run.best = run.discounted_best;
    run.floor = run.discounted_floor;
  }
  if (!run.ranges)
    run.best = std::max(0.0, run.best);  // a sum of losses; rounding may take it below 0, and bounds take its root
  Checks checks(run);
  if (run.rounds == 0) return {};
  switch (run.proof) {
    case Proof::kNone:
      break;
    case Proof::kLeader:
      check_leader(run, checks);
      break;
    case Proof::kGftpl:
      check_gftpl(run, checks);
      break;
    case Proof::kOff:
      check_off(run, checks);
      break;
    case Proof::kAda:
      if (run.delays) {
        check_delayed(run, checks);
      } else {
        check_ada(run, checks);
      }
      break;
    case Proof::kFlipFlop:
      check_flipflop(run, checks);
      break;
    case Proof::kHedge:
      check_hedge(run, checks);
      break;
    case Proof::kAdaHedge:
      checks.on_every_path("adahedge", 2 * run.mixability);
      break;
  }
  return checks.take();
}

// Why a bound that the user may expect is not there: a constant was given that is below the proven one.
std::vector<std::string> left_out(const RunFacts& run) {
  std::vector<std::string> all;
  if (!gamma_proven(run)) {
    all.push_back("closed forms: gamma is " + number_text(*run.gamma) + ", below the " + number_text(*run.claimed) +
                  " that is proven for this perturbation");
  }
  if (run.rho2 && !rho2_proven(run)) {
    all.push_back("limit: rho2 is " + number_text(*run.rho2) +
                  (run.rho2_proven ? ", below the " + number_text(*run.rho2_proven) + " that is proven for this noise"
                                   : ", and none is proven for this noise"));
  }
  return all;
}

}  // namespace hannan::detail
