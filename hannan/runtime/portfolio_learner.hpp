// A portfolio: in each round one of several strategies is played, drawn so that the mean loss against today's decision,
// the first of them, stays below a stated amount (docs/theory-portfolio.md, learners/portfolio_rule.hpp).
//
// Its turn: what others propose and the context, where a strategy needs one, are said before it acts; the loss of what
// is done today comes with the outcome where today is "logged". act changes nothing: asked again it answers the same,
// and with other proposals it is refused. A rehearsed round is an outcome without a decision, before the first played
// one: every strategy, the mixture and the share learn from it, and nothing is charged. Rounds count rehearsed ones.
// Who answers many that ask, each with a context of its own, reopens the round before each of them.
//
// A round that is refused changes nothing: proposals, losses and their differences are looked at before any strategy is
// told. Cost: the calls of the strategies, and O(32 + K).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/core/long_sums.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/learners/portfolio.hpp"
#include "hannan/learners/portfolio_rule.hpp"
#include "hannan/runtime/any_learner.hpp"
#include "hannan/runtime/strategy.hpp"

namespace hannan::detail {

class PortfolioLearner final : public AnyLearner {
 public:
  using Seen = PortfolioSeen;

  PortfolioLearner(std::shared_ptr<const Game> game, LearnerParams params);
  // For callers that play other kinds of turn.
  [[noreturn]] static void refuse(std::string_view path);

  std::uint64_t rounds() const override { return rule_.rounds(); }
  // The next round is rehearsed: so many were asked for by the parameter `warm`.
  bool rehearses() const { return rule_.rounds() < warm_ && rule_.played() == 0; }
  std::uint64_t warm() const { return warm_; }
  bool takes_proposals() const;  // a strategy is given
  bool takes_today() const { return strategies_.front()->kind() == "logged"; }
  // The columns of a context, where a strategy has a decision for every segment; none otherwise.
  const ColumnOrders& orders() const { return orders_; }
  std::size_t columns() const;                                          // of all orders
  const std::vector<std::string>& context() const { return context_; }  // that the coming round was decided by
  // Bytes of the segments of all strategies, estimated: now, and at most after rounds with these contexts.
  double segment_bytes() const;
  double segment_bytes_after(std::span<const ContextLearner::Context> contexts) const;

  // What a round has of that: the context only where a strategy needs one.
  Seen seen(std::span<const std::string> context, Proposals proposals) const {
    return {orders_.empty() ? std::span<const std::string>() : context, proposals};
  }

  // A rehearsed round is one that was told to rehearse(), and counted there.
  void count_as_rehearsed() override {}

  // {"NAME": action or null}; kBadAction with the name of the strategy for what is no action. Changes nothing.
  std::vector<Proposal> read_proposals(const Json& json, std::string_view path) const;

  const Round& act(const Seen& seen = {});
  // The coming round is not decided any more: it may be asked for by another context. Nothing else changes.
  void reopen() { decided_ = false; }
  // The round that was decided; decided now without proposals where it was not. `today`: what was lost by a logged
  // today.
  const Round& observe(const AnyOutcome& y, std::optional<double> today = {});
  const Round& rehearse(const Seen& seen, const AnyOutcome& y, std::optional<double> today = {});

  const PortfolioRule& rule() const { return rule_; }
  std::size_t strategies() const { return strategies_.size(); }
  Strategy& strategy(std::size_t i) { return *strategies_[i]; }
  // Fills in the certificates of the run so far: today, share_cost, mixing. Costs a bisection.
  const Round& certified();
  // {name, kind, total, weight, behind, certificate} of each, as the report has them.
  Json strategies_json();

  // best and floor are those of the first learner on all actions; 0 where the best fixed action is not known.
  RunFacts facts() override;
  bool knows_best() const;  // of the played rounds: there is such a learner, and no round was rehearsed
  std::optional<StatedBound> bound() override { return std::nullopt; }  // its statements are not about L*: see report()
  Json report() override;

 protected:
  void archive(Archive& a) override;

 private:
  void make_strategies(std::vector<StrategyParams> all);
  PortfolioRule::Setting settled(const PortfolioOptions& asked);  // with the defaults of the problem
  void settle_params(const PortfolioOptions& asked);
  bool same_question(const Seen& seen) const;
  void propose(const Seen& seen);
  void score(const AnyOutcome& y, std::optional<double> today);
  void tell(const AnyOutcome& y);
  double drawn_number() const;
  std::uint64_t oracle_calls() const;  // of the oracles of all learners among the strategies
  Json fixed_json();
  Json bounds_json();
  Json learners_json();

  Key key_;
  std::vector<std::unique_ptr<Strategy>> strategies_;
  std::vector<std::size_t> played_;  // places of those that are no shadows: the K of the rule
  ColumnOrders orders_;
  PortfolioRule rule_;
  std::uint64_t warm_ = 0;
  double delta_ = 0.05;
  std::optional<std::vector<double>> u_;
  bool can_fail_ = false;  // an oracle of the user's own may
  LongSums shadows_;       // losses of the shadows over the played rounds in which they proposed; 0 of the others
  std::vector<double> proposed_rounds_;  // played rounds in which each proposed

  // Of the coming round.
  bool decided_ = false;
  std::vector<std::string> context_;
  std::vector<Proposal> proposals_;
  std::vector<StrategyRound> proposed_;
  std::vector<double> awake_, losses_;  // of the K
  std::vector<double> weights_;         // of all
  std::vector<double> mixing_;
};

}  // namespace hannan::detail
