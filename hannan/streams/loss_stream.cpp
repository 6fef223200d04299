// The table of simulated streams by name, and the checks that they share: rounds and experts within what the keyed
// draws can address. A stream's own parameters are checked by the function that makes it.
#include "hannan/streams/loss_stream.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/streams/adversaries.hpp"
#include "hannan/streams/off_killers.hpp"
#include "hannan/streams/ordered_streams.hpp"
#include "hannan/streams/stochastic_streams.hpp"
#include "hannan/streams/threshold_streams.hpp"

namespace hannan::detail {
namespace {

// One number per round and per expert must fit the columns of a keyed draw (2^41).
constexpr std::uint64_t kMaxRounds = std::uint64_t{1} << 40;
constexpr std::uint64_t kMaxExperts = std::uint64_t{1} << 30;

struct Line {
  StreamFact fact;
  std::unique_ptr<LossStream> (*make)(const StreamSpec&);
};

constexpr std::array kLines = {
    Line{{"iid",
          "A uniformly drawn expert is Bernoulli(best), all others Bernoulli(others), independent. Reads "
          "experts, rounds, best, others."},
         make_iid_stream},
    Line{{"small-loss",
          "A uniformly drawn expert has loss 1 in exactly `hits` uniformly drawn rounds, every other expert "
          "is Bernoulli with its own rate, uniform on [0.05, 0.5]. Reads experts, rounds, hits."},
         make_small_loss_stream},
    Line{{"drift",
          "Bernoulli losses; the good expert (mean best against others) hands over to the next, drawn "
          "uniformly, by a linear crossfade over `period` rounds. Reads experts, rounds, best, others, "
          "period."},
         make_drift_stream},
    Line{{"elimination",
          "Unit losses hit one expert at a time in index order, ten hits each, `hits` full passes and one "
          "that "
          "spares the last expert, spread evenly; L* = 10 hits. Reads experts, rounds, hits."},
         make_elimination_stream},
    Line{{"killer",
          "Two experts: (0.5, 0), then (0, 1) in even and (1, 0) in odd rounds; follow the leader loses every "
          "round. Reads rounds."},
         make_killer_stream},
    Line{{"feed-killer", "Two experts: gives `off` with estimator paper and feed next linear regret. Reads rounds."},
         make_feed_killer_stream},
    Line{{"branch-killer",
          "Two experts: `off` with estimator paper loses much although the leader run alone loses little. "
          "Reads rounds."},
         make_branch_killer_stream},
    Line{{"aimed",
          "Two experts: a unit loss on the leader of the part of `off` (estimator paper) that is in charge. "
          "Reads rounds."},
         make_aimed_stream},
    Line{{"aimed-trajectory", "The same against `off` with estimator trajectory. Reads rounds."},
         make_aimed_trajectory_stream},
    Line{{"aimed-regret", "The same against `off` with estimator regret. Reads rounds."}, make_aimed_regret_stream},
    Line{{"adaptive",
          "A unit loss on the expert played in the round before (first round: expert 0). Reads experts, "
          "rounds."},
         make_adaptive_stream},
    Line{{"infer",
          "Two experts: infers the noise of `gftpl` (matrix [[0],[1]], gamma = c = 1) from its actions and "
          "hits "
          "the predicted one; linear regret for draw once, harmless for draw fresh. Reads rounds."},
         make_infer_stream},
    Line{{"threshold-flips",
          "Thresholds on experts - 1 points: a uniform point with its true label each round, flipped in exactly `hits` "
          "of them. "
          "Reads experts, rounds, hits."},
         make_threshold_flips_stream},
    Line{{"threshold-noise", "The same, flipped with probability `best`. Reads experts, rounds, best."},
         make_threshold_noise_stream},
    Line{{"threshold-sweep",
          "Thresholds: every point once with label 0, in order and evenly spread; the last threshold is spared. Reads "
          "experts, rounds."},
         make_threshold_sweep_stream},
    Line{{"threshold-midpoint", "Thresholds: the middle point with labels 0, 1, 0, ... Reads experts, rounds."},
         make_threshold_midpoint_stream},
};

constexpr auto kFacts = [] {
  std::array<StreamFact, kLines.size()> facts;
  for (std::size_t i = 0; i < kLines.size(); ++i) facts[i] = kLines[i].fact;
  return facts;
}();

void check_count(std::string_view field, std::uint64_t found, std::uint64_t most) {
  if (found < 1 || found > most)
    throw Error(Code::kOutOfRange, fmt::format("{}: found {}, expected 1 to {}", field, found, most),
                fmt::format("stream.{}", field));
}

}  // namespace

std::unique_ptr<LossStream> make_loss_stream(const StreamSpec& spec) {
  const auto line = std::ranges::find(kLines, spec.name, [](const Line& l) { return l.fact.name; });
  if (line == kLines.end()) {
    std::vector<std::string> names;
    for (const StreamFact& fact : kFacts) names.emplace_back(fact.name);
    throw Error(Code::kUnknownName,
                fmt::format("stream: found \"{}\", expected one of {}{}", spec.name, fmt::join(names, ", "),
                            near_hint(spec.name, names)),
                "stream.name");
  }
  check_count(kStreamActions, spec.experts, kMaxExperts);
  check_count("rounds", spec.rounds, kMaxRounds);
  return line->make(spec);
}

std::span<const StreamFact> loss_streams() { return kFacts; }

}  // namespace hannan::detail
