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
// Several orders of columns are trees that share the root: AdaHedge of the root then has an expert for its own learner
// and one for each tree; a tree whose first segment is closed gives it the root's own loss. A context has the values of
// all trees, one tree after the other, and the path of a segment starts with the number of its tree, from 1.
//
// Numbers only: who keeps the learners tells the tree their losses. Cost O(depth) a round, whatever the number of
// segments; about 150 bytes a segment and its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/contexts/ada_hedge_orders.hpp"
#include "hannan/contexts/ada_hedge_pair.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/core/long_sums.hpp"

namespace hannan::detail {

struct TreeLimits {
  std::vector<std::size_t> depths{1};  // values of a context, by tree
  std::uint64_t open = 1;              // rounds of a segment before its learner plays
  std::uint64_t most = 100'000;        // open segments, the root included
};

class SegmentTree {
 public:
  using Id = std::uint32_t;  // in order of appearance, so a parent's is smaller than its children's
  static constexpr Id kRoot = 0;
  static constexpr Id kNone = ~Id{0};

  struct Segment {
    // FNV-1a of the path (the 8 little-endian bytes of the length of each value, and the value), which starts with the
    // number of the tree where there are several.
    std::uint64_t hash = 0;
    std::uint64_t seen = 0;  // rounds through it
    std::uint64_t name_at = 0;
    std::uint32_t name_size = 0;
    Id parent = kNone, first_child = kNone, next_sibling = kNone;
    std::uint8_t depth = 0;  // values of its path
    std::uint8_t tree = 0;   // from 0; that of the root means nothing
    bool open = false;
    bool mixes = false;  // a child of it has been open in a round of it
    AdaHedgePair hedge;  // between its own learner and what is below, if it mixes; see gap() for the root
    CarriedSum own;      // H: the losses of its learner
    CarriedSum waited;   // those of rounds in which it was the last open one, though not the finest; see waited()
  };

  explicit SegmentTree(TreeLimits limits);

  // The known segments along a context. The nodes of the round are its open segments: the root, then those of the
  // first tree, coarse first, then those of the second.
  struct Path {
    struct Branch {
      std::vector<Id> segments;  // of one tree, without the root; the first `open` of them are open
      std::size_t open = 0;
    };
    std::vector<Branch> branches;
    std::vector<Id> nodes;
  };
  void find(std::span<const std::string> context, Path& path) const;
  // Adds the hashes of the segments of a context that are not open: those that a round of it may open.
  void add_closed(std::span<const std::string> context, std::set<std::uint64_t>& hashes) const;
  // p_d of the nodes.
  void weights(const Path& path, std::vector<double>& p) const;
  // The d at quantile u of p.
  static std::size_t pick(std::span<const double> p, double u);

  // The losses of the nodes in this round; says g_0.
  double settle(const Path& path, std::span<const double> own);
  // Counts the round. New names enter the path where they are kept.
  struct Counted {
    std::vector<Id> opened;  // in this round, parents first
    std::vector<Id> closed;  // segments of the path that stay so
  };
  void count(std::span<const std::string> context, Path& path, Counted& counted);

  const TreeLimits& limits() const { return limits_; }
  std::size_t trees() const { return limits_.depths.size(); }
  const Segment& at(Id id) const { return segments_[id]; }
  std::size_t size() const { return segments_.size(); }  // known
  std::uint64_t opened() const { return opened_; }
  std::uint64_t refused() const { return refused_; }  // rounds of segments that the limits kept from opening
  bool full() const { return opened_ == limits_.most; }
  std::uint64_t rounds() const { return segments_[kRoot].seen; }
  std::string_view name(Id id) const;
  // With the number of the tree first where there are several.
  std::vector<std::string> path_of(Id id) const;
  // kNone where it is not known.
  Id at_path(std::span<const std::string> path) const;
  // No two nodes of a round have the same: the root has 0.
  std::size_t place(Id id) const;
  // In order of their paths.
  std::vector<Id> children(Id id) const;
  // Weight of its own learner against what is below it, now; 1 where nothing is mixed.
  double own_weight(Id id) const;
  double gap(Id id) const;                                                // Delta
  double waited(Id id, std::size_t tree = 0) const;                       // the root has one for each tree
  bool prefers_below(Id id) const;                                        // below has more weight
  std::vector<double> root_weights() const { return orders_.weights(); }  // its own and each tree's, where several
  std::size_t preferred_tree() const;  // the one with most weight at the root, in a tie the first

  void archive(Archive& a);

 private:
  bool several() const { return trees() > 1; }
  // Of the path that ends at a segment, the root being that of a tree.
  std::uint64_t hash_at(Id id, std::size_t tree) const { return id == kRoot ? starts_[tree] : segments_[id].hash; }
  struct Child {
    Id parent;
    std::size_t tree;
    std::string_view value;
  };
  Id child(const Child& wanted) const;
  Id add(const Child& made);
  bool may_keep() const;
  void enter(Id id);  // into the table
  double settle_branch(const Path::Branch& branch, std::size_t tree, std::span<const double> own);
  void archive_segment(Archive& a, Id id);

  TreeLimits limits_;
  std::vector<std::uint64_t> starts_;  // by tree: the hash that its paths begin with
  AdaHedgeOrders orders_;              // of the root, where there are several trees
  std::vector<CarriedSum> waits_;      // of the root, by tree, where there are several
  std::vector<Segment> segments_;
  std::string names_;
  std::vector<Id> table_;  // by hash, kNone where nothing is; at most half full
  std::uint64_t opened_ = 1;
  std::uint64_t refused_ = 0;
};

// The hash of a path with one more value.
std::uint64_t hash_with(std::uint64_t hash, std::string_view value);
inline constexpr std::uint64_t kPathBasis = 14695981039346656037ULL;  // of no value: FNV-1a, 64 bits

}  // namespace hannan::detail
