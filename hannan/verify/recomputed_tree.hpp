// The verifier's own tree of segments (docs/contexts.md, "The rule"): which are open, what their learners lost,
// AdaHedge between each and what is below it. Shares no code with hannan/contexts.
//
// Numbers only: the learners are followed by by_context.cpp. Segments are numbered in order of appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/recomputed_hedge.hpp"
#include "hannan/verify/setting.hpp"

namespace hannan::detail {

struct RecomputedSegment {
  std::size_t parent = 0;
  std::size_t order = 0;  // of columns; that of the root means nothing
  std::size_t depth = 0;
  std::string value;
  std::uint64_t seen = 0;
  bool open = false;
  bool mixes = false;  // one below it was open in a round of it
  RecomputedHedge hedge;
  ExactTotal own;
  std::vector<ExactTotal> waited;                            // one; the root has one for each order
  std::vector<std::map<std::string, std::size_t>> children;  // as `waited`
};

class RecomputedTree {
 public:
  explicit RecomputedTree(const RecordedContexts& contexts);

  // Goes along a context. The nodes are the open segments: the root, then those of each order, coarse first.
  void go(std::span<const std::string> context);
  const std::vector<std::size_t>& nodes() const { return nodes_; }
  std::vector<double> weights() const;
  // The losses of the nodes; says that of the mixture.
  double charge(std::span<const double> own);
  // After the round: counts it and opens segments.
  void count();
  const std::vector<std::size_t>& opened() const { return opened_; }  // parents before what is below them
  const std::vector<std::size_t>& closed() const { return closed_; }  // those of the context that are kept closed

  std::size_t orders() const { return contexts_.depths.size(); }
  const RecomputedSegment& at(std::size_t id) const { return segments_[id]; }
  std::size_t size() const { return segments_.size(); }
  std::uint64_t opened_in_all() const { return open_; }
  bool full() const { return open_ == contexts_.most; }
  std::uint64_t refused() const { return refused_; }
  // Starts with the number of the order where there are several.
  std::vector<std::string> path(std::size_t id) const;
  // What is added to the run of the root: FNV-1a over the path, 0 for the root itself.
  std::uint64_t run_of(std::size_t id) const;
  // All in order of their paths.
  std::vector<std::size_t> in_order() const;

 private:
  std::size_t children_of(std::size_t id, std::size_t order) const { return id == 0 ? order : 0; }
  void keep_new(std::size_t order, std::span<const std::string> values);

  RecordedContexts contexts_;
  std::vector<RecomputedSegment> segments_;
  std::uint64_t open_ = 1, refused_ = 0;
  // Of the context.
  std::vector<std::string> context_;
  std::vector<std::vector<std::size_t>> known_;  // by order, without the root
  std::vector<std::size_t> depth_open_;          // by order: how many of those are open
  std::vector<std::size_t> nodes_, opened_, closed_;
};

}  // namespace hannan::detail
