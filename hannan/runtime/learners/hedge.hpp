// The row of `hedge`.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "hannan/io/limits.hpp"
#include "hannan/learners/hedge.hpp"
#include "hannan/runtime/make_learner.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

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

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    if constexpr (Enumerable<P>) {
      const double ln_size = parts.listed_ln_size();
      auto schedule = rate == "fixed"     ? schedules::fixed(eta)
                      : rate == "anytime" ? schedules::anytime(ln_size)
                                          : schedules::hedge_small(ln_size);
      return std::make_unique<Hedge<P>>(typename Hedge<P>::Parts{
          parts.problem(), parts.oracle(), std::make_unique<ScheduledRate>(std::move(schedule)), parts.params().key});
    } else {
      parts.refuse_unlisted();
    }
  }
};

}  // namespace hannan::detail
