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
#include "hannan/core/learner_options.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/game/learner.hpp"

namespace hannan::detail {

class Ledger {
 public:
  explicit Ledger(Track track) : track_(track) {}
  // For a learner that discounts, whose outcomes `plain` will record without.
  Ledger(Track track, double discount, SeenOutcomes plain)
      : track_(track), discount_(discount), plain_(std::move(plain)) {}

  // Before any learner sees the outcome: the leader so far must be known (game/shared_history.hpp).
  void ready(const Learner& learner);
  // Before the learner sees the outcome: what the leader alone would have paid.
  void before(const Learner& learner, const AnyOutcome& y);
  void after(const Learner& learner, double loss);
  // Asks for L* now, whatever is tracked.
  void look(const Learner& learner);

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
  const GameAnswer& lead(const Learner& learner) const { return plain_ ? plain_->leader() : learner.seen().peek(); }

  double total() const { return total_.value(); }
  std::optional<double> best() const { return best_; }  // the least total found; L* lies in [floor, best]
  double floor() const { return floor_; }
  std::optional<double> regret() const { return best_ ? std::optional(total() - *best_) : std::nullopt; }
  // Regret of the leader run alone on the same outcomes; known when every round is tracked.
  std::optional<double> leader_regret() const {
    return track_ == Track::kEvery && best_ ? std::optional(leader_total_.value() - *best_) : std::nullopt;
  }

  // With what a total of losses may be, and ranges where that is not known.
  void archive(Archive& a, LossRange range = LossRange::kUnitInterval);

 private:
  Track track_;
  double discount_ = 1;
  std::optional<SeenOutcomes> plain_;
  Discounted discounted_;
  Ranges ranges_;
  CarriedSum total_;
  CarriedSum leader_total_;
  std::optional<double> best_;
  double floor_ = 0;
};

}  // namespace hannan::detail
