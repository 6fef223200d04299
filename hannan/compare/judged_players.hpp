// What a comparison says of its players, in money: verdicts with their doubts, and the best fixed action as far as it
// is proven. Every verdict of a result is made here, by judgement.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/compare/comparison.hpp"
#include "hannan/compare/judgement.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/game/money.hpp"

namespace hannan::detail {

// The largest gain of a round in money that is known in advance: that of a loss of 1, or where the range of losses is
// unknown what the problem says (Money::most_gain, docs/judgement.md). None: it is not known.
std::optional<double> largest_gain(const AnyProblem& problem, const MoneyScale& scale);

// What every result says of a judgement: its sentence, reason, doubts and gain. Intervals are left to the caller.
ResultJudgement stated(const Judgement& judged, const JudgedNames& names);

class JudgedPlayers {
 public:
  // All three outlive it.
  JudgedPlayers(const Comparison& comparison, const AnyProblem& problem, const MoneyScale& scale);

  // The money of so many rounds with so much loss in all.
  double money(std::uint64_t rounds, double loss) const;
  double unit() const { return unit_; }  // the money of a loss of 1
  bool reward() const { return reward_; }

  // Of a player that has gains.
  ResultJudgement player(std::size_t i) const;
  // Of a strategy of the portfolio, by its own gains. All that are judged on the log are counted.
  ResultJudgement strategy(std::size_t k) const;
  // Of the best fixed action of the first rounds, on those that were held out.
  ComparisonResult::HeldOut held_out() const;
  ComparisonResult::Best best() const;
  // Whatever would forbid a verdict where nothing is judged.
  std::vector<StatedDoubt> doubts() const;
  // With the largest gain of a round that is known in advance.
  Doubts doubts_of(std::optional<double> most) const;

 private:
  struct Judged {
    std::string player, baseline;
    double today;  // money of the baseline
    std::vector<double> gains, most_gains;
    std::size_t players;
    std::optional<double> at_risk;
  };
  std::optional<double> at_risk(std::size_t player) const;
  bool replayed() const;
  const Money::Shares* shares() const;  // null: gains are in money
  double best_end() const { return all_.players[all_.best_fixed].path.back().loss; }
  Interval best_money() const;
  std::optional<double> most_gain() const;
  ResultJudgement judgement(Judged of) const;
  ResultJudgement share_judgement(const Judged& of) const;
  ResultJudgement::Path path(const std::vector<double>& gains, const JudgementTerms& terms) const;

  const Comparison& all_;
  const AnyProblem& problem_;
  std::shared_ptr<const Money> money_;  // null: the problem says nothing of it
  const MoneyScale& scale_;
  bool reward_;
  bool unknown_range_;
  double unit_;
};

}  // namespace hannan::detail
