// Which segments have a decision of their own and what it is: the blocks of a run with contexts (docs/contexts.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hannan/report/action_panels.hpp"
#include "hannan/report/log_names.hpp"
#include "hannan/report/thinned.hpp"

namespace hannan::detail {

// The level at which rounds were decided, gathered one line of a record at a time in bounded memory: the weight of
// each depth of the tree, as means over stretches of rounds. With several orders of columns a round says the weight of
// the root alone, and the rest is "below".
class DepthWeights {
 public:
  void begin(const Json& header);
  void round(const Json& line);
  // A chart; nothing where the run has no contexts.
  void write(Json& blocks) const;

 private:
  static constexpr std::size_t kStretches = 200;
  std::vector<std::string> names_;  // of the depths; empty: no contexts
  std::vector<Thinned> weights_;
  std::uint64_t rounds_ = 0;
  bool several_ = false;
};

// The names of the depths: "all", then the columns of the only order; of several orders "all" and "below".
std::vector<std::string> depth_names(const Json& by);
// "all 3 %, country 12 %, site 85 %".
std::string depths_text(const std::vector<std::string>& names, const std::vector<double>& weights);
struct DepthPaths {
  std::string title;
  std::vector<std::string> names;
  std::vector<std::vector<ThinnedPoint>> means;  // one list per depth
};
Json depths_chart(const DepthPaths& paths);

struct SegmentsOf {
  const Json& report;        // of the learner
  const ActionWords& words;  // of its decisions
  std::string title = "Every segment";
  std::string unit = "loss";  // of the figures: money where it is earned
  double scale = 1;           // money of a loss of 1
};
// How many segments decide for themselves, and the table of all of them; nothing where the report has none.
void write_segment_blocks(Json& blocks, const SegmentsOf& of);
// The same with the words and the money of a run.
struct SegmentsOfRun {
  const Json& report;
  std::string problem;  // its kind
  Json params;          // of the problem
  LogNames log;
};
void blocks_of_segments(Json& blocks, const SegmentsOfRun& run);
// Money of a loss of 1 in the problem's own unit, from the sums of the report; 1 where they do not say.
double reward_scale(const Json& report);

}  // namespace hannan::detail
