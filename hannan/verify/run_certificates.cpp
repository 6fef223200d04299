#include "hannan/verify/run_certificates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/core/elementary.hpp"
#include "hannan/verify/adaptive_forms.hpp"
#include "hannan/verify/gftpl_forms.hpp"
#include "hannan/verify/limit_forms.hpp"

namespace hannan::detail {
namespace {

using Certified = std::vector<ExpectedBound>;
using Kind = ExpectedBound::Kind;

// Fresh noise of mean zero; given noise may be that.
bool is_certified(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  return s.certifies && f.account && !s.once && (s.alpha || s.noise.centred);
}

bool measures_gaps(const RecordedSetting& s) { return s.rule->stability > 0 || s.certificate == "run"; }

// run, exact and limit. What inexact calls left open is not known here, and is never negative.
void add_run_forms(const BoundFacts& f, Certified& out) {
  if (!is_certified(f)) return;
  const RecordedSetting& s = f.setting;
  const CertificateSums& a = *f.account;
  const bool exact = f.gap == 0, known = a.gaps_known && a.moves_known;
  const bool free = !measures_gaps(s);
  if (!(a.first > 0 && !f.noise_size) && !(free && (!exact || !s.gamma || !s.gamma_serves() || s.noise.p != 1))) {
    const double run = f.noise_size.value_or(0) * a.first + a.quiet_gaps + a.noisy_gaps + a.moves;
    out.push_back({.name = "run",
                   .value = run,
                   .kind = Kind::kRun,
                   .known = known && exact,
                   .least = a.gaps_known,
                   .more = exact && a.gaps_known ? std::optional(a.more_moves) : std::nullopt});
    if (exact && !free && s.credit_draws > 0 && !s.external && s.discount == 1) {
      out.push_back({.name = "exact",
                     .value = run - a.credits - f.credit.value_or(0),
                     .kind = Kind::kRun,
                     .known = known && a.credits_known && f.credit});
    }
  }
  // Losses in [0,1], each round counted once.
  if (s.any_range || s.discount != 1) return;
  if (!exact || free || s.pivot != "leader" || !f.noise_size || !f.rho2) return;
  const double limit = forms::limit({.M = *f.noise_size,
                                     .first = a.first,
                                     .quiet = a.quiet_gaps,
                                     .noisy = a.noisy_gaps,
                                     .count = static_cast<double>(a.noisy),
                                     .W = a.up_moves,
                                     .Q = a.up_squares,
                                     .P = a.up,
                                     .rho2 = *f.rho2,
                                     .delta = s.delta});
  // It grows with W, and by at most M P.
  out.push_back({.name = "limit",
                 .value = limit,
                 .kind = Kind::kLimit,
                 .covers = ExpectedBound::Covers::kConditional,
                 .known = known,
                 .least = a.gaps_known,
                 .more = a.gaps_known ? std::optional(*f.noise_size * a.up) : std::nullopt});
}

void add_measured(const BoundFacts& f, Certified& out) {
  if (!is_certified(f) || !f.noise_size) return;
  const double value = f.account->stability + *f.noise_size * (f.account->first + f.account->up);
  out.push_back({.name = "measured", .value = value, .kind = Kind::kRun, .known = f.gap == 0, .least = true});
}

bool adapts_by_theorem(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  return f.gap == 0 && s.gamma && s.gamma_serves() && f.noise_size && s.noise_size && !s.alpha && s.noise.p > 0 &&
         s.noise.centred;
}

forms::GapOf gap_of(const RecordedSetting& s) { return s.mix_gap ? forms::GapOf::kMix : forms::GapOf::kLoss; }

double discounted_bound(const BoundFacts& f) {
  return forms::discounted({.M = *f.noise_size,
                            .own = *f.setting.noise_size,
                            .gamma = *f.setting.gamma,
                            .discount = f.setting.discount,
                            .rounds = static_cast<double>(f.rounds)});
}

}  // namespace

Certified certified_leader(const BoundFacts& f) {
  return {{.name = "run", .value = f.total - f.floor, .kind = Kind::kRun}};
}

Certified certified_gftpl(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  Certified out;
  add_run_forms(f, out);
  if (!s.gamma || s.alpha || s.noise.p == 0) return out;
  const double gamma = *s.gamma;
  const auto closed = [&](const char* name, double value, bool demanded = true) {
    if (f.gap == 0 && s.gamma_serves()) out.push_back({.name = name, .value = value, .demanded = demanded});
  };
  const auto lower = [&](const char* name, double value) {
    out.push_back({.name = name, .value = value - f.gap, .upper = false});
  };
  if (s.noise.p > 1) {
    if (!s.unit_entries) return out;
    const forms::LpTerms terms{
        .ln_K = s.ln_size, .N = s.columns, .gamma = gamma, .c = s.c, .best = f.best, .p = s.noise.p};
    // Proven for C <= 1; on the edge rounding decides.
    const double rate = forms::lp_rate(terms);
    if (rate <= 1 + 1e-9) closed("lp_paper", forms::lp_paper(terms), rate <= 1 - 1e-9);
    closed("lp_simple2", forms::lp_simple2(terms));
    return out;
  }
  if (!s.noise.centred) {
    // M is at most the number of columns.
    if (s.unit_entries) closed("one_sided2", forms::tight2({.M = s.columns, .gamma = gamma, .c = s.c, .best = f.best}));
    return out;
  }
  if (s.noise.symmetric && s.unit_entries) {
    const forms::PaperTerms terms{.ln_K = s.ln_size, .N = s.columns, .gamma = gamma, .c = s.c, .best = f.best};
    if (s.c <= 1) closed("thm1_paper", forms::thm1_paper(terms));
    lower("lower_paper", forms::lower_paper(terms));
  }
  if (!f.noise_size) return out;
  const forms::GftplTerms terms{.M = *f.noise_size, .gamma = gamma, .c = s.c, .best = f.best};
  closed("simple2", forms::simple2(terms));
  closed("tight2", forms::tight2(terms));
  if (f.path) closed("trajectory2", f.path->base() + *f.noise_size * f.path->slope());
  if (s.noise.symmetric) lower("lower_tight", forms::lower_tight(terms));
  return out;
}

// measured, and the closed forms: once every round is settled, for Laplace noise on codes that single an action out.
Certified certified_delayed(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  const DelaySums& delays = *f.delays;
  Certified out;
  if (!is_certified(f) || !f.noise_size) return out;
  out.push_back({.name = "measured",
                 .value = delays.stability + *f.noise_size * delays.multiplier,
                 .kind = Kind::kRun,
                 .known = f.gap == 0,
                 .least = true});
  const std::optional<double> gamma = s.matrix ? s.matrix->single_out() : std::nullopt;
  const bool laplace = !s.alpha && s.noise.p == 1 && s.noise.symmetric;
  if (f.gap != 0 || delays.played != f.rounds || !laplace || !gamma || s.noise_size != f.noise_size) return out;
  const auto open = static_cast<double>(delays.open);
  out.push_back(
      {.name = "delayed",
       .value = forms::delayed(
           {.M = *f.noise_size, .gamma = *gamma, .missing = static_cast<double>(delays.missing), .open = open},
           f.best)});
  out.push_back(
      {.name = "delayed_total",
       .value = forms::delayed_total(
           {.M = *f.noise_size, .gamma = *gamma, .missing = static_cast<double>(delays.missing_total), .open = open},
           static_cast<double>(f.rounds))});
  return out;
}

Certified certified_ada(const BoundFacts& f) {
  if (f.delays) return certified_delayed(f);
  const RecordedSetting& s = f.setting;
  Certified out;
  add_run_forms(f, out);
  if (s.discount != 1) {
    if (adapts_by_theorem(f) && !s.any_range) out.push_back({.name = "discounted", .value = discounted_bound(f)});
    return out;
  }
  add_measured(f, out);
  if (s.pivot == "last" && !s.any_range && is_certified(f) && f.noise_size && f.gap == 0) {
    const CertificateSums& a = *f.account;
    const double limit = forms::leaderless({.M = *f.noise_size,
                                            .quiet = a.quiet_gaps,
                                            .noisy = a.noisy_gaps,
                                            .count = static_cast<double>(a.noisy),
                                            .P = a.up,
                                            .squares = a.squares,
                                            .delta = s.delta});
    out.push_back({.name = "leaderless",
                   .value = limit,
                   .kind = Kind::kLimit,
                   .covers = ExpectedBound::Covers::kRun,
                   .known = a.gaps_known});
  }
  if (!adapts_by_theorem(f)) return out;
  if (s.any_range) {
    out.push_back({.name = "ada2_range",
                   .value = forms::ada2_range({.M = *f.noise_size,
                                               .own = *s.noise_size,
                                               .gamma = *s.gamma,
                                               .squares = f.ranges->squares,
                                               .range = f.ranges->largest})});
    return out;
  }
  const forms::AdaTerms terms{.M = *f.noise_size, .own = *s.noise_size, .gamma = *s.gamma, .best = f.best};
  out.push_back({.name = s.mix_gap ? "ada2" : "ada", .value = forms::ada(terms, gap_of(s))});
  return out;
}

Certified certified_flipflop(const BoundFacts& f) {
  const RecordedSetting& s = f.setting;
  Certified out;
  add_run_forms(f, out);
  add_measured(f, out);
  if (!adapts_by_theorem(f)) return out;
  forms::FlipFlopTerms terms{.M = *f.noise_size,
                             .own = *s.noise_size,
                             .gamma = *s.gamma,
                             .best = f.best,
                             .alone = f.leader_regret.value_or(std::numeric_limits<double>::infinity()),
                             .phi = s.phi,
                             .a = s.flip_a};
  if (s.any_range) {
    // By L* of the losses less the least of their round.
    terms.best = std::max(0.0, f.best - f.ranges->least.value());
    terms.range = f.ranges->largest;
  }
  // The printed constants are those of the usual phi and a, rounded up.
  const bool usual = terms.own == terms.M && s.phi == 2.37 && s.flip_a == 1.243;
  const double value = usual ? forms::flipflop_printed(terms, gap_of(s)) : forms::flipflop_own(terms, gap_of(s));
  out.push_back({.name = s.any_range ? "flipflop2_range" : s.mix_gap ? "flipflop2" : "flipflop", .value = value});
  return out;
}

std::string sentence_of(const ExpectedBound& bound, const RecordedSetting& setting) {
  std::string text;
  const std::string regret = setting.discount == 1 ? "regret" : "discounted regret";
  if (setting.rule->leads) return "nothing is drawn: this is the regret itself";
  if (bound.name == "limit") {
    text =
        "with this certainty, at every round so far at once: the regret, each round in the mean over its own draw, "
        "is at most this";
  } else if (bound.name == "leaderless") {
    text =
        "with this certainty, at every round so far at once: the regret is at most this, so the best fixed choice "
        "lost at least the learner's total less this";
  } else {
    const std::string from = bound.name == "measured" ? "the learner's own sums and every step of its noise upwards"
                             : bound.name == "exact"  ? "run less what the noise in use is worth"
                                                      : "the gaps of the rounds and the moves of the noise";
    text = "an estimate, from " + from + ": the expected " + regret +
           " is at most its mean over the learner's noise; one value bounds nothing";
  }
  return text + (setting.alpha ? "; it binds only if the noise that was given was drawn fresh from the law" : "");
}

std::string earlier_sentence(const ExpectedBound& bound, const RecordedSetting& setting) {
  if (bound.kind != Kind::kRun) return sentence_of(bound, setting);
  return std::string("in the mean over the learner's noise the ") +
         (setting.discount == 1 ? "regret" : "discounted regret") + " is at most this" +
         (setting.alpha ? "; it binds only if the noise that was given was drawn fresh from the law" : "");
}

std::vector<std::string> expected_left_out(const RecordedSetting& s) {
  std::vector<std::string> all;
  if (s.delayed) return all;  // neither is used
  if (!s.gamma_serves()) {
    all.push_back("closed forms: gamma is " + number_text(*s.gamma) + ", below the " + number_text(*s.claimed_gamma) +
                  " that is proven for this perturbation");
  }
  if (!s.contexts && s.rho2 && !noise_square(s)) {
    const auto proven = proven_noise_square(s);
    all.push_back("limit: rho2 is " + number_text(*s.rho2) +
                  (proven ? ", below the " + number_text(*proven) + " that is proven for this noise"
                          : ", and none is proven for this noise"));
  }
  return all;
}

std::optional<double> noise_square(const RecordedSetting& s) {
  if (s.alpha && s.rho2) return s.rho2;
  const auto proven = proven_noise_square(s);
  if (!s.rho2) return proven;
  return proven && *s.rho2 >= *proven * (1 - 1e-9) ? s.rho2 : std::nullopt;
}

std::optional<double> proven_noise_square(const RecordedSetting& s) {
  if (!s.matrix || !s.noise.centred || s.noise.p == 0) return std::nullopt;
  constexpr double kMostEntries = 1e7;
  const std::size_t n = s.matrix->columns();
  std::vector<double> ranges(s.matrix->unit_entries() ? n : 0, 1.0);
  if (std::exp(std::min(30.0, s.ln_size)) * static_cast<double>(n) <= kMostEntries) {
    if (const auto actions = s.problem->action_table(static_cast<std::uint64_t>(kMostEntries))) {
      std::vector<double> low(n, std::numeric_limits<double>::infinity()), row(n);
      ranges.assign(n, -std::numeric_limits<double>::infinity());
      actions->each([&](const AnyAction& x) {
        s.matrix->row(x, row);
        for (std::size_t j = 0; j < n; ++j) {
          low[j] = std::min(low[j], row[j]);
          ranges[j] = std::max(ranges[j], row[j]);
        }
      });
      for (std::size_t j = 0; j < n; ++j) ranges[j] -= low[j];
    }
  }
  if (ranges.empty()) return std::nullopt;
  double sum = 0, squares = 0;
  for (const double r : ranges) {
    sum += r;
    squares += r * r;
  }
  if (s.noise.p == 1) return squares + sum * sum;
  const double most = *std::ranges::max_element(ranges);
  const auto count = static_cast<double>(n);
  if (most == 0) return 0.0;
  if (std::isinf(s.noise.p)) return count * (count + 1) * sum * sum;
  const double q = s.noise.p / (s.noise.p - 1);
  double powers = 0;
  for (const double r : ranges) powers += r > 0 ? portable_power(r / most, q) : 0;
  const double norm = most * portable_power(powers, 1 / q);
  return count * (count + 1) * norm * norm;
}

}  // namespace hannan::detail
