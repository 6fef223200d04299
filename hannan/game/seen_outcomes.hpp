// Outcomes seen so far, summarised, and who leads on them: x = argmin of the sum, L* = its value.
//
// The leader is asked of the oracle at most once between two outcomes and kept, so a learner and its
// ledger share one search. Where the oracle comes with a pool (game/pool.hpp) there is no search while
// a pool knows the answer, and outcomes wait outside the history until there is one. Two pools are kept:
// of the plain evidence, and of the last perturbed one, which serves the same draw again (one draw for
// all rounds; x'_t, which repeats the round's).
//
// With a discount the sum is that of discount^age times the losses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hannan/game/perturber.hpp"
#include "hannan/game/pool.hpp"
#include "hannan/game/pool_size.hpp"
#include "hannan/game/shared_history.hpp"

namespace hannan::detail {

class SeenOutcomes {
 public:
  // A discount other than 1 needs an oracle that scales().
  explicit SeenOutcomes(std::shared_ptr<const GameOracle> oracle, double discount = 1);

  // From the first round on, one past with a record that will be told the same outcomes in step; no difference but
  // time. Each has pools of its own, and so are the hints of searches with a limit: there nothing is shared.
  void share(const SeenOutcomes& other);

  // Before the first outcome: they will have weights of at least 1. Needs an oracle that scales().
  void weigh() { past_->weigh(); }
  void add(const AnyOutcome& y, double weight = 1);
  // Rounds without an outcome: nothing but their number changes. Not for records that share their past.
  void skip(std::uint64_t rounds) {
    rounds_ += rounds;
    past_->skip(rounds);
  }

  const GameAnswer& leader() const {
    if (pool_ == 0) return past_->leader(rounds_);
    if (!leader_known_) find_leader();
    return leader_;
  }
  // The same for onlookers, such as the ledger: it must not change the searches to come, nor their count. Whoever
  // asks for the leader afterwards takes over the answer of a search made here.
  const GameAnswer& peek() const;

  // argmin of everything seen + scale * noise; valid until the next such question.
  const GameAnswer& perturbed(const RoundNoise& noise, double scale) const;

  // The same without a trace in the pools, for onlookers.
  void probe(const RoundNoise& noise, double scale, GameAnswer& answer) const;
  // The total loss of an action with this value in an answer of perturbed(noise, scale) or probe(noise, scale).
  double total_of(const AnyAction& x, double value, const RoundNoise& noise, double scale) const {
    if (scale == 0) return value;
    return value - scale * (pool_ == 0 ? noise.poured(x) : noise.of(x));
  }

  // The round is over: searches made since the last one count as made.
  void settle() { before_.reset(); }

  // The memory of what a search can compute again is given back.
  void shrink() { past_->shrink(); }

  std::uint64_t rounds() const { return rounds_; }
  double unit() const { return past_->unit(); }  // of tie windows (core/tolerance.hpp)

  // Between rounds, or within one whose action is known already: then as if it were not.
  void archive(Archive& a);

 private:
  struct Pools {
    explicit Pools(std::size_t most) : plain_size(most), noisy_size(most) {}
    Pool plain, noisy;
    PoolSize plain_size, noisy_size;
    bool led = false;  // the leader of these very outcomes was searched for

    void archive(Archive& a, const Game& game, const Pool::Limits& limits);
  };

  void check_history(Archive& a) const;
  void find_leader() const;
  void search(const GameHistory& noise, double scale, std::size_t keep, GameAnswer& answer) const;
  void refill_plain() const;
  void pour() const;
  void keep_before() const {
    if (!before_) before_ = pools_;
  }

  std::shared_ptr<const GameOracle> oracle_;
  std::size_t pool_;                     // of the oracle: asked for in every round
  std::shared_ptr<SharedHistory> past_;  // with the outcomes that wait it is everything seen
  std::vector<AnyOutcome> outcomes_;     // the first waiting_ wait; the others are buffers for more
  std::vector<double> weights_;          // of these
  mutable std::size_t waiting_ = 0;
  std::uint64_t rounds_ = 0;
  mutable GameAnswer leader_, peeked_, perturbed_;
  mutable bool leader_known_ = false, peeked_known_ = false;
  mutable Pools pools_;
  mutable std::optional<Pools> before_;  // the pools when the round began, if it has searched
  bool limited_;
};

}  // namespace hannan::detail
