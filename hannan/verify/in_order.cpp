// A record with a decision and its outcome in every line: the learner's rule on the verifier's own totals, L* wherever
// it is recorded, and what the bounds on the first t rounds were. Cost of a line: a pass over the listed actions for
// the losses and for each choice, or searches while the work lasts (search_budget.hpp).
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "hannan/verify/driver.hpp"
#include "hannan/verify/end.hpp"

namespace hannan::detail {
namespace {

class InOrder final : public Turn {
 public:
  explicit InOrder(RecordState& record)
      : record_(record), s_(record.setting), totals_(*s_.problem, record.list, record.totals()) {
    if (s_.discount != 1) discounted_.emplace(*s_.problem, record_.list, record_.totals(s_.discount));
    rule_ = s_.rule->make({record_, chosen_by()});
    if (record_.list.listed() && s_.track == "every") sums_.leader_total.emplace();
  }

  std::uint64_t lines() const override { return totals_.rounds(); }
  std::uint64_t rounds() const override { return totals_.rounds(); }

  void line(Fields& in) override {
    RecordedRound r{.t = totals_.rounds() + 1, .action = in.need("action"), .outcome = &record_.outcome};
    rule_->read(in);
    record_.read_outcome(in);
    r.loss = in.number("loss");
    const Json& best = in.need("best");
    in.done();
    limit_work(r.t);
    record_.score(r, record_.outcome);
    r.losses = record_.losses_of(record_.outcome);
    r.best_before = best_before();
    if (sums_.leader_total) add_leader(r.losses);
    rule_->decided(r);
    totals_.add(record_.outcome, r.losses);
    if (discounted_) discounted_->add(record_.outcome, r.losses);
    record_.claims.measure(totals_.precision());
    check_best(best, r);
    rule_->observed(r);
    if (!s_.facts().mixes) record_.claims.expect("loss", r.loss, r.action_loss);
    sums_.total += r.loss;
    sums_.discounted_total = s_.discount * sums_.discounted_total + r.loss;
    mark(r);
  }

  EndFacts end(Fields& end, Verification& said) override {
    const RunEnd found = check_end(end, {record_, totals_, chosen_by(), *rule_, sums_});
    said.total = sums_.total.value();
    said.checked.push_back(std::string("the loss of every round, ") +
                           (s_.facts().mixes ? "from the weights of the mixture" : "from its action and its outcome"));
    list_what_was_checked(said.checked);
    for (const Mark& mark : marks_) {
      BoundFacts facts = mark.facts;
      facts.noise_size = found.bounded.noise_size;
      facts.leader_regret = found.bounded.leader_regret;
      facts.gap = found.bounded.gap;
      facts.rho2 = found.bounded.rho2;
      if (const auto bound = shown_bound(mark.bounds, facts)) {
        said.bound_path.emplace_back(facts.rounds, bound->value);
        said.bound_of = bound->of;
      }
    }
    return found.facts;
  }

 private:
  static constexpr std::size_t kMostMarks = 1024;

  // Of the regret: what holds on every path, or with the stated certainty, where that is known; otherwise the least
  // closed form of the mean. Never an estimate.
  struct ShownBound {
    double value;
    Verification::BoundOf of;
  };
  std::optional<ShownBound> shown_bound(const BoundsLater& bounds, const BoundFacts& facts) const {
    using Of = Verification::BoundOf;
    std::optional<ShownBound> found;
    if (s_.discount != 1) return found;  // it bounds another regret than the one that is drawn
    for (const auto& bound : bounds_of(bounds, facts, s_)) {
      const bool limit = bound.kind == ExpectedBound::Kind::kLimit;
      if (bound.kind == ExpectedBound::Kind::kRun || !bound.upper || !bound.demanded || !bound.known) continue;
      if (!std::isfinite(bound.value) || (limit && s_.noise.alpha)) continue;
      const Of of = limit ? Of::kLimit : bound.covers == ExpectedBound::Covers::kMean ? Of::kMean : Of::kPath;
      const double value = bound.value + (limit || s_.facts().certifies ? 0.0 : facts.gap);
      if (!found || of < found->of || (of == found->of && !limit && value < found->value)) found = {value, of};
    }
    return found;
  }

  // What the learner chooses by.
  const RecomputedTotals& chosen_by() const { return discounted_ ? *discounted_ : totals_; }

  void limit_work(std::uint64_t t) {
    record_.limit_work(static_cast<double>(t));
    if (record_.list.listed()) {
      ++listed_rounds_;
      actions_ = record_.list.size();
    } else {
      sums_.leader_total.reset();
    }
  }

  void list_what_was_checked(std::vector<std::string>& checked) const {
    const std::uint64_t rounds = totals_.rounds();
    const std::string first =
        listed_rounds_ < rounds ? "in the first " + std::to_string(listed_rounds_) + " rounds " : "";
    const std::string where = s_.track == "every"    ? ", in every round"
                              : s_.track == "powers" ? ", in the rounds 1, 2, 4, 8, ... and at the end"
                                                     : ", at the end";
    if (listed_rounds_ > 0 && (record_.list.listed() || s_.track != "end"))
      checked.push_back("L* " + first + "from the totals of all " + std::to_string(actions_) + " actions" +
                        (first.empty() ? where : ""));
    if (!record_.list.listed())
      checked.push_back("L* by searching the outcomes again, " +
                        (searched_rounds_ > 0 ? "in " + std::to_string(searched_rounds_) + " rounds and " : "") +
                        "at the end");
    if (s_.discount != 1) checked.push_back("the discounted total, L* and certificate");
    if (s_.any_range) checked.push_back("the largest range of losses, which ties are relative to");
    if (const std::string rate = rate_words(s_); !rate.empty()) checked.push_back(rate);
    if (s_.facts().switches) checked.push_back("every switch between the two parts");
    if (s_.facts().mixes) checked.push_back("every action, drawn again from the weights of the mixture");
  }

  // L* before the round: our own, or, where actions are not listed, as recorded, which check_best() has looked at, or
  // found again.
  std::optional<double> best_before() const {
    if (record_.list.listed()) return totals_.least();
    if (totals_.rounds() == 0) return 0.0;
    if (s_.track == "every") return sums_.last_best;
    if (!s_.facts().rated || !totals_.looks(totals_.rounds())) return std::nullopt;
    const auto& found = totals_.search();
    return found.proven ? std::optional(found.value) : std::nullopt;
  }

  void add_leader(std::span<const double> losses) {
    const std::size_t smallest = totals_.smallest_leader();
    double least = losses[smallest], most = least;
    if (s_.external) {
      const double window = 2 * totals_.slack(totals_.least());
      for (std::size_t k = 0; k < losses.size(); ++k) {
        if (totals_.totals()[k] > totals_.least() + window) continue;
        least = std::min(least, losses[k]);
        most = std::max(most, losses[k]);
      }
    }
    sums_.leader_total->smallest += losses[smallest];
    sums_.leader_total->least += least;
    sums_.leader_total->most += most;
  }

  void check_best(const Json& best, RecordedRound& r) {
    Claims& claims = record_.claims;
    const bool tracked = record_.tracked(best, r.t);
    if (record_.list.listed()) r.best_after = totals_.least();
    sums_.last_best.reset();
    if (!tracked) return;
    const double found = to_number(best, "best");
    if (record_.list.listed()) {
      claims.expect_of_oracle("best", found, *r.best_after);
      if (found < *r.best_after) claims.expect("best", found, *r.best_after);
    } else {
      r.best_after = found;
      // L* does not fall where no loss is negative.
      if (!s_.any_range && r.best_before && found < *r.best_before)
        claims.expect_of_oracle("best", found, *r.best_before);
      if (check_searched_best(found, totals_, claims)) ++searched_rounds_;
    }
    sums_.last_best = r.recorded_best = found;
  }

  // What a bound needs to know of the rounds so far, at every w-th of them; w doubles with the rounds.
  struct Mark {
    BoundFacts facts;
    BoundsLater bounds;
  };
  void mark(const RecordedRound& r) {
    if (r.t % mark_width_ != 0 || !r.best_after) return;
    BoundFacts facts;
    facts.rounds = r.t;
    facts.best = facts.floor = *r.best_after;
    facts.total = sums_.total.value();
    facts.ranges = totals_.ranges();
    marks_.push_back({std::move(facts), rule_->bounds()});
    if (marks_.size() <= kMostMarks) return;
    mark_width_ *= 2;
    std::erase_if(marks_, [&](const Mark& mark) { return mark.facts.rounds % mark_width_ != 0; });
  }

  RecordState& record_;
  const RecordedSetting& s_;
  RecomputedTotals totals_;
  std::optional<RecomputedTotals> discounted_;
  std::unique_ptr<RoundRule> rule_;
  RunSums sums_;
  std::uint64_t listed_rounds_ = 0, searched_rounds_ = 0;
  std::size_t actions_ = 0;  // as long as they were listed
  std::vector<Mark> marks_;
  std::uint64_t mark_width_ = 1;
};

}  // namespace

std::unique_ptr<Turn> turn_in_order(RecordState& record) { return std::make_unique<InOrder>(record); }

}  // namespace hannan::detail
