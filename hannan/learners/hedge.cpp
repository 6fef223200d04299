// Exponential weights over all actions with a rate from outside: fixed, scheduled, AdaHedge or FlipFlop
// (learners/hedge.hpp; de Rooij, van Erven, Grunwald, Koolen 2014). A round: the rate fills the weights, one uniform
// number picks the action, the losses of all actions are added, and what the mixture paid beyond its mix loss (the
// mixability gap) tunes the rate. The reported loss is the expected one, so results do not depend on the draw. Cost:
// O(K) a round. These are exact references for problems whose actions can be listed, up to 10^7
// (LearnerMaker::listed_ln_size).
#include "hannan/learners/hedge.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "hannan/core/keyed_random.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/flip_options.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

void Hedge::decide(Decision& decision) const {
  const double eta = rate_->eta({.round = round(), .best = mixture_.best()});
  mixture_.set_rate(eta);
  // A function of key and round: act() may be asked again and gives the same action.
  const double u = KeyedRandom(key_, Purpose::kMixture, round()).uniform(0);
  problem().set_action(mixture_.sample(u), decision.action);
  decision.eta = eta;
  decision.regime = rate_->regime();
}

void Hedge::settle(const Decision&, const AnyOutcome& y, Step& step) {
  const auto losses = mixture_.losses();
  std::fill(losses.begin(), losses.end(), 0.0);
  problem().accumulate(y, 1.0, losses);
  const auto charge = mixture_.charge();
  step.loss = charge.expected;
  // Expected loss less mix loss is never negative (Jensen); it is what the rate pays for being finite.
  const auto change = rate_->charge(charge.expected - charge.mix);
  step.stability = change.stability;
  step.switched = change.switched;
}

// Weights are not saved: they follow from the totals and the rate.
void Hedge::state(Archive& a) {
  a.open("mixture");
  mixture_.archive(a);
  a.close();
  a.open("rate");
  rate_->archive(a);
  a.close();
}

namespace {

struct HedgeRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "hedge",
                                       .about = "exponential weights; rate fixed, anytime or small-loss",
                                       .params = "rate eta",
                                       .proof = Proof::kHedge};
  std::string rate = "anytime";
  double eta = 0;  // of the fixed rate

  void parse(Fields& fields, const LearnerParams&) {
    rate = fields.choice("rate", {"anytime", "fixed", "small-loss"}, "anytime");
    if (rate == "fixed") eta = fields.number("eta", limits::kTuning);
    if (rate != "fixed" && fields.has("eta")) {
      throw Error(Code::kUnknownField, "eta goes with rate \"fixed\"; found rate \"" + rate + "\"", fields.at("eta"));
    }
  }
  void print(Json& json) const override {
    json.set("rate", rate);
    if (rate == "fixed") json.set("eta", eta);
  }
  void state(RunFacts& run) const override {
    run.rate = rate;
    run.eta = eta;
  }

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    const double ln_size = parts.listed_ln_size();
    auto schedule = rate == "fixed"     ? schedules::fixed(eta)
                    : rate == "anytime" ? schedules::anytime(ln_size)
                                        : schedules::hedge_small(ln_size);
    return std::make_unique<Hedge>(Hedge::Parts{
        parts.game(), parts.oracle(), std::make_unique<ScheduledRate>(std::move(schedule)), parts.params().key});
  }
};

}  // namespace

LearnerKind hedge_row() { return learner_row<HedgeRow>(); }

namespace {

struct AdaHedgeRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "adahedge",
                                       .about = "exponential weights with a self-tuned rate",
                                       .params = "",
                                       .proof = Proof::kAdaHedge};

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    return std::make_unique<Hedge>(Hedge::Parts{
        parts.game(), parts.oracle(), std::make_unique<AdaHedgeRate>(parts.listed_ln_size()), parts.params().key});
  }
};

}  // namespace

LearnerKind adahedge_row() { return learner_row<AdaHedgeRow>(); }

namespace {

struct FlipFlopHedgeRow final : FlipOptions {
  static constexpr LearnerFacts kFacts{.name = "flipflop-hedge",
                                       .about = "FlipFlop of de Rooij et al., on exponential weights",
                                       .params = "phi a",
                                       .switches = true};

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    auto rate = std::make_unique<FlipFlopRate>(parts.listed_ln_size(), constants);
    return std::make_unique<Hedge>(Hedge::Parts{parts.game(), parts.oracle(), std::move(rate), parts.params().key});
  }
};

}  // namespace

LearnerKind flipflop_hedge_row() { return learner_row<FlipFlopHedgeRow>(); }

}  // namespace hannan::detail
