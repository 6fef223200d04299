// `ada` where outcomes come late and in any order (docs/theory-run.md, outcomes that come late).
//
//   x_t   = argmin of everything that has arrived + z_t * noise_t
//   x'_s  = argmin of rounds 1..s + z_s * noise_s, asked for when round s is settled
//   gap_s = the mix gap of the round if no earlier outcome was missing when it was played, otherwise
//           max(0, f(x_s,y_s) - f(x'_s,y_s))
//   S     = sum of the gaps of the settled rounds,   z_t = S / M.
//
// A round is settled once its outcome and all earlier ones have arrived, in the order of rounds. Mean regret at most
// S + M z, z the multiplier of the last round (docs/theory-run.md, measured). Where every outcome comes before the next
// round is played this is Ada with the rule mix, bit for bit.
//
// Two summaries are kept, of all that arrived and of the settled rounds; besides them each open round (played, not
// settled) has its decision and, once it is there, its outcome. Two oracle calls a round, the second one when it is
// settled: the cost of a round does not grow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/learner.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/core/perturber.hpp"

namespace hannan {

template <class P>
class DelayedAda {
 public:
  using Action = typename P::Action;
  using Outcome = typename P::Outcome;
  struct Parts {
    std::shared_ptr<const P> problem;
    std::shared_ptr<const AnyOracle<P>> oracle;
    Perturber<P> perturber;
    double noise_size;  // M; 0 where there is nothing to perturb
  };
  struct SettledRound {
    Action after{};  // x'
    double loss = 0;
    double gap = 0;
  };
  struct Arrival {
    double loss = 0;                       // of the round whose outcome came
    std::span<const SettledRound> rounds;  // that it settled, in order; valid until the next outcome
  };
  // Over the rounds played so far: how many earlier outcomes had not arrived, how many earlier rounds were not settled.
  struct Delays {
    std::uint64_t missing_most = 0;
    std::uint64_t missing_total = 0;
    std::uint64_t open_most = 0;
  };
  // Bounds the memory: an outcome that never comes would hold back all later ones.
  static constexpr std::uint64_t kMostOpen = 1'000'000;

  explicit DelayedAda(Parts parts)
      : problem_(std::move(parts.problem)),
        perturber_(std::move(parts.perturber)),
        noise_size_(parts.noise_size),
        arrived_(parts.oracle),
        prefix_(parts.oracle) {}

  // The next round, which this opens, or an open one again. Throws kOutOfRange for any other; one that throws leaves
  // everything as it was. The decision is valid until the round is settled.
  const Decision<Action>& act(std::uint64_t round) {
    if (round <= settled() || round > played() + 1) {
      const std::string next = std::to_string(played() + 1);
      refuse(round, open_.empty() ? next + ", the next round"
                                  : std::to_string(settled() + 1) + " to " + next + ", the open rounds and the next");
    }
    if (round == played() + 1) play(round);
    return open_[round - settled() - 1].decision;
  }

  // The outcome of a round that was played. Throws kOutOfRange if it was not, or has its outcome.
  Arrival observe(std::uint64_t round, const Outcome& y) {
    expect_outcome(round);
    OpenRound& open = open_[round - settled() - 1];
    const double loss = problem_->loss(open.decision.action, y);
    open.outcome = y;
    open.arrived = true;
    arrived_.add(y);
    rounds_.clear();
    while (!open_.empty() && open_.front().arrived) settle();
    arrived_.settle();
    prefix_.settle();
    return {loss, rounds_};
  }
  // Throws what observe would throw.
  void expect_outcome(std::uint64_t round) const {
    if (round == 0 || round > played())
      refuse(round, "one that was played: " + std::to_string(played()) + " rounds were, and act comes before observe");
    if (round <= settled() || open_[round - settled() - 1].arrived)
      refuse(round, "one whose outcome has not come yet: this one has had its outcome");
  }

  std::uint64_t played() const { return settled() + open_.size(); }
  std::uint64_t settled() const { return prefix_.rounds(); }
  const SeenOutcomes<P>& prefix() const { return prefix_; }  // the settled rounds
  const P& problem() const { return *problem_; }
  double total() const { return total_.value(); }                    // loss of the settled rounds
  double stability() const { return stability_; }                    // S
  double settled_multiplier() const { return settled_multiplier_; }  // of the last settled round
  const Delays& delays() const { return delays_; }
  std::uint64_t oracle_calls() const { return calls_; }
  std::uint64_t search_nodes() const { return nodes_; }
  double oracle_gap() const { return gap_; }  // what all calls left unproven
  double left() const { return left_; }       // what the calls for x' left unproven

  void archive(Archive& a) {
    archive(a, [](Archive& into, Outcome& y) { archive_value(into, y); });
  }
  // For outcomes that are saved in another way: archive_outcome(a, y) writes one into an object, or reads it.
  template <class ArchiveOutcome>
  void archive(Archive& a, ArchiveOutcome&& archive_outcome) {
    a.open("arrived");
    arrived_.archive(a);
    a.close();
    a.open("settled");
    prefix_.archive(a);
    a.close();
    a.count("oracle_calls", calls_);
    a.count("search_nodes", nodes_);
    a.field("oracle_gap", gap_, kSavedNonnegative);
    a.field("left", left_, kSavedNonnegative);
    total_.archive(a, "total", "total_carry");
    a.field("stability", stability_, kSavedNonnegative);
    a.field("settled_multiplier", settled_multiplier_, kSavedNonnegative);
    a.count("missing_most", delays_.missing_most);
    a.count("missing_total", delays_.missing_total);
    a.count("open_most", delays_.open_most);
    if (a.reading()) check_sums(a);
    archive_open(a, archive_outcome);
    if (a.reading()) check_counts(a);
  }

 private:
  struct OpenRound {
    Decision<Action> decision;
    std::uint64_t missing = 0;  // earlier outcomes when it was played
    bool arrived = false;
    Outcome outcome{};  // once it has arrived
  };

  double multiplier() const { return noise_size_ > 0 ? stability_ / noise_size_ : 0.0; }

  void play(std::uint64_t round) {
    if (open_.size() == kMostOpen) {
      throw Error(Code::kTooLarge,
                  "found " + std::to_string(kMostOpen) + " open rounds, the most there may be; the outcome of round " +
                      std::to_string(settled() + 1) + " is the first that is missing",
                  "round");
    }
    const double z = multiplier();
    const auto& found = arrived_.perturbed(perturber_.at(round), z);
    OpenRound next;
    next.decision.action = found.action;
    next.decision.multiplier = z;
    next.decision.value = found.value;
    next.decision.left = found.gap();
    next.missing = round - 1 - arrived_.rounds();
    open_.push_back(std::move(next));
    count(found);
    arrived_.settle();
    delays_.missing_most = std::max(delays_.missing_most, open_.back().missing);
    delays_.missing_total += open_.back().missing;
    delays_.open_most = std::max<std::uint64_t>(delays_.open_most, open_.size() - 1);
  }

  // The first open round, whose outcome is there.
  void settle() {
    const OpenRound& round = open_.front();
    const Outcome& y = round.outcome;
    prefix_.add(y);  // rounds() now is this round
    const double z = *round.decision.multiplier;
    // Both summaries are of the same outcomes once nothing is missing. Then the one that found x is asked, whose pool
    // may know the answer, as Ada does.
    const auto& record = prefix_.rounds() == arrived_.rounds() ? arrived_ : prefix_;
    const auto& after = record.perturbed(perturber_.at(prefix_.rounds()), z);
    count(after);
    Step<Action> step;
    step.loss = problem_->loss(round.decision.action, y);
    if (round.missing == 0) {
      Learner<P>::compare(round.decision, after, step);
    } else {
      step.after = after.action;
      step.gap = step.loss - problem_->loss(after.action, y);
      step.left = after.gap();
    }
    const double gap = std::clamp(*step.gap, 0.0, 1.0);  // as for Ada
    stability_ += gap;
    left_ += step.left;
    total_.add(step.loss);
    settled_multiplier_ = z;
    rounds_.push_back({std::move(*step.after), step.loss, gap});
    open_.pop_front();
  }

  void count(const Answer<Action>& answer) {
    calls_ += answer.calls;
    nodes_ += answer.nodes;
    gap_ += answer.gap();
  }

  template <class ArchiveOutcome>
  void archive_open(Archive& a, ArchiveOutcome&& archive_outcome) {
    const std::uint64_t size = a.open_list("open", open_.size());
    if (a.reading()) {
      if (size > kMostOpen) a.refuse("", "found more open rounds than there may be");
      open_.clear();
      open_.resize(size);
    }
    std::uint64_t round = settled();
    double before = settled_multiplier_;
    for (OpenRound& open : open_) {
      ++round;
      a.item();
      a.open("action");
      archive_value(a, open.decision.action);
      if (a.reading() && !allows(*problem_, open.decision.action)) a.refuse("", "found no action of this problem");
      a.close();
      double z = open.decision.multiplier.value_or(0);
      // Multipliers do not fall, and none is above the one to come.
      a.field("multiplier", z, {a.reading() ? before : 0, a.reading() ? multiplier() : kSavedNonnegative.hi});
      before = z;
      open.decision.multiplier = z;
      a.field("value", open.decision.value);
      a.field("left", open.decision.left, kSavedNonnegative);
      a.count("missing", open.missing, std::min(round - 1, delays_.missing_most));
      a.count("arrived", open.arrived);
      if (!open.arrived) continue;
      a.open("outcome");
      archive_outcome(a, open.outcome);
      a.close();
    }
    a.close_list();
  }

  // Gaps and losses are in [0,1].
  void check_sums(Archive& a) const {
    const double most = static_cast<double>(settled()) * (1 + 1e-9) + 1e-6;
    if (stability_ > most) a.refuse("stability", "found more than one a settled round");
    if (total_.value() > most) a.refuse("total", "found more than one a settled round");
    if (settled_multiplier_ > multiplier()) a.refuse("settled_multiplier", "found more than the stability allows");
    if (delays_.missing_most > delays_.open_most) a.refuse("missing_most", "found more than open_most");
    if (delays_.missing_most > delays_.missing_total) a.refuse("missing_most", "found more than missing_total");
  }
  void check_counts(Archive& a) const {
    std::uint64_t there = settled();
    for (const OpenRound& open : open_) there += open.arrived ? 1 : 0;
    if (there != arrived_.rounds()) {
      a.refuse("arrived", "found " + std::to_string(arrived_.rounds()) + " outcomes, expected " +
                              std::to_string(there) + ", those of the settled rounds and of the open ones");
    }
    if (!open_.empty() && open_.front().arrived) a.refuse("open", "found a first round that has its outcome");
    const std::uint64_t rounds = played();
    if (delays_.open_most >= std::max<std::uint64_t>(1, rounds) || delays_.open_most > kMostOpen)
      a.refuse("open_most", "found more than the rounds that were played before");
    if (static_cast<double>(delays_.missing_total) >
        static_cast<double>(delays_.missing_most) * static_cast<double>(rounds))
      a.refuse("missing_total", "found more than missing_most a round");
  }

  [[noreturn]] static void refuse(std::uint64_t round, const std::string& expected) {
    throw Error(Code::kOutOfRange, "found round " + std::to_string(round) + ", expected " + expected, "round");
  }

  std::shared_ptr<const P> problem_;
  Perturber<P> perturber_;
  double noise_size_;
  SeenOutcomes<P> arrived_;
  SeenOutcomes<P> prefix_;
  std::deque<OpenRound> open_;        // settled() + 1, ..., played()
  std::vector<SettledRound> rounds_;  // by the last outcome
  double stability_ = 0;
  double settled_multiplier_ = 0;
  double left_ = 0;
  double gap_ = 0;
  CarriedSum total_;
  Delays delays_;
  std::uint64_t calls_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace hannan
