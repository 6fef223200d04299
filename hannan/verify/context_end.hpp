// The end of a record of a run with contexts: its report against the verifier's own tree and totals.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hannan/verify/driver.hpp"
#include "hannan/verify/recomputed_tree.hpp"
#include "hannan/verify/segment_check.hpp"

namespace hannan::detail {

struct ContextEndInput {
  RecordState& record;
  const RecomputedTree& tree;
  // By segment; null where it is closed.
  const std::vector<std::unique_ptr<SegmentCheck>>& learners;
  // Totals of the outcomes that were kept for a closed segment; null where none are kept.
  std::function<std::unique_ptr<RecomputedTotals>(std::size_t id)> watched;
  double total = 0, realised = 0;
};

// Throws Error; settles what was suspected.
EndFacts check_context_end(Fields& end, const ContextEndInput& in);

}  // namespace hannan::detail
