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
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/interruption.hpp"
#include "hannan/oracles/descent.hpp"
#include "hannan/oracles/incumbents.hpp"
#include "hannan/oracles/search_result.hpp"

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

template <BranchModel M>
class BranchSearch {
 public:
  BranchSearch(M& model, const SearchRequest& request)
      : model_(model),
        request_(request),
        incumbents_(request.keep),
        domains_(domains_of(model)),
        bounds_(domains_),
        descent_(model, incumbents_, domains_) {}

  // The root is solved outright where it can be. Otherwise descents come first: their values are the cut that makes the
  // tree small, and a proof by the root's bound alone ends the search at once.
  SearchResult run() {
    const std::size_t n = domains_.size();
    std::vector<int> partial(n, -1);
    if (n == 0) {
      incumbents_.offer(partial, model_.value(partial));
    } else if (n == 1) {
      solve_last(partial, 0);
    } else if (!solved_by_model(partial)) {
      descent_.from_hints(request_.hints);  // before the root is bounded: a model may be guided by what it has seen
      bound(partial);
      descent_.from_starts(split(partial).likeliest, [&] {
        const Split s = split(partial);
        return !incumbents_.needed(s.bound, s.smallest);
      });
      open(partial, split(partial));  // again, with the cut that the descents have earned
    }
    result_.pool =
        incumbents_.settle([&](const std::vector<int>& full) { return static_cast<double>(model_.value(full)); });
    result_.rest = incumbents_.rest();
    result_.lines = descent_.lines();
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
    interruption_point();
    ++result_.nodes;
    model_.bound(partial, bounds_);
  }

  Split split(const std::vector<int>& partial) const {
    Split s{.coordinate = 0, .bound = -kInfinity, .children = {}, .smallest = partial, .likeliest = partial};
    // Per free coordinate: its least bound (the node's is the largest of these), its first position at or below the
    // cut, and how many positions are; the coordinate with the fewest is branched on, the first of equals.
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
    // What is not visited counts with its parent's bound: floor and rest stay proven.
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

  // A node that the model solves counts as one node, however much work it was.
  bool solved_by_model(const std::vector<int>& partial) {
    if constexpr (FinishingModel<M>) {
      interruption_point();
      LeafSink sink(incumbents_);
      const bool solved = model_.finish(partial, std::max<std::size_t>(request_.keep, 1), incumbents_.cut(), sink);
      if (solved) ++result_.nodes;
      return solved;
    }
    return false;
  }

  void solve_last(std::vector<int>& partial, std::size_t c) {
    descent_.take_line(partial, c);
    partial[c] = -1;
  }

  M& model_;
  const SearchRequest& request_;
  Incumbents incumbents_;
  std::vector<std::size_t> domains_;
  BoundTable bounds_;
  Descent<M> descent_;
  double open_bound_ = kInfinity;  // least bound of what the limit left unvisited
  SearchResult result_;
};

template <BranchModel M>
SearchResult branch_bound(M& model, const SearchRequest& request) {
  return BranchSearch<M>(model, request).run();
}

}  // namespace hannan::detail
