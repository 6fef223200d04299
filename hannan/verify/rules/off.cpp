// The rule of off (docs/theory.md), written a second time: leader and gftpl, each on the rounds it played
// itself (feed "next": on what the printed last line hands it), with
//   U_leader = what the leader lost on its own rounds - L* of those rounds,
//   U_gftpl  = one of six estimates on gftpl's own rounds, and
//   leave leader when U_leader > a U_gftpl, leave gftpl when U_gftpl > b U_leader.
// Its bound is off (docs/theory.md). Cost of a round: what a choice costs (round_rule.hpp), and a look at all actions
// for each Monte-Carlo draw of the estimators that make some.
#include <algorithm>

#include "hannan/io/limits.hpp"
#include "hannan/verify/gftpl_forms.hpp"
#include "hannan/verify/round_rule.hpp"

namespace hannan::detail {
namespace {

struct Off {
  static constexpr RuleFacts kFacts{
      .name = "off", .noise = NoiseOn::kColumns, .perturbs = true, .rated = true, .switches = true, .by_context = true};
  double c = 1, switch_a = 1, switch_b = 1;
  std::string estimator;
  bool literal = false;  // each part learns from what the printed last line hands it
  std::uint64_t mc_draws = 0;
  std::vector<std::vector<std::vector<double>>> mc;  // given Monte-Carlo noise, a list a round

  void read(Fields& in, RecordedSetting& s);
  bool draws_noise() const { return estimator == "regret" || estimator == "reused"; }
  Bounds bounds(const RecordedSetting& s, const BoundFacts& f, forms::OffTerms sums) const;
};

void Off::read(Fields& in, RecordedSetting& s) {
  demand_gamma(in, s);
  c = in.number("c", limits::kTuning);
  estimator = in.choice("estimator", {"paper", "tight", "trajectory", "regret", "realised", "reused"});
  literal = in.choice("feed", {"played", "next"}) == "next";
  switch_a = in.number("switch_a", limits::kTuning);
  switch_b = in.number("switch_b", limits::kTuning);
  if (estimator == "tight" || estimator == "trajectory") demand_size(in, s);
  const Json& given = in.need("mc");
  if (!given.is_array()) {
    mc_draws = static_cast<std::uint64_t>(to_integer(given, in.at("mc"), {1, 1'000'000}));
    return;
  }
  for (std::size_t t = 0; t < given.size(); ++t)
    mc.push_back(to_matrix(given[t], path_of(in.at("mc"), t), limits::kEntry));
}

// A Monte-Carlo mean bounds nothing for sure.
Bounds Off::bounds(const RecordedSetting& s, const BoundFacts& f, forms::OffTerms sums) const {
  const RecordedNoise& noise = s.noise;
  const bool measured = estimator == "realised";
  if (draws_noise() || switch_a != 1 || switch_b != 1 || literal || (noise.alpha && !measured)) return {};
  if (!measured && !noise.gamma_serves()) return {};
  const forms::GftplTerms terms{.M = f.noise_size.value_or(0), .gamma = *noise.gamma, .c = c, .best = 0};
  bool proven = measured || (noise.p == 1 && noise.centred);
  sums.tau = 1;  // a regret grows by at most one a round
  if (estimator == "paper") {
    sums.tau = forms::off_tau_exact({.ln_K = s.ln_size, .N = noise.columns, .gamma = *noise.gamma, .c = 1, .best = 0});
    proven = c == 1 && noise.p == 1 && noise.symmetric && noise.unit_entries;
  } else if (!measured) {
    sums.tau = estimator == "tight" ? forms::off_tau_tight(terms) : forms::off_tau_trajectory(terms);
  }
  const auto covers = measured ? ExpectedBound::Covers::kRun : ExpectedBound::Covers::kMean;
  return {{.name = "off", .value = forms::off(sums), .demanded = proven && f.gap == 0, .covers = covers}};
}

class OffRounds final : public RoundRule {
 public:
  OffRounds(const RuleInput& in, const Off& own)
      : RoundRule(in),
        own_(own),
        leader_(in.record, own),
        gftpl_(in.record, own),
        trajectory_({.gamma = *in.record.setting.noise.gamma, .c = own.c}) {
    if (own.estimator == "paper" || own.estimator == "tight") estimate_ = closed_form(0);
  }

  void read(Fields& in) override {
    RoundRule::read(in);
    regime_ = in.word("regime");
    Fields estimates = in.fields("estimates");
    recorded_ = {estimates.number("leader"), estimates.number("gftpl")};
    estimates.done();
    if (!is_node()) switched_ = in.flag("switched");
  }

  void decided(const RecordedRound& round) override {
    expect_regime(regime_, leading_ ? "leader" : "gftpl");
    Part& mine = leading_ ? leader_ : gftpl_;
    const RecomputedTotals& data = own_.literal ? *mine.fed : mine.played;
    if (leading_) {
      expect_no_eta();
      expect_leader(played_in(round), data);
    } else {
      expect_small_loss({own_.c, data.rounds() == 0 ? std::optional(0.0) : least(data), data.rounds()});
      expect_perturbed(played_in(round), {data, round.t, 1 / *eta_});
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
      if (best) claims().expect_of_oracle("estimates.leader", recorded_.leader, mine.total - *best);
      if (!best) ++claims().taken_over().gaps;
      expect_growth("estimates.leader", recorded_.leader, lead_);
      claims().expect("estimates.gftpl", recorded_.gftpl, estimate_);
      lead_ = recorded_.leader;
      switched = switches(switched_, lead_, own_.switch_a * estimate_);
    } else {
      claims().expect("estimates.leader", recorded_.leader, lead_);
      check_estimate(best);
      estimate_ = recorded_.gftpl;
      switched = switches(switched_, estimate_, own_.switch_b * lead_);
    }
    if (switched) leading_ = !leading_;
    if (!own_.literal) return;
    Part& next = leading_ ? leader_ : gftpl_;
    next.fed->add(*round.outcome, round.losses);
    next.known = false;
  }
  std::uint64_t oracle_calls() const override { return calls_; }
  BoundsLater bounds() const override {
    return [&s = setting(), &own = own_, sums = forms::OffTerms{lead_, estimate_, 0}](const BoundFacts& f) {
      return own.bounds(s, f, sums);
    };
  }

 private:
  struct Part {
    Part(RecordState& record, const Off& own) : played(*record.setting.problem, record.list, record.totals()) {
      if (own.literal) fed.emplace(*record.setting.problem, record.list, record.totals());
    }
    RecomputedTotals played;
    std::optional<RecomputedTotals> fed;  // used by the literal rule alone
    bool known = false;                   // the leader of what it learns from was asked for already
    double total = 0;                     // what it lost in its own rounds
  };

  double size() const { return setting().noise.size.value_or(0); }
  // Searched for where actions cannot be listed, while there is work left; none where no search proved it.
  std::optional<double> least(const RecomputedTotals& on) const {
    if (list().listed()) return on.least();
    return on.looks(on.rounds()) && on.search().proven ? std::optional(on.search().value) : std::nullopt;
  }

  double closed_form(double best) const {
    const RecordedNoise& noise = setting().noise;
    if (own_.estimator == "paper") {
      return forms::off_estimate(
          {.ln_K = setting().ln_size, .N = noise.columns, .gamma = *noise.gamma, .c = 1, .best = best});
    }
    return forms::thm1_tight({.M = size(), .gamma = *noise.gamma, .c = own_.c, .best = best});
  }

  // The round whose Monte-Carlo draws serve in round t.
  std::uint64_t draws_of(std::uint64_t t) const { return own_.estimator == "reused" ? 1 : t; }
  std::uint64_t draws(std::uint64_t t) const {
    if (!own_.draws_noise()) return 0;
    if (own_.mc.empty()) return own_.mc_draws;
    if (draws_of(t) > own_.mc.size())
      claims().reject("t", "Monte-Carlo noise was given for " + std::to_string(own_.mc.size()) + " rounds only");
    return own_.mc[draws_of(t) - 1].size();
  }
  // What draw i (from 0) of the round adds to every action.
  std::span<const double> drawn(std::uint64_t t, std::uint64_t i) const {
    const std::uint64_t of = draws_of(t);
    // Draw i of round t has the number (t - 1) n + i + 1, which no other (t, i) with i < n has.
    if (own_.mc.empty()) return noise().on_actions(DrawPurpose::kMonteCarlo, (of - 1) * own_.mc_draws + i + 1);
    const auto& given = own_.mc[of - 1][i];
    if (given.size() != noise().width())
      claims().reject("t", "its given Monte-Carlo noise has not one number a column");
    return noise().on_actions(given);
  }

  // The mean loss of gftpl over the draws of the round, on its data before the outcome. Each draw looks at every
  // action; beyond the work that is allowed, the mean is not known any more.
  void expected_loss(const RecordedRound& round, const RecomputedTotals& data) {
    if (!own_.draws_noise() || !knows_expected_) return;
    const std::uint64_t n = draws(round.t);
    work_ += static_cast<double>(n) * static_cast<double>(list().size());
    knows_expected_ = noise().of_all_actions() && work_ <= input().record.limits.work;
    if (!knows_expected_) return;
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto value = [totals = data.totals().data(), noise = drawn(round.t, i).data(),
                          scale = 1 / *eta_](std::size_t k) { return totals[k] + scale * noise[k]; };
      sum += round.losses[smallest_minimiser_of(list().size(), value)];
    }
    expected_ += n > 0 ? sum / static_cast<double>(n) : 0.0;
  }

  void check_estimate(std::optional<double> best) {
    const std::string& kind = own_.estimator;
    std::optional<double> value;
    if (best && (kind == "paper" || kind == "tight")) value = std::max(estimate_, closed_form(*best));
    if (list().listed()) {
      if (kind == "trajectory") {
        trajectory_.observe(*best);
        value = trajectory_.base() + size() * trajectory_.slope();
      }
      if (kind == "realised") value = std::max(estimate_, gftpl_.total - *best);
      if (own_.draws_noise() && knows_expected_) value = std::max(estimate_, expected_ - *best);
    }
    if (!value) ++claims().taken_over().gaps;
    if (value) {
      claims().expect_of_oracle("estimates.gftpl", recorded_.gftpl, *value);
    } else if (own_.draws_noise() || kind == "realised") {
      expect_growth("estimates.gftpl", recorded_.gftpl, estimate_);
    } else if (recorded_.gftpl < estimate_ - 1e-9) {
      claims().expect("estimates.gftpl", recorded_.gftpl, estimate_);
    }
  }

  // A regret that never falls and grows by at most one a round.
  void expect_growth(const char* field, double found, double before) const {
    if (own_.literal) return;  // there the leader's gaps may be negative
    if (found < before - 1e-9) claims().expect_of_oracle(field, found, before);
    if (found > before + 1 + 1e-9) claims().expect_of_oracle(field, found, before + 1);
  }

  // Of the line.
  std::string regime_;
  struct Estimates {
    double leader = 0, gftpl = 0;
  } recorded_;
  std::optional<bool> switched_;  // none: the line does not say

  const Off& own_;
  Part leader_, gftpl_;
  forms::PathSums trajectory_;  // of its own rounds
  bool leading_ = true;
  double lead_ = 0;      // U_leader
  double estimate_ = 0;  // U_gftpl
  double expected_ = 0;
  bool knows_expected_ = true;
  double work_ = 0;  // losses looked at for expected_
  std::uint64_t calls_ = 0;
};

}  // namespace

RuleRow off_rule() { return rule_row<Off, OffRounds>(); }

}  // namespace hannan::detail
