#include "hannan/oracles/box_search.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "hannan/oracles/box_node.hpp"
#include "hannan/oracles/descent.hpp"
#include "hannan/oracles/dual_bound.hpp"

namespace hannan::detail {

BoxSplit BoxModel::split(const BoxLists& box, std::span<const std::uint32_t>, const std::vector<int>&) {
  std::size_t longest = 0;
  for (std::size_t c = 1; c < box.size(); ++c) {
    if (box[c].size() > box[longest].size()) longest = c;
  }
  return {longest, box[longest].size() / 2};
}

namespace {

constexpr int kMostSweeps = 7;         // of a box and its list; more raise the bound too little for their time
constexpr double kWorthASweep = 0.03;  // of the distance to the cut: sweeps that close less are the last
constexpr int kSweepsToSpare = 1;      // of an unwanted box that is kept: its bound lasts for more outcomes
constexpr int kMostPasses = 4;         // of striking positions out and filling the smaller box
constexpr double kWorthAPass = 0.93;   // of the positions: passes that leave more are the last

class BoxSearch {
 public:
  BoxSearch(BoxModel& model, const SearchRequest& request, const BoxLimits& limits, const FrontierUse& use)
      : model_(model),
        request_(request),
        limits_(limits),
        use_(use),
        incumbents_(request.keep),
        dual_(model),
        descent_(model, incumbents_, domains_of(model)) {
    all_parts_.resize(model.parts());
    std::iota(all_parts_.begin(), all_parts_.end(), std::uint32_t{0});
    const auto& groups = model.groups();
    ending_.resize(model.coordinates());
    for (std::size_t g = 0; g < groups.size(); ++g) ending_[groups[g].back()].push_back(g);
  }

  SearchResult run() {
    if (use_.from && !use_.from->empty()) {
      resume(*use_.from);
    } else {
      start();
    }
    while (!heap_.empty()) {
      auto node = pop();
      if (!wanted(*node)) {
        drop(node->lists, node->bound);
      } else if (result_.nodes >= request_.limits.nodes) {
        result_.finished = false;
        open_bound_ = std::min(open_bound_, node->bound);
        drop(node->lists, node->bound);
      } else if (!node->bounded) {
        fill(*node);
        visit(std::move(node));
      } else {
        divide(*node);
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

  void start() {
    auto root = std::make_unique<BoxNode>();
    for (std::size_t c = 0; c < model_.coordinates(); ++c) {
      root->lists.emplace_back(model_.domain(c));
      std::iota(root->lists.back().begin(), root->lists.back().end(), 0);
    }
    fill(*root);
    if (!model_.is_leaf(root->lists, root->open.size())) descend(*root);
    visit(std::move(root));
  }
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

  bool wanted(const BoxNode& node) const { return incumbents_.needed(node.bound, node.smallest()); }

  // The first incumbents; the root's bound says when there is nothing more to find.
  void descend(BoxNode& root) {
    descent_.from_hints(request_.hints);
    dual_.start(root.lists, bounding_, root.messages);
    for (int s = 0; s < kMostSweeps; ++s) root.bound = std::max(root.bound, dual_.sweep());
    descent_.from_starts(dual_.likeliest(), [&] { return !wanted(root); });
  }

  // Tables, messages and open parts of a box from nothing.
  void fill(BoxNode& node) {
    const BoxLayout layout(model_.groups(), node.lists);
    node.messages.assign(layout.messages.back(), 0.0);
    add_parts(node, layout, all_parts_);
    node.tables = exact_;
    node.filled = true;
  }
  // The same from a larger box that is filled.
  void inherit(BoxNode& node, const BoxNode& from, const Kept& kept) {
    restrict_node(model_.groups(), from, kept, node);
    add_parts(node, BoxLayout(model_.groups(), node.lists), from.open);
    for (std::size_t k = 0; k < exact_.size(); ++k) {
      bounding_[k] += node.tables[k];
      node.tables[k] += exact_[k];
    }
    node.filled = true;
  }
  // Leaves what is resolved in exact_ and that with the open parts in bounding_.
  void add_parts(BoxNode& node, const BoxLayout& layout, const std::vector<std::uint32_t>& parts) {
    exact_.assign(layout.tables.back(), 0.0);
    bounding_.assign(layout.tables.back(), 0.0);
    BoxTables tables{.layout = layout, .exact = exact_, .loose = bounding_, .open = {}};
    model_.fill(node.lists, parts, tables);
    node.open = std::move(tables.open);
    for (std::size_t k = 0; k < exact_.size(); ++k) bounding_[k] += exact_[k];
  }

  // A filled box whose bounding_ tables are at hand: tabulated, found unwanted, or made ready for a split.
  void visit(BoxNodePtr node) {
    ++result_.nodes;
    if (!model_.is_leaf(node->lists, node->open.size()) && !tighten(*node)) return;
    if (model_.is_leaf(node->lists, node->open.size())) return tabulate(*node);
    node->split = model_.split(node->lists, node->open, likeliest_);
    node->bounded = true;
    push(std::move(node));
  }
  void push(BoxNodePtr node) {
    node->number = ++numbers_;
    if (held_ + node->bytes() > limits_.bytes) node->drop();
    node->open.shrink_to_fit();  // it grew number by number
    held_ += node->bytes();
    heap_.push_back(std::move(node));
    std::push_heap(heap_.begin(), heap_.end(), opens_later);
  }
  BoxNodePtr pop() {
    std::pop_heap(heap_.begin(), heap_.end(), opens_later);
    auto node = std::move(heap_.back());
    heap_.pop_back();
    held_ -= node->bytes();
    return node;
  }
  void divide(BoxNode& node) {
    if (!node.filled) fill(node);
    const auto [c, at] = node.split;
    for (const bool upper : {false, true}) {
      auto half = std::make_unique<BoxNode>();
      const Kept kept = kept_of(node.lists, [&](std::size_t e, std::size_t d) { return e != c || (d >= at) == upper; });
      half->lists = lists_of(node.lists, kept);
      half->bound = node.bound;
      if (!wanted(*half)) {
        drop(half->lists, half->bound);
        continue;
      }
      inherit(*half, node, kept);
      visit(std::move(half));
    }
  }
  // Bounds the box and strikes positions out. False: nothing in it is wanted.
  bool tighten(BoxNode& node) {
    for (int pass = 0; pass < kMostPasses; ++pass) {
      if (!sweep(node)) return false;
      likeliest_ = dual_.likeliest();
      std::size_t before = 0, after = 0;
      std::vector<int> corner = node.smallest();
      const std::vector<int> smallest = corner;
      std::vector<double> struck(node.lists.size(), kInfinity);  // least bound of the positions that go
      const Kept kept = kept_of(node.lists, [&](std::size_t c, std::size_t d) {
        corner[c] = node.lists[c][d];
        const double bound = std::max(dual_.level(c, d), node.bound);
        const bool stays = incumbents_.needed(bound, corner);
        corner[c] = smallest[c];
        if (!stays) struck[c] = std::min(struck[c], bound);
        ++before;
        after += stays;
        return stays;
      });
      if (after == before) return true;
      drop_struck(node.lists, kept, struck);
      BoxNode smaller;
      smaller.bound = node.bound;
      if (std::any_of(kept.begin(), kept.end(), [](const auto& list) { return list.empty(); })) return false;
      smaller.lists = lists_of(node.lists, kept);
      inherit(smaller, node, kept);
      node = std::move(smaller);
      if (static_cast<double>(after) > kWorthAPass * static_cast<double>(before)) return true;
      if (model_.is_leaf(node.lists, node.open.size())) return true;
    }
    return true;
  }
  // What is struck out falls into one box per coordinate: those of its positions that go, with what stays of the
  // coordinates before it and all of those behind it.
  void drop_struck(const BoxLists& lists, const Kept& kept, const std::vector<double>& struck) {
    BoxLists slab = lists;
    for (std::size_t c = 0; c < lists.size(); ++c) {
      if (struck[c] == kInfinity) continue;
      std::vector<int> stay, go;
      std::size_t next = 0;
      for (std::size_t d = 0; d < lists[c].size(); ++d) {
        const bool stays = next < kept[c].size() && kept[c][next] == d;
        next += stays;
        (stays ? stay : go).push_back(lists[c][d]);
      }
      slab[c] = std::move(go);
      drop(slab, struck[c]);
      if (stay.empty()) return;  // nothing is left
      slab[c] = std::move(stay);
    }
  }
  bool sweep(BoxNode& node) {
    dual_.start(node.lists, bounding_, node.messages);
    const std::vector<int> smallest = node.smallest();
    double last = -kInfinity;
    for (int s = 0; s < kMostSweeps; ++s) {
      const double bound = dual_.sweep();
      node.bound = std::max(node.bound, bound);
      if (!incumbents_.needed(node.bound, smallest)) {
        for (int more = 0; use_.to && more < kSweepsToSpare; ++more) node.bound = std::max(node.bound, dual_.sweep());
        drop(node.lists, node.bound);
        return false;
      }
      if (s > 1 && bound - last < kWorthASweep * (incumbents_.cut() - bound)) break;
      last = bound;
    }
    return true;
  }

  // All assignments of a box: the open parts from the model, the others from the tables. Assignments are in order, the
  // last coordinate changing fastest; what belongs to coordinates that stay is added up once.
  void tabulate(const BoxNode& node) {
    const auto& lists = node.lists;
    const std::size_t n = lists.size(), last = n - 1, width = lists[last].size();
    grid_.assign(static_cast<std::size_t>(points_in(lists)), 0.0);
    model_.tabulate(lists, node.open, grid_);
    const BoxLayout layout(model_.groups(), lists);
    std::vector<std::size_t> at(n, 0);
    std::vector<int> full = node.smallest();
    std::vector<double> up_to(n, 0.0);  // the value of coordinates 0 to c, alone and among each other
    row_.resize(width);
    double cut = incumbents_.cut(), turned_away = kInfinity;
    std::vector<Found> offered;
    const auto entry = [&](std::size_t g) {
      std::size_t place = 0;
      for (const std::size_t c : model_.groups()[g]) place = place * lists[c].size() + at[c];
      return node.tables.data() + layout.tables[g] + place;
    };
    std::size_t changed = 0;  // the first coordinate that is not the one before
    for (std::size_t start = 0; start < grid_.size(); start += width) {
      for (std::size_t c = changed; c < last; ++c) {
        double sum = c == 0 ? model_.constant() : up_to[c - 1];
        sum += model_.own(c)[static_cast<std::size_t>(full[c])];
        for (const std::size_t g : ending_[c]) sum += *entry(g);
        up_to[c] = sum;
      }
      const double base = last == 0 ? model_.constant() : up_to[last - 1];
      const auto own = model_.own(last);
      for (std::size_t d = 0; d < width; ++d) row_[d] = own[static_cast<std::size_t>(lists[last][d])];
      for (const std::size_t g : ending_[last]) {
        const double* table = entry(g);
        for (std::size_t d = 0; d < width; ++d) row_[d] += table[d];
      }
      for (std::size_t d = 0; d < width; ++d) {
        const double value = grid_[start + d] + (row_[d] + base);
        // An assignment met before may come with other rounding; it must not count as turned away.
        if (value > cut + rounding_slack(cut)) {
          turned_away = std::min(turned_away, value);
          continue;
        }
        full[last] = lists[last][d];
        if (use_.to) offered.push_back({full, value});
        incumbents_.offer(full, value);
        cut = incumbents_.cut();
      }
      for (std::size_t c = last; c-- > 0;) {
        if (++at[c] == lists[c].size()) at[c] = 0;
        full[c] = lists[c][at[c]];
        changed = c;
        if (at[c] > 0) break;
      }
    }
    incumbents_.prove_rest(turned_away);
    if (use_.to) leaves_.push_back({lists, turned_away, std::move(offered)});
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
  DualBound dual_;
  Descent<BoxModel> descent_;
  std::vector<std::uint32_t> all_parts_;
  std::vector<std::vector<std::size_t>> ending_;  // groups by the last of their coordinates
  std::vector<BoxNodePtr> heap_;
  std::size_t held_ = 0;  // bytes of the open boxes
  std::uint64_t numbers_ = 0;
  double open_bound_ = kInfinity;  // least bound of what the limit left
  std::vector<int> likeliest_;     // of the last box that was bounded
  std::vector<double> exact_, bounding_, grid_, row_;
  Frontier kept_;  // boxes that were not opened any further, where a frontier is asked for
  std::vector<Leaf> leaves_;
  SearchResult result_;
};

}  // namespace

SearchResult box_search(BoxModel& model, const SearchRequest& request, const BoxLimits& limits,
                        const FrontierUse& use) {
  return BoxSearch(model, request, limits, use).run();
}

}  // namespace hannan::detail
