// Learners against a simulated stream, many runs, on as many threads as wanted.
//
// Run r of every learner sees run r of the stream and draws its noise under run r of the seed, so
// results depend on neither the threads nor the order of the runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hannan/io/json.hpp"
#include "hannan/play/learner_group.hpp"
#include "hannan/streams/loss_stream.hpp"
#include "hannan/streams/market_source.hpp"

namespace hannan::detail {

struct SimulatedLearner {
  std::string label;
  std::string kind;
  Json params = Json::object();  // besides seed and run
};

struct SimulationPlan {  // experts
  StreamSpec stream;     // its key's seed is the seed of everything; its run is the first run
  std::vector<SimulatedLearner> learners;
  std::uint64_t runs = 1;
  unsigned threads = 1;
  SegmentSpec segments = {};  // contexts of the rounds; its key is the stream's. No columns: none
};

struct MarketPlan {  // auctions
  std::string problem;
  Json params;
  MarketSourceSpec market;
  std::vector<SimulatedLearner> learners;
  std::uint64_t runs = 1;
  unsigned threads = 1;
};

struct SimulatedRun {
  double total = 0;
  double best = 0;
  double regret = 0;
  std::optional<double> bound;      // the least of the closed forms that apply
  std::optional<double> printed;    // Theorem 1 as printed, for gftpl with Laplace noise; proven for c <= 1 only
  std::optional<double> corrected;  // the same as corrected: thm1_tight
  std::optional<double> run;        // an estimate of what the expected regret is at most
  std::optional<double> limit;      // with a stated probability, at every round at once
  // Where the limit was followed: it was at no round below the conditional regret, which it covers;
  std::optional<bool> covered;
  std::optional<bool> within;  // and at none below the regret of the run, which it does not.
  bool holds = true;           // whatever is said of this single run
  std::uint64_t oracle_calls = 0;
  std::uint64_t search_nodes = 0;
  double gap = 0;            // summed over calls that stopped at a work limit
  std::vector<double> path;  // regret after rounds 1, 2, 4, 8, ... and the last, where asked for
  // The least totals of sequences of actions with at most so many switches each, where asked for (play/tracking.hpp).
  std::vector<double> tracked;
};

struct SimulatedMean {
  std::string label;
  double best = 0;
  double regret = 0;
  double standard_error = 0;
  std::optional<double> bound;  // mean of these bounds
  double calls_a_round = 0;
  bool holds = true;  // the regret is at most `bound` and `run` in the mean, but for three standard errors
  std::vector<SimulatedRun> runs;
};

struct RunLimits {
  std::uint64_t rounds;        // of the source, for the last point of the path
  std::function<bool()> stop;  // asked every round; may be empty
  // Learners whose limit is held against the conditional regret in every round, where that has a closed form; may be
  // empty.
  std::vector<bool> follow_limit;
  // Numbers of switches, a list a learner; may be empty. Requires that tracking is not refused.
  std::vector<std::vector<std::uint64_t>> switches;
};
// Plays a source to its end, a result for each learner; nothing if it was stopped before.
std::optional<std::vector<SimulatedRun>> run_to_end(LearnerGroup& group, Source& source, const RunLimits& limits);

// One result per learner, in order. Throws what is wrong with the plan before any work starts.
std::vector<SimulatedMean> simulate(const SimulationPlan& plan);
std::vector<SimulatedMean> simulate(const MarketPlan& plan);

// "kind" or "kind:name=value,name=value".
SimulatedLearner parse_simulated_learner(const std::string& text);

}  // namespace hannan::detail
