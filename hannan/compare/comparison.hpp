// Several ways to decide, played on the same outcomes: learners, what sellers do without one, and the
// best there was in hindsight.
//
// Every player sees every outcome in one pass over the data. A second pass prices the actions that are known
// only at the end: the best fixed one and, for reserves, the best uniform one. Rivals are the actions that
// the user names (what is done today), those that the problem offers (game/rivals.hpp), and Hedge where there
// are few enough actions to list. Of rivals without a class it is said whether one of them beats the best action in
// hindsight beyond chance (weak_class.hpp). Where the outcomes are those of a
// log, what it brought (as_logged.hpp) is the baseline. With a decision for every segment (docs/contexts.md) one
// decision for all is the baseline, and the players by segment (segment_players.hpp) join.
//
// The paths are kept at no more than kMostPoints rounds: every w-th and the last, w a power of two that
// doubles whenever there are too many. A path is cumulative, so nothing between two points is lost but
// detail; blocks for intervals (block_bootstrap.hpp) are stretches between points. These intervals are a picture of the
// spread; what to do is decided by judgement.hpp, from the gains of every round.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/compare/as_logged.hpp"
#include "hannan/compare/doubts.hpp"
#include "hannan/compare/portfolio_plan.hpp"
#include "hannan/compare/result.hpp"
#include "hannan/compare/today_source.hpp"
#include "hannan/compare/unsure.hpp"
#include "hannan/game/rivals.hpp"
#include "hannan/play/simulation.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

enum class Rivals { kAll, kNone };

struct NamedAction {
  std::string name;
  Json action;
};

struct ComparisonPlan {
  std::shared_ptr<const AnyProblem> problem;
  // The outcomes from their beginning; called twice.
  std::function<std::unique_ptr<Source>()> open;
  std::vector<SimulatedLearner> learners;  // at least one
  // Of learners that are portfolios, where their parameters leave it open. The others are not touched by it.
  PortfolioDefaults portfolio;
  // The outcomes with the loss of what was logged, read apart from all other readings of a log; empty: `open` does.
  std::function<std::unique_ptr<Source>()> open_aside;
  // What others propose; so many values at the end of the contexts of the sources are for it alone. Empty: nothing.
  ProposalsOfRound proposals;
  std::size_t proposal_columns = 0;
  std::vector<NamedAction> fixed;  // played in every round; the first is the baseline where there is no other
  // by, open and most of the learners with a decision for every segment; null: one for all. The sources have contexts.
  Json segments;
  // What was logged in the round that was just played; empty: not known. With segments it is no baseline.
  LossAsLogged as_logged;
  // When the round that was just played was, as the data writes it; empty: not known.
  std::function<std::string()> time;
  // All bids of the round that was just played, by bidder, where outcomes keep only those that can set a price; empty:
  // outcomes have all.
  std::function<std::span<const std::vector<double>>()> slot_bids;
  // What the log leaves open, decided most kindly (unsure.hpp); empty: nothing is open. Not with segments.
  MostOutcome most;
  // The share of the rounds, the last ones, on which the best fixed action of the others is judged; 0: none.
  double holdout = 0;
  Rivals rivals = Rivals::kAll;
  std::uint64_t hedge_most = 1024;  // actions up to which Hedge joins
  std::uint64_t seed = 0;
  std::string track = "every";  // of the learners, where they do not say it themselves
  std::uint64_t rounds = 0;     // at most; 0: all; rehearsed ones are not counted
  // The first rounds of the data, so many, are rehearsed: everyone decides and is told, nothing is charged or judged.
  std::uint64_t rehearsed = 0;
  std::function<bool()> stop;                   // asked before every round
  std::function<void(std::uint64_t)> progress;  // told after rounds 1, 2, 4, 8, ... of the first pass; may be empty

  // The outcomes from their beginning, with what others propose and with this loss of today where it is not empty.
  std::unique_ptr<Source> open_with_today(LossAsLogged today) const {
    return std::make_unique<TodaySource>(TodaySource::Of{open(), std::move(today), proposals, proposal_columns});
  }
};

struct ComparedPoint {
  double loss = 0;                   // summed up to here
  Json action;                       // chosen after these rounds
  std::optional<StatedBound> bound;  // what may be called one, on the regret
  std::optional<double> rate;        // eta, or the noise multiplier
  std::string regime;
  std::uint64_t calls = 0;
  std::vector<double> depths;  // of a learner with segments: the weights p_d of each depth, summed up to here
  // Of a portfolio: sums up to here, by strategy.
  struct OfPortfolio {
    std::vector<double> weights, losses;
    double drawn = 0;        // the loss of what was drawn
    double certificate = 0;  // what the loss is above today's at most
  };
  std::optional<OfPortfolio> portfolio;
};

struct ComparedPlayer {
  enum class Role { kLearner, kRival, kHindsight };
  std::string name;
  std::string about;
  Role role = Role::kLearner;
  std::vector<ComparedPoint> path;     // at Comparison::at
  Json report;                         // of a learner
  std::optional<std::size_t> against;  // the player it is held against; none: the baseline of all
  double rehearsed = 0;                // the loss of the rounds that were rehearsed, which the path leaves out
};

// The best fixed action of the first rounds, on the rounds that it was not chosen from.
struct HeldOut {
  std::uint64_t from = 0;  // rounds that it was chosen from
  Json action;
  bool proven = true;         // that no action was better on them
  std::vector<double> gains;  // of the other rounds: the loss of the baseline less its own
  double loss = 0;            // on them
  double base_loss = 0;
};

struct Comparison {
  static constexpr std::size_t kMostPoints = 2000;

  std::uint64_t rounds = 0;
  std::uint64_t rehearsed = 0;              // rounds before them
  std::uint64_t width = 1;                  // rounds between points, the last one apart
  std::vector<std::uint64_t> at;            // rounds after which the paths have a point
  std::vector<std::optional<double>> best;  // L* of the rounds so far, where a learner tracks it
  std::vector<std::string> times;           // of these rounds, as the data writes them; none: not known
  std::vector<ComparedPlayer> players;
  std::size_t baseline = 0;    // the player that the others are held against
  std::size_t best_fixed = 0;  // the player of the best fixed action in hindsight, as far as one was found
  double best_gap = 0;         // what its loss may be above the least one: 0 where it is proven
  // With a rehearsal, of all rounds: regrets and bounds are of them, as the ledgers of the learners are.
  struct BestOfAll {
    double found = 0, gap = 0;
  };
  std::optional<BestOfAll> best_of_all;
  // Of the plan's learners, which are the first players: the loss of what they are held against less theirs in every
  // round, 8 bytes each.
  // None where the baseline is the best in hindsight.
  std::vector<std::vector<double>> gains;
  // The same where what the log leaves open is decided most kindly; empty: nothing is open.
  std::vector<std::vector<double>> most_gains;
  // And what the fixed action that is best then gains over all rounds, at most.
  std::optional<double> most_fixed;
  // What the gain of a round is a share of, and the loss of the baseline, in every round: of purchases with ceilings
  // that are shares what a unit costs that is not bought, of bids that are factors what winning is worth. Gains are
  // then judged as such shares (round_scale.hpp).
  struct Scales {
    std::vector<double> of, base;
  };
  Scales scales;
  // Of reserves: rounds in which no more bids than units came, where a reserve alone sets the price, and the part
  // of the gains that is theirs.
  struct Uncontested {
    std::uint64_t rounds = 0;
    std::vector<double> gains;  // of the plan's learners
  };
  Uncontested uncontested;
  // Of rivals without a class, without segments: the loss of the best fixed action less that of each in every round.
  struct RivalGains {
    std::size_t player;
    std::vector<double> gains;
  };
  std::vector<RivalGains> over_best;
  // Of the first learner that is a portfolio. Gains are over its own first strategy, which is the baseline of all where
  // there is one; a strategy that proposed nothing counts as the portfolio.
  struct Strategy {
    std::string name, kind;
    std::vector<double> gains;  // of every round
    Json action;                // what it proposes next; null: no action of the problem, or it depends on more
  };
  struct Portfolio {
    std::size_t player = 0;
    std::vector<Strategy> strategies;
    std::vector<double> drawn_gains;  // of what was drawn
    Json state;                       // to go on from
  };
  std::optional<Portfolio> portfolio;
  RivalGroup::ActionClass action_class;  // that they are held against
  std::optional<HeldOut> held_out;
  std::uint64_t context_not_numbers = 0;  // as the source counts them
};

// Throws what the source and the learners throw.
Comparison compare(const ComparisonPlan& plan);

struct MoneyScale {
  double unit = 1;          // money of a raw 1: the cap of the log
  std::string currency;     // empty: not known
  std::uint64_t block = 0;  // rounds; 0: about 100 blocks
  std::uint64_t seed = 0;   // of the bootstrap
  LogDoubts doubts;         // of the log that the outcomes are from (doubts.hpp)
  double outside = 0;       // reverse: the largest price of not buying
  double largest = 0;       // posted prices: units of a round, one bidder's log: value, at most
};

// Everything a report needs: money with intervals, first and last tenth, and the paths. The facts of the data are left
// to the caller.
ComparisonResult comparison_result(const Comparison& comparison, const AnyProblem& problem, const MoneyScale& scale);

}  // namespace hannan::detail
