// The record of a learner whose outcomes come late (docs/record.md, "Outcomes that come late"; docs/theory-run.md).
//
// Two lists of totals: of all that has arrived, which decisions are held against, and of the settled rounds, which gaps
// are. x'_s, the choice on the settled rounds 1..s, is not recorded: where actions are listed it is found again. Cost
// of a round: two looks at all actions, and memory for every round whose outcome or one before it is missing.
#include <algorithm>
#include <bit>
#include <deque>
#include <optional>
#include <utility>

#include "hannan/io/fields.hpp"
#include "hannan/verify/end.hpp"
#include "hannan/verify/record_check.hpp"
#include "hannan/verify/recorded_choice.hpp"
#include "hannan/verify/standing.hpp"

namespace hannan::detail {
namespace {

// A round that was opened and is not settled.
struct OpenRound {
  Json action;
  std::optional<std::size_t> index;  // of the action, where actions are listed
  double multiplier = 0;
  std::uint64_t missing = 0;  // earlier outcomes when it was opened
  bool arrived = false;
  AnyOutcome outcome;
  double loss = 0;
};

// The rule of ada for rounds that are opened and settled at different times.
class DelayedRule final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    expect_perturbed({round.action, round.index, "action"}, {recomputed(), round.t, round.multiplier});
    ++calls_;
  }
  std::uint64_t oracle_calls() const override { return calls_; }

  struct Settled {
    std::uint64_t t;
    const OpenRound& round;
    const RecomputedTotals& on;  // with the outcome of the round
    std::span<const double> losses;
  };
  // The gap of the round: the mix gap where no earlier outcome was missing, otherwise max(0, f(x,y) - f(x',y)).
  void check_gap(double found, const Settled& at) {
    ++calls_;
    if (!(found >= 0 && found <= 1))
      claims().reject("gaps", "found " + number_text(found) + ", expected a number in [0,1]");
    const double z = at.round.multiplier;
    const bool late = at.round.missing > 0;
    // f(x',y) is not negative.
    if (late && found > at.round.loss && !agree(found, at.round.loss)) claims().expect("gaps", found, at.round.loss);
    if (at.round.index && list().listed() && (z == 0 || noise().of_all_actions())) {
      late ? check_late(found, at) : check_mix(found, at);
    } else if (!late && at.on.looks(at.t)) {
      check_searched(found, at);
    } else {
      ++claims().taken_over().gaps;
    }
  }

 private:
  // Of listed actions, under the noise of the round.
  auto values(const Settled& at) const {
    const double z = at.round.multiplier;
    const std::span<const double> on_actions = z == 0 ? std::span<const double>() : noise().on_actions(at.t);
    return [totals = at.on.totals().data(), noise = on_actions.data(), z](std::size_t k) {
      return z == 0 ? totals[k] : totals[k] + z * noise[k];
    };
  }

  void check_mix(double found, const Settled& at) {
    const auto value = values(at);
    const double above = value(*at.round.index) - least_value_of(list().size(), value);
    claims().expect_of_oracle("gaps", found, std::clamp(above, 0.0, 1.0));
  }

  // x' is one of the actions that tie with the best.
  void check_late(double found, const Settled& at) {
    const auto value = values(at);
    const double least = least_value_of(list().size(), value), slack = at.on.slack(least);
    const std::size_t first = first_within(list().size(), least + slack, value);
    const auto gap_for = [&](std::size_t k) { return std::max(0.0, at.round.loss - at.losses[k]); };
    for (std::size_t k = 0; k < list().size(); ++k) {
      if (value(k) > least + 2 * slack) continue;
      if (agree(found, gap_for(k))) return;
      if (value(k) <= least + slack / 2 && !setting().external) break;  // those after it are not the smallest
    }
    claims().expect_of_oracle("gaps", found, gap_for(first));
  }

  void check_searched(double found, const Settled& at) {
    const double z = at.round.multiplier;
    const auto alpha = z == 0 ? std::span<const double>() : noise().numbers(at.t);
    const auto best = noise().search(at.on, z, alpha);
    if (!best || !best->proven) {
      ++claims().taken_over().gaps;
      return;
    }
    const Game& game = *setting().problem;
    const AnyAction played = game.parse_action(at.round.action, "action");
    const auto value = [&](const AnyAction& x) {
      return at.on.total_of(x) + (z == 0 ? 0.0 : z * noise().on_action(x, alpha));
    };
    claims().expect_of_oracle("gaps", found, std::clamp(value(played) - value(best->action), 0.0, 1.0));
  }

  std::uint64_t calls_ = 0;
};

class DelayedCheck final : public RecordCheck {
 public:
  DelayedCheck(RecordedSetting setting, Claims& claims, const VerifyLimits& limits)
      : s_(std::move(setting)),
        claims_(claims),
        limits_(limits),
        list_(*s_.problem, limits_.most),
        noise_(s_, list_, claims_),
        budget_(limits_.search_work),
        arrived_(*s_.problem, list_, {.oracle = s_.oracle, .keep = keep(), .budget = &budget_}),
        settled_(*s_.problem, list_, {.oracle = s_.oracle, .keep = keep(), .budget = &budget_}),
        losses_(list_.size()),
        rule_({s_, list_, arrived_, noise_, claims_, keep(), limits_.work, 0, &budget_}) {
    claims_.trust_no_gap(s_.exact);
    if (s_.track == "every") sums_.last_best = 0;  // of no round
  }

  void round(const Json& line) override {
    Fields in(line, "");
    claims_.expect_count("t", in.integer("t"), ++t_);
    if (in.has("decide")) {
      decide(in);
    } else {
      observe(in);
    }
  }

  void begin_log() override { t_ = 0; }

  Verification end(const Json& report) override {
    CertificateAccount none(s_, list_, noise_, limits_.work);
    const EndFacts facts =
        check_end(report, {s_, list_, settled_, settled_, rule_, sums_, score_.reward(), none, claims_, &delays_});
    Verification v;
    v.rounds = settled_.rounds();
    v.total = sums_.total.value();
    v.checked.push_back("the loss of every outcome, and which rounds are settled");
    v.checked.push_back("the noise multiplier of every round");
    if (list_.listed()) {
      v.checked.push_back("L* of the settled rounds from the totals of all " + std::to_string(losses_.size()) +
                          " actions, wherever it is recorded");
    } else {
      v.checked.push_back("L* by searching the outcomes again at the end");
    }
    add_choices({.setting = s_, .claims = claims_, .gap = facts.gap}, v);
    add_best(facts.best, settled_.slack(facts.best.best), v);
    trust_own_oracle(s_, v);
    add_end({facts.on_trust, facts.recorded, facts.bounds}, v);
    if (!open_.empty())
      v.recorded.push_back(std::to_string(open_.size()) + " more rounds were opened and are not settled");
    return v;
  }

 private:
  bool may_give_up() const { return list_.size() > limits_.always; }
  KeepOutcomes keep() const {
    return may_give_up() || !noise_.of_all_actions() ? KeepOutcomes::kAlways : KeepOutcomes::kWhereNotListed;
  }

  void decide(Fields& in) {
    claims_.expect_count("decide", in.integer("decide"), ++delays_.played);
    RecordedRound r;
    r.t = delays_.played;
    r.action = in.need("action");
    r.multiplier = in.number("multiplier", kNonnegative);
    if (in.has("key") && in.word("key").empty()) claims_.reject("key", "found an empty key, expected none");
    in.done();
    if (may_give_up() && static_cast<double>(list_.size()) * static_cast<double>(r.t) > limits_.work) list_.give_up();
    r.index = list_.listed() ? list_.index(r.action) : std::nullopt;
    if (list_.listed() && !r.index)
      claims_.reject("action", "found " + dump(r.action) + ", which is no action of the problem");
    s_.problem->parse_action(r.action, "action");  // which refuses what is none
    const double size = *s_.noise_size;
    claims_.expect("multiplier", r.multiplier, size <= 0 ? 0.0 : delays_.stability / size);
    rule_.decided(r);
    const std::uint64_t missing = r.t - 1 - arrived_.rounds();
    delays_.missing = std::max(delays_.missing, missing);
    delays_.missing_total += missing;
    delays_.open = std::max<std::uint64_t>(delays_.open, open_.size());
    open_.push_back({.action = std::move(r.action),
                     .index = r.index,
                     .multiplier = r.multiplier,
                     .missing = missing,
                     .arrived = false,
                     .outcome = {},
                     .loss = 0});
  }

  void observe(Fields& in) {
    const std::int64_t round = in.integer("observe");
    const auto before = static_cast<std::int64_t>(settled_.rounds());
    if (round <= before || round > static_cast<std::int64_t>(delays_.played) ||
        open_[static_cast<std::size_t>(round - before - 1)].arrived) {
      claims_.reject("observe",
                     "found " + std::to_string(round) + ", expected a round that was opened and has no outcome yet");
    }
    OpenRound& open = open_[static_cast<std::size_t>(round - before - 1)];
    s_.problem->read_outcome(in.need("outcome"), "outcome", open.outcome);
    open.arrived = true;
    open.loss = loss_of(open);
    claims_.expect("loss", in.number("loss"), open.loss);
    arrived_.add(open.outcome, losses_of(open.outcome));
    settle(in.numbers("gaps"));
    claims_.expect_count("settled", in.integer("settled"), settled_.rounds());
    const double stability = in.number("stability", kNonnegative);
    claims_.expect("stability", stability, delays_.stability);
    delays_.stability = stability;
    claims_.expect("total", in.number("total"), sums_.total.value());
    check_best(in.need("best"));
    check_calls(in.integer("oracle_calls", kNatural));
    in.done();
  }

  double loss_of(const OpenRound& open) {
    RecordedRound scored;
    scored.action = open.action;
    score_.score(scored, open.outcome);
    return scored.action_loss;
  }
  std::span<const double> losses_of(const AnyOutcome& outcome) {
    if (!list_.listed()) return {};
    list_.table().losses(outcome, losses_);
    return losses_;
  }

  // The rounds that have no hole before them any more.
  void settle(const std::vector<double>& gaps) {
    std::size_t count = 0;
    for (; !open_.empty() && open_.front().arrived; open_.pop_front()) {
      const OpenRound& open = open_.front();
      const auto losses = losses_of(open.outcome);
      settled_.add(open.outcome, losses);
      if (count == gaps.size()) break;
      const double gap = gaps[count++];
      rule_.check_gap(gap, {settled_.rounds(), open, settled_, losses});
      delays_.stability += gap;
      delays_.multiplier = open.multiplier;
      sums_.total += open.loss;
    }
    if (count != gaps.size() || (!open_.empty() && open_.front().arrived))
      claims_.reject("gaps", "found " + std::to_string(gaps.size()) + " numbers, expected one for each round settled");
  }

  void check_best(const Json& best) {
    const std::uint64_t rounds = settled_.rounds();
    const bool power = std::has_single_bit(rounds);
    const bool tracked = s_.track == "every" || (s_.track == "powers" && power);
    if (best.is_null() == tracked) claims_.reject("best", "found " + dump(best) + ", but L* is tracked: " + s_.track);
    const std::optional<double> before = std::exchange(sums_.last_best, std::nullopt);
    if (!tracked) return;
    const double found = to_number(best, "best");
    if (list_.listed()) {
      claims_.expect_of_oracle("best", found, settled_.least());
      if (found < settled_.least()) claims_.expect("best", found, settled_.least());
    } else if (rounds == 0) {
      claims_.expect("best", found, 0);
    } else {
      if (before && found < *before) claims_.expect_of_oracle("best", found, *before);
      const bool looks = settled_.looks(rounds);
      if (looks) claims_.expect_best("best", found, {settled_.search().value, settled_.search().proven});
      if (!looks || !settled_.search().proven) ++claims_.taken_over().best;
    }
    sums_.last_best = found;
  }

  // A pool saves some.
  void check_calls(std::int64_t found) {
    const std::uint64_t most = rule_.oracle_calls();
    if (!s_.pooled || std::cmp_greater(found, most)) claims_.expect_count("oracle_calls", found, most);
    if (found < calls_) claims_.expect_count("oracle_calls", found, static_cast<std::uint64_t>(calls_));
    calls_ = found;
  }

  RecordedSetting s_;
  Claims& claims_;
  VerifyLimits limits_;
  ListedActions list_;
  DrawnNoise noise_;
  SearchBudget budget_;
  RecomputedTotals arrived_, settled_;
  std::vector<double> losses_;  // of all actions against one outcome
  DelayedRule rule_;
  ChoiceScore score_{s_, list_, claims_};
  std::deque<OpenRound> open_;  // those after the settled ones
  std::uint64_t t_ = 0;         // rows of the log
  std::int64_t calls_ = 0;
  DelaySums delays_;
  RunSums sums_;
};

}  // namespace

std::unique_ptr<RecordCheck> make_delayed_check(RecordedSetting setting, Claims& claims, const VerifyLimits& limits) {
  return std::make_unique<DelayedCheck>(std::move(setting), claims, limits);
}

}  // namespace hannan::detail
