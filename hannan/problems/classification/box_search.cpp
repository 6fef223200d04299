// Least boxes by a sweep with a tree of runs. A box is a pair of ranks in x (left <= right, a strip) and a pair in y
// (bottom <= top, a run). Invariant of the sweep: after `right` the tree holds the gains of exactly the points with x
// rank in left..right, and its root the least sum of a non-empty run of y ranks.
#include "hannan/problems/classification/box_search.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "hannan/core/interruption.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

// Sums over runs of neighbouring ranks; `best` runs are not empty.
struct Run {
  double sum = 0, prefix = kNone, suffix = kNone, best = kNone;
};

// A node stands for neighbouring ranks; the least run lies on the left, on the right, or across the middle.
Run join(const Run& a, const Run& b) {
  return {.sum = a.sum + b.sum,
          .prefix = std::min(a.prefix, a.sum + b.prefix),
          .suffix = std::min(b.suffix, b.sum + a.suffix),
          .best = std::min(std::min(a.best, b.best), a.suffix + b.prefix)};
}

class RunTree {
 public:
  // Heap order: node v has children 2v and 2v + 1, the leaf of rank y is leaves_ + y, the root 1. Ranks beyond the last
  // keep infinite runs of sum 0 and are never chosen.
  explicit RunTree(std::size_t ranks) : leaves_(std::bit_ceil(ranks)), fresh_(2 * leaves_) {
    for (std::size_t y = 0; y < ranks; ++y) fresh_[leaves_ + y] = {0, 0, 0, 0};
    for (std::size_t v = leaves_; v-- > 1;) fresh_[v] = join(fresh_[2 * v], fresh_[2 * v + 1]);
    nodes_ = fresh_;
  }
  void clear() { nodes_ = fresh_; }
  void add(std::size_t rank, double amount) {
    std::size_t v = leaves_ + rank;
    const double sum = nodes_[v].sum + amount;
    nodes_[v] = {sum, sum, sum, sum};
    while (v /= 2) nodes_[v] = join(nodes_[2 * v], nodes_[2 * v + 1]);
  }
  double least() const { return nodes_[1].best; }

 private:
  std::size_t leaves_;
  std::vector<Run> fresh_, nodes_;  // heap order; ranks beyond the last are empty runs
};

class BoxSweep {
 public:
  BoxSweep(const FeatureRanks& ranks, std::span<const double> gain)
      : ranks_(ranks), gain_(gain), tree_(ranks.values[1].size()), starts_(ranks.values[0].size() + 1, 0) {
    // Counts, then prefix sums: the points of x rank r are order[0][starts_[r] .. starts_[r + 1]).
    for (const int x : ranks.rank[0]) ++starts_[static_cast<std::size_t>(x) + 1];
    for (std::size_t x = 1; x < starts_.size(); ++x) starts_[x] += starts_[x - 1];
  }

  // Calls visit(right, least) for every right side of this left side, until it returns false.
  template <class Visit>
  void sweep(int left, Visit&& visit) {
    interruption_point();
    tree_.clear();
    for (int right = left; right < ranks_.distinct(0); ++right) {
      for (std::size_t at = starts_[static_cast<std::size_t>(right)]; at < starts_[static_cast<std::size_t>(right) + 1];
           ++at) {
        const auto point = static_cast<std::size_t>(ranks_.order[0][at]);
        tree_.add(static_cast<std::size_t>(ranks_.rank[1][point]), gain_[point]);
      }
      if (!visit(right, tree_.least())) return;
    }
  }

  // What a strip gains in each y rank.
  std::vector<double> rows_of(RankBox strip) const {
    std::vector<double> rows(ranks_.values[1].size(), 0.0);
    for (std::size_t i = 0; i < gain_.size(); ++i) {
      const int x = ranks_.rank[0][i];
      if (x >= strip.left && x <= strip.right) rows[static_cast<std::size_t>(ranks_.rank[1][i])] += gain_[i];
    }
    return rows;
  }

  // Within a strip, the first run (by bottom, then top) that is within `limit`, or the least one where
  // rounding leaves none.
  RankBox first_run(RankBox strip, double limit, double& sum) const {
    const std::vector<double> rows = rows_of(strip);
    RankBox least = strip;
    sum = kNone;
    for (std::size_t bottom = 0; bottom < rows.size(); ++bottom) {
      double run = 0;
      for (std::size_t top = bottom; top < rows.size(); ++top) {
        run += rows[top];
        if (run >= sum) continue;
        sum = run;
        least.bottom = static_cast<int>(bottom);
        least.top = static_cast<int>(top);
        if (run <= limit) return least;
      }
    }
    return least;
  }

 private:
  const FeatureRanks& ranks_;
  std::span<const double> gain_;
  RunTree tree_;
  std::vector<std::size_t> starts_;  // of each x rank in order[0]
};

}  // namespace

// O(X (Y + m log Y)), X and Y the numbers of distinct x and y: for every left side a fresh tree and one update a point.
BoxFound least_box(const FeatureRanks& ranks, std::span<const double> gain, double constant) {
  BoxSweep sweep(ranks, gain);
  std::vector<double> of_left(ranks.values[0].size(), kNone);
  for (int left = 0; left < ranks.distinct(0); ++left) {
    double& least = of_left[static_cast<std::size_t>(left)];
    sweep.sweep(left, [&](int, double value) {
      least = std::min(least, value);
      return true;
    });
  }
  // Two passes: the least of all, then the first left, right, bottom and top within the tie window of it. That is the
  // smallest box in the order of the class, at the cost of one more sweep and one strip.
  const double least = *std::min_element(of_left.begin(), of_left.end());
  const double limit = least + tie_window(constant + least);
  const auto left = std::find_if(of_left.begin(), of_left.end(), [&](double value) { return value <= limit; });
  RankBox strip{.left = static_cast<int>(left - of_left.begin())};
  sweep.sweep(strip.left, [&](int right, double value) {
    strip.right = right;
    return !(value <= limit);
  });
  double sum = 0;
  const RankBox box = sweep.first_run(strip, limit, sum);
  return {.box = box, .value = constant + sum, .floor = std::min(constant + least, constant + sum)};
}

namespace {

auto order_of(const RankBox& b) { return std::tuple(b.left, b.right, b.bottom, b.top); }

bool before(const RankedBox& a, const RankedBox& b) {
  return a.value != b.value ? a.value < b.value : order_of(a.box) < order_of(b.box);
}

// Offers every box of a strip to a heap of the best so far, the worst of them in front.
// O(ranks^2) a strip; strips come by their least run, so few are ever opened.
void offer_strip(RankBox strip, const std::vector<double>& rows, std::size_t keep, std::vector<RankedBox>& heap) {
  for (strip.bottom = 0; strip.bottom < static_cast<int>(rows.size()); ++strip.bottom) {
    double run = 0;
    for (strip.top = strip.bottom; strip.top < static_cast<int>(rows.size()); ++strip.top) {
      run += rows[static_cast<std::size_t>(strip.top)];
      const RankedBox box{strip, run};
      if (heap.size() == keep) {
        if (!before(box, heap.front())) continue;
        std::pop_heap(heap.begin(), heap.end(), before);
        heap.pop_back();
      }
      heap.push_back(box);
      std::push_heap(heap.begin(), heap.end(), before);
    }
  }
}

}  // namespace

// The `keep` boxes of least value. A strip whose least run is above the worst box kept holds no box that is wanted, and
// neither does any strip behind it.
std::vector<RankedBox> best_boxes(const FeatureRanks& ranks, std::span<const double> gain, double constant,
                                  std::size_t keep) {
  BoxSweep sweep(ranks, gain);
  std::vector<RankedBox> strips, heap;
  for (int left = 0; left < ranks.distinct(0); ++left) {
    sweep.sweep(left, [&](int right, double least) {
      strips.push_back({{.left = left, .right = right}, least});
      return true;
    });
  }
  std::sort(strips.begin(), strips.end(), before);
  for (const auto& [strip, least] : strips) {
    // The tree sums in another order than the rows: what rounding may do must not close a strip too early.
    if (heap.size() == keep && least > heap.front().value + tie_window(heap.front().value)) break;
    interruption_point();
    offer_strip(strip, sweep.rows_of(strip), keep, heap);
  }
  std::sort(heap.begin(), heap.end(), before);
  for (auto& box : heap) box.value += constant;
  return heap;
}

}  // namespace hannan::detail
