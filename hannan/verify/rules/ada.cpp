// ada: the rule of adaptive.hpp with one part. Its bounds are run, exact, limit, measured, leaderless, and the closed
// forms ada, ada2, ada2_range and discounted (docs/theory-run.md). With "delayed" its rounds are those of late_ada.hpp.
#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/verify/limit_forms.hpp"
#include "hannan/verify/rules/adaptive.hpp"

namespace hannan::detail {
namespace {

struct Ada {
  static constexpr RuleFacts kFacts{.name = "ada",
                                    .noise = NoiseOn::kColumns,
                                    .perturbs = true,
                                    .certifies = true,
                                    .multiplies = true,
                                    .any_range = true,
                                    .by_context = true,
                                    .by_elements = true};
  forms::GapOf gap = forms::GapOf::kMix;

  void read(Fields& in, RecordedSetting& s);
};

void Ada::read(Fields& in, RecordedSetting& s) {
  gap = read_adaptive(in, s);
  const bool mix = gap == forms::GapOf::kMix;
  if (in.has("delayed")) {
    s.delayed = in.flag("delayed");
    if (!s.delayed || s.contexts || s.any_range || in.has("discount") || !mix) {
      throw Error(Code::kRejected,
                  "found delayed outcomes beside what they exclude, expected none of columns, a discount, an unknown "
                  "range and the rule \"loss\"",
                  in.at("delayed"));
    }
  }
  if (!in.has("discount")) return;
  s.discount = in.number("discount", limits::kDiscount);
  if (s.contexts) throw Error(Code::kRejected, "found a discount, expected none beside columns", in.at("discount"));
  if (s.discount == 1 || !mix) {
    throw Error(Code::kRejected, "found a discount of 1, or one without the rule \"mix\", expected neither",
                in.at("discount"));
  }
}

// With certainty 1 - delta the regret itself, for the pivot "last" (docs/theory-run.md, leaderless).
void add_leaderless(const CertifiedFacts& in, Bounds& out) {
  const auto& [s, f, a, measured] = in;
  if (s.certificates.by_leader || s.any_range || !noise_is_fresh(s.noise) || !f.noise_size || f.gap != 0) return;
  const double limit = forms::leaderless({.M = *f.noise_size,
                                          .quiet = a.quiet_gaps,
                                          .noisy = a.noisy_gaps,
                                          .count = static_cast<double>(a.noisy),
                                          .P = a.up,
                                          .squares = a.squares,
                                          .delta = s.certificates.delta});
  out.push_back({.name = "leaderless",
                 .value = limit,
                 .kind = ExpectedBound::Kind::kLimit,
                 .covers = ExpectedBound::Covers::kRun,
                 .known = a.gaps_known});
}

// The closed form that applies.
ExpectedBound closed_form(const RecordedSetting& s, const BoundFacts& f, forms::GapOf gap) {
  const double M = *f.noise_size, own = *s.noise.size, gamma = *s.noise.gamma;
  if (s.discount != 1) {
    return {.name = "discounted",
            .value = forms::discounted(
                {.M = M, .own = own, .gamma = gamma, .discount = s.discount, .rounds = static_cast<double>(f.rounds)})};
  }
  if (s.any_range) {
    return {.name = "ada2_range",
            .value = forms::ada2_range(
                {.M = M, .own = own, .gamma = gamma, .squares = f.ranges.squares, .range = f.ranges.largest})};
  }
  const forms::AdaTerms terms{.M = M, .own = own, .gamma = gamma, .best = f.best};
  return {.name = gap == forms::GapOf::kMix ? "ada2" : "ada", .value = forms::ada(terms, gap)};
}

class AdaRounds final : public AdaptiveRule {
 public:
  AdaRounds(const RuleInput& in, const Ada& own) : AdaptiveRule(in, own.gap), gap_(own.gap) {}

  BoundsLater bounds() const override {
    return [&s = setting(), sums = sums(), gap = gap_](const BoundFacts& f) {
      const CertifiedFacts certified{s, f, sums};
      Bounds out;
      add_run_forms(certified, out);
      if (s.discount == 1) {
        add_measured(certified, out);
        add_leaderless(certified, out);
      }
      const bool no_form = s.discount != 1 && s.any_range;
      if (adapts_by_theorem(s, f) && !no_form) out.push_back(closed_form(s, f, gap));
      return out;
    };
  }

 private:
  forms::GapOf gap_;
};

}  // namespace

RuleRow ada_rule() { return rule_row<Ada, AdaRounds>(); }

}  // namespace hannan::detail
