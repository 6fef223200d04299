// `ada` on estimated losses: of each round it is told the losses of the elements of its own action, nothing else
// (docs/partial.md; docs/theory-partial.md, elements). A bandit where an action is one element.
//
//   act      z = max(1, S/M);  x = argmin of Lhat + z noise
//   observe  l_i of the elements of x. Actions are drawn anew, from the same estimates with new noise, until each
//            element of x was met, at most G = ceil(cap z) of them: K_i = the first draw that has it, G where none has
//            (then it is capped). Lhat_i += l_i K_i: the mean of K_i is one over the chance of i, cut at G.
//            A ghost, one more draw that nothing depends on, says what the noise costs:
//            gap = [Lhat + z n'](ghost) - min [Lhat + z n'], Lhat with this round.   S += gap + the capped losses.
//
// Noise is Laplace, cut at 32 (noise/laplace.hpp), one column an element. All in losses of elements: the problem's own
// are these over its normaliser. S + M z bounds the regret in the mean (R8 there).
// Cost: 3 + draws oracle calls a round, the draws at most G and on average at most the number of elements; each call
// costs a draw of noise, O(elements), besides.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hannan/certify/elements_account.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/game/perturber.hpp"

namespace hannan::detail {

class ResampledAda {
 public:
  struct Parts {
    std::shared_ptr<const Game> game;          // has elements()
    std::shared_ptr<const GameOracle> oracle;  // takes tables
    std::shared_ptr<const GameMatrix> matrix;  // the one that elements() names
    Key key;
    double noise_size;  // M, exact or an upper limit; 0 where there is one action
    double cap = 16;
    double delta = 0.05;
  };
  // kUnavailable where the problem has no elements or the oracle takes no tables.
  explicit ResampledAda(Parts parts);

  struct Choice {
    AnyAction action;
    std::vector<std::int32_t> elements;  // of the action, in its order
    double multiplier = 1;               // z
    std::uint64_t most_draws = 0;        // G
  };
  // Asked again it answers the same. kWorkLimit where G reaches 2^20.
  const Choice& act();

  struct Step {
    double loss = 0;
    std::vector<std::uint64_t> copies;  // K, in the order of the elements
    double capped = 0;
    double gap = 0;
    std::uint64_t draws = 0;
  };
  // Requires a loss in [0,1] for each element of the choice. Valid until the next round.
  const Step& observe(std::span<const double> losses);

  std::uint64_t rounds() const { return rounds_; }
  double stability() const { return stability_; }  // S
  std::uint64_t oracle_calls() const { return calls_; }
  std::uint64_t draws() const { return draws_; }
  const ElementsAccount& account() const { return account_; }
  // S + M z: the mean regret is at most its mean.
  double measured() const { return stability_ + parts_.noise_size * last_multiplier_; }
  // What the realised regret is at most, at every round with probability 1 - delta. One oracle call, not counted.
  double limit();

  void archive(Archive& a);

 private:
  double multiplier() const;
  // The choice on what data_ holds with new noise, whose numbers stay in alpha_.
  void choose(Purpose purpose, std::uint64_t round, double scale);
  void meet();                                   // the draws of a round
  double ghost(std::span<const double> losses);  // its gap; the losses go into the account

  Parts parts_;
  ElementsAccount account_;
  std::unique_ptr<GameHistory> data_;
  RoundNoise noise_;
  GameAnswer answer_;
  std::vector<std::int32_t> drawn_, ghost_;  // elements of answer_, and of the ghost
  std::vector<double> alpha_, values_;
  std::vector<std::uint32_t> place_;  // of an element in the choice, from 1; 0: it is not in it
  Choice choice_;
  Step step_;
  bool decided_ = false;
  std::uint64_t rounds_ = 0, calls_ = 0, draws_ = 0;
  double stability_ = 0, last_multiplier_ = 1;
};

}  // namespace hannan::detail
