// Streams of two experts that hurt `off` (matrix [[0],[1]], a = b = c = gamma = 1), most of them the one with
// estimator paper.
//
// When that one switches depends on the losses alone, not on its noise: the leader's regret and the printed
// bound B(L*) of gftpl's own rounds are functions of the losses, and of which part played. So all of
// them are fixed sequences, B(L) = (8 sqrt2 ln 2 + 4) s + 8 ln(s + 1) + 2 + 8 sqrt2 ln 2, s = sqrt(L+1).
//
//   feed-killer    against the printed last line, which feeds round t to the part that plays t+1. First
//                  alternate until the leader's regret is floor(B(0)), then push it 0.001 above B(0);
//                  then cycles (1, 0.05), (1-d, 0), (0, 1), d the growth of B in that cycle. gftpl plays
//                  each (1, 0.05) and is only ever fed (0, 1): it loses 0.95 a cycle for ever.
//   branch-killer  against R <= 3 U + tau with U the regret of the leader run alone: hit the leader's own
//                  choice in the leader's rounds; gftpl's rounds are (0,1) three times, then (1,1). Run
//                  alone, the leader settles on expert 0 and has regret 28 for every T from 55 on.
//   aimed          in every round a unit loss on the leader of the own rounds of the part in charge.
//   aimed-trajectory  the same, aimed at estimator trajectory: a fixed sequence too.
//   aimed-regret   the same, aimed at estimator regret. That one switches by its Monte-Carlo draws, and yet the
//                  sequence is 0, 0, 1, 0, 1, ... whatever they are: both parts are hit 0 at a tie and 1 after it, the
//                  leader's regret grows in hits on 0 alone, and so does the estimate, for after the other hit L* grows
//                  by 1 and the expected loss by less. So each part leaves after a hit on 0, and the other goes on
//                  with 1.
//
// Cost: constant a round. The branch-killer and the first two aimed ones are found by playing `off`, once, up to the
// largest round asked for, and remembered in one byte a round.
#pragma once

#include <memory>

#include "hannan/streams/loss_stream.hpp"

namespace hannan::detail {

std::unique_ptr<LossStream> make_feed_killer_stream(const StreamSpec& spec);
std::unique_ptr<LossStream> make_branch_killer_stream(const StreamSpec& spec);
std::unique_ptr<LossStream> make_aimed_stream(const StreamSpec& spec);
std::unique_ptr<LossStream> make_aimed_trajectory_stream(const StreamSpec& spec);
std::unique_ptr<LossStream> make_aimed_regret_stream(const StreamSpec& spec);

}  // namespace hannan::detail
