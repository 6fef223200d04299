// adanormalhedge, written a second time (docs/theory.md, sleeping experts):
//   weights proportional to exp(max(R+1,0)^2 / (3(C+1))) - exp(max(R-1,0)^2 / (3(C+1))), uniform where all are 0;
//   the recorded loss is their mean h; R += h - loss and C += |h - loss| for every expert awake.
// Expert k is ahead by at most sqrt(3 C_k ln((1 + 1.5 B/K) K)), B the sum of |h - loss|/(C + 1) (sleeping_normal), or
// an upper limit of it by the C_k alone (sleeping_normal_closed). Cost of a round: two passes over the experts.
#include <algorithm>
#include <cmath>

#include "hannan/verify/rules/mixture.hpp"

namespace hannan::detail {
namespace {

class NormalHedgeRounds final : public MixtureRule {
 public:
  explicit NormalHedgeRounds(const RuleInput& in) : MixtureRule(in), own_(in.record.list.size()) {}

  void decided(const RecordedRound& round) override {
    if (eta_) claims().reject("eta", "found a number, expected null: the learner has no rate");
    if (!plays(round)) return;
    weigh(round);
    expect_sample(round, 1e-9);
  }
  void observed(const RecordedRound& round) override {
    claims().expect("loss", round.loss, mean_loss(round));
    if (!asleep()) own_.add(round.losses, round.loss);
  }

  BoundsLater bounds() const override {
    if (!asleep()) return {};
    constexpr auto kRun = ExpectedBound::Covers::kRun;
    double most = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) most = std::max(most, limit(k, sums().grown()));
    const double closed = std::ranges::max(closed_limits());
    return [most, closed](const BoundFacts&) {
      return Bounds{{.name = "sleeping_normal", .value = most, .covers = kRun},
                    {.name = "sleeping_normal_closed", .value = closed, .covers = kRun}};
    };
  }
  void end(Fields& end, const BoundValues&) const override {
    if (!asleep()) return;
    check_list(end, "sizes", [&](std::size_t k) { return sums().moved(k); });
    check_list(end, "limits", [&](std::size_t k) { return limit(k, sums().grown()); });
    check_list(end, "closed_limits", [closed = closed_limits()](std::size_t k) { return closed[k]; });
  }

 private:
  const SleepingTotals& sums() const { return asleep() ? *asleep() : own_; }

  // Logarithms of the first term first: the terms themselves overflow.
  void weigh(const RecordedRound& round) {
    const auto power = [&](std::size_t k, double shift) {
      const double above = std::max(sums().regret(k) + shift, 0.0);
      return above * above / (3 * (sums().moved(k) + 1));
    };
    const auto awake = [&](std::size_t k) { return SleepingTotals::awake(round.losses[k]); };
    double top = 0, sum = 0, count = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      if (awake(k)) top = std::max(top, power(k, 1)), ++count;
    }
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      weights_[k] = awake(k) ? std::exp(power(k, 1) - top) - std::exp(power(k, -1) - top) : 0.0;
      sum += weights_[k];
    }
    for (std::size_t k = 0; k < weights_.size(); ++k)
      weights_[k] = sum > 0 ? weights_[k] / sum : awake(k) ? 1 / count : 0.0;
  }

  double limit(std::size_t k, double grown) const {
    const auto size = static_cast<double>(weights_.size());
    return std::sqrt(3 * sums().moved(k) * std::log((1 + 1.5 * grown / size) * size));
  }
  // With an upper limit of what has grown, by the sizes alone.
  std::vector<double> closed_limits() const {
    double logs = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) logs += 1 + std::log(1 + sums().moved(k));
    std::vector<double> limits;
    for (std::size_t k = 0; k < weights_.size(); ++k) limits.push_back(limit(k, logs));
    return limits;
  }

  SleepingTotals own_;  // where nobody sleeps
};

struct NormalHedge {
  static constexpr RuleFacts kFacts{.name = "adanormalhedge", .lists = true, .mixes = true, .sleeps = true};
};

}  // namespace

RuleRow adanormalhedge_rule() { return rule_row<NormalHedge, NormalHedgeRounds>(); }

}  // namespace hannan::detail
