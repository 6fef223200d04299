// Best-first search over boxes; rules and limits are in box_search.hpp.
//
// Invariants. Every assignment lies in an open box of heap_, or was evaluated in a leaf, or lies in a dropped box whose
// bound is counted by prove_rest. The result's floor is the least of the found values and of the bounds that the limit
// left open. With a frontier, kept_, leaves_ and the points cover all assignments (frontier.hpp). Cost: nodes * (fill +
// sweeps).
#include "hannan/oracles/box_search.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "hannan/core/interruption.hpp"
#include "hannan/oracles/box_ahead.hpp"
#include "hannan/oracles/box_visit.hpp"
#include "hannan/oracles/descent.hpp"

namespace hannan::detail {

// The default: the longest list in two halves, so that boxes shrink evenly in all coordinates. A list has two entries
// or more wherever a box is split, since a box of one point is a leaf.
BoxSplit BoxModel::split(const BoxLists& box, std::span<const std::uint32_t>, const std::vector<int>&) {
  std::size_t longest = 0;
  for (std::size_t c = 1; c < box.size(); ++c) {
    if (box[c].size() > box[longest].size()) longest = c;
  }
  return {longest, box[longest].size() / 2};
}

namespace {

class BoxSearch {
 public:
  BoxSearch(BoxModel& model, const SearchRequest& request, const BoxLimits& limits, const FrontierUse& use)
      : model_(model),
        request_(request),
        limits_(limits),
        use_(use),
        incumbents_(request.keep),
        visitor_(model, incumbents_, dropped()),
        descent_(model, incumbents_, domains_of(model)) {}

  SearchResult run() {
    if (use_.from && !use_.from->empty()) {
      resume(*use_.from);
    } else {
      start();
    }
    // Best first. A box that is not wanted any more is dropped with its bound. Beyond the limit of nodes wanted ones
    // are dropped too, and open_bound_ keeps what they may hold, so that the floor stays true.
    while (!heap_.empty()) {
      interruption_point();
      look_ahead();
      auto node = pop();
      if (!wanted(*node)) {
        drop(node->lists, node->bound);
      } else if (result_.nodes >= request_.limits.nodes) {
        result_.finished = false;
        open_bound_ = std::min(open_bound_, node->bound);
        drop(node->lists, node->bound);
      } else {
        open(*node);
      }
    }
    result_.pool = incumbents_.settle([&](const std::vector<int>& full) { return model_.value(full); });
    result_.rest = incumbents_.rest();
    result_.lines = descent_.lines();
    for (const auto& found : result_.pool) result_.floor = std::min(result_.floor, found.value);
    result_.floor = std::min(result_.floor, open_bound_);
    if (use_.to) leave_frontier();
    return std::move(result_);
  }

 private:
  static std::vector<std::size_t> domains_of(const BoxModel& model) {
    std::vector<std::size_t> domains(model.coordinates());
    for (std::size_t c = 0; c < domains.size(); ++c) domains[c] = model.domain(c);
    return domains;
  }
  BoxVisitor::Dropped dropped() const { return use_.to ? BoxVisitor::Dropped::kKept : BoxVisitor::Dropped::kForgotten; }

  // The whole grid. A root that is a leaf is tabulated at once, without descents: it has few points.
  void start() {
    auto root = std::make_unique<BoxNode>();
    for (std::size_t c = 0; c < model_.coordinates(); ++c) {
      root->lists.emplace_back(model_.domain(c));
      std::iota(root->lists.back().begin(), root->lists.back().end(), 0);
    }
    visitor_.fill(*root);
    if (!model_.is_leaf(root->lists, root->open.size())) {
      // The first incumbents; the root's bound says when there is nothing more to find.
      descent_.from_hints(request_.hints);
      const std::vector<int> likeliest = visitor_.bound(*root);
      descent_.from_starts(likeliest, [&] { return !wanted(*root); });
    }
    take(visitor_.visit(std::move(root)));
  }
  // Points were evaluated before and hold exactly; boxes that are not needed any more stay in the frontier as they are.
  void resume(const Frontier& from) {
    const Found* best = nullptr;
    for (const Found& point : from.points) {
      incumbents_.offer(point.positions, point.value);
      if (!best || point.value < best->value) best = &point;
    }
    descent_.descend(best ? best->positions : std::vector<int>(model_.coordinates(), 0));
    for (std::size_t k = 0; k < from.size(); ++k) {
      const auto runs = from.runs(k);
      if (!incumbents_.needed(from.bound(k), Frontier::smallest(runs))) {
        incumbents_.prove_rest(from.bound(k));
        if (use_.to) kept_.add(runs, from.bound(k));
        continue;
      }
      auto node = std::make_unique<BoxNode>();
      node->lists = Frontier::lists(runs);
      node->bound = from.bound(k);
      push(std::move(node));
    }
  }
  // No assignment of the box is below the bound, and none is looked at.
  void drop(const BoxLists& lists, double bound) {
    incumbents_.prove_rest(bound);
    if (use_.to) kept_.add(lists, bound);
  }
  // The pool is settled: what else was offered from a leaf counts for the leaf.
  void leave_frontier() {
    use_.to->clear();
    const bool resumed = use_.from && !use_.from->empty();
    if (!resumed && result_.nodes == 1 && kept_.size() == 0) return;  // one leaf is quicker than a frontier
    const auto before = [](const Found& a, const Found& b) { return a.positions < b.positions; };
    std::vector<Found> pool = result_.pool;
    std::sort(pool.begin(), pool.end(), before);
    const auto in_pool = [&](const Found& f) { return std::binary_search(pool.begin(), pool.end(), f, before); };
    for (const Leaf& leaf : leaves_) {
      double bound = leaf.bound;
      for (const Found& found : leaf.offered) {
        if (!in_pool(found)) bound = std::min(bound, found.value);
      }
      if (bound < kInfinity) kept_.add(leaf.lists, bound);
    }
    kept_.points = result_.pool;
    if (resumed) {
      for (const Found& point : use_.from->points) {
        if (!in_pool(point)) kept_.points.push_back(point);
      }
    }
    *use_.to = std::move(kept_);
  }

  // Below the cut, or within the tie window of the best with an assignment smaller than it: such a box may hold a tie
  // that must be preferred.
  bool wanted(const BoxNode& node) const { return incumbents_.needed(node.bound, node.smallest()); }

  // What a visit found becomes part of the search.
  void take(BoxFindings found) {
    result_.nodes += found.visited;
    incumbents_.prove_rest(found.dropped_bound);
    for (std::size_t k = 0; k < found.dropped.size(); ++k) kept_.add(found.dropped.runs(k), found.dropped.bound(k));
    if (found.leaf) {
      offer(found);
    } else if (found.node) {
      push(std::move(found.node));
    }
  }
  // The assignments of a leaf. The cut falls with those that are taken.
  void offer(BoxFindings& found) {
    BoxLists& lists = found.node->lists;
    std::vector<int> full(lists.size());
    std::vector<Found> offered;
    double cut = incumbents_.cut(), turned_away = found.turned_away;
    for (const auto& [place, value] : found.candidates) {
      if (value > cut + rounding_slack(cut)) {
        turned_away = std::min(turned_away, value);
        continue;
      }
      // place in mixed base, the last coordinate fastest: the digit is read, then the base divided off.
      for (std::size_t c = lists.size(), rest = place; c-- > 0; rest /= lists[c].size())
        full[c] = lists[c][rest % lists[c].size()];
      if (use_.to) offered.push_back({full, value});
      incumbents_.offer(full, value);
      cut = incumbents_.cut();
    }
    incumbents_.prove_rest(turned_away);
    if (use_.to) leaves_.push_back({std::move(lists), turned_away, std::move(offered)});
  }

  // Numbers in order of arrival make the order of the heap total: the search is the same on every machine and with any
  // number of threads.
  void push(BoxNodePtr node) {
    node->number = ++numbers_;
    // Beyond the memory limit a box keeps its lists and its bound alone and is filled again when it is opened.
    if (held_ + node->bytes() > limits_.bytes) node->drop();
    node->open.shrink_to_fit();  // it grew number by number
    held_ += node->bytes();
    heap_.push_back(std::move(node));
    std::push_heap(heap_.begin(), heap_.end(), opens_later);
  }
  BoxNodePtr pop() {
    auto node = take_first();
    held_ -= node->bytes();
    return node;
  }
  BoxNodePtr take_first() {
    std::pop_heap(heap_.begin(), heap_.end(), opens_later);
    auto node = std::move(heap_.back());
    heap_.pop_back();
    return node;
  }

  // What a thread found ahead holds as long as no incumbent changed since: then the visit would have come to the same.
  // Otherwise the piece is visited again here.
  void open(BoxNode& node) {
    std::vector<BoxFindings> ready;
    if (ahead_) ready = ahead_->take(node);
    const std::uint64_t seen = incumbents_.changes();
    for (std::size_t piece = 0; piece < BoxVisitor::pieces(node); ++piece) {
      const bool holds = piece < ready.size() && incumbents_.changes() == seen;
      take(holds ? std::move(ready[piece]) : visitor_.open(node, piece));
    }
  }
  // Visits the boxes at the front of the queue on all threads, if the first of them has not been visited so.
  void look_ahead() {
    if (limits_.threads < 2 || result_.nodes < limits_.nodes_alone || heap_.size() < 2) return;
    if (!ahead_)
      ahead_ = std::make_unique<BoxAhead>(BoxAhead::Parts{.model = model_,
                                                          .incumbents = incumbents_,
                                                          .visitor = visitor_,
                                                          .dropped = dropped(),
                                                          .threads = limits_.threads});
    if (ahead_->has(*heap_.front())) return;
    // No more boxes are looked at ahead than the limit of nodes would let the search open.
    const std::uint64_t left = request_.limits.nodes - std::min(request_.limits.nodes, result_.nodes);
    std::vector<BoxNodePtr> first;
    std::vector<BoxNode*> unvisited;
    while (!heap_.empty() && first.size() < ahead_->batch() && unvisited.size() < left) {
      first.push_back(take_first());
      if (wanted(*first.back()) && !ahead_->has(*first.back())) unvisited.push_back(first.back().get());
    }
    ahead_->visit(unvisited);
    // The order of boxes is total: it is the same whatever the heap looks like inside.
    for (auto& node : first) {
      heap_.push_back(std::move(node));
      std::push_heap(heap_.begin(), heap_.end(), opens_later);
    }
  }

  // A tabulated box: its least value but for what was offered.
  struct Leaf {
    BoxLists lists;
    double bound;
    std::vector<Found> offered;
  };

  BoxModel& model_;
  const SearchRequest& request_;
  const BoxLimits& limits_;
  const FrontierUse& use_;
  Incumbents incumbents_;
  BoxVisitor visitor_;
  Descent<BoxModel> descent_;
  std::vector<BoxNodePtr> heap_;
  std::size_t held_ = 0;  // bytes of the open boxes
  std::uint64_t numbers_ = 0;
  double open_bound_ = kInfinity;  // least bound of what the limit left
  Frontier kept_;                  // boxes that were not opened any further, where a frontier is asked for
  std::vector<Leaf> leaves_;
  SearchResult result_;
  std::unique_ptr<BoxAhead> ahead_;  // once threads are used
};

}  // namespace

SearchResult box_search(BoxModel& model, const SearchRequest& request, const BoxLimits& limits,
                        const FrontierUse& use) {
  return BoxSearch(model, request, limits, use).run();
}

}  // namespace hannan::detail
