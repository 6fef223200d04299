// The account of a run: what was lost, what the best fixed action would have lost, and the regret
// of the leader run alone. Totals are summed as the histories are (long_sums.hpp), so that a regret of 0 is 0
// after 10^9 rounds too.
//
// A learner that discounts has two regrets: the plain one, for which the ledger keeps a record of its own, and that in
// which a round of age i counts discount^i.
//
// L* needs a search, so it can be tracked every round, at powers of two, or at the end; the
// searches of the ledger are not the learner's. With a discount there are two searches, one a regret.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "hannan/core/archive.hpp"
#include "hannan/core/learner.hpp"
#include "hannan/core/long_sums.hpp"

namespace hannan {

enum class Track { kEvery, kPowers, kEnd };

template <class P>
class Ledger {
 public:
  explicit Ledger(Track track) : track_(track) {}
  // For a learner that discounts, whose outcomes `plain` will record without.
  Ledger(Track track, double discount, SeenOutcomes<P> plain)
      : track_(track), discount_(discount), plain_(std::move(plain)) {}

  // Before any learner sees the outcome: the leader so far must be known (core/shared_history.hpp).
  void ready(const Learner<P>& learner) {
    if (track_ != Track::kEvery) return;
    lead(learner);
    learner.seen().peek();
  }
  // Before the learner sees the outcome: what the leader alone would have paid.
  void before(const Learner<P>& learner, const typename P::Outcome& y) {
    if (track_ == Track::kEvery) leader_total_.add(learner.problem().loss(lead(learner).action, y));
    if (plain_) plain_->add(y);
    if (!has_unknown_range(learner.problem())) return;
    const LossSpread spread = loss_spread(learner.problem(), y);
    ranges_.largest = std::max(ranges_.largest, spread.range());
    ranges_.squares += spread.range() * spread.range();
    ranges_.least.add(spread.least);
  }
  void after(const Learner<P>& learner, double loss) {
    total_.add(loss);
    discounted_.total = discount_ * discounted_.total + loss;
    const std::uint64_t t = learner.rounds();
    best_.reset();
    if (plain_) plain_->settle();
    if (track_ == Track::kEvery || (track_ == Track::kPowers && std::has_single_bit(t))) look(learner);
  }
  // Asks for L* now, whatever is tracked.
  void look(const Learner<P>& learner) {
    if (plain_) {
      const auto& best = learner.seen().peek();
      discounted_.best = learner.rounds() == 0 ? 0.0 : best.value;
      discounted_.floor = learner.rounds() == 0 ? 0.0 : best.floor;
    }
    const auto& best = lead(learner);
    best_ = learner.rounds() == 0 ? 0.0 : best.value;
    floor_ = learner.rounds() == 0 ? 0.0 : best.floor;
  }

  Track track() const { return track_; }
  // Of losses whose range is unknown: the largest less the least loss of a round.
  struct Ranges {
    double largest = 0;
    double squares = 0;
    CarriedSum least;  // the least losses of the rounds, summed
  };
  const Ranges& ranges() const { return ranges_; }
  // In which a round of age i counts discount^i; best and floor are known where best() is.
  struct Discounted {
    double total = 0;
    double best = 0;
    double floor = 0;
  };
  const Discounted* discounted() const { return plain_ ? &discounted_ : nullptr; }
  // The leader of all rounds, each counted once.
  const Answer<typename P::Action>& lead(const Learner<P>& learner) const {
    return plain_ ? plain_->leader() : learner.seen().peek();
  }

  double total() const { return total_.value(); }
  std::optional<double> best() const { return best_; }  // the least total found; L* lies in [floor, best]
  double floor() const { return floor_; }
  std::optional<double> regret() const { return best_ ? std::optional(total() - *best_) : std::nullopt; }
  // Regret of the leader run alone on the same outcomes; known when every round is tracked.
  std::optional<double> leader_regret() const {
    return track_ == Track::kEvery && best_ ? std::optional(leader_total_.value() - *best_) : std::nullopt;
  }

  // With what a total of losses may be, and ranges where that is not known.
  void archive(Archive& a, LossRange range = LossRange::kUnitInterval) {
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

 private:
  Track track_;
  double discount_ = 1;
  std::optional<SeenOutcomes<P>> plain_;
  Discounted discounted_;
  Ranges ranges_;
  CarriedSum total_;
  CarriedSum leader_total_;
  std::optional<double> best_;
  double floor_ = 0;
};

}  // namespace hannan
