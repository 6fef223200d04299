// The outcomes so far, summarised by the oracle's history, and their leader: asked for once, kept until the next
// outcome.
//
// Records of learners that meet the same outcomes in step may share one: whoever is first adds the outcome or
// searches for the leader, the others find it done. In step means that all have decided round t before the first is
// told its outcome; until it is told, a record that is one round behind still finds the leader it knew.
//
// Where the range of losses is unknown (core/problem.hpp) losses are kept in units of a power of two that is no smaller
// than the largest range so far: the tie windows of oracles, made for losses in [0,1], are then relative to the range
// seen. When the unit grows the history is scaled; by powers of two, so nothing is rounded. Answers are in losses.
//
// Where outcomes come with weights the unit is no smaller than the largest of them times the range, for the same
// reason.
//
// With a discount below 1 an outcome of age i counts discount^i: before one is added all are multiplied by it.
//
// A search that may stop early goes on from the one before. So the nodes of the search that found the leader are saved:
// after loading it is found again with fewer, but counts as many.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>

#include "hannan/core/interval.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/game/game.hpp"

namespace hannan::detail {

class SharedHistory {
 public:
  // A discount other than 1 needs an oracle that scales().
  SharedHistory(std::shared_ptr<const GameOracle> oracle, double discount)
      : oracle_(std::move(oracle)),
        history_(oracle_->empty()),
        discount_(discount),
        limited_(oracle_->limited(1) != nullptr),
        unknown_range_(oracle_->problem().loss_range() == LossRange::kUnknown) {}

  GameHistory& history() { return *history_; }
  double discount() const { return discount_; }
  double unit() const { return unit_ > 0 ? unit_ : 1.0; }
  // The answer to a question about the history, and so in its units, in losses.
  void to_losses(GameAnswer& answer) const {
    answer.unit = unit();
    if (answer.unit == 1) return;
    for (double* value : {&answer.value, &answer.floor, &answer.rest}) *value *= answer.unit;
    for (auto& member : answer.pool) member.value *= answer.unit;
  }
  // Before the first outcome: they will have weights of at least 1. Needs an oracle that scales().
  void weigh() { weighted_ = true; }
  // An outcome of this weight will be poured before the next question; the unit is already that with it.
  void expect(double weight) {
    if (weighted_) grow_unit(weight);
  }
  // One outcome more, whoever counts the rounds.
  void pour(const AnyOutcome& y, double weight) {
    if (discount_ != 1) history_->scale(discount_);
    if (unknown_range_) {
      grow_unit(weight * oracle_->problem().spread(y).range());
    } else if (weighted_) {
      grow_unit(weight);
    }
    history_->add(y, weight / unit());
  }
  // For a learner that has seen so many rounds.
  void add(const AnyOutcome& y, double weight, std::uint64_t rounds) {
    if (rounds < rounds_) return;
    pour(y, weight);
    ++rounds_;
    std::swap(leader_, before_);
    leader_known_ = false;
    leader_nodes_ = 0;
  }
  // Rounds without an outcome; only of a history that is not shared.
  void skip(std::uint64_t rounds) { rounds_ += rounds; }
  const GameAnswer& leader(std::uint64_t rounds) {
    if (rounds < rounds_) return before_;
    assert(rounds == rounds_);
    if (!leader_known_) {
      oracle_->choose({*history_, *history_, 0.0}, leader_);
      to_losses(leader_);
      if (leader_nodes_ > 0) leader_.nodes = leader_nodes_;
      leader_nodes_ = leader_.nodes;
    }
    leader_known_ = true;
    return leader_;
  }
  void shrink() { history_->shrink(); }
  void archive(Archive& a, std::uint64_t rounds) {
    history_->archive(a);
    archive_unit(a, unit_);
    if (limited_) a.later_count("leader_nodes", leader_nodes_);
    rounds_ = rounds;
    if (a.reading()) leader_known_ = false;
  }

  // Of a history that is open in the archive.
  void archive_unit(Archive& a, double& unit) const {
    if (!unknown_range_ && !weighted_) return;
    constexpr double kMostWeight = 1e6;  // looks come with a chance of at least 10^-6
    a.field("unit", unit, {0, unit_of(2 * kAnyLoss.hi * (weighted_ ? kMostWeight : 1.0))});
    if (a.reading() && unit != 0 && unit != unit_of(unit))
      a.refuse("unit", "found no power of two of a unit of losses");
  }

 private:
  // To the least power of two that is no smaller than the range. Before the first range above 0 the unit is that of
  // the losses: all actions have the same total then.
  void grow_unit(double range) {
    if (range <= unit_) return;
    const double grown = unit_of(range);
    history_->scale(unit() / grown);
    unit_ = grown;
  }

  std::shared_ptr<const GameOracle> oracle_;
  std::unique_ptr<GameHistory> history_;
  double discount_;
  bool limited_;
  bool unknown_range_;
  bool weighted_ = false;
  double unit_ = 0;  // 0: no range above 0 was seen, or losses are in [0,1] and of weight 1
  std::uint64_t rounds_ = 0;
  GameAnswer leader_, before_;  // of all rounds, if known; of all but the last
  bool leader_known_ = false;
  std::uint64_t leader_nodes_ = 0;  // of its search, if there was one
};

}  // namespace hannan::detail
