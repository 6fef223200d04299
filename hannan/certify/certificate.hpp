// The certificate of a run: every bound that applies to its learner, its value, and whether the
// measured regret keeps it.
//
// Bounds are on expected regret; where an oracle proved only floors, bounds widen by the summed
// gaps and regret is measured against the floor of L*. Which bound applies when: docs/theory.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/noise.hpp"

namespace hannan::detail {

// Which proof covers a learner, and so which bounds its certificate states.
enum class Proof { kNone, kGftpl, kOff, kAda, kFlipFlop, kHedge, kAdaHedge };

struct RunFacts {
  Proof proof = Proof::kNone;
  // The game and the perturbation.
  double ln_size = 0;
  double columns = 0;
  bool unit_entries = false;    // every entry of the matrix in [0,1]
  std::optional<double> gamma;  // none: nothing is claimed and nothing was given
  double c = 1;
  std::optional<double> noise_size;  // M
  NoiseFacts noise;
  bool noise_given = false;  // alpha came from the user: no law, no bound in expectation
  // What the rounds added up to.
  std::uint64_t rounds = 0;
  double total = 0;
  double best = 0;
  double floor = 0;
  double gap = 0;
  std::optional<double> leader_regret;
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
  std::string name;  // a key of docs/theory.md
  double value;
  Side side = Side::kUpper;
  bool holds;
};

std::vector<BoundCheck> certificate(const RunFacts& run);

// The least upper bound among them, if there is one.
std::optional<double> sharpest(const std::vector<BoundCheck>& checks);

}  // namespace hannan::detail
