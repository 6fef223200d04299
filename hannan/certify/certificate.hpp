// The certificate of a run: every number that is proven for its learner, what it covers, and whether the regret of this
// run is within it where that is a question about one run.
//
// Most are on the expected regret, the mean over the learner's noise. `limit` and `leaderless` hold with a stated
// probability; the bounds of mixtures hold on every path. `run`, `measured` and `exact` are estimates: E regret <= E
// run is proven, and a single value bounds nothing. Where the oracle stopped early only those are stated that have a
// theorem for it, and regret is measured against the floor of L*. What rests on a constant without a proof is left out,
// and left_out() says so. Which bound applies when: docs/theory.md, docs/theory-run.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/certify/run_account.hpp"
#include "hannan/core/noise.hpp"
#include "hannan/game/gap_rule.hpp"

namespace hannan::detail {

// Which proof covers a learner, and so which bounds its certificate states.
enum class Proof { kNone, kLeader, kGftpl, kOff, kAda, kFlipFlop, kHedge, kAdaHedge };

// Of a run whose outcomes came late (docs/theory-run.md, outcomes that come late).
struct DelayFacts {
  std::uint64_t played = 0;          // rounds, settled or not
  std::uint64_t missing = 0;         // the most earlier outcomes that had not arrived when a round was played
  std::uint64_t missing_total = 0;   // their sum over the rounds
  std::uint64_t open = 0;            // the most earlier rounds that were not settled by then
  double left = 0;                   // what the calls for x' left unproven
  std::optional<double> single_out;  // the norm of a vector that singles an action out
};

struct RunFacts {
  Proof proof = Proof::kNone;
  // The game and the perturbation.
  double ln_size = 0;
  double columns = 0;
  bool unit_entries = false;      // every entry of the matrix in [0,1]
  std::optional<double> gamma;    // none: nothing is claimed and nothing was given
  std::optional<double> claimed;  // the gamma that is proven for the perturbation
  double c = 1;
  std::optional<double> noise_size;  // M: exact, or an upper limit
  std::optional<double> own_size;    // what the learner took for M, where it plays by it
  NoiseFacts noise;
  bool noise_given = false;  // alpha came from the user: no law, no bound in expectation
  bool fresh = true;         // noise of its own in every round
  // What the rounds added up to.
  std::uint64_t rounds = 0;
  std::uint64_t oracle_calls = 0;
  std::uint64_t search_nodes = 0;
  double total = 0;
  double best = 0;
  double floor = 0;
  double gap = 0;  // what the oracle left unproven, summed
  // Where the range of losses is unknown: b, the sum of the squared ranges, and that of the least losses.
  struct Ranges {
    double largest;
    double squares;
    double least;
  };
  std::optional<Ranges> ranges;
  // Below 1: the bounds are on the regret in which a round of age i counts discount^i, of this total, best and floor.
  double discount = 1;
  double discounted_total = 0;
  double discounted_best = 0;
  double discounted_floor = 0;
  std::optional<double> leader_regret;
  // The account of the run: none where it is not kept, or was not from the first round on.
  std::optional<AccountSums> sums;
  GapRule rule = GapRule::kMix;
  Pivot pivot = Pivot::kLeader;
  bool gaps_measured = true;          // else sums->free_gaps stands for them
  double stability = 0;               // S, or D_flip + D_flop
  double multiplier = 0;              // of the last round
  std::optional<double> rho2;         // as it was given, or else as it is proven; for the limit
  std::optional<double> rho2_proven;  // by the law of the noise
  double delta = 0.05;
  std::optional<double> credit;  // of the noise in use at the end, where it was asked for
  double phi = 0, flip_a = 0;    // flipflop
  // Where outcomes come late: all other sums are then over the settled rounds.
  std::optional<DelayFacts> delays;
  // L*-path sums of the trajectory bound: its value is base + M * slope.
  std::optional<double> trajectory_base;
  std::optional<double> trajectory_slope;
  // off
  std::string estimator;
  double off_leader = 0;
  double off_gftpl = 0;
  bool off_as_proven = false;  // a = b = 1, every round fed to the part that played it
  // hedge
  std::string rate;
  double eta = 0;
  double mixability = 0;  // adahedge's Delta
};

struct BoundCheck {
  enum class Side { kUpper, kLower };
  enum class Kind {
    kClosed,  // a formula of L* and constants
    kRun,     // an estimate, from the gaps and moves of this run
    kLimit,   // with a probability, at every round at once
  };
  enum class Covers {
    kMean,         // the expected regret: no single run keeps or breaks it
    kConditional,  // the regret with every round in the mean over its own draw, given the rounds before it
    kRun,          // the regret of this run
  };
  std::string name;  // a key of docs/theory.md or docs/theory-run.md
  double value;
  Side side = Side::kUpper;
  // Whether the regret of this run is within it. None where one run cannot answer that: a statement about the mean, one
  // that rests on noise that was given, and a limit of the conditional regret that the realised one is above.
  std::optional<bool> holds;
  Kind kind = Kind::kClosed;
  Covers covers = Covers::kMean;
  double certainty = 1;     // 1 - delta of a limit
  bool discounted = false;  // it bounds the discounted regret, not the plain one
  bool if_drawn = false;    // it binds only if the noise that was given was drawn fresh from the law
  std::string says;         // one sentence, where it is not a closed form
};

std::vector<BoundCheck> certificate(const RunFacts& run);

// The bound of that name, or null.
const BoundCheck* find_check(const std::vector<BoundCheck>& checks, std::string_view name);

// What may be called the bound of a run: the first of these that there is, on the plain regret.
//   1. what holds on every path
//   2. what holds with probability 1 - delta, at every round at once: limit, or else leaderless
//   3. the least closed form of the mean, to be named so
// Never an estimate. Which of them it is follows from the learner, not from their values, except that a closed form is
// the least of several, all of them proven for the mean.
struct StatedBound {
  double value;
  enum class Of { kPath, kLimit, kMean } of;
  double certainty = 1;  // of a limit, 1 - delta
  std::string name;      // its key
  const char* word() const { return of == Of::kPath ? "path" : of == Of::kLimit ? "limit" : "mean"; }
};
std::optional<StatedBound> stated_bound(const std::vector<BoundCheck>& checks);
// The same where only what is certain, or has a stated probability, will do.
std::optional<double> stated_limit(const std::vector<BoundCheck>& checks);

// What is not stated since a constant that was given is below the proven one, a sentence each.
std::vector<std::string> left_out(const RunFacts& run);

}  // namespace hannan::detail
