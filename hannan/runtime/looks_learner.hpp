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
#include <string_view>

#include "hannan/certify/looks_account.hpp"
#include "hannan/certify/run_account.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/runtime/any_learner.hpp"

namespace hannan::detail {

class LooksLearner final : public AnyLearner {
 public:
  LooksLearner(std::shared_ptr<const Game> game, LearnerParams params);
  // For callers that play other kinds of turn.
  [[noreturn]] static void refuse(std::string_view path);

  std::uint64_t rounds() const override { return learner_->rounds(); }
  bool logged() const { return looks().share == LookParams::Share::kLogged; }

  // The choice, whether this round is a look, and what to play. Asked again it answers the same.
  const Round& act();

  // What came of the round: the outcome of a look, that a look was lost, or nothing. Throws kBadOutcome where that is
  // not what the coin says, and then nothing changes.
  struct Seen {
    const AnyOutcome* outcome = nullptr;  // null: none was seen
    bool lost = false;                    // it was a look, and its outcome is gone
    std::optional<double> raw;            // what the client got; booked and never learned from
    // Where coins come from a log: those of this round, or of so many without a look.
    double share = 1;
    bool look = false;
    std::uint64_t rounds = 1;
  };
  const Round& observe(const Seen& seen);

  RunFacts facts() override;  // of what is known: nothing that rests on L*
  std::optional<StatedBound> bound() override { return std::nullopt; }
  Json report() override;

 protected:
  void archive(Archive& a) override;

 private:
  const LookParams& looks() const { return *maker_.params().looks; }
  LooksAccount::Setting account_setting() const;
  double chance() const;  // of a look in the round to come
  bool coin() const;
  void expect(const Seen& seen) const;
  void take(const AnyOutcome& y);
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
  AnyAction choice_;  // of the round being played
  Stability stability_;
  double gap_ = 0;
  double best_before_ = 0;  // the least weighted sum, for a leader's gap
  double raw_total_ = 0;
  std::uint64_t raw_rounds_ = 0;
  bool told_ = false;  // act() has said what the coin is
};

}  // namespace hannan::detail
