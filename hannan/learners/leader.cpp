// Follow the leader: x_t = argmin of the losses so far. Regret may be linear (docs/theory.md); FlipFlop plays it while
// it is cheap. One oracle call a round, shared with the ledger, or none while a pool knows.
#include "hannan/learners/leader.hpp"

#include <memory>

#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"

namespace hannan::detail {

void Leader::decide(Decision& decision) const {
  const auto& lead = leader();
  played_unproven(lead.unproven());
  decision.action = lead.action;
}

namespace {

struct LeaderRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "leader",
                                       .about = "follow the leader",
                                       .params = "",
                                       .proof = Proof::kLeader,
                                       .any_range = true,
                                       .certifies_run = true,
                                       .by_context = true,
                                       .by_looks = true};

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    return std::make_unique<Leader>(parts.game(), parts.oracle());
  }
};

}  // namespace

LearnerKind leader_row() { return learner_row<LeaderRow>(); }

}  // namespace hannan::detail
