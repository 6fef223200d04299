// The rounds of a record of an ordinary run.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "hannan/io/fields.hpp"
#include "hannan/verify/end.hpp"
#include "hannan/verify/record_check.hpp"
#include "hannan/verify/recorded_choice.hpp"
#include "hannan/verify/standing.hpp"

namespace hannan::detail {

void trust_own_oracle(const RecordedSetting& setting, Verification& result) {
  // A problem that has no other oracle, and whose actions cannot be listed.
  if (!setting.external || setting.problem->oracles().front()->claims().empty()) return;
  result.trusted.push_back("that no action loses less than the oracle of the run found, for there is no other search");
  result.trusted.push_back("that there are exp(" + number_text(setting.ln_size) +
                           ") actions, for they cannot be listed");
}

void add_end(const EndWords& words, Verification& result) {
  for (const auto& what : words.on_trust) result.trusted.push_back(what);
  for (const auto& what : words.recorded) result.recorded.push_back(what);
  for (const auto& bound : words.bounds) result.checked.push_back(bound);
}

namespace {

// One run of a record, checked line by line.
class RunCheck final : public RecordCheck {
 public:
  RunCheck(RecordedSetting setting, Claims& claims, const VerifyLimits& limits)
      : s_(std::move(setting)),
        claims_(claims),
        limits_(limits),
        list_(*s_.problem, limits_.most),
        noise_(s_, list_, claims_),
        budget_(limits_.search_work),
        recomputed_(*s_.problem, list_, {.oracle = s_.oracle, .keep = keep(), .budget = &budget_}),
        losses_(list_.size()) {
    if (s_.rule->lists && !list_.listed()) claims_.reject("learner.kind", "its actions cannot be listed");
    claims_.trust_no_gap(s_.exact);
    if (s_.discount != 1)
      discounted_.emplace(*s_.problem, list_, RecomputedTotals::Setting{s_.oracle, keep(), s_.discount, &budget_});
    rule_ = s_.rule->make({s_, list_, chosen_by(), noise_, claims_, keep(), limits_.work, 0, &budget_});
    if (list_.listed() && s_.track == "every") sums_.leader_total.emplace();
    if (s_.rule->follows_path && s_.track == "every") {
      sums_.path.emplace(PathSums::Rate{*s_.gamma, s_.c, PathSums::Growth::kHalf});
    }
  }

  void round(const Json& line) override {
    RecordedRound r = read(line);
    limit_work(r.t);
    score_.score(r, outcome_);
    if (list_.listed()) {
      ++listed_rounds_;
      list_.table().losses(outcome_, losses_);
      r.losses = losses_;
      r.best_before = recomputed_.least();
      if (sums_.leader_total) add_leader(r.losses);
    } else {
      r.best_before = best_before();
    }
    rule_->decided(r);
    if (s_.certifies) account_.decided(r, chosen_by());
    recomputed_.add(outcome_, r.losses);
    if (discounted_) discounted_->add(outcome_, r.losses);
    claims_.measure(recomputed_.precision());
    check_best(line.at("best"), r);
    rule_->observed(r);
    if (s_.certifies) account_.observed(r, chosen_by());
    if (!s_.rule->mixes) claims_.expect("loss", r.loss, r.action_loss);
    sums_.total += r.loss;
    sums_.discounted_total = s_.discount * sums_.discounted_total + r.loss;
    // The rates follow the L* that the oracle found, which check_best() has held against the true one.
    const double path_best = sums_.path ? (s_.exact ? *r.best_after : *sums_.last_best) : 0.0;
    if (sums_.path) sums_.path->observe(path_best);
    mark(r);
  }

  Verification end(const Json& report) override {
    const EndFacts facts =
        check_end(report, {s_, list_, recomputed_, chosen_by(), *rule_, sums_, score_.reward(), account_, claims_});
    Verification v;
    v.rounds = recomputed_.rounds();
    v.total = sums_.total.value();
    v.checked.push_back(std::string("the loss of every round, ") +
                        (s_.rule->mixes ? "from the weights of the mixture" : "from its action and its outcome"));
    list_what_was_checked(v.checked);
    if (!s_.rule->mixes) add_choices({.setting = s_, .claims = claims_, .gap = facts.gap}, v);
    add_best(facts.best, recomputed_.slack(facts.best.best), v);
    trust_own_oracle(s_, v);
    add_end({facts.on_trust, facts.recorded, facts.bounds}, v);
    for (auto& mark : marks_) {
      mark.noise_size = facts.noise_size;
      mark.leader_regret = facts.leader_regret;
      mark.gap = facts.gap;
      mark.rho2 = facts.rho2;
      if (const auto bound = shown_bound(mark)) {
        v.bound_path.emplace_back(mark.rounds, bound->value);
        v.bound_of = bound->of;
      }
    }
    return v;
  }

 private:
  static constexpr std::size_t kMostMarks = 1024;

  // Of the regret: what holds on every path, or with the stated certainty, where that is known; otherwise the least
  // closed form of the mean. Never an estimate.
  struct ShownBound {
    double value;
    Verification::BoundOf of;
  };
  static std::optional<ShownBound> shown_bound(const BoundFacts& mark) {
    using Of = Verification::BoundOf;
    std::optional<ShownBound> found;
    if (mark.setting.discount != 1) return found;  // it bounds another regret than the one that is drawn
    for (const auto& bound : expected_bounds(mark)) {
      const bool limit = bound.kind == ExpectedBound::Kind::kLimit;
      if (bound.kind == ExpectedBound::Kind::kRun || !bound.upper || !bound.demanded || !bound.known) continue;
      if (!std::isfinite(bound.value) || (limit && mark.setting.alpha)) continue;
      const Of of = limit ? Of::kLimit : bound.covers == ExpectedBound::Covers::kMean ? Of::kMean : Of::kPath;
      const double value = bound.value + (limit || mark.setting.rule->gap ? 0.0 : mark.gap);
      if (!found || of < found->of || (of == found->of && !limit && value < found->value)) found = {value, of};
    }
    return found;
  }

  // What the learner chooses by.
  const RecomputedTotals& chosen_by() const { return discounted_ ? *discounted_ : recomputed_; }

  // Learners that keep a number per action are followed as far as they go.
  bool may_give_up() const { return !s_.rule->lists && list_.size() > limits_.always; }
  KeepOutcomes keep() const {
    const bool searched = noise_.exists() && !noise_.of_all_actions();
    return may_give_up() || searched ? KeepOutcomes::kAlways : KeepOutcomes::kWhereNotListed;
  }
  void limit_work(std::uint64_t t) {
    if (!may_give_up() || static_cast<double>(list_.size()) * static_cast<double>(t) <= limits_.work) return;
    list_.give_up();
    sums_.leader_total.reset();
  }

  void list_what_was_checked(std::vector<std::string>& checked) const {
    const std::uint64_t rounds = recomputed_.rounds();
    const std::string first =
        listed_rounds_ < rounds ? "in the first " + std::to_string(listed_rounds_) + " rounds " : "";
    const std::string where = s_.track == "every"    ? ", in every round"
                              : s_.track == "powers" ? ", in the rounds 1, 2, 4, 8, ... and at the end"
                                                     : ", at the end";
    if (listed_rounds_ > 0 && (list_.listed() || s_.track != "end"))
      checked.push_back("L* " + first + "from the totals of all " + std::to_string(losses_.size()) + " actions" +
                        (first.empty() ? where : ""));
    if (!list_.listed())
      checked.push_back("L* by searching the outcomes again, " +
                        (searched_rounds_ > 0 ? "in " + std::to_string(searched_rounds_) + " rounds and " : "") +
                        "at the end");
    if (s_.discount != 1) checked.push_back("the discounted total, L* and certificate");
    if (s_.any_range) checked.push_back("the largest range of losses, which ties are relative to");
    if (const std::string rate = rate_words(s_); !rate.empty()) checked.push_back(rate);
    if (s_.rule->switches) checked.push_back("every switch between the two parts");
    if (s_.rule->mixes) checked.push_back("every action, drawn again from the weights of the mixture");
  }

  // L* before the round where actions are not listed: as recorded, which check_best() has looked at, or found again.
  std::optional<double> best_before() const {
    if (recomputed_.rounds() == 0) return 0.0;
    if (s_.track == "every") return sums_.last_best;
    if (!s_.rule->rated || !recomputed_.looks(recomputed_.rounds())) return std::nullopt;
    const auto& found = recomputed_.search();
    return found.proven ? std::optional(found.value) : std::nullopt;
  }

  void add_leader(std::span<const double> losses) {
    const std::size_t smallest = recomputed_.smallest_leader();
    double least = losses[smallest], most = least;
    if (s_.external) {
      const auto totals = recomputed_.totals();
      const double window = 2 * recomputed_.slack(recomputed_.least());
      for (std::size_t k = 0; k < totals.size(); ++k) {
        if (totals[k] > recomputed_.least() + window) continue;
        least = std::min(least, losses[k]);
        most = std::max(most, losses[k]);
      }
    }
    sums_.leader_total->smallest += losses[smallest];
    sums_.leader_total->least += least;
    sums_.leader_total->most += most;
  }

  // What a bound needs to know of the rounds so far, at every w-th of them; w doubles with the rounds.
  void mark(const RecordedRound& r) {
    if (r.t % mark_width_ != 0 || !r.best_after) return;
    marks_.push_back({.setting = s_,
                      .rounds = r.t,
                      .best = *r.best_after,
                      .noise_size = {},
                      .leader_regret = {},
                      .path = sums_.path,
                      .off_leader = rule_->leader_estimate(),
                      .off_gftpl = rule_->gftpl_estimate(),
                      .mixability = rule_->mixability(),
                      .total = sums_.total.value(),
                      .floor = *r.best_after,
                      .account = account_.sums(),
                      .ranges = recomputed_.ranges(),
                      .rho2 = {},
                      .credit = {},
                      .delays = {}});
    if (marks_.size() <= kMostMarks) return;
    mark_width_ *= 2;
    std::vector<BoundFacts> kept;
    for (const auto& mark : marks_) {
      if (mark.rounds % mark_width_ == 0) kept.push_back(mark);
    }
    marks_.swap(kept);  // facts hold a reference, so they are copied, not assigned
  }

  RecordedRound read(const Json& line) {
    Fields in(line, "");
    RecordedRound r = read_choice(in, s_, claims_);
    r.t = recomputed_.rounds() + 1;
    claims_.expect_count("t", in.integer("t"), r.t);
    s_.problem->read_outcome(in.need("outcome"), "outcome", outcome_);
    r.outcome = &outcome_;
    r.loss = in.number("loss");
    in.need("best");
    r.has_gap = s_.certifies;
    if (r.has_gap && !in.need("gap").is_null()) r.gap = in.number("gap");
    if (s_.rule->switches) r.switched = in.flag("switched");
    in.done();
    return r;
  }

  void check_best(const Json& best, RecordedRound& r) {
    const bool power = std::has_single_bit(r.t);
    const bool tracked = s_.track == "every" || (s_.track == "powers" && power);
    if (best.is_null() == tracked) claims_.reject("best", "found " + dump(best) + ", but L* is tracked: " + s_.track);
    if (list_.listed()) r.best_after = recomputed_.least();
    sums_.last_best.reset();
    if (!tracked) return;
    const double found = to_number(best, "best");
    if (list_.listed()) {
      claims_.expect_of_oracle("best", found, *r.best_after);
      if (found < *r.best_after) claims_.expect("best", found, *r.best_after);
    } else {
      r.best_after = found;
      // L* does not fall where no loss is negative.
      if (!s_.any_range && r.best_before && found < *r.best_before)
        claims_.expect_of_oracle("best", found, *r.best_before);
      const bool looks = recomputed_.looks(r.t);
      if (looks) {
        const auto& ours = recomputed_.search();
        if (found < ours.floor) claims_.expect("best", found, ours.floor);
        claims_.expect_best("best", found, {ours.value, ours.proven});
        if (ours.proven) ++searched_rounds_;
      }
      if (!looks || !recomputed_.search().proven) ++claims_.taken_over().best;
    }
    sums_.last_best = found;
  }

  RecordedSetting s_;
  Claims& claims_;
  VerifyLimits limits_;
  ListedActions list_;
  DrawnNoise noise_;
  SearchBudget budget_;
  RecomputedTotals recomputed_;
  std::optional<RecomputedTotals> discounted_;
  std::vector<double> losses_;  // of all actions in this round
  AnyOutcome outcome_;
  std::uint64_t listed_rounds_ = 0, searched_rounds_ = 0;
  RunSums sums_;
  ChoiceScore score_{s_, list_, claims_};
  std::unique_ptr<RoundRule> rule_;
  CertificateAccount account_{s_, list_, noise_, limits_.work};
  std::vector<BoundFacts> marks_;
  std::uint64_t mark_width_ = 1;
};

}  // namespace

std::unique_ptr<RecordCheck> make_run_check(RecordedSetting setting, Claims& claims, const VerifyLimits& limits) {
  return std::make_unique<RunCheck>(std::move(setting), claims, limits);
}

}  // namespace hannan::detail
