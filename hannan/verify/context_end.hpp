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
  double best = 0;
  std::vector<std::string> bounds;    // for people: name, value, whether it holds
  std::vector<std::string> on_trust;  // for people: what could not be derived again
  bool claimed_exact = false;         // by an oracle from outside
};

// Throws Error; settles what was suspected.
ContextEndFacts check_context_end(const Json& end, const ContextEndInput& in);

}  // namespace hannan::detail
