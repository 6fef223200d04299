// A learner over experts that sleep: `adahedge`, `flipflop-hedge` and `adanormalhedge` (docs/theory.md, sleeping
// experts).
//
// Who is awake is known before the choice: wake() says so, and act() plays the awake alone. An outcome has NaN for the
// sleepers. There is no best expert in hindsight: every expert k has a regret of its own, R_k, over the rounds in which
// it was awake, and the certificate is a limit of all of them at once. A round in which all sleep has no action and
// no loss; it is counted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/core/long_sums.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/learners/normal_weights.hpp"
#include "hannan/learners/sleeping_mixture.hpp"
#include "hannan/runtime/any_learner.hpp"

namespace hannan::detail {

class SleepingLearner final : public AnyLearner {
 public:
  // The outcomes of the game are lists of losses, one per action. Throws kUnavailable for other learners.
  SleepingLearner(std::shared_ptr<const Game> game, LearnerParams params);

  // For callers that play other kinds of turn.
  [[noreturn]] static void refuse(std::string_view path);

  // Before act: who is awake in this round; without it, all of them. kOutOfRange.
  void wake(std::span<const std::int64_t> awake);
  void wake(const AnyOutcome& outcome);  // those with a loss
  bool some_awake() const { return awake_count_ > 0; }

  std::uint64_t rounds() const override { return rounds_; }
  const Round& act();
  const Round& observe(const AnyOutcome& outcome);
  RunFacts facts() override;
  std::optional<StatedBound> bound() override {
    return StatedBound{.value = limit(), .of = StatedBound::Of::kPath, .name = "sleeping"};
  }
  Json report() override;

  std::span<const double> regrets() const { return regrets_.values(); }  // R_k

 protected:
  void archive(Archive& a) override;

 private:
  enum class Law { kAdaHedge, kFlipFlop, kNormal };

  double eta() const;
  double unit() const;
  void decide();
  void expect_pattern(std::span<const double> losses) const;
  void charge(double gap);
  double limit() const;  // of every R_k at once; adanormalhedge: the largest of the limits
  Json bounds_json() const;

  std::vector<AnyAction> actions_;  // of the game, in order
  Key key_;
  Law law_;
  double phi_ = 0, a_ = 0;
  std::size_t size_;
  double ln_size_;

  SleepingMixture mixture_;
  NormalWeights normal_;
  double flip_ = 0, flop_ = 0;  // Delta is flop_ where there is one part
  bool flopping_;
  std::uint64_t rounds_ = 0, skipped_ = 0;
  CarriedSum total_;
  LongSums regrets_;
  std::vector<double> awake_rounds_;
  double largest_range_ = 0, range_squares_ = 0;

  // Of the coming round.
  std::vector<double> awake_;  // 1 or 0
  std::size_t awake_count_;
  bool told_ = false;  // wake() was called
  bool decided_ = false;
  std::vector<double> weights_;
};

}  // namespace hannan::detail
