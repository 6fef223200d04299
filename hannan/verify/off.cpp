// The rule of off (docs/theory.md), written a second time: leader and gftpl, each on the rounds it played
// itself (feed "next": on what the printed last line hands it), with
//   U_leader = what the leader lost on its own rounds - L* of those rounds,
//   U_gftpl  = one of six estimates on gftpl's own rounds, and
//   leave leader when U_leader > a U_gftpl, leave gftpl when U_gftpl > b U_leader.
#include <algorithm>

#include "hannan/verify/bounds.hpp"
#include "hannan/verify/gftpl_forms.hpp"
#include "hannan/verify/rules.hpp"

namespace hannan::detail {
namespace {

class OffRule final : public RoundRule {
 public:
  explicit OffRule(const RuleInput& in)
      : RoundRule(in), leader_{in}, gftpl_{in}, trajectory_({.gamma = *in.setting.gamma, .c = in.setting.c}) {
    if (in.setting.estimator == "paper" || in.setting.estimator == "tight") estimate_ = closed_form(0);
  }

  void decided(const RecordedRound& round) override {
    const char* regime = leading_ ? "leader" : "gftpl";
    if (round.regime != regime)
      claims().reject("regime", "found \"" + round.regime + "\", expected \"" + regime + "\"");
    Part& mine = leading_ ? leader_ : gftpl_;
    const RecomputedTotals& data = literal() ? *mine.fed : mine.played;
    const RoundRule::Choice choice{round.action, round.index, "action"};
    if (leading_) {
      expect_no_eta(round);
      expect_leader(choice, data);
    } else {
      expect_small_loss(round, data.rounds() == 0 ? std::optional(0.0) : least(data), data.rounds());
      expect_perturbed(choice, {data, round.t, 1 / *round.eta});
      calls_ += 1 + draws(round.t);
    }
    // The leader of what the part learns from, unless known or, for gftpl, of nothing.
    if (!mine.known && (leading_ || data.rounds() > 0)) ++calls_;
    mine.known = true;
    if (!leading_) expected_loss(round, data);
  }

  void observed(const RecordedRound& round) override {
    Part& mine = leading_ ? leader_ : gftpl_;
    mine.played.add(*round.outcome, round.losses);
    mine.total += round.action_loss;
    ++calls_;  // L* of the part's own rounds
    const auto best = least(mine.played);
    bool switched = false;
    if (leading_) {
      if (best) claims().expect_of_oracle("estimates.leader", round.leader_estimate, mine.total - *best);
      if (!best) ++claims().taken_over().gaps;
      expect_growth("estimates.leader", round.leader_estimate, lead_);
      claims().expect("estimates.gftpl", round.gftpl_estimate, estimate_);
      lead_ = round.leader_estimate;
      switched = switches(round, lead_, setting().switch_a * estimate_);
    } else {
      claims().expect("estimates.leader", round.leader_estimate, lead_);
      check_estimate(round, best);
      estimate_ = round.gftpl_estimate;
      switched = switches(round, estimate_, setting().switch_b * lead_);
    }
    if (switched) leading_ = !leading_;
    if (!literal()) return;
    Part& next = leading_ ? leader_ : gftpl_;
    next.fed->add(*round.outcome, round.losses);
    next.known = false;
  }
  std::uint64_t oracle_calls() const override { return calls_; }
  double leader_estimate() const override { return lead_; }
  double gftpl_estimate() const override { return estimate_; }

 private:
  struct Part {
    explicit Part(const RuleInput& in) : played(*in.setting.problem, in.list, totals_of(in)) {
      if (in.setting.feed == "next") fed.emplace(*in.setting.problem, in.list, totals_of(in));
    }
    static RecomputedTotals::Setting totals_of(const RuleInput& in) {
      return {.oracle = in.setting.oracle, .keep = in.keep, .budget = in.budget};
    }
    RecomputedTotals played;
    std::optional<RecomputedTotals> fed;  // used by the literal rule alone
    bool known = false;                   // the leader of what it learns from was asked for already
    double total = 0;                     // what it lost in its own rounds
  };

  bool literal() const { return setting().feed == "next"; }
  double size() const { return setting().noise_size.value_or(0); }
  // Searched for where actions cannot be listed, while there is work left; none where no search proved it.
  std::optional<double> least(const RecomputedTotals& on) const {
    if (list().listed()) return on.least();
    return on.looks(on.rounds()) && on.search().proven ? std::optional(on.search().value) : std::nullopt;
  }

  double closed_form(double best) const {
    const RecordedSetting& s = setting();
    if (s.estimator == "paper")
      return forms::off_estimate({.ln_K = s.ln_size, .N = s.columns, .gamma = *s.gamma, .c = 1, .best = best});
    return forms::thm1_tight({.M = size(), .gamma = *s.gamma, .c = s.c, .best = best});
  }

  bool draws_noise() const { return setting().estimator == "regret" || setting().estimator == "reused"; }
  // The round whose Monte-Carlo draws serve in round t.
  std::uint64_t draws_of(std::uint64_t t) const { return setting().estimator == "reused" ? 1 : t; }
  std::uint64_t draws(std::uint64_t t) const {
    if (!draws_noise()) return 0;
    return noise().monte_carlo_draws(draws_of(t));
  }

  // The mean loss of gftpl over the draws of the round, on its data before the outcome. Each draw looks at every
  // action; beyond the work that is allowed, the mean is not known any more.
  void expected_loss(const RecordedRound& round, const RecomputedTotals& data) {
    if (!draws_noise() || !knows_expected_) return;
    const std::uint64_t n = draws(round.t);
    work_ += static_cast<double>(n) * static_cast<double>(list().size());
    knows_expected_ = noise().of_all_actions() && work_ <= input().most_work;
    if (!knows_expected_) return;
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto value = [totals = data.totals().data(), noise = noise().monte_carlo(draws_of(round.t), i).data(),
                          scale = 1 / *round.eta](std::size_t k) { return totals[k] + scale * noise[k]; };
      sum += round.losses[smallest_minimiser_of(list().size(), value)];
    }
    expected_ += n > 0 ? sum / static_cast<double>(n) : 0.0;
  }

  void check_estimate(const RecordedRound& round, std::optional<double> best) {
    const std::string& kind = setting().estimator;
    std::optional<double> value;
    if (best && (kind == "paper" || kind == "tight")) value = std::max(estimate_, closed_form(*best));
    if (list().listed()) {
      if (kind == "trajectory") {
        trajectory_.observe(*best);
        value = trajectory_.base() + size() * trajectory_.slope();
      }
      if (kind == "realised") value = std::max(estimate_, gftpl_.total - *best);
      if (draws_noise() && knows_expected_) value = std::max(estimate_, expected_ - *best);
    }
    if (!value) ++claims().taken_over().gaps;
    if (value) {
      claims().expect_of_oracle("estimates.gftpl", round.gftpl_estimate, *value);
    } else if (draws_noise() || kind == "realised") {
      expect_growth("estimates.gftpl", round.gftpl_estimate, estimate_);
    } else if (round.gftpl_estimate < estimate_ - 1e-9) {
      claims().expect("estimates.gftpl", round.gftpl_estimate, estimate_);
    }
  }

  // A regret that never falls and grows by at most one a round.
  void expect_growth(const char* field, double found, double before) const {
    if (literal()) return;  // there the leader's gaps may be negative
    if (found < before - 1e-9) claims().expect_of_oracle(field, found, before);
    if (found > before + 1 + 1e-9) claims().expect_of_oracle(field, found, before + 1);
  }

  Part leader_, gftpl_;
  PathSums trajectory_;  // of its own rounds
  bool leading_ = true;
  double lead_ = 0;      // U_leader
  double estimate_ = 0;  // U_gftpl
  double expected_ = 0;
  bool knows_expected_ = true;
  double work_ = 0;  // losses looked at for expected_
  std::uint64_t calls_ = 0;
};

}  // namespace

std::unique_ptr<RoundRule> make_off_rule(const RuleInput& in) { return std::make_unique<OffRule>(in); }

}  // namespace hannan::detail
