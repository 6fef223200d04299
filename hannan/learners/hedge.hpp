// `hedge`, `adahedge`, `flipflop-hedge`: exact references on problems whose actions can be listed.
//
//   hedge            eta_t from a schedule (fixed, anytime, small-loss)
//   adahedge         eta_t = ln K / Delta_{t-1},  Delta = summed (expected loss - mix loss)
//   flipflop-hedge   eta = infinity in flip, ln K / Delta_flop in flop; switches like `flipflop`
//
// They report the expected loss of their mixture; the sampled action is for those who must play.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "hannan/core/keyed_random.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/learners/flipflop.hpp"
#include "hannan/learners/mixture.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

// A rule for the rate of a mixture, told what each round cost.
class MixtureRate {
 public:
  struct Change {
    Stability stability;
    bool switched = false;
  };
  virtual ~MixtureRate() = default;
  virtual double eta(RateInput in) const = 0;
  virtual std::string_view regime() const { return {}; }
  virtual Change charge(double gap) = 0;  // gap = expected loss - mix loss
  virtual void archive(Archive&) {}
};

class ScheduledRate final : public MixtureRate {
 public:
  explicit ScheduledRate(Schedule schedule) : schedule_(std::move(schedule)) {}
  double eta(RateInput in) const override { return schedule_(in); }
  Change charge(double) override { return {}; }

 private:
  Schedule schedule_;
};

class AdaHedgeRate final : public MixtureRate {
 public:
  explicit AdaHedgeRate(double ln_size) : ln_size_(ln_size) {}
  double eta(RateInput) const override { return gap_ > 0 ? ln_size_ / gap_ : std::numeric_limits<double>::infinity(); }
  Change charge(double gap) override {
    gap_ += std::max(0.0, gap);
    return {.stability = {1, {gap_, 0}}};
  }
  double gap() const { return gap_; }
  void archive(Archive& a) override { a.field("gap", gap_, kSavedNonnegative); }

 private:
  double ln_size_;
  double gap_ = 0;  // Delta
};

class FlipFlopRate final : public MixtureRate {
 public:
  FlipFlopRate(double ln_size, FlipFlopConstants constants) : ln_size_(ln_size), constants_(constants) {}
  double eta(RateInput) const override {
    return flopping_ && flop_ > 0 ? ln_size_ / flop_ : std::numeric_limits<double>::infinity();
  }
  std::string_view regime() const override { return flopping_ ? "flop" : "flip"; }
  Change charge(double gap) override {
    double& mine = flopping_ ? flop_ : flip_;
    mine += std::max(0.0, gap);
    const double limit = flopping_ ? constants_.a * flip_ : constants_.phi / constants_.a * flop_;
    const bool leave = mine > limit + tie_window(mine);
    if (leave) flopping_ = !flopping_;
    return {.stability = {2, {flip_, flop_}}, .switched = leave};
  }
  void archive(Archive& a) override {
    a.count("flopping", flopping_);
    a.field("flip", flip_, kSavedNonnegative);
    a.field("flop", flop_, kSavedNonnegative);
  }

 private:
  double ln_size_;
  FlipFlopConstants constants_;
  bool flopping_ = false;
  double flip_ = 0;
  double flop_ = 0;
};

class Hedge final : public Learner {
 public:
  struct Parts {
    std::shared_ptr<const Game> problem;
    std::shared_ptr<const GameOracle> oracle;
    std::unique_ptr<MixtureRate> rate;
    Key key;
  };
  explicit Hedge(Parts parts)
      : Learner(parts.problem, parts.oracle),
        rate_(std::move(parts.rate)),
        key_(parts.key),
        mixture_(parts.problem->size()) {}

  std::span<const double> weights() const override {
    act();
    return mixture_.weights();
  }

 private:
  void decide(Decision& decision) const override;
  void settle(const Decision&, const AnyOutcome& y, Step& step) override;
  void state(Archive& a) override;

  std::unique_ptr<MixtureRate> rate_;
  Key key_;
  mutable Mixture mixture_;  // its weights are a function of the round
};

}  // namespace hannan::detail
