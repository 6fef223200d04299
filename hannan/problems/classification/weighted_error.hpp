// The oracle of classification: the classifier of least weighted error on labelled points, exact, any sign.
//
// History = one number a point, what saying 1 there adds (the weight of label 0 minus that of label 1),
// and one constant, the weight of all labels 1. So a round costs O(1) and a call does not grow with the
// rounds: a pass over the walk of a listed class, the class's own search otherwise. Noise of codes over
// the list comes as one table. Classes that keep sums of the gains have them in the history too, brought up to
// date when a call needs them: by the few points that changed since, or, after many, from all points.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/problems/classification/classification.hpp"

namespace hannan::detail {

class WeightedError {
 public:
  static constexpr bool kSigned = true;

  struct History {
    std::vector<double> gain;  // per point
    double constant = 0;
    std::vector<double> table;  // per hypothesis, or empty
    void scale(double factor);
    void clear();
    void archive(Archive& a);
    // A function of the gains, so it is never saved; `waiting` are the gains not yet in the sums.
    struct Change {
      std::uint32_t point;
      double gain;
    };
    mutable std::vector<double> sums;
    mutable std::vector<Change> waiting;
    mutable bool outdated = true;                          // too many changes to wait: sum anew
    mutable std::vector<double> evidence, totals, buffer;  // for a search to write in
  };

  History empty(const Classification& p) const { return {.gain = std::vector<double>(p.points(), 0.0)}; }
  bool fits(const Classification& p, const History& h) const {
    const HypothesisWalk* walk = p.hypotheses().walk();
    return h.table.empty() || (walk && h.table.size() == walk->size());
  }
  void add(const Classification& p, History& h, const LabelledPoint& y, double weight) const;
  void add_table(const Classification& p, History& h, std::size_t coordinate, std::span<const double> values) const;
  Answer<std::uint64_t> best(const Classification& p, Evidence<History> e, std::size_t keep) const;
};

}  // namespace hannan::detail
