// Outcomes seen so far, summarised, and who leads on them: x = argmin of the sum, L* = its value.
//
// The leader is asked of the oracle at most once between two outcomes and kept, so a learner and its
// ledger share one search. Where the oracle comes with a pool (core/pool.hpp) there is no search while
// a pool knows the answer, and outcomes wait outside the history until there is one. Two pools are kept:
// of the plain evidence, and of the last perturbed one, which serves the same draw again (one draw for
// all rounds; x'_t, which repeats the round's).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/perturber.hpp"
#include "hannan/core/pool.hpp"
#include "hannan/core/pool_size.hpp"

namespace hannan {

template <class P>
class Record {
 public:
  using Action = typename P::Action;
  using Outcome = typename P::Outcome;

  explicit Record(std::shared_ptr<const AnyOracle<P>> oracle)
      : oracle_(std::move(oracle)), history_(oracle_->empty()), pools_(oracle_->pool()),
        limited_(oracle_->limited(1) != nullptr) {}

  void add(const Outcome& y) {
    if (oracle_->pool() == 0) {
      history_->add(y, 1.0);
    } else {
      pools_.plain.observe(oracle_->problem(), y);
      pools_.noisy.observe(oracle_->problem(), y);
      if (waiting_.size() == kMostWaiting) pour();
      waiting_.push_back(y);
    }
    ++rounds_;
    leader_.reset();
    peeked_.reset();
    pools_.led = false;
  }

  const Answer<Action>& leader() const {
    if (!leader_) leader_ = pools_.plain.leader();
    if (!leader_ && pools_.led) leader_ = search(*history_, 0.0, 0);  // known when it was saved
    if (!leader_) {
      keep_before();
      const std::size_t keep = pools_.plain_size.next(pools_.plain);
      leader_ = peeked_ ? *peeked_ : search(*history_, 0.0, keep);
      pools_.plain.refill(*leader_, {}, [](const Action&) { return 0.0; });
      pools_.led = true;
    }
    return *leader_;
  }
  // The same for onlookers, such as the ledger: it must not change the searches to come, nor their count. Whoever
  // asks for the leader afterwards takes over the answer of a search made here.
  const Answer<Action>& peek() const {
    if (leader_) return *leader_;
    if (!peeked_) peeked_ = pools_.plain.leader();
    if (!peeked_) peeked_ = search(*history_, 0.0, PoolSize(pools_.plain_size).next(pools_.plain));
    return *peeked_;
  }

  // argmin of everything seen + scale * noise.
  Answer<Action> perturbed(const RoundNoise<P>& noise, double scale) const {
    if (auto known = pools_.noisy.perturbed(noise, scale)) return *std::move(known);
    if (auto known = pools_.plain.perturbed(noise, scale)) return *std::move(known);
    keep_before();
    const bool pool = noise.quick();
    auto answer = search(noise.history(), scale, pool ? pools_.noisy_size.next(pools_.noisy) : 0);
    if (answer.pool.empty()) {
      pools_.noisy.drop();
    } else {
      const NoiseTable& table = noise.table();
      pools_.noisy.refill(answer, {.draw = noise.draw(), .scale = scale, .least = table.least, .most = table.most},
                          [&](const Action& x) { return noise.of(x); });
    }
    return answer;
  }

  // The round is over: searches made since the last one count as made.
  void settle() { before_.reset(); }

  std::uint64_t rounds() const { return rounds_; }

  // Between rounds, or within one whose action is known already: then as if it were not.
  void archive(Archive& a) {
    pour();
    a.count("rounds", rounds_);
    a.open("history");
    history_->archive(a);
    a.close();
    if (oracle_->pool() > 0) (before_ ? *before_ : pools_).archive(a);
    if (!a.reading()) return;
    leader_.reset();
    peeked_.reset();
    before_.reset();
  }

 private:
  static constexpr std::size_t kMostWaiting = 1024;  // outcomes; bounds the memory, not the cost

  struct Pools {
    explicit Pools(std::size_t most) : plain_size(most), noisy_size(most) {}
    Pool<P> plain, noisy;
    PoolSize plain_size, noisy_size;
    bool led = false;  // the leader of these very outcomes was searched for

    void archive(Archive& a) {
      a.count("led", led);
      a.open("plain_pool");
      plain.archive(a);
      plain_size.archive(a);
      a.close();
      a.open("noisy_pool");
      noisy.archive(a);
      noisy_size.archive(a);
      a.close();
    }
  };

  // An oracle with a work limit proves its choice first and looks for the pool afterwards, so that the
  // pool never costs the proof.
  Answer<Action> search(const AnyHistory<P>& noise, double scale, std::size_t keep) const {
    pour();
    const Evidence<AnyHistory<P>> evidence{*history_, noise, scale};
    if (!limited_ || keep == 0) return oracle_->best(evidence, keep);
    auto answer = oracle_->best(evidence, 0);
    if (!answer.proven()) return answer;
    auto wide = oracle_->best(evidence, keep);
    answer.pool = std::move(wide.pool);
    answer.rest = wide.rest;
    answer.nodes += wide.nodes;
    return answer;
  }
  void pour() const {
    for (const auto& y : waiting_) history_->add(y, 1.0);
    waiting_.clear();
  }
  void keep_before() const {
    if (!before_) before_ = pools_;
  }

  std::shared_ptr<const AnyOracle<P>> oracle_;
  std::unique_ptr<AnyHistory<P>> history_;  // with waiting_ it is everything seen
  mutable std::vector<Outcome> waiting_;
  std::uint64_t rounds_ = 0;
  mutable std::optional<Answer<Action>> leader_, peeked_;
  mutable Pools pools_;
  mutable std::optional<Pools> before_;  // the pools when the round began, if it has searched
  bool limited_;
};

}  // namespace hannan
