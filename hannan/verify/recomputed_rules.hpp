// Simple rules among the strategies of a portfolio, derived a second time from the outcomes as the record has them.
//
//   majority  the label that came more often so far; ties: 0      last  that of the round before; 0 at first
//   monopoly  per slot the price that would have earned most from its past bids, each as the only one of its round;
//   ties
//             to the lowest. tied: one price for all, from the bids of all slots
#pragma once

#include <memory>
#include <string>

#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct RecordedOutcome {
  const Json& json;
  const AnyOutcome& outcome;
};

class RecomputedRule {
 public:
  virtual ~RecomputedRule() = default;
  // What is wrong with a proposal; empty: nothing.
  virtual std::string objection(const Json& proposal) const = 0;
  virtual double loss(const Json& proposal, const RecordedOutcome& y) const = 0;
  virtual void observe(const Json& outcome) = 0;
  virtual bool on_trust() const { return false; }  // its proposals are actions, and nothing else is known of them
};

// Null where there is no such rule.
std::unique_ptr<RecomputedRule> recomputed_rule(const Game& game, const std::string& kind, bool tied);

}  // namespace hannan::detail
