// The account of a run beside the learner: total loss, L* with its proven floor, the leader's own total, and for
// unknown ranges the sizes that bounds need. L* is looked at every round, at powers of two, or only at the end (Track);
// the search is the learner's own wherever it asked for the leader already, and never changes what it will do (peek).
#include "hannan/game/ledger.hpp"

#include <algorithm>
#include <bit>

namespace hannan::detail {

// Learners may share a history: once the first of them has added the outcome, the leader before it cannot be found any
// more.
void Ledger::ready(const Learner& learner) {
  if (track_ != Track::kEvery) return;
  lead(learner);
  learner.seen().peek();
}

void Ledger::before(const Learner& learner, const AnyOutcome& y) {
  // Before y is added: the leader of the rounds before, charged with this one, as the certificate's pivot needs it.
  if (track_ == Track::kEvery) leader_total_.add(learner.problem().loss(lead(learner).action, y));
  if (plain_) plain_->add(y);
  if (learner.problem().loss_range() != LossRange::kUnknown) return;
  const LossSpread spread = learner.problem().spread(y);
  ranges_.largest = std::max(ranges_.largest, spread.range());
  ranges_.squares += spread.range() * spread.range();
  ranges_.least.add(spread.least);
}

// The learner has taken the outcome in. best_ is forgotten and known again only after a look.
void Ledger::after(const Learner& learner, double loss) {
  total_.add(loss);
  discounted_.total = discount_ * discounted_.total + loss;
  const std::uint64_t t = learner.rounds();
  best_.reset();
  if (plain_) plain_->settle();
  if (track_ == Track::kEvery || (track_ == Track::kPowers && std::has_single_bit(t))) look(learner);
}

void Ledger::look(const Learner& learner) {
  // With a discount the learner's record is discounted: the plain sums for L* are kept beside it.
  if (plain_) {
    const auto& best = learner.seen().peek();
    discounted_.best = learner.rounds() == 0 ? 0.0 : best.value;
    discounted_.floor = learner.rounds() == 0 ? 0.0 : best.floor;
  }
  const auto& best = lead(learner);
  best_ = learner.rounds() == 0 ? 0.0 : best.value;
  floor_ = learner.rounds() == 0 ? 0.0 : best.floor;
}

// Sums with their carries, so that a run goes on with the same bits.
void Ledger::archive(Archive& a, LossRange range) {
  const SavedRange losses = range == LossRange::kUnitInterval ? kSavedLosses : kSavedNumbers;
  const Track asked = track_;
  a.choice("track", track_, Track::kEnd);
  if (track_ != asked) a.refuse("track", "found another track than that of the learner's parameters");
  total_.archive(a, "total", "total_carry", losses);
  leader_total_.archive(a, "leader_total", "leader_carry", losses);
  std::uint64_t known = best_ ? 1 : 0;
  double best = best_.value_or(0.0);
  a.count("best_known", known, 1);
  a.field("best", best, losses);
  a.field("floor", floor_);
  best_ = known ? std::optional(best) : std::nullopt;
  if (range == LossRange::kUnknown) {
    a.field("largest_range", ranges_.largest, kSavedNonnegative);
    a.field("range_squares", ranges_.squares, kSavedNonnegative);
    ranges_.least.archive(a, "least_total", "least_carry", losses);
  }
  if (!plain_) return;
  a.field("discounted_total", discounted_.total, losses);
  a.field("discounted_best", discounted_.best, losses);
  a.field("discounted_floor", discounted_.floor);
  a.open("undiscounted");
  plain_->archive(a);
  a.close();
}

}  // namespace hannan::detail
