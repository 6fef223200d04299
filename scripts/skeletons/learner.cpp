// `@name@`: follows the leader, x_t = argmin of the history. Put your own rule in its place.
//
// One oracle call a round. decide() chooses the action of the round from what was seen; settle() sees the outcome after
// it was added to the history. What must survive `hannan run --save` beyond the history goes through state(), as in
// learners/ada.cpp. The row says what the program knows of the learner and how it is made (learners/learner_params.hpp).
#include <memory>

#include "hannan/game/learner.hpp"
//param// #include "hannan/io/limits.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"

namespace hannan::detail {
namespace {

class @Type@ final : public Learner {
 public:
  using Learner::Learner;

 private:
  void decide(Decision& decision) const override {
    const auto& lead = leader();
    played_unproven(lead.unproven());
    decision.action = lead.action;
  }
  void settle(const Decision&, const AnyOutcome&, Step&) override {}
};

struct @Type@Row final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "@name@", .about = "follow the leader, a first draft", .params = "@param@"};
//param//   double @param@ = 1;
//param//
//param//   void parse(Fields& fields, const LearnerParams&) { @param@ = fields.number("@param@", limits::kTuning, @param@); }
//param//   void print(Json& json) const override { json.set("@param@", @param@); }

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    return std::make_unique<@Type@>(parts.game(), parts.oracle());
  }
};

}  // namespace

LearnerKind @file@_row() { return learner_row<@Type@Row>(); }

}  // namespace hannan::detail
