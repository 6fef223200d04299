// The end of a record of a run with contexts: its report against the verifier's own tree and totals.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/recomputed_tree.hpp"
#include "hannan/verify/segment_check.hpp"
#include "hannan/verify/standing.hpp"

namespace hannan::detail {

struct ContextEndInput {
  const SegmentsInput& shared;
  const RecomputedTree& tree;
  // By segment; null where it is closed.
  const std::vector<std::unique_ptr<SegmentCheck>>& learners;
  // Totals of the outcomes that were kept for a closed segment; null where none are kept.
  std::function<std::unique_ptr<RecomputedTotals>(std::size_t id)> watched;
  double total = 0, realised = 0;
  std::optional<bool> reward;  // the unit of raw numbers, once a round has told
};

struct ContextEndFacts {
  KnownBest best;
  double gap = 0;                     // end.oracle_gap
  std::vector<std::string> bounds;    // for people: name, value, whether it holds
  std::vector<std::string> on_trust;  // for people: what could not be derived again
  std::vector<std::string> recorded;  // for people: what claims nothing
};

// Throws Error; settles what was suspected.
ContextEndFacts check_context_end(const Json& end, const ContextEndInput& in);

}  // namespace hannan::detail
