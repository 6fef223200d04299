// A plan of experiments as it stands in a TOML file (docs/experiments.md): problems, streams and learners by
// name, and tables that say which of them meet.
//
// Reading finds every mistake of form: an unknown key, a name used twice or never defined, no seeds. What
// the parts mean (is there such a learner, does it fit the problem, is the file there) is checked when the
// plan is spread into cells (experiment_cells.hpp). Each part keeps its path in the file for complaints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/toml.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/loss_stream.hpp"
#include "hannan/streams/simulated_segments.hpp"

namespace hannan::detail {

struct PlannedProblem {
  std::string name;
  std::string kind{loss_kind().name};
  Json params = Json::object();
  std::string from;  // a file of the problem's own kind; empty: none
  std::string path;
};

struct PlannedStream {
  std::string name;
  StreamSpec spec;  // its name is the kind of the stream; the key is the plan's
  std::optional<std::uint64_t> experts;
  std::optional<std::uint64_t> rounds;  // of a file: at most these
  std::string data;                     // a file of outcomes; empty: simulated
  SegmentSpec segments;                 // contexts; of a file the columns alone count
  std::string timestamp;                // of a file: the column of @hour and @weekday
  bool losses = false;                  // of a file: its columns are losses, whatever they look like
  bool recorded = false;                // the outcomes that the problem's own file holds
  std::string path;
};

struct PlannedLearner {
  std::string name;
  std::string kind;
  Json set = Json::object();  // a text that begins with = is a formula
  std::string path;
};

// What a table shows; each is a table of its own, learners by streams.
// Two are lists, for the learners that have such bounds: `bounds`, regret beside Theorem 1 as printed and as corrected;
// `certificates`, regret beside the certificates of the run, with the share of runs whose limit was never below the
// conditional regret where that has a closed form (two actions, one column).
// A third, `tracking`, holds regrets against the best sequences of actions with so many switches.
enum class Measure { kRegret, kDifference, kRatio, kBound, kBest, kCalls, kNodes, kBounds, kCertificates, kTracking };
inline constexpr std::size_t kMeasures = 10;
std::string_view measure_name(Measure measure);

struct PlannedTable {
  std::string title;
  std::string about;
  std::vector<std::size_t> problems, streams, learners;  // places in the plan
  std::uint64_t seeds = 0;
  std::optional<std::size_t> baseline;  // a learner that the others are compared with, run by run
  std::vector<Measure> show;
  std::vector<std::size_t> figure;      // learners that are drawn
  std::vector<std::uint64_t> switches;  // of the sequences that regret is measured against, each once, in order
  std::string path;
};

struct ExperimentPlan {
  std::string name;
  std::string about;
  std::uint64_t seed = 0;
  std::vector<PlannedProblem> problems;
  std::vector<PlannedStream> streams;
  std::vector<PlannedLearner> learners;
  std::vector<PlannedTable> tables;
  TomlDocument document;

  // The error with the plan's file and line in front of its place.
  Error placed(const Error& error, const std::string& path) const;
};

enum class PlanSize { kFull, kSmall };

// Files named in the plan are relative to its folder. `kSmall` is the plan as its `small` keys cut it down.
ExperimentPlan read_plan(const TomlDocument& document, PlanSize size);

}  // namespace hannan::detail
