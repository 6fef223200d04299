// AdaFPL with late outcomes: formulas and the bound are in delayed_ada.hpp. Three events: play (a round opens), an
// outcome arrives, and rounds settle in order once nothing before them is missing.
//
// Invariants between calls: open_ holds rounds settled()+1 .. played() in order, so round r stands at r - settled() -
// 1; the first of them has no outcome; arrived_ holds the settled rounds and those open ones with `arrived`; prefix_
// holds the settled rounds alone. archive() saves exactly this and check_counts() refuses a state that breaks it. Cost:
// one oracle call when a round is played and one when it settles.
#include "hannan/learners/delayed_ada.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// An open round may be asked for again and gives the decision that was made; the next one is played. A settled round is
// forgotten and refused.
const Decision& DelayedAda::act(std::uint64_t round) {
  if (round <= settled() || round > played() + 1) {
    const std::string next = std::to_string(played() + 1);
    refuse(round, open_.empty() ? next + ", the next round"
                                : std::to_string(settled() + 1) + " to " + next + ", the open rounds and the next");
  }
  if (round == played() + 1) play(round);
  return open_[round - settled() - 1].decision;
}

// The rounds handed back are those that this outcome settled, none where an earlier one is still missing. The reference
// holds until the next call.
DelayedAda::Arrival DelayedAda::observe(std::uint64_t round, const AnyOutcome& y) {
  expect_outcome(round);
  OpenRound& open = open_[round - settled() - 1];
  const double loss = problem_->loss(open.decision.action, y);
  open.outcome = y;
  open.arrived = true;
  arrived_.add(y);
  // One outcome may settle many rounds: all that waited for this one.
  rounds_.clear();
  while (!open_.empty() && open_.front().arrived) settle();
  arrived_.settle();
  prefix_.settle();
  return {loss, rounds_};
}

// Throws without any change, so that callers may ask before they write the outcome down.
void DelayedAda::expect_outcome(std::uint64_t round) const {
  if (round == 0 || round > played())
    refuse(round, "one that was played: " + std::to_string(played()) + " rounds were, and act comes before observe");
  if (round <= settled() || open_[round - settled() - 1].arrived)
    refuse(round, "one whose outcome has not come yet: this one has had its outcome");
}

void DelayedAda::archive(Archive& a) {
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
  archive_open(a);
  if (a.reading()) check_counts(a);
}

// The decision uses all outcomes that have arrived, also those of rounds behind a gap.
void DelayedAda::play(std::uint64_t round) {
  if (open_.size() == kMostOpen) {
    throw Error(Code::kTooLarge,
                "found " + std::to_string(kMostOpen) + " open rounds, the most there may be; the outcome of round " +
                    std::to_string(settled() + 1) + " is the first that is missing",
                "round");
  }
  // z uses settled rounds alone: gaps of open rounds are not known yet.
  const double z = multiplier();
  const auto& found = arrived_.perturbed(perturber_.at(round), z);
  OpenRound next;
  next.decision.action = found.action;
  next.decision.multiplier = z;
  next.decision.value = found.value;
  next.decision.left = found.unproven();
  // Of the round-1 earlier rounds, those whose outcomes had not come when this one was played.
  next.missing = round - 1 - arrived_.rounds();
  open_.push_back(std::move(next));
  count(found);
  arrived_.settle();
  delays_.missing_most = std::max(delays_.missing_most, open_.back().missing);
  delays_.missing_total += open_.back().missing;
  delays_.open_most = std::max<std::uint64_t>(delays_.open_most, open_.size() - 1);
}

// The first open round, all of whose predecessors are settled: its gap is measured against the decision after it.
void DelayedAda::settle() {
  const OpenRound& round = open_.front();
  const AnyOutcome& y = round.outcome;
  prefix_.add(y);  // rounds() now is this round
  const double z = *round.decision.multiplier;
  // Both summaries are of the same outcomes once nothing is missing. Then the one that found x is asked, whose pool
  // may know the answer, as Ada does.
  const auto& record = prefix_.rounds() == arrived_.rounds() ? arrived_ : prefix_;
  const auto& after = record.perturbed(perturber_.at(prefix_.rounds()), z);
  count(after);
  Step step;
  step.loss = problem_->loss(round.decision.action, y);
  // The mix gap compares two values of the same evidence; that exists only if x_s saw all rounds before s.
  if (round.missing == 0) {
    Learner::compare(round.decision, after, step);
  } else {
    // Otherwise the difference of losses, which needs no common evidence.
    step.after = after.action;
    step.gap = step.loss - problem_->loss(after.action, y);
    step.left = after.unproven();
  }
  const double gap = std::clamp(*step.gap, 0.0, 1.0);  // as for Ada
  stability_ += gap;
  left_ += step.left;
  total_.add(step.loss);
  settled_multiplier_ = z;
  rounds_.push_back({std::move(*step.after), step.loss, gap});
  open_.pop_front();
}

void DelayedAda::archive_open(Archive& a) {
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
    problem_->archive_action(a, open.decision.action);
    if (a.reading() && !problem_->allows(open.decision.action)) a.refuse("", "found no action of this problem");
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

// What no run can have: losses and gaps are in [0,1], so their sums are at most the settled rounds, but for rounding.
void DelayedAda::check_sums(Archive& a) const {
  const double most = static_cast<double>(settled()) * (1 + 1e-9) + 1e-6;
  if (stability_ > most) a.refuse("stability", "found more than one a settled round");
  if (total_.value() > most) a.refuse("total", "found more than one a settled round");
  if (settled_multiplier_ > multiplier()) a.refuse("settled_multiplier", "found more than the stability allows");
  if (delays_.missing_most > delays_.open_most) a.refuse("missing_most", "found more than open_most");
  if (delays_.missing_most > delays_.missing_total) a.refuse("missing_most", "found more than missing_total");
}

void DelayedAda::check_counts(Archive& a) const {
  std::uint64_t there = settled();
  for (const OpenRound& open : open_) there += open.arrived ? 1 : 0;
  if (there != arrived_.rounds()) {
    a.refuse("arrived", "found " + std::to_string(arrived_.rounds()) + " outcomes, expected " + std::to_string(there) +
                            ", those of the settled rounds and of the open ones");
  }
  if (!open_.empty() && open_.front().arrived) a.refuse("open", "found a first round that has its outcome");
  const std::uint64_t rounds = played();
  if (delays_.open_most >= std::max<std::uint64_t>(1, rounds) || delays_.open_most > kMostOpen)
    a.refuse("open_most", "found more than the rounds that were played before");
  if (static_cast<double>(delays_.missing_total) >
      static_cast<double>(delays_.missing_most) * static_cast<double>(rounds))
    a.refuse("missing_total", "found more than missing_most a round");
}

// As the text of its JSON, which every problem can write and read.
void DelayedAda::archive_outcome(Archive& a, AnyOutcome& y) const {
  std::string text = a.reading() ? std::string() : dump(problem_->outcome_json(y));
  a.field("json", text);
  if (!a.reading()) return;
  try {
    problem_->read_outcome(parse_json(text), "outcome", y);
  } catch (const Error& e) {
    a.refuse("json", e.message());
  }
}

}  // namespace hannan::detail
