// The lazy leader (theory key lazy): the leader without a search, while no action outside the pool can be better.
//
// A search leaves its P best actions and a number that no other action is below. The pool follows its
// members' losses exactly; an outsider loses at least the least possible loss of every new outcome:
//
//     outside(t) >= rest + sum of least_loss(y) over the new outcomes.
//
// A pool is anchored at the evidence it was searched on, loss + scale0 * noise0. Asked about
// loss + scale * noise it knows of every outsider
//     same draw     rest + (scale - scale0) * (least noise; the most where the difference is negative)
//     another draw  rest - scale0 * (most noise0) + scale * (least noise)
// While the best member is below that by more than the tie window it IS the argmin, ties included.
// Members' sums are compensated: after 10^9 rounds they are still good to the last bit.
//
// Cost: one loss per member and round, nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/game/game.hpp"

namespace hannan::detail {

// A draw of noise, as a pool asks about it.
class AskedNoise {
 public:
  virtual ~AskedNoise() = default;
  virtual std::uint64_t draw() const = 0;  // of one owner equal numbers are equal draws; 0 is like no other
  virtual bool quick() const = 0;          // is of(x) much cheaper than a search?
  virtual const NoiseTable& table() const = 0;
  virtual double of(const AnyAction& x) const = 0;  // up to a constant for all actions
};

class Pool {
 public:
  // What the evidence was: scale * noise of one draw beside the losses. Draw 0 is like no other draw.
  struct Anchor {
    std::uint64_t draw = 0;
    double scale = 0;
    double least = 0, most = 0;  // of the noise of that draw
  };

  bool empty() const { return actions_.empty(); }
  std::size_t size() const { return actions_.size(); }
  std::uint64_t age() const { return age_; }  // outcomes since the search
  bool plain() const { return anchor_.scale == 0; }

  void drop();

  // With what a search found on losses alone.
  void refill(const GameAnswer& answer);
  // With what it found on losses + scale * noise.
  void refill(const GameAnswer& answer, const AskedNoise& noise, double scale);

  // All of the evidence is multiplied, the noise of the anchor too.
  void scale(double factor);

  void observe(const Game& game, const AnyOutcome& y, double weight = 1);

  // The leader, if the pool is a plain one and proves it; else the answer is not touched. `unit` is that of tie
  // windows.
  bool leader(GameAnswer& answer, double unit = 1) const;
  // The argmin of loss + scale * noise, if the pool proves it; its value is up to a constant.
  struct Question {
    const AskedNoise& noise;
    double scale;
    double unit = 1;  // of tie windows
  };
  bool perturbed(const Question& question, GameAnswer& answer) const;

  // At most `most` members, each an action of the problem whose total loss is at most `total`.
  struct Limits {
    double total;
    std::size_t most;
  };
  void archive(Archive& a, const Game& game, const Limits& limits);

 private:
  struct Member {
    Sum evidence;      // at the anchor, and the losses since
    double noise = 0;  // of the anchor's draw
  };

  void take(const GameAnswer& answer, const AskedNoise* noise);
  bool possible(const Member& member, double total) const;
  // What no action outside is below, and the unit of tie windows.
  struct Outside {
    double least;
    double unit;
  };
  template <class Value>
  bool choose(const Value& value, Outside outside, GameAnswer& answer) const;

  std::vector<AnyAction> actions_;
  std::vector<Member> members_;  // of the actions, in their order
  std::vector<double> losses_;   // a buffer of observe
  Anchor anchor_;
  Sum rest_;
  std::uint64_t age_ = 0;
};

}  // namespace hannan::detail
