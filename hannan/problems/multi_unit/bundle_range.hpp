// The allocations of h units to n bidders that a multi-unit mechanism chooses from.
//
//   all      every vector of n quantities with sum h
//   bundles  h >= n^2: n^2 bundles of A = floor(h / n^2) units and one of the remaining A' units, each
//            handed out whole; welfare over this range is at least half of that over all allocations.
//            h < n^2: unit bundles, that is, all allocations (A would be 0, and the range only 1/n).
//
// Different assignments of bundles may give one quantity vector; it counts once. The vectors are the
// words of a deterministic automaton, one letter (index into the sizes) per bidder, whose state is
// (bundles left, is the extra bundle accounted for). If A' is no multiple of A, the quantity itself
// says who holds the extra bundle. If A' = cA, everything is in multiples of A and the only condition
// is that some bidder holds at least c of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "hannan/oracles/chain_program.hpp"

namespace hannan::detail {

enum class Range { kBundles, kAll };

class BundleRange {
 public:
  struct Parts {
    int bidders;
    int units;
    Range range = Range::kBundles;
  };
  explicit BundleRange(Parts parts);

  int bundle_size() const { return bundle_size_; }
  int bundles() const { return bundles_; }
  int extra() const { return extra_; }
  const std::vector<int>& sizes() const { return sizes_; }  // increasing: what one bidder can get
  double steps() const;                                     // letters tried by one backward pass
  double ln_count() const;                                  // ln K
  double count() const;                                     // K, exact up to 2^53, infinity beyond the doubles

  // The automaton.
  std::size_t stages() const { return static_cast<std::size_t>(parts_.bidders); }
  std::size_t states() const { return settled_ + width_; }
  std::size_t domain(std::size_t) const { return sizes_.size(); }
  std::size_t start() const { return width_ - 1; }
  bool accepts(std::size_t state) const { return state == settled_; }
  std::size_t next(std::size_t, std::size_t state, std::size_t d) const {
    const bool settled = state >= settled_;
    const std::size_t left = settled ? state - settled_ : state;
    const Letter letter = letters_[d];
    if (letter.bundles > left || (settled && letter.takes_extra)) return kDead;
    return left - letter.bundles + (settled || letter.settles ? settled_ : 0);
  }

  // Every allocation, as indices into the sizes, in lexicographic order, until told to stop.
  enum class Visit { kGoOn, kStop };
  void visit(const std::function<Visit(const std::vector<int>&)>& each) const;

 private:
  struct Letter {
    std::size_t bundles;
    bool takes_extra;  // holds the odd bundle, of which there is one
    bool settles;      // after it, the extra bundle is accounted for
  };

  Parts parts_;
  int bundle_size_ = 1;
  int bundles_ = 0;
  int extra_ = 0;
  std::vector<int> sizes_;
  std::vector<Letter> letters_;  // one per size
  std::size_t width_ = 0;        // 1 + the bundles to hand out, a multiple A' counted in
  std::size_t settled_ = 0;      // the first state with the extra bundle accounted for; 0 if there is none
};

}  // namespace hannan::detail
