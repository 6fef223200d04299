// What may be said of a run of which only some rounds were seen in full (docs/partial.md, docs/theory-partial.md).
//
// A look of chance eps counts with weight w = 1/eps, so that sums over looks estimate sums over all rounds:
//
//   A   = sum of w f(x,y)                own_estimate: what the choices x lost
//   X   = sum of f(look,y) - f(x,y)      look_cost: what looking cost, seen and exact; 0 where the choice itself is
//   played D_k = sum of w (f(x,y) - f(k,y)),    Q_k = sum of the squares of these over looks with eps < 1 b   = largest
//   1/eps of all rounds with eps < 1, looked at or not
//
//   limit      X + max_k [D_k + signed_upper(Q_k, b, delta/K)] where all K actions are followed,
//              else X + limit_sums(A - Mh, L - Mh, b, ln K, delta), L the least weighted sum of an action and Mh that
//              of the outcomes' least losses. With probability 1 - delta the realised regret is at most this, at every
//              round at once.
//   interval   X + D_k -+ signed_upper(Q_k, b, delta/2): own loss less that of one action named before the run
//
// A look whose outcome was lost counts as the worst that it can have been. All of it is for losses of a range that is
// known; where it is not there is no limit and no interval. Nothing is assumed of the learner or of its noise: the
// coins are fair, and outcomes do not react to the coin of their round.
//
// Cost: a loss for every action that is followed and look; a limit, 32 products for each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/game/game.hpp"

namespace hannan::detail {

class LooksAccount {
 public:
  // Up to so many actions are all followed.
  static constexpr double kMostListed = 20'000;

  struct Setting {
    std::optional<AnyAction> look;   // what is played in a look; none: the choice
    std::vector<AnyAction> against;  // each has an interval of its own
    std::optional<double> range;     // of losses; none: not known
    double delta = 0.05;
  };
  LooksAccount(const Game& game, Setting setting);

  // So many rounds with this chance of a look, looked at or not.
  void pass(double chance, std::uint64_t rounds);
  // One of them was a look, and this is what the choice of its round met.
  void look(const AnyAction& choice, const AnyOutcome& y, double chance);
  // One of them was a look whose outcome is gone.
  void lose(double chance);

  std::uint64_t looks() const { return looks_; }
  std::uint64_t lost() const { return lost_; }
  double looks_expected() const { return chances_; }
  // The number of looks is one that fair coins can give: beyond it nothing here holds.
  bool coins_look_fair() const;
  // None: a look was lost and the range of losses is not known.
  std::optional<double> look_cost() const { return charged(cost_, lost_cost_); }
  std::optional<double> own_estimate() const { return charged(own_, lost_weight_); }
  // Of the regret against actions named beforehand. `best` is the least weighted sum of an action.
  std::optional<double> estimate(double best) const;
  std::optional<double> limit(double best) const;

  struct Gain {
    double estimate = 0;
    std::optional<double> low, high;
  };
  // Own loss less that of the action of `against`.
  Gain gain(std::size_t of_against) const;
  std::span<const AnyAction> against() const { return setting_.against; }
  const std::optional<AnyAction>& look_action() const { return setting_.look; }

  void archive(Archive& a);

 private:
  std::optional<double> charged(double seen, double gone) const;
  double in_ranges(double losses) const { return losses / setting_.range.value_or(1); }

  const Game* game_;
  Setting setting_;
  bool all_;                         // every action is followed
  std::vector<AnyAction> followed_;  // all, or those of `against`
  std::vector<std::size_t> places_;  // of `against` among them
  std::vector<double> differences_;  // D
  std::vector<double> squares_;      // Q
  std::vector<double> losses_;       // a buffer of look()
  std::uint64_t looks_ = 0, lost_ = 0;
  double chances_ = 0;    // summed over all rounds
  double variances_ = 0;  // eps (1 - eps), likewise
  double heaviest_ = 0;   // b
  double own_ = 0;        // A
  double least_ = 0;      // Mh
  double cost_ = 0;       // X
  // Of lost looks, in ranges: 1 for each where a look is played, w, and w^2 where eps < 1.
  double lost_cost_ = 0, lost_weight_ = 0, lost_square_ = 0;
};

}  // namespace hannan::detail
