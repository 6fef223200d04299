// What hedge, adahedge and flipflop-hedge share: weights proportional to exp(-eta L_k), uniform over the leaders at
// eta = infinity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/verify/rules/mixture.hpp"

namespace hannan::detail {

struct FlipConstants;

class ExponentialRule : public MixtureRule {
 public:
  using MixtureRule::MixtureRule;
  void read(Fields& in) override;
  void decided(const RecordedRound& round) override;
  void observed(const RecordedRound& round) override;

 protected:
  virtual double expected_rate(const RecordedRound& round) const = 0;
  // Totals that the weights are made of, and the least of them.
  std::span<const double> totals() const { return asleep() ? asleep()->booked() : recomputed().totals(); }
  double least() const { return asleep() ? asleep()->least() : recomputed().least(); }
  // The two agree up to what rounding does to a weight, and so to the loss.
  void expect(const char* field, double found, double expected) const;
  // By how much `loss` is above the mix loss of the round, -ln(mean exp(-eta f))/eta.
  double above_mix(double loss) const;

 private:
  void weigh(const RecordedRound& round);
  double unit() const { return claims().precision().unit; }

  double best_before_ = 0;    // L*_{t-1}
  double rate_ = 0;           // of the round; infinite where it would weigh rounding
  double rounding_ = 0;       // of weights, and so of the loss
  double spread_before_ = 1;  // S_{t-1}
};

// adahedge and flipflop-hedge: eta = ln K/Delta, where Delta, or D_flop, adds up what the loss is above the mix loss;
// in flip rounds eta is infinite and D_flip adds it up.
class SelfTunedRule : public ExponentialRule {
 public:
  // `flips` where there are two parts. It outlives the rule.
  explicit SelfTunedRule(const RuleInput& in, const FlipConstants* flips = nullptr)
      : ExponentialRule(in), flips_(flips), flipping_(flips != nullptr) {}
  void read(Fields& in) override;
  void decided(const RecordedRound& round) override;
  void observed(const RecordedRound& round) override;

 protected:
  double expected_rate(const RecordedRound& round) const override;
  double flip() const { return flip_; }
  double cost() const { return cost_; }

 private:
  bool switches_asleep(const RecordedRound& round, double value, double limit) const;

  // Of the line.
  std::string regime_;
  std::vector<double> stability_;
  bool switched_ = false;

  const FlipConstants* flips_;
  bool flipping_;
  double flip_ = 0;  // D_flip
  double cost_ = 0;  // Delta, or D_flop
};

}  // namespace hannan::detail
