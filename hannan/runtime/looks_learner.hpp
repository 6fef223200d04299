// A learner that sees some rounds only: a coin decides before each round whether it is a look, and a look alone ends
// with an outcome (docs/partial.md). `ada`, `flipflop` or `leader` learns inside, from outcomes of weight 1/share; the
// other rounds it skips.
//
// Regret, L* and the own total are not seen and are never stated: they are null. What is stated are counts, estimates
// called so, and limits that hold with a stated certainty (certify/looks_account.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "hannan/certify/looks_account.hpp"
#include "hannan/certify/run_account.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/runtime/part_learner.hpp"

namespace hannan::detail {

class LooksLearner final : public PartLearner {
 public:
  LooksLearner(std::shared_ptr<const Game> game, LearnerParams params);

  std::uint64_t rounds() const override { return learner_->rounds(); }
  bool coins_from_elsewhere() const override { return logged() || by_client(); }
  std::uint64_t decision() const override { return by_client() ? decisions_.current() : rounds() + 1; }
  std::uint64_t messages() const override { return by_client() ? decisions_.messages() : rounds(); }
  const ClientDecisions* decisions() const override { return by_client() ? &decisions_ : nullptr; }
  const Json* steps() const override { return by_client() ? &steps_ : nullptr; }

  // The choice, whether this round is a look, and what to play.
  const Round& act() override;

  // The outcome of a look, that a look was lost, or nothing, as the coin says.
  const Round& observe(const Seen& seen) override;
  void check_seen(const Seen& seen) override;
  // An outcome, or null; where coins come from a log also the share, and whether there was a look.
  Seen read_seen(Fields& in) override;
  Seen shown(const AnyOutcome& y) override;

  RunView said_of_regret() override { return {.run = run(), .limit = account_.limit(best())}; }

  RunFacts facts() override;
  Json report() override;

 protected:
  void archive(Archive& a) override;

 private:
  bool logged() const { return looks().share == LookParams::Share::kLogged; }
  bool by_client() const { return looks().coin == LookParams::Coin::kClient; }
  const Round& act_for_client();
  const Round& tell(const ClientMessage& message);
  void count(const ClientDecisions::Decision& of);
  void note_decision();
  void note_issued();
  void note_learned();
  Seen read_message(Fields& in);
  const LookParams& looks() const { return *maker_.params().looks; }
  LooksAccount::Setting account_setting() const;
  double chance() const;  // of a look in the round to come
  bool coin() const;
  void expect(const Seen& seen) const;
  void take(const AnyOutcome& y, double weight);
  void skip(std::uint64_t rounds);
  void show(const Seen& seen);
  double gap_sum() const;  // S
  double best() const { return account_.looks() == 0 ? 0.0 : learner_->seen().peek().value; }
  std::optional<double> run();

  LearnerMaker maker_;
  std::unique_ptr<Learner> learner_;
  RunAccount moves_;
  LooksAccount account_;
  LookRound looked_;
  ClientDecisions decisions_;  // where a client throws the coins
  Json steps_;                 // of its last message
  bool noted_ = false;  // the decision for the round to come is among the steps of this message or an earlier one
  AnyAction choice_;    // of the round being played
  Stability stability_;
  double gap_ = 0;
  double best_before_ = 0;  // the least weighted sum, for a leader's gap
  double raw_total_ = 0;
  std::uint64_t raw_rounds_ = 0;
  bool told_ = false;  // act() has said what the coin is
};

}  // namespace hannan::detail
