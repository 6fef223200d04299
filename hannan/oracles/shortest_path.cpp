// Shortest walks by one backward pass and the k best by deviations (shortest_path.hpp). ahead_[n] = least cost from
// node n to the end, 0 at the end; nodes are numbered upwards along arcs, so one pass from the last to the first is
// enough. Costs may have any sign because the network has no cycle.
#include "hannan/oracles/shortest_path.hpp"

#include <queue>

#include "hannan/core/interruption.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kNodesBetweenPoints = 4096;  // where a search can be left; some microseconds of work

}  // namespace

void PathProgram::solve() {
  for (std::size_t n = network_.end(); n-- > 0;) {
    if (n % kNodesBetweenPoints == 0) interruption_point();
    double least = std::numeric_limits<double>::infinity();
    for (const auto& arc : network_.arcs(n)) least = std::min(least, through(arc));
    ahead_[n] = least;
  }
}

// Summed along the walk from its start, in one order for all callers.
double PathProgram::value(const Walk& walk) const {
  double sum = 0;
  for (const int edge : walk) sum += costs_[static_cast<std::size_t>(edge)];
  return sum;
}

// An arc is right as soon as the best walk through it stays within the limit; arcs are in the order of walks, so the
// first such arc begins the smallest walk.
void PathProgram::first_within(double limit, Walk& walk) const {
  walk.clear();
  double spent = 0;
  for (std::size_t node = 0; node != network_.end();) {
    const WalkNetwork::Arc* chosen = nullptr;
    double lowest = std::numeric_limits<double>::infinity();  // rounding may put every arc a hair above the limit
    for (const auto& arc : network_.arcs(node)) {
      const double total = spent + through(arc);
      if (chosen == nullptr || total < lowest) lowest = total, chosen = &arc;
      if (total <= limit) {
        chosen = &arc;
        break;
      }
    }
    walk.push_back(static_cast<int>(chosen->edge));
    spent += costs_[chosen->edge];
    node = chosen->to;
  }
}

struct PathProgram::Found {
  Walk walk;
  std::vector<std::size_t> nodes;  // before each edge
  std::vector<double> spent;       // likewise
};

// The walks not found yet, split into disjoint sets: all those that follow a found walk for `shared`
// edges and then take `arc`. The least cost of such a set is known, so the least of all sets is next.
class PathProgram::Deviations {
 public:
  explicit Deviations(const PathProgram& program) : program_(program) { follow({}, 0, 0); }

  const std::vector<Found>& found() const { return found_; }
  // The set with the least cost holds the next walk; opening it splits it by the arcs that its best walk does not take.
  // Sets stay disjoint and together cover all walks not found.
  bool next() {
    if (heap_.empty()) return false;
    interruption_point();
    const Set set = heap_.top();
    heap_.pop();
    const Found& before = found_[set.walk];
    const auto shared = static_cast<std::ptrdiff_t>(set.shared);
    Found start{.walk = {before.walk.begin(), before.walk.begin() + shared},
                .nodes = {before.nodes.begin(), before.nodes.begin() + shared + 1},
                .spent = {before.spent.begin(), before.spent.begin() + shared + 1}};
    start.walk.push_back(static_cast<int>(set.arc.edge));
    const double spent = start.spent.back() + program_.costs_[set.arc.edge];
    follow(std::move(start), set.arc.to, spent);
    return true;
  }

 private:
  struct Set {
    double least;
    std::size_t walk;
    std::size_t shared;
    WalkNetwork::Arc arc;
    // The heap's top is its greatest: the least cost, then the set made first.
    bool operator<(const Set& other) const {
      if (least != other.least) return least > other.least;
      if (walk != other.walk) return walk > other.walk;
      return shared != other.shared ? shared > other.shared : arc.edge > other.arc.edge;
    }
  };

  // Ends the walk by its best arcs; those not taken on the way become sets of their own.
  void follow(Found walk, std::size_t node, double spent) {
    const auto& network = program_.network_;
    while (node != network.end()) {
      walk.nodes.push_back(node);
      walk.spent.push_back(spent);
      const auto arcs = network.arcs(node);
      const auto* best = &arcs[0];
      for (const auto& arc : arcs) {
        if (program_.through(arc) < program_.through(*best)) best = &arc;
      }
      for (const auto& arc : arcs) {
        if (&arc != best) heap_.push({spent + program_.through(arc), found_.size(), walk.walk.size(), arc});
      }
      walk.walk.push_back(static_cast<int>(best->edge));
      spent += program_.costs_[best->edge];
      node = best->to;
    }
    found_.push_back(std::move(walk));
  }

  const PathProgram& program_;
  std::vector<Found> found_;
  std::priority_queue<Set> heap_;
};

// Values are summed again along each walk, so that equal walks have equal values whatever the order of deviations was.
std::vector<Ranked<Walk>> PathProgram::best(std::size_t keep) const {
  Deviations deviations(*this);
  while (deviations.found().size() < keep && deviations.next()) {
  }
  std::vector<Ranked<Walk>> walks;
  for (const Found& found : deviations.found()) walks.push_back({found.walk, value(found.walk)});
  std::sort(walks.begin(), walks.end(),
            [](const auto& a, const auto& b) { return a.value != b.value ? a.value < b.value : a.action < b.action; });
  return walks;
}

}  // namespace hannan::detail
