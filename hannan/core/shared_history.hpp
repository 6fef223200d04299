// The outcomes so far, summarised by the oracle's history, and their leader: asked for once, kept until the next
// outcome.
//
// Records of learners that meet the same outcomes in step may share one: whoever is first adds the outcome or
// searches for the leader, the others find it done. In step means that all have decided round t before the first is
// told its outcome; until it is told, a record that is one round behind still finds the leader it knew.
//
// With a discount below 1 an outcome of age i counts discount^i: before one is added all are multiplied by it.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>

#include "hannan/core/oracle.hpp"

namespace hannan {

template <class P>
class SharedHistory {
 public:
  using Action = typename P::Action;

  // A discount other than 1 needs an oracle that scales().
  SharedHistory(std::shared_ptr<const AnyOracle<P>> oracle, double discount)
      : oracle_(std::move(oracle)), history_(oracle_->empty()), discount_(discount) {}

  AnyHistory<P>& history() { return *history_; }
  double discount() const { return discount_; }
  // One outcome more, whoever counts the rounds.
  void pour(const typename P::Outcome& y) {
    if (discount_ != 1) history_->scale(discount_);
    history_->add(y, 1.0);
  }
  // For a learner that has seen so many rounds.
  void add(const typename P::Outcome& y, std::uint64_t rounds) {
    if (rounds < rounds_) return;
    pour(y);
    ++rounds_;
    std::swap(leader_, before_);
    leader_known_ = false;
  }
  const Answer<Action>& leader(std::uint64_t rounds) {
    if (rounds < rounds_) return before_;
    assert(rounds == rounds_);
    if (!leader_known_) oracle_->choose({*history_, *history_, 0.0}, leader_);
    leader_known_ = true;
    return leader_;
  }
  void archive(Archive& a, std::uint64_t rounds) {
    history_->archive(a);
    rounds_ = rounds;
    if (a.reading()) leader_known_ = false;
  }

 private:
  std::shared_ptr<const AnyOracle<P>> oracle_;
  std::unique_ptr<AnyHistory<P>> history_;
  double discount_;
  std::uint64_t rounds_ = 0;
  Answer<Action> leader_, before_;  // of all rounds, if known; of all but the last
  bool leader_known_ = false;
};

}  // namespace hannan
