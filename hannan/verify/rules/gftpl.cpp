// gftpl (docs/theory.md): eta_t = min{1/gamma, C/sqrt(L*_{t-1}+1)}, C = c N^(1-1/p), and x_t = argmin L + n_t/eta_t,
// one oracle call for each of x_t and L*. With certificate "run" each round has its mix gap too. Its bounds are run,
// exact, limit and the closed forms of gftpl_forms.hpp. Cost of a round: what a choice costs (round_rule.hpp).
#include "hannan/verify/gftpl_forms.hpp"

#include "hannan/io/limits.hpp"
#include "hannan/verify/certificates.hpp"
#include "hannan/verify/small_arguments.hpp"

namespace hannan::detail {
namespace {

struct Gftpl {
  static constexpr RuleFacts kFacts{.name = "gftpl",
                                    .noise = NoiseOn::kColumns,
                                    .perturbs = true,
                                    .certifies = true,
                                    .rated = true,
                                    .by_context = true};
  double c = 1;
  Gaps gaps = Gaps::kBounded;

  void read(Fields& in, RecordedSetting& s) {
    demand_gamma(in, s);
    c = in.number("c", limits::kTuning);
    read_certificates(in, s);
    if (in.choice("certificate", {"free", "run"}) == "run") gaps = Gaps::kMeasured;
  }
  void add_closed_forms(const CertifiedFacts& in, const std::optional<forms::PathSums>& path, Bounds& out) const;
};

// Noise lp with p > 1, noise of one sign, and centred noise have forms of their own. Upper ones need a gamma that
// serves and calls that are all proven; a gap lowers a lower one.
void Gftpl::add_closed_forms(const CertifiedFacts& in, const std::optional<forms::PathSums>& path, Bounds& out) const {
  const BoundFacts& f = in.facts;
  const RecordedNoise& noise = in.setting.noise;
  if (!noise.gamma || noise.alpha || noise.p == 0) return;
  const double gamma = *noise.gamma, ln_K = in.setting.ln_size;
  const auto closed = [&](const char* name, double value, bool demanded = true) {
    if (f.gap == 0 && noise.gamma_serves()) out.push_back({.name = name, .value = value, .demanded = demanded});
  };
  const auto lower = [&](const char* name, double value) {
    out.push_back({.name = name, .value = value - f.gap, .upper = false});
  };
  if (noise.p > 1) {
    if (!noise.unit_entries) return;
    const forms::LpTerms terms{.ln_K = ln_K, .N = noise.columns, .gamma = gamma, .c = c, .best = f.best, .p = noise.p};
    // Proven for C <= 1; on the edge rounding decides.
    const double rate = forms::lp_rate(terms);
    if (rate <= 1 + 1e-9) closed("lp_paper", forms::lp_paper(terms), rate <= 1 - 1e-9);
    return closed("lp_simple2", forms::lp_simple2(terms));
  }
  if (!noise.centred) {
    // M is at most the number of columns.
    if (noise.unit_entries)
      closed("one_sided2", forms::tight2({.M = noise.columns, .gamma = gamma, .c = c, .best = f.best}));
    return;
  }
  if (noise.symmetric && noise.unit_entries) {
    const forms::PaperTerms terms{.ln_K = ln_K, .N = noise.columns, .gamma = gamma, .c = c, .best = f.best};
    if (c <= 1) closed("thm1_paper", forms::thm1_paper(terms));
    lower("lower_paper", forms::lower_paper(terms));
  }
  if (!f.noise_size) return;
  const forms::GftplTerms terms{.M = *f.noise_size, .gamma = gamma, .c = c, .best = f.best};
  closed("simple2", forms::simple2(terms));
  closed("tight2", forms::tight2(terms));
  if (path) closed("trajectory2", path->base() + *f.noise_size * path->slope());
  if (noise.symmetric) lower("lower_tight", forms::lower_tight(terms));
}

class GftplRounds final : public CertifiedRule {
 public:
  GftplRounds(const RuleInput& in, const Gftpl& own) : CertifiedRule(in), own_(own) {
    using Path = forms::PathSums;
    if (setting().track == "every" && !is_node())
      path_.emplace(Path::Rate{*setting().noise.gamma, own.c, Path::Growth::kHalf});
  }

  void read(Fields& in) override {
    RoundRule::read(in);
    read_gap(in);
  }
  void decided(const RecordedRound& round) override {
    expect_small_loss({own_.c, round.best_before, recomputed().rounds()});
    expect_perturbed(played_in(round), {recomputed(), round.t, 1 / *eta_});
    count_decision(round, 1 / *eta_);
  }
  void observed(const RecordedRound& round) override {
    const double z = 1 / *eta_, gamma = *setting().noise.gamma;
    std::optional<double> gap = z > 0 ? std::optional(forms::h(gamma / z) * round.loss) : std::nullopt;
    if (!is_node()) gap = own_.gaps == Gaps::kMeasured ? measured_gap(round) : bounded_gap(gap);
    // The rates follow the L* that the oracle found, which was held against the true one.
    if (path_) path_->observe(setting().exact ? *round.best_after : *round.recorded_best);
    count_round({.round = round, .z = z, .gap = gap});
  }
  // x_t and L*, which is 0 before the first outcome without asking.
  std::uint64_t oracle_calls() const override { return 2 * played() - (played() > 0 && input().watched == 0 ? 1 : 0); }

  BoundsLater bounds() const override {
    return [&s = setting(), &own = own_, sums = sums(), path = path_](const BoundFacts& f) {
      const CertifiedFacts certified{s, f, sums, own.gaps};
      Bounds out;
      add_run_forms(certified, out);
      own.add_closed_forms(certified, path, out);
      return out;
    };
  }
  void end(Fields& end, const BoundValues& values) const override {
    CertifiedRule::end(end, values);
    if (own_.gaps == Gaps::kMeasured && recomputed().rounds() > 0)
      claims().expect_count("end.certificate_calls", end.integer("certificate_calls"), recomputed().rounds());
  }

 private:
  std::optional<double> measured_gap(const RecordedRound& round) {
    claims().may_leave(recomputed().largest_loss());  // the call for x' has this outcome more than that for x
    return checked_gap(above_best(played_in(round), {recomputed(), round.t, 1 / *eta_}));
  }
  // At most h(gamma/z) of the loss, in the mean (docs/theory-run.md, half_stability).
  std::optional<double> bounded_gap(std::optional<double> most) const {
    if (gap_) claims().reject("gap", "found " + number_text(*gap_) + ", expected null: it is not computed");
    return most;
  }

  const Gftpl& own_;
  std::optional<forms::PathSums> path_;  // of trajectory2, where L* is known every round
};

}  // namespace

RuleRow gftpl_rule() { return rule_row<Gftpl, GftplRounds>(); }

}  // namespace hannan::detail
