// One round of a learner: what it decided and, once the outcome is known, what came of it.
//
// Learners of all kinds fill in what they have; the rest keeps its default. Actions, outcomes and lists are not copied:
// they are valid until the learner decides or observes again. How a round is written: runtime/round_json.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hannan/contexts/segment_tree.hpp"
#include "hannan/game/game.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// What is the same in all rounds of a learner.
struct RoundSetting {
  const Game* game = nullptr;         // turns actions and outcomes into JSON
  const SegmentTree* tree = nullptr;  // of a learner by context: names its segments
  bool adapts_multiplier = false;     // its rate is "multiplier", not "eta"
  bool switches = false;              // there are several regimes
  bool certifies_run = false;         // there are a gap, run and limit
  bool records_gap = false;           // a line of a record has the gap
  std::uint64_t rehearsed = 0;        // the first rounds, so many, were learned from and not played
};

struct Round;

// What a strategy of a portfolio proposes, and what became of it.
struct StrategyRound {
  std::string_view name;
  bool awake = true;                  // it proposes something
  const AnyAction* action = nullptr;  // null: what it proposes is no action of the problem
  Json other;                         // then what it is, if anything
  double loss = 0;                    // NaN: it slept
  const Round* inner = nullptr;       // of the learner that it is
};

// After a round; all but the loss are of the run so far, with late outcomes of its settled rounds.
struct Figures {
  double loss = 0;  // of the round
  double total = 0;
  std::optional<double> best;  // L*, where it is tracked
  std::optional<double> regret;
  std::uint64_t oracle_calls = 0;
};

// Of a learner that sees some rounds only: what was seen, and estimates of what was not.
struct LookRound {
  std::optional<bool> look;                   // seen in full; not known before the outcome where the log says it
  const AnyAction* choice = nullptr;          // the learner's own; in a look another may be played
  std::optional<double> weight;               // 1/share in a look
  bool lost = false;                          // a look without an outcome
  std::optional<double> raw;                  // what the client says it got
  std::uint64_t rounds = 1;                   // at once, without a look, where a log says so
  std::uint64_t looks = 0;                    // with an outcome, so far
  std::uint64_t losses = 0;                   // looks without one
  std::optional<double> cost;                 // what looking cost
  std::optional<double> estimate, own, best;  // of the regret, of the own total, of the least total
};

// Of a learner that sees the elements of its own action.
struct ElementRound {
  std::uint64_t cap = 0;                  // most draws of the round
  std::span<const double> seen;           // the losses, in the order of the action
  std::span<const std::uint64_t> copies;  // how often each counts
  double capped = 0;                      // the losses of those that no draw met
  std::uint64_t draws = 0;                // that were made
  double measured = 0;                    // of the run so far
};

struct Round : Figures {
  const RoundSetting* of = nullptr;
  std::uint64_t number = 1;

  // The decision.
  const AnyAction* action = nullptr;  // null: there is none, all experts sleep
  std::optional<double> eta;
  std::optional<double> multiplier;
  std::string_view regime;
  std::span<const double> weights;  // of a mixture; not to be read after the outcome is known
  void take(const Decision& decision) {
    action = &decision.action;
    eta = decision.eta;
    multiplier = decision.multiplier;
    regime = decision.regime;
  }

  // What came of it.
  const AnyOutcome* outcome = nullptr;
  const AnyAction* after = nullptr;  // x', where it was asked for
  Stability stability;
  std::optional<Estimates> estimates;
  bool switched = false;
  std::optional<double> gap;  // the mix gap of the round, where it is known
  struct Discounted {         // of a learner with a discount: a round of age i counts discount^i
    double total = 0;
    std::optional<double> best;
  };
  std::optional<Discounted> discounted;
  std::optional<double> run, limit;  // certificates of the run so far, where they were asked for
  void take(const Step& step) {
    loss = step.loss;
    after = step.after ? &*step.after : nullptr;
    stability = step.stability;
    estimates = step.estimates;
    switched = step.switched;
  }

  // Where outcomes come late: the number of settled rounds, and the gaps of those that this outcome settled, in order.
  std::uint64_t settled = 0;
  std::span<const double> gaps;

  // By context. The nodes are the open segments of the path, root first, with several orders of columns those of each
  // tree in turn; each is a round of the segment's own learner. `weights` has one a node and stays valid, `gaps` is
  // Delta of each after the round; action, rate and regime are those of the node that is played.
  std::span<const std::string> context;
  const Round* first_node = nullptr;
  std::size_t node_count = 0;
  std::span<const Round> nodes() const { return {first_node, node_count}; }
  std::optional<SegmentTree::Id> segment;  // of a node, or of the one that is played
  double weight = 1;                       // of a node
  std::size_t pick = 0;                    // the node that is played
  std::size_t finest = 0;          // the finest node of the first order of columns; 0: none of its segments is open
  std::optional<double> realised;  // the loss of the action that was played; `loss` is that of the mixture
  std::span<const SegmentTree::Id> opened;  // segments of the path

  // With looks; `outcome` is null where there was none.
  const LookRound* looked = nullptr;
  // Of elements: there is no `outcome`, but what was seen of it.
  const ElementRound* elements = nullptr;

  // Of experts that sleep: R_k.
  std::span<const double> regrets;

  // Of a portfolio: its strategies in order, with `weights` for each (0 for one that is not played), `pick` the one
  // that is, `loss` the mean over the pick. A rehearsed round has no weights, pick and loss.
  std::span<const StrategyRound> strategies;
  bool held = false;
  std::optional<double> share;              // of the mixture
  std::optional<double> today_loss;         // of what was logged, as it was told
  std::optional<double> gain, low;          // over today, of the run so far, and the least of it
  std::optional<double> today, share_cost;  // certificates of the run so far, where they were asked for
  std::span<const double> mixing;           // likewise

  bool rehearsed() const { return number <= of->rehearsed; }
  const std::optional<double>& rate() const { return of->adapts_multiplier ? multiplier : eta; }
  Json action_json() const {
    if (action) return of->game->action_json(*action);
    return strategies.empty() || rehearsed() ? Json() : strategies[pick].other;
  }
};

}  // namespace hannan::detail
