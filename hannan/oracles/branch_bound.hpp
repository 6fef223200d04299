// Exact search for min over a product grid of an evidence that only a model understands.
//
// A model is a problem's view of one evidence, built per call; it evaluates full assignments
// exactly and bounds partial ones. The search is depth first:
//   incumbents   coordinate descent by `line` from the first hint, the bounds' own minimiser and about 2n
//                fixed starts (n/2 after a hint), until the root bound proves them optimal;
//   branching    the free coordinate with the fewest children at or below the cut, children by
//                increasing bound; the last free coordinate is solved outright by `line`, and a model
//                with `finish` may solve any node;
//   pruning      see incumbents.hpp: against the keep-th best value, and plateaus of ties by order.
// A node costs one `bound`. The limit counts nodes, never seconds, so the same evidence, limit and
// hints give the same answer; a finished search chooses the same action whatever the hints.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "hannan/oracles/incumbents.hpp"

namespace hannan::detail {

// One number per coordinate and position.
class BoundTable {
 public:
  explicit BoundTable(std::span<const std::size_t> domains) {
    starts_.push_back(0);
    for (std::size_t d : domains) starts_.push_back(starts_.back() + d);
    numbers_.resize(starts_.back());
  }
  std::span<double> operator[](std::size_t c) { return {numbers_.data() + starts_[c], starts_[c + 1] - starts_[c]}; }
  std::span<const double> operator[](std::size_t c) const {
    return {numbers_.data() + starts_[c], starts_[c + 1] - starts_[c]};
  }
  std::size_t size() const { return starts_.size() - 1; }

 private:
  std::vector<std::size_t> starts_;
  std::vector<double> numbers_;
};

template <class M>
concept BranchModel = requires(M& m, const std::vector<int>& partial, const std::vector<int>& full, std::size_t c,
                               BoundTable& bounds, std::span<double> line) {
  { m.coordinates() } -> std::convertible_to<std::size_t>;
  { m.domain(c) } -> std::convertible_to<std::size_t>;  // positions 0..D-1
  // partial[c] is a position, or -1 where free. For every free c and every position d of it,
  // bounds[c][d] becomes a number that no completion with c at d goes below; +inf: infeasible.
  m.bound(partial, bounds);
  { m.value(full) } -> std::convertible_to<double>;  // exact; +inf: infeasible
  m.line(full, c, line);  // exact for every position of c, the others as in full; +inf: infeasible
};

// What `finish` reports to: exact completions, and a bound on those it leaves out.
class LeafSink {
 public:
  explicit LeafSink(Incumbents& incumbents) : incumbents_(incumbents) {}
  void operator()(const std::vector<int>& full, double value) { incumbents_.offer(full, value); }
  void rest(double bound) { incumbents_.prove_rest(bound); }

 private:
  Incumbents& incumbents_;
};

// bool finish(partial, keep, cut, sink), optional: true if the model solved the rest exactly. Then
// the `keep` best completions of value <= cut went to sink(full, value), among them the smallest of
// those within tie_window of their least value, and sink.rest(bound) covers all others (call it also
// when nothing is at or below the cut).
template <class M>
concept FinishingModel = BranchModel<M> && requires(M& m, const std::vector<int>& partial, LeafSink& sink) {
  { m.finish(partial, std::size_t{1}, 0.0, sink) } -> std::convertible_to<bool>;
};

struct SearchLimits {
  std::uint64_t nodes = 200'000;
};

struct SearchRequest {
  std::size_t keep = 1;  // 0 is taken as 1
  SearchLimits limits;
  std::vector<std::vector<int>> hints;  // full assignments to start from; malformed ones are skipped
};

struct SearchResult {
  std::vector<Found> pool;   // the choice first, then by value; empty only if nothing feasible was met
  double rest = kInfinity;   // proven: no assignment outside the pool is below it
  double floor = kInfinity;  // proven: no assignment at all is below it; finished: the least value
  std::uint64_t nodes = 0;   // calls of bound
  std::uint64_t lines = 0;   // calls of line
  bool finished = true;
};

namespace detail {

template <BranchModel M>
class BranchSearch {
 public:
  BranchSearch(M& model, const SearchRequest& request)
      : model_(model),
        request_(request),
        incumbents_(request.keep),
        domains_(domains_of(model)),
        bounds_(domains_),
        line_(domains_.empty() ? 0 : *std::max_element(domains_.begin(), domains_.end())) {}

  SearchResult run() {
    const std::size_t n = domains_.size();
    std::vector<int> partial(n, -1);
    if (n == 0) {
      incumbents_.offer(partial, model_.value(partial));
    } else if (n == 1) {
      solve_last(partial, 0);
    } else if (!solved_by_model(partial)) {
      descend_from_hints();
      bound(partial);
      descend_from_starts(partial);
      open(partial, split(partial));  // again, with the cut that the descents have earned
    }
    result_.pool =
        incumbents_.settle([&](const std::vector<int>& full) { return static_cast<double>(model_.value(full)); });
    result_.rest = incumbents_.rest();
    for (const auto& found : result_.pool) result_.floor = std::min(result_.floor, found.value);
    result_.floor = std::min(result_.floor, open_bound_);
    return std::move(result_);
  }

 private:
  struct Child {
    double bound;
    int position;
  };
  // A node's bounds boiled down before the table is used again.
  struct Split {
    std::size_t coordinate;       // to branch on
    double bound;                 // of the whole node
    std::vector<Child> children;  // by increasing bound
    std::vector<int> smallest;    // no completion at or below the cut is smaller
    std::vector<int> likeliest;   // each free coordinate at its least bound
  };

  static std::vector<std::size_t> domains_of(M& model) {
    std::vector<std::size_t> domains(model.coordinates());
    for (std::size_t c = 0; c < domains.size(); ++c) domains[c] = model.domain(c);
    return domains;
  }

  void bound(const std::vector<int>& partial) {
    ++result_.nodes;
    model_.bound(partial, bounds_);
  }

  Split split(const std::vector<int>& partial) const {
    Split s{.coordinate = 0, .bound = -kInfinity, .children = {}, .smallest = partial, .likeliest = partial};
    const double cut = incumbents_.cut();
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t c = 0; c < partial.size(); ++c) {
      if (partial[c] >= 0) continue;
      const auto row = bounds_[c];
      const auto least = std::min_element(row.begin(), row.end());
      const auto within = [&](double b) { return b <= cut && b < kInfinity; };
      const auto count = static_cast<std::size_t>(std::count_if(row.begin(), row.end(), within));
      const auto lowest = std::find_if(row.begin(), row.end(), within);
      s.smallest[c] = lowest == row.end() ? 0 : static_cast<int>(lowest - row.begin());
      s.likeliest[c] = static_cast<int>(least - row.begin());
      s.bound = std::max(s.bound, *least);
      if (count >= fewest) continue;
      fewest = count;
      s.coordinate = c;
    }
    const auto row = bounds_[s.coordinate];
    for (std::size_t d = 0; d < row.size(); ++d) s.children.push_back({row[d], static_cast<int>(d)});
    std::sort(s.children.begin(), s.children.end(), [](const Child& a, const Child& b) {
      return a.bound != b.bound ? a.bound < b.bound : a.position < b.position;
    });
    return s;
  }

  // Visits the children of a node whose bounds were just taken. `partial` comes back unchanged.
  void open(std::vector<int>& partial, const Split& s) {
    if (!incumbents_.needed(s.bound, s.smallest)) return incumbents_.prove_rest(s.bound);
    std::vector<int> smallest = s.smallest;
    for (const Child& child : s.children) {
      // Every free coordinate bounds the node, so also each child.
      const double bound = std::max(child.bound, s.bound);
      smallest[s.coordinate] = child.position;
      if (!incumbents_.needed(bound, smallest)) {
        incumbents_.prove_rest(bound);
        continue;
      }
      partial[s.coordinate] = child.position;
      visit(partial, bound);
      partial[s.coordinate] = -1;
    }
  }

  void visit(std::vector<int>& partial, double known) {
    const auto free = static_cast<std::size_t>(std::count(partial.begin(), partial.end(), -1));
    if (free == 1) {
      solve_last(partial, static_cast<std::size_t>(std::find(partial.begin(), partial.end(), -1) - partial.begin()));
      return;
    }
    if (result_.nodes >= request_.limits.nodes) {
      result_.finished = false;
      open_bound_ = std::min(open_bound_, known);
      incumbents_.prove_rest(known);
      return;
    }
    if (solved_by_model(partial)) return;
    bound(partial);
    Split s = split(partial);
    s.bound = std::max(s.bound, known);
    open(partial, s);
  }

  bool solved_by_model(const std::vector<int>& partial) {
    if constexpr (FinishingModel<M>) {
      LeafSink sink(incumbents_);
      const bool solved = model_.finish(partial, std::max<std::size_t>(request_.keep, 1), incumbents_.cut(), sink);
      if (solved) ++result_.nodes;
      return solved;
    }
    return false;
  }

  void solve_last(std::vector<int>& partial, std::size_t c) {
    take_line(partial, c);
    partial[c] = -1;
  }

  // Offers every position of coordinate c and leaves `full` at the best of them, the lowest of
  // equals. False where all are infeasible.
  bool take_line(std::vector<int>& full, std::size_t c) {
    ++result_.lines;
    const std::span<double> line(line_.data(), domains_[c]);
    if (full[c] < 0) full[c] = 0;
    const int from = full[c];
    model_.line(full, c, line);
    const double least = *std::min_element(line.begin(), line.end());
    if (least == kInfinity) return false;
    int best = -1;
    for (std::size_t d = 0; d < line.size(); ++d) {
      if (best < 0 && line[d] <= least + rounding_slack(least)) best = static_cast<int>(d);
      // An assignment met before may come with other rounding; it must not count as turned away.
      if (const double cut = incumbents_.cut(); line[d] > cut + rounding_slack(cut)) {
        incumbents_.prove_rest(line[d]);
        continue;
      }
      full[c] = static_cast<int>(d);
      incumbents_.offer(full, line[d]);
    }
    full[c] = best;
    return best != from;
  }

  // Coordinate descent; stops when a whole round changes nothing or an old end is reached.
  void descend(std::vector<int> full) {
    constexpr std::size_t kMostRounds = 50;  // far above what was ever needed; a guard against rounding
    std::size_t idle = 0;
    for (std::size_t step = 0; idle < full.size() && step < kMostRounds * full.size(); ++step) {
      idle = take_line(full, step % full.size()) ? 1 : idle + 1;
      if (idle == 1 && std::find(ends_.begin(), ends_.end(), full) != ends_.end()) return;
    }
    ends_.push_back(std::move(full));
  }

  // Before the root is bounded, so that a model may be guided by what it has seen.
  void descend_from_hints() {
    for (const auto& hint : request_.hints) {
      if (!fits(hint)) continue;
      incumbents_.offer(hint, model_.value(hint));
      if (!std::exchange(hinted_, true)) descend(hint);  // the first is the last search's choice
    }
    descend(std::vector<int>(domains_.size(), 0));
  }

  // `bounds_` holds the root's bounds and keeps them. Few starts are worth trying beside a hint.
  void descend_from_starts(const std::vector<int>& root) {
    const std::size_t n = domains_.size(), starts = hinted_ ? n / 2 : 2 * n;
    const auto proven = [&] {
      const Split s = split(root);
      return !incumbents_.needed(s.bound, s.smallest);
    };
    if (!proven()) descend(split(root).likeliest);
    std::vector<int> full(n);
    // Spread by multiples of the golden ratio, a different stride for every coordinate.
    for (std::size_t j = 1; j < starts && !proven(); ++j) {
      for (std::size_t c = 0; c < n; ++c) {
        const double turn = 0.6180339887498949 * static_cast<double>(j * (2 * c + 1));
        full[c] = static_cast<int>((turn - std::floor(turn)) * static_cast<double>(domains_[c]));
      }
      descend(full);
    }
  }

  bool fits(const std::vector<int>& hint) const {
    if (hint.size() != domains_.size()) return false;
    for (std::size_t c = 0; c < hint.size(); ++c) {
      if (hint[c] < 0 || static_cast<std::size_t>(hint[c]) >= domains_[c]) return false;
    }
    return true;
  }

  M& model_;
  const SearchRequest& request_;
  Incumbents incumbents_;
  std::vector<std::size_t> domains_;
  BoundTable bounds_;
  std::vector<double> line_;
  std::vector<std::vector<int>> ends_;  // of the descents so far
  bool hinted_ = false;
  double open_bound_ = kInfinity;  // least bound of what the limit left unvisited
  SearchResult result_;
};

}  // namespace detail

template <BranchModel M>
SearchResult branch_bound(M& model, const SearchRequest& request) {
  return detail::BranchSearch<M>(model, request).run();
}

}  // namespace hannan::detail
