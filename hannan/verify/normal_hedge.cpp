// The rule of adanormalhedge, written a second time (docs/theory.md, sleeping experts):
//   weights proportional to exp(max(R+1,0)^2 / (3(C+1))) - exp(max(R-1,0)^2 / (3(C+1))), uniform where all are 0;
//   the recorded loss is their mean h; R += h - loss and C += |h - loss| for every action;
//   the action is drawn from the weights by one uniform number a round.
#include <algorithm>
#include <cmath>

#include "hannan/verify/rules.hpp"

namespace hannan::detail {
namespace {

class NormalHedgeRule final : public RoundRule {
 public:
  explicit NormalHedgeRule(const RuleInput& in)
      : RoundRule(in), weights_(in.list.size()), ahead_(in.list.size(), 0.0), moved_(in.list.size(), 0.0) {}

  void decided(const RecordedRound& round) override {
    if (round.eta) claims().reject("eta", "found a number, expected null: the learner has no rate");
    weigh();
    if (!(weights_[*round.index] > 0))
      claims().reject("action", "found " + dump(round.action) + ", which has no weight in the mixture");
    const double u = RoundWords(setting().key, DrawPurpose::kMixture, round.t).uniform(0);
    constexpr double kSlack = 1e-9;  // what rounding does to a weight
    double below = 0;
    for (std::size_t k = 0; k < *round.index; ++k) below += weights_[k];
    const double reached = below + weights_[*round.index];
    if (u >= below - kSlack && (u < reached + kSlack || reached >= 1 - kSlack)) return;
    claims().reject("action", "found " + dump(round.action) + ", which is drawn by numbers from " + number_text(below) +
                                  " to " + number_text(reached) + ", and that of the round is " + number_text(u));
  }
  void observed(const RecordedRound& round) override {
    double mean = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) mean += weights_[k] * round.losses[k];
    claims().expect("loss", round.loss, mean);
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      const double step = round.loss - round.losses[k];
      ahead_[k] += step;
      moved_[k] += std::abs(step);
    }
  }
  std::uint64_t oracle_calls() const override { return 0; }

 private:
  // Logarithms of the first term first: the terms themselves overflow.
  void weigh() {
    const auto power = [&](std::size_t k, double shift) {
      const double above = std::max(ahead_[k] + shift, 0.0);
      return above * above / (3 * (moved_[k] + 1));
    };
    double top = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) top = std::max(top, power(k, 1));
    double sum = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      weights_[k] = std::exp(power(k, 1) - top) - std::exp(power(k, -1) - top);
      sum += weights_[k];
    }
    const double even = 1 / static_cast<double>(weights_.size());
    for (double& w : weights_) w = sum > 0 ? w / sum : even;
  }

  std::vector<double> weights_;
  std::vector<double> ahead_;  // R
  std::vector<double> moved_;  // C
};

}  // namespace

std::unique_ptr<RoundRule> make_normal_hedge_rule(const RuleInput& in) { return std::make_unique<NormalHedgeRule>(in); }

}  // namespace hannan::detail
