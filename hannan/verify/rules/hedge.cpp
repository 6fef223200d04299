// hedge: the weights of exponential.hpp at a rate that is fixed, or eta_t = sqrt(8 ln K/t) (anytime), or
// sqrt(2 ln K/(L*_{t-1} + 1)) (small-loss). The first two have bounds on every path (docs/theory.md).
#include <cmath>

#include "hannan/io/limits.hpp"
#include "hannan/verify/rules/exponential.hpp"

namespace hannan::detail {
namespace {

struct Hedge {
  static constexpr RuleFacts kFacts{.name = "hedge", .rated = true, .lists = true, .mixes = true};
  std::string rate;
  double eta = 0;

  void read(Fields& in, RecordedSetting&) {
    rate = in.choice("rate", {"fixed", "anytime", "small-loss"});
    if (rate == "fixed") eta = in.number("eta", limits::kTuning);
  }
};

class HedgeRounds final : public ExponentialRule {
 public:
  HedgeRounds(const RuleInput& in, const Hedge& own) : ExponentialRule(in), own_(own) {}

  BoundsLater bounds() const override {
    return [ln_size = setting().ln_size, &own = own_](const BoundFacts& f) -> Bounds {
      const auto rounds = static_cast<double>(f.rounds);
      constexpr auto kRun = ExpectedBound::Covers::kRun;  // a mixture's loss is its mean: nothing is random
      if (own.rate == "fixed")
        return {{.name = "hedge_fixed", .value = ln_size / own.eta + own.eta * rounds / 8, .covers = kRun}};
      // ln K / eta_T + sum of eta_t / 8 at eta_t = sqrt(8 ln K / t): sqrt(T ln K) (1/sqrt 8 + 2 sqrt 8 / 8).
      if (own.rate == "anytime")
        return {{.name = "hedge_anytime", .value = std::sqrt(rounds * ln_size) * 3 / std::sqrt(8.0), .covers = kRun}};
      return {};
    };
  }

 private:
  double expected_rate(const RecordedRound& round) const override {
    if (own_.rate == "fixed") return own_.eta;
    const double ln_size = setting().ln_size;
    if (own_.rate == "anytime") return std::sqrt(8 * ln_size / static_cast<double>(round.t));
    return std::sqrt(2 * ln_size / (recomputed().least() + 1));
  }

  const Hedge& own_;
};

}  // namespace

RuleRow hedge_rule() { return rule_row<Hedge, HedgeRounds>(); }

}  // namespace hannan::detail
