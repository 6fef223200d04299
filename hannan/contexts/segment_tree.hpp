// The tree of segments: which are known, which are open, and AdaHedge between each inner one and what is below it.
//
// A context is a list of values, coarse first; a segment is a prefix of one, the root being the empty prefix. Along a
// context the open segments v_0 (root), v_1, ... v_{k-1} each have a learner; own_d is the loss of the d-th:
//
//   g_{k-1} = own_{k-1},   g_d = w_d own_d + (1 - w_d) g_{d+1},   (w_d, 1 - w_d) by AdaHedge(v_d), told (own_d,
//   g_{d+1})
//
// The round's loss is g_0, and learner d is played with probability p_d = w_d prod_{e<d} (1 - w_e). A segment opens
// after `open` rounds, once its parent is open, while fewer than `most` are open. Theorem: docs/contexts.md.
//
// Numbers only: who keeps the learners tells the tree their losses. Cost O(depth) a round, whatever the number of
// segments; about 150 bytes a segment and its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/contexts/ada_hedge_pair.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/core/long_sums.hpp"

namespace hannan::detail {

struct TreeLimits {
  std::size_t depth = 1;         // values of a context
  std::uint64_t open = 1;        // rounds of a segment before its learner plays
  std::uint64_t most = 100'000;  // open segments, the root included
};

class SegmentTree {
 public:
  using Id = std::uint32_t;  // in order of appearance, so a parent's is smaller than its children's
  static constexpr Id kRoot = 0;
  static constexpr Id kNone = ~Id{0};

  struct Segment {
    std::uint64_t hash = 0;  // FNV-1a of the path: the 8 little-endian bytes of the length of each value, and the value
    std::uint64_t seen = 0;  // rounds through it
    std::uint64_t name_at = 0;
    std::uint32_t name_size = 0;
    Id parent = kNone, first_child = kNone, next_sibling = kNone;
    std::uint8_t depth = 0;
    bool open = false;
    bool mixes = false;  // a child of it has been open in a round of it
    AdaHedgePair hedge;  // between its own learner and what is below, if it mixes
    CarriedSum own;      // H: the losses of its learner
    CarriedSum waited;   // those of rounds in which it was the last open one, though not the finest
  };

  explicit SegmentTree(TreeLimits limits);

  // The known segments along a context, root first; the first `open` of them are open.
  struct Path {
    std::vector<Id> segments;
    std::size_t open = 0;
  };
  void find(std::span<const std::string> context, Path& path) const;
  // p_d of the open ones.
  void weights(const Path& path, std::vector<double>& p) const;
  // The d at quantile u of p.
  static std::size_t pick(std::span<const double> p, double u);

  // The losses of the open ones in this round; says g_0.
  double settle(const Path& path, std::span<const double> own);
  // Counts the round. New names enter the path where they are kept. Says how many of the path are open now.
  std::size_t count(std::span<const std::string> context, Path& path);

  const TreeLimits& limits() const { return limits_; }
  const Segment& at(Id id) const { return segments_[id]; }
  std::size_t size() const { return segments_.size(); }  // known
  std::uint64_t opened() const { return opened_; }
  std::uint64_t refused() const { return refused_; }  // rounds of segments that the limits kept from opening
  bool full() const { return opened_ == limits_.most; }
  std::uint64_t rounds() const { return segments_[kRoot].seen; }
  std::string_view name(Id id) const;
  std::vector<std::string> path_of(Id id) const;
  // In order of their names.
  std::vector<Id> children(Id id) const;
  // Weight of its own learner against what is below it, now; 1 where nothing is mixed.
  double own_weight(Id id) const;

  void archive(Archive& a);

 private:
  Id child(Id parent, std::uint64_t hash, std::string_view value) const;
  Id add(Id parent, std::uint64_t hash, std::string_view value);
  bool may_keep() const;
  void place(Id id);
  void archive_segment(Archive& a, Id id);

  TreeLimits limits_;
  std::vector<Segment> segments_;
  std::string names_;
  std::vector<Id> table_;  // by hash, kNone where nothing is; at most half full
  std::uint64_t opened_ = 1;
  std::uint64_t refused_ = 0;
};

// The hash of a path with one more value.
std::uint64_t hash_with(std::uint64_t hash, std::string_view value);

}  // namespace hannan::detail
