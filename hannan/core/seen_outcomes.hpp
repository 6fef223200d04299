// Outcomes seen so far, summarised, and who leads on them: x = argmin of the sum, L* = its value.
//
// The leader is asked of the oracle at most once between two outcomes and kept, so a learner and its
// ledger share one search. Where the oracle comes with a pool (core/pool.hpp) there is no search while
// a pool knows the answer, and outcomes wait outside the history until there is one. Two pools are kept:
// of the plain evidence, and of the last perturbed one, which serves the same draw again (one draw for
// all rounds; x'_t, which repeats the round's).
//
// With a discount the sum is that of discount^age times the losses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/perturber.hpp"
#include "hannan/core/pool.hpp"
#include "hannan/core/pool_size.hpp"
#include "hannan/core/shared_history.hpp"

namespace hannan {

template <class P>
class SeenOutcomes {
 public:
  using Action = typename P::Action;
  using Outcome = typename P::Outcome;

  // A discount other than 1 needs an oracle that scales().
  explicit SeenOutcomes(std::shared_ptr<const AnyOracle<P>> oracle, double discount = 1)
      : oracle_(std::move(oracle)),
        past_(std::make_shared<SharedHistory<P>>(oracle_, discount)),
        pools_(oracle_->pool()),
        limited_(oracle_->limited(1) != nullptr) {}

  // From the first round on, one past with a record that will be told the same outcomes in step; no difference but
  // time. Each has pools of its own, and so are the hints of searches with a limit: there nothing is shared.
  void share(const SeenOutcomes& other) {
    const bool alike = oracle_->name() == other.oracle_->name() && oracle_->claims().empty() && !limited_ &&
                       past_->discount() == other.past_->discount();
    if (alike && oracle_->pool() == 0 && other.oracle_->pool() == 0 && rounds_ == 0 && other.rounds_ == 0)
      past_ = other.past_;
  }

  void add(const Outcome& y) {
    if (oracle_->pool() == 0) {
      past_->add(y, rounds_);
    } else {
      for (auto* pool : {&pools_.plain, &pools_.noisy}) {
        if (past_->discount() != 1) pool->scale(past_->discount());
        pool->observe(oracle_->problem(), y);
      }
      if (waiting_ == kMostWaiting) pour();
      if (waiting_ == outcomes_.size()) outcomes_.emplace_back();
      outcomes_[waiting_++] = y;
    }
    ++rounds_;
    leader_known_ = peeked_known_ = false;
    pools_.led = false;
  }

  const Answer<Action>& leader() const {
    if (oracle_->pool() == 0) return past_->leader(rounds_);
    if (leader_known_) return leader_;
    if (!pools_.plain.leader(leader_)) {
      if (pools_.led) {
        search(past_->history(), 0.0, 0, leader_);  // known when it was saved
      } else {
        refill_plain();
      }
    }
    leader_known_ = true;
    return leader_;
  }
  // The same for onlookers, such as the ledger: it must not change the searches to come, nor their count. Whoever
  // asks for the leader afterwards takes over the answer of a search made here.
  const Answer<Action>& peek() const {
    if (oracle_->pool() == 0) return past_->leader(rounds_);
    if (leader_known_) return leader_;
    if (!peeked_known_ && !pools_.plain.leader(peeked_)) {
      search(past_->history(), 0.0, PoolSize(pools_.plain_size).next(pools_.plain), peeked_);
    }
    peeked_known_ = true;
    return peeked_;
  }

  // argmin of everything seen + scale * noise; valid until the next such question.
  const Answer<Action>& perturbed(const RoundNoise<P>& noise, double scale) const {
    if (oracle_->pool() == 0) {
      search(noise.history(), scale, 0, perturbed_);
      return perturbed_;
    }
    if (pools_.noisy.perturbed(noise, scale, perturbed_) || pools_.plain.perturbed(noise, scale, perturbed_))
      return perturbed_;
    keep_before();
    search(noise.history(), scale, noise.quick() ? pools_.noisy_size.next(pools_.noisy) : 0, perturbed_);
    shift(perturbed_, scale * (noise.of(perturbed_.action) - noise.poured(perturbed_.action)));
    if (perturbed_.pool.empty()) {
      pools_.noisy.drop();
    } else {
      const NoiseTable& table = noise.table();
      pools_.noisy.refill(perturbed_, {.draw = noise.draw(), .scale = scale, .least = table.least, .most = table.most},
                          [&](const Action& x) { return noise.of(x); });
    }
    return perturbed_;
  }

  // The same without a trace in the pools, for onlookers.
  void probe(const RoundNoise<P>& noise, double scale, Answer<Action>& answer) const {
    search(noise.history(), scale, 0, answer);
    if (oracle_->pool() > 0) shift(answer, scale * (noise.of(answer.action) - noise.poured(answer.action)));
  }
  // The total loss of an action with this value in an answer of perturbed(noise, scale) or probe(noise, scale).
  double total_of(const Action& x, double value, const RoundNoise<P>& noise, double scale) const {
    if (scale == 0) return value;
    return value - scale * (oracle_->pool() == 0 ? noise.poured(x) : noise.of(x));
  }

  // The round is over: searches made since the last one count as made.
  void settle() { before_.reset(); }

  std::uint64_t rounds() const { return rounds_; }
  double unit() const { return past_->unit(); }  // of tie windows (core/tolerance.hpp)

  // Between rounds, or within one whose action is known already: then as if it were not.
  void archive(Archive& a) {
    pour();
    a.count("rounds", rounds_);
    if (a.reading()) check_history(a);
    a.open("history");
    past_->archive(a, rounds_);
    a.close();
    if (oracle_->pool() > 0)
      (before_ ? *before_ : pools_).archive(a, oracle_->problem(), {.rounds = rounds_, .most = oracle_->pool()});
    if (!a.reading()) return;
    leader_known_ = peeked_known_ = false;
    before_.reset();
  }

 private:
  static constexpr std::size_t kMostWaiting = 64;  // outcomes; bounds the memory, not the cost

  struct Pools {
    explicit Pools(std::size_t most) : plain_size(most), noisy_size(most) {}
    Pool<P> plain, noisy;
    PoolSize plain_size, noisy_size;
    bool led = false;  // the leader of these very outcomes was searched for

    void archive(Archive& a, const P& problem, const typename Pool<P>::Limits& limits) {
      a.count("led", led);
      a.open("plain_pool");
      plain.archive(a, problem, limits);
      plain_size.archive(a);
      a.close();
      a.open("noisy_pool");
      noisy.archive(a, problem, limits);
      noisy_size.archive(a);
      a.close();
    }
  };

  // A saved history of so many rounds has a best total between 0 and their number, or that many losses of any size. It
  // is searched in a copy, because a search may leave hints behind; an oracle from outside checks what it reads by
  // itself.
  void check_history(Archive& a) const {
    if (!oracle_->claims().empty()) return;
    const auto copy = oracle_->empty();
    a.open("history");
    copy->archive(a);
    double unit = 0;
    past_->archive_unit(a, unit);
    Answer<Action> answer;
    oracle_->choose({*copy, *copy, 0.0}, answer);
    const bool unknown = has_unknown_range(oracle_->problem());
    const auto rounds = static_cast<double>(rounds_);
    const double most = unknown ? kAnyLoss.hi * rounds : rounds, least = unknown ? -most : 0.0;
    const double window = 1e-6 + 1e-9 * most, value = unit > 0 ? unit * answer.value : answer.value;
    if (!(value >= least - window && value <= most + window)) {
      a.refuse(
          "", unknown
                  ? "found a history whose best total loss is more than " + std::to_string(rounds_) + " rounds can have"
                  : "found a history whose best total loss is outside 0.." + std::to_string(rounds_) + ", its rounds");
    }
    a.close();
  }

  // An oracle with a work limit proves its choice first and looks for the pool afterwards, so that the
  // pool never costs the proof.
  void search(const AnyHistory<P>& noise, double scale, std::size_t keep, Answer<Action>& answer) const {
    pour();
    const Evidence<AnyHistory<P>> evidence{past_->history(), noise, scale / past_->unit()};
    if (keep > 0 && !limited_) {
      answer = oracle_->best(evidence, keep);
      return past_->to_losses(answer);
    }
    oracle_->choose(evidence, answer);
    past_->to_losses(answer);
    if (keep == 0 || !answer.proven()) return;
    auto wide = oracle_->best(evidence, keep);
    answer.pool = std::move(wide.pool);
    answer.rest = wide.rest;
    answer.nodes += wide.nodes;
  }
  // Values of searches have the constant that pouring drops, those of pools the one of RoundNoise::of: both get the
  // latter, so that the two values of a round can be compared.
  static void shift(Answer<Action>& answer, double by) {
    if (by == 0) return;
    answer.value += by;
    answer.floor += by;
    answer.rest += by;
    for (auto& member : answer.pool) member.value += by;
  }
  void refill_plain() const {
    keep_before();
    const std::size_t keep = pools_.plain_size.next(pools_.plain);
    if (peeked_known_) {
      leader_ = peeked_;
    } else {
      search(past_->history(), 0.0, keep, leader_);
    }
    pools_.plain.refill(leader_, {}, [](const Action&) { return 0.0; });
    pools_.led = true;
  }
  void pour() const {
    for (std::size_t i = 0; i < waiting_; ++i) past_->pour(outcomes_[i]);
    waiting_ = 0;
  }
  void keep_before() const {
    if (!before_) before_ = pools_;
  }

  std::shared_ptr<const AnyOracle<P>> oracle_;
  std::shared_ptr<SharedHistory<P>> past_;  // with the outcomes that wait it is everything seen
  std::vector<Outcome> outcomes_;           // the first waiting_ wait; the others are buffers for more
  mutable std::size_t waiting_ = 0;
  std::uint64_t rounds_ = 0;
  mutable Answer<Action> leader_, peeked_, perturbed_;
  mutable bool leader_known_ = false, peeked_known_ = false;
  mutable Pools pools_;
  mutable std::optional<Pools> before_;  // the pools when the round began, if it has searched
  bool limited_;
};

}  // namespace hannan
