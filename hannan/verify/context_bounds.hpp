// The bounds in the certificate of a run with contexts: "mixing", and "segments" for the prunings that depend on the
// data alone (docs/contexts.md, "What is proven").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/io/json.hpp"
#include "hannan/verify/claims.hpp"
#include "hannan/verify/recomputed_prunings.hpp"
#include "hannan/verify/setting.hpp"

namespace hannan::detail {

struct ContextBoundsInput {
  const RecordedSetting& setting;
  const RecomputedTree& tree;
  const std::vector<SegmentLoss>& least;  // by segment
  Claims& claims;
  std::optional<double> M;
  double gap = 0;    // by which inexact answers may be above the best
  double total = 0;  // of the losses, as it is recorded
};

// Which there must be, and their values. `mixing` is the value beside the totals. For people: name, value, whether it
// holds.
std::vector<std::string> check_context_bounds(const Json::Array& found, double mixing, const ContextBoundsInput& in);

}  // namespace hannan::detail
