// The certificates of the run as several learners have them, each by its statement in docs/theory-run.md, and the words
// beside them. Where sums are only known to lie between two limits, so is what is made of them. Cost: constant, but for
// rho2, which looks at every entry of a matrix of at most 10^7.
#include "hannan/verify/certificates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/core/elementary.hpp"
#include "hannan/verify/limit_forms.hpp"

namespace hannan::detail {

bool noise_is_fresh(const RecordedNoise& noise) { return !noise.once && (noise.alpha || noise.centred); }

// What inexact calls left open is not known here, and is never negative.
void add_run_forms(const CertifiedFacts& in, Bounds& out) {
  using Kind = ExpectedBound::Kind;
  const auto& [s, f, a, measured] = in;
  if (!noise_is_fresh(s.noise)) return;
  const bool exact = f.gap == 0, known = a.gaps_known && a.moves_known;
  const bool estimated = measured == Gaps::kBounded;
  const bool serves = exact && s.noise.gamma && s.noise.gamma_serves() && s.noise.p == 1;
  if (!(a.first > 0 && !f.noise_size) && (!estimated || serves)) {
    const double run = f.noise_size.value_or(0) * a.first + a.quiet_gaps + a.noisy_gaps + a.moves;
    out.push_back({.name = "run",
                   .value = run,
                   .kind = Kind::kRun,
                   .known = known && exact,
                   .least = a.gaps_known,
                   .more = exact && a.gaps_known ? std::optional(a.more_moves) : std::nullopt});
    if (exact && !estimated && s.certificates.credit_draws > 0 && !s.external && s.discount == 1) {
      out.push_back({.name = "exact",
                     .value = run - a.credits - a.credit.value_or(0),
                     .kind = Kind::kRun,
                     .known = known && a.credits_known && a.credit});
    }
  }
  // Losses in [0,1], each round counted once.
  if (s.any_range || s.discount != 1) return;
  if (!exact || estimated || !s.certificates.by_leader || !f.noise_size || !f.rho2) return;
  const double limit = forms::limit({.M = *f.noise_size,
                                     .first = a.first,
                                     .quiet = a.quiet_gaps,
                                     .noisy = a.noisy_gaps,
                                     .count = static_cast<double>(a.noisy),
                                     .W = a.up_moves,
                                     .Q = a.up_squares,
                                     .P = a.up,
                                     .rho2 = *f.rho2,
                                     .delta = s.certificates.delta});
  // It grows with W, and by at most M P.
  out.push_back({.name = "limit",
                 .value = limit,
                 .kind = Kind::kLimit,
                 .covers = ExpectedBound::Covers::kConditional,
                 .known = known,
                 .least = a.gaps_known,
                 .more = a.gaps_known ? std::optional(*f.noise_size * a.up) : std::nullopt});
}

void add_measured(const CertifiedFacts& in, Bounds& out) {
  const auto& [s, f, a, measured] = in;
  if (!noise_is_fresh(s.noise) || !f.noise_size) return;
  const double value = a.stability + *f.noise_size * (a.first + a.up);
  out.push_back(
      {.name = "measured", .value = value, .kind = ExpectedBound::Kind::kRun, .known = f.gap == 0, .least = true});
}

bool adapts_by_theorem(const RecordedSetting& s, const BoundFacts& f) {
  const RecordedNoise& noise = s.noise;
  return f.gap == 0 && noise.gamma && noise.gamma_serves() && f.noise_size && noise.size && !noise.alpha &&
         noise.p > 0 && noise.centred;
}

void check_run_values(Fields& end, const RoundRule::BoundValues& values, const Claims& claims, double delta) {
  for (const char* name : {"run", "measured", "exact", "limit", "leaderless"}) {
    const Json& found = end.need(name);
    const auto listed = values.find(name);
    if (found.is_null() != (listed == values.end()) ||
        (!found.is_null() && !agree(to_number(found, name, kExtended), listed->second, claims.precision()))) {
      claims.reject("end." + std::string(name),
                    "found " + dump(found) + ", but in the certificate's bounds it is " +
                        (listed == values.end() ? "not listed" : number_text(listed->second)));
    }
  }
  // What is subtracted from one for the other is a mean of numbers that are not negative.
  const auto run = values.find("run"), exact = values.find("exact");
  if (run != values.end() && exact != values.end() && exact->second > run->second)
    claims.expect("end.exact", exact->second, run->second);
  claims.expect_plain("end.delta", end.number("delta"), delta);
}

void CertifiedRule::read_gap(Fields& in) {
  gap_.reset();
  if (!is_node() && !in.need("gap").is_null()) gap_ = in.number("gap");
}

std::optional<double> CertifiedRule::checked_gap(std::optional<double> expected) const {
  if (is_node()) return std::nullopt;
  if (!gap_) claims().reject("gap", "found null, expected a number");
  if (expected) claims().expect_of_oracle("gap", *gap_, std::max(*expected, 0.0));
  if (!expected) ++claims().taken_over().gaps;
  // What an oracle with a work limit found first may be worse by more than a round can cost.
  const double most = most_gap();
  if (!(*gap_ >= 0 && (!setting().exact || *gap_ <= most || agree(*gap_, most, claims().precision()))))
    claims().reject("gap", "found " + number_text(*gap_) + ", expected a number in [0," + number_text(most) + "]");
  return gap_;
}

std::string sentence_of(const ExpectedBound& bound, const RecordedSetting& setting) {
  std::string text;
  const std::string regret = setting.discount == 1 ? "regret" : "discounted regret";
  if (setting.facts().leads) return "nothing is drawn: this is the regret itself";
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
  return text + (setting.noise.alpha ? "; it binds only if the noise that was given was drawn fresh from the law" : "");
}

std::string earlier_sentence(const ExpectedBound& bound, const RecordedSetting& setting) {
  if (bound.kind != ExpectedBound::Kind::kRun) return sentence_of(bound, setting);
  return std::string("in the mean over the learner's noise the ") +
         (setting.discount == 1 ? "regret" : "discounted regret") + " is at most this" +
         (setting.noise.alpha ? "; it binds only if the noise that was given was drawn fresh from the law" : "");
}

namespace {

// By the law of the noise and the ranges of the columns; none where they do not give it.
std::optional<double> proven_noise_square(const RecordedSetting& s) {
  if (!s.noise.matrix || !s.noise.centred || s.noise.p == 0) return std::nullopt;
  constexpr double kMostEntries = 1e7;
  const std::size_t n = s.noise.matrix->columns();
  std::vector<double> ranges(s.noise.matrix->unit_entries() ? n : 0, 1.0);
  if (std::exp(std::min(30.0, s.ln_size)) * static_cast<double>(n) <= kMostEntries) {
    if (const auto actions = s.problem->action_table(static_cast<std::uint64_t>(kMostEntries))) {
      const ColumnRanges seen(*actions, *s.noise.matrix);
      ranges.assign(n, 0.0);
      for (std::size_t j = 0; j < n; ++j) ranges[j] = seen.high[j] - seen.low[j];
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

}  // namespace

std::optional<double> noise_square(const RecordedSetting& s) {
  if (s.noise.alpha && s.certificates.rho2) return s.certificates.rho2;
  const auto proven = proven_noise_square(s);
  if (!s.certificates.rho2) return proven;
  return proven && *s.certificates.rho2 >= *proven * (1 - 1e-9) ? s.certificates.rho2 : std::nullopt;
}

std::vector<std::string> expected_left_out(const RecordedSetting& s) {
  std::vector<std::string> all;
  if (s.delayed) return all;  // neither is used
  if (!s.noise.gamma_serves()) {
    all.push_back("closed forms: gamma is " + number_text(*s.noise.gamma) + ", below the " +
                  number_text(*s.noise.claimed_gamma) + " that is proven for this perturbation");
  }
  if (!s.contexts && s.certificates.rho2 && !noise_square(s)) {
    const auto proven = proven_noise_square(s);
    all.push_back("limit: rho2 is " + number_text(*s.certificates.rho2) +
                  (proven ? ", below the " + number_text(*proven) + " that is proven for this noise"
                          : ", and none is proven for this noise"));
  }
  return all;
}

}  // namespace hannan::detail
