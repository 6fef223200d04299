// The rules of hedge, adahedge and flipflop-hedge, written a second time:
//   weights proportional to exp(-eta L_k), uniform over the leaders at eta = infinity;
//   the recorded loss is the mixture's mean; its excess over the mix loss -ln(mean exp(-eta f))/eta
//   (L*_t - L*_{t-1} at infinity) is what Delta, D_flip and D_flop add up;
//   the action is drawn from the weights by one uniform number a round.
#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/verify/rules.hpp"

namespace hannan::detail {
namespace {

constexpr double kMostRounding = 1e-7;  // where rounding could do more, a loss is not verified by it

class MixtureRule final : public RoundRule {
 public:
  explicit MixtureRule(const RuleInput& in)
      : RoundRule(in), weights_(in.list.size()), flipping_(in.setting.rule->stability == 2) {}

  void decided(const RecordedRound& round) override {
    if (!round.eta) claims().reject("eta", "found null, expected a number or \"inf\"");
    if (two_parts() && round.regime != (flipping_ ? "flip" : "flop")) {
      claims().reject("regime", "found \"" + round.regime + "\", expected \"" + (flipping_ ? "flip" : "flop") + "\"");
    }
    const double expected = rate(round);
    // Without the absolute part of the tolerance: a rate may be tiny and still matter.
    const bool same =
        std::isinf(expected) ? *round.eta == expected : std::abs(*round.eta - expected) <= 1e-9 * expected;
    if (!same) claims().reject("eta", "found " + number_text(*round.eta) + ", expected " + number_text(expected));
    eta_ = *round.eta;
    if (eta_ > 0 && !gives_rate(setting().ln_size / eta_, recomputed().least()))
      eta_ = std::numeric_limits<double>::infinity();
    best_before_ = recomputed().least();
    rounding_ = std::min(weight_rounding(round), kMostRounding);
    weigh(eta_);
    if (!(weights_[*round.index] > 0))
      claims().reject("action", "found " + dump(round.action) + ", which has no weight in the mixture");
    expect_sample(round);
  }

  void observed(const RecordedRound& round) override {
    double mean = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) mean += weights_[k] * round.losses[k];
    expect("loss", round.loss, mean);
    if (!self_tuned()) return;
    double& mine = flipping_ ? flip_ : cost_;
    mine += std::max(0.0, mean - mix_loss(eta_, mean));
    if (two_parts()) expect("stability", round.stability[0], flip_);
    expect("stability", round.stability.back(), cost_);
    cost_ = round.stability.back();
    if (!two_parts()) return;
    flip_ = round.stability[0];
    const double phi = setting().phi, a = setting().flip_a;
    if (switches(round, flipping_ ? flip_ : cost_, flipping_ ? phi / a * cost_ : a * flip_)) flipping_ = !flipping_;
  }
  std::uint64_t oracle_calls() const override { return 0; }
  double mixability() const override { return cost_; }

 private:
  bool two_parts() const { return setting().rule->stability == 2; }
  bool self_tuned() const { return setting().rule->stability > 0; }  // its rate follows its own costs

  double rate(const RecordedRound& round) const {
    const double ln_size = setting().ln_size;
    if (self_tuned()) return !flipping_ && cost_ > 0 ? ln_size / cost_ : std::numeric_limits<double>::infinity();
    if (setting().rate == "fixed") return setting().eta;
    if (setting().rate == "anytime") return std::sqrt(8 * ln_size / static_cast<double>(round.t));
    return std::sqrt(2 * ln_size / (recomputed().least() + 1));
  }

  // What rounding does to a weight: the learner's totals are plain sums, so that after t rounds they may be off by
  // t 2^-53 of their size, and the rate multiplies that.
  double weight_rounding(const RecordedRound& round) const {
    const double eta = std::isinf(eta_) ? 0.0 : eta_;
    return 1e-15 * eta * (1 + best_before_) * (1 + static_cast<double>(round.t) / 16);
  }
  void expect(const char* field, double found, double expected) const {
    if (std::abs(found - expected) > rounding_) claims().expect(field, found, expected);
  }

  // The action is the first whose weight, with those of all smaller ones, exceeds the uniform number of the round; the
  // last one with weight where rounding leaves the sum below it.
  void expect_sample(const RecordedRound& round) const {
    const double u = RoundWords(setting().key, DrawPurpose::kMixture, round.t).uniform(0);
    const double slack = 1e-9 + rounding_;
    double below = 0;
    for (std::size_t k = 0; k < *round.index; ++k) below += weights_[k];
    const double reached = below + weights_[*round.index];
    if (u >= below - slack && (u < reached + slack || reached >= 1 - slack)) return;
    claims().reject("action", "found " + dump(round.action) + ", which is drawn by numbers from " + number_text(below) +
                                  " to " + number_text(reached) + ", and that of the round is " + number_text(u));
  }

  void weigh(double eta) {
    const auto totals = recomputed().totals();
    const double best = recomputed().least();
    double sum = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      const double behind = totals[k] - best;
      weights_[k] = std::isinf(eta) ? (behind <= tie_slack(best) ? 1.0 : 0.0) : std::exp(-eta * behind);
      sum += weights_[k];
    }
    for (double& w : weights_) w /= sum;
    spread_before_ = sum;
  }

  // With S_t = sum of exp(-eta (L_k - L*_t)), which lies in [1, K]: the mix loss is
  // L*_t - L*_{t-1} - (ln S_t - ln S_{t-1}) / eta. In this form no rate is so large that it underflows.
  double mix_loss(double eta, double mean) const {
    const double best = recomputed().least();
    if (std::isinf(eta)) return best - best_before_;
    if (eta <= 0) return mean;
    double spread = 0;
    for (const double total : recomputed().totals()) spread += std::exp(-eta * (total - best));
    return best - best_before_ - (std::log(spread) - std::log(spread_before_)) / eta;
  }

  std::vector<double> weights_;
  bool flipping_;
  double best_before_ = 0;    // L*_{t-1}
  double eta_ = 0;            // of the round; infinite where it would weigh rounding
  double rounding_ = 0;       // of weights, and so of the loss
  double spread_before_ = 1;  // S_{t-1}
  double flip_ = 0;           // D_flip
  double cost_ = 0;           // Delta, or D_flop
};

}  // namespace

std::unique_ptr<RoundRule> make_mixture_rule(const RuleInput& in) { return std::make_unique<MixtureRule>(in); }

}  // namespace hannan::detail
