// Limits and buffers around best_sequence.hpp: work and memory are known before the first round and refused beforehand.
#include "hannan/play/tracking.hpp"

#include "hannan/io/json.hpp"

namespace hannan::detail {

// Empty: it is possible. The text says which product is too large, and its limit.
std::string tracking_refused(const Game& game, std::uint64_t rounds, std::uint64_t switches) {
  const auto actions = game.action_count();
  if (!actions) return "the actions are too many to be listed";
  const double kept = *actions * static_cast<double>(switches + 1), work = kept * static_cast<double>(rounds);
  if (kept > kMostKept)
    return "actions times (switches + 1) are " + number_text(kept) + ", the limit is " + number_text(kMostKept);
  if (work > kMostTracked) {
    return "actions times (switches + 1) times rounds are " + number_text(work) + ", the limit is " +
           number_text(kMostTracked);
  }
  return {};
}

Tracking::Tracking(const Game& game, std::uint64_t most_switches)
    : actions_(game.action_table(static_cast<std::uint64_t>(kMostKept))),
      sequences_(actions_->size(), static_cast<std::size_t>(most_switches)),
      losses_(actions_->size()) {}

void Tracking::round(const AnyOutcome& outcome) {
  actions_->losses(outcome, losses_);
  sequences_.observe(losses_);
}

}  // namespace hannan::detail
