// One pass collects the rounds of every segment, then one search per segment over its own outcomes, and prunings from
// the least losses (contexts/prunings.hpp). rounds_, least_ and found_ are indexed by segment id, and ids rise from
// parents to children. Cost: one search per segment; memory O(rounds * depth).
#include "hannan/play/best_by_segment.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "hannan/contexts/prunings.hpp"
#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostLeaves = 1000;  // that are listed of a pruning

class SegmentedData {
 public:
  SegmentedData(const AnyProblem& problem, Source& source, const SegmentSearch& search)
      : problem_(problem),
        search_(search),
        tree_({.depths = search.depths, .open = 1, .most = ~SegmentTree::Id{0} - 1}) {
    const std::size_t columns = std::accumulate(search.depths.begin(), search.depths.end(), std::size_t{0});
    AnyOutcome outcome;
    SegmentTree::Path path;
    SegmentTree::Counted counted;
    while (source.next(outcome)) {
      // open = 1 opens a segment at its first round, so that path holds all segments of the context; `most` is no limit
      // here.
      if (source.context().size() != columns)
        throw Error(Code::kMissingField, "found outcomes without their context, expected it", "context");
      tree_.find(source.context(), path);
      tree_.count(source.context(), path, counted);
      rounds_.resize(tree_.size());
      rounds_[SegmentTree::kRoot].push_back(outcomes_.size());
      for (const auto& branch : path.branches) {
        for (const SegmentTree::Id id : branch.segments) rounds_[id].push_back(outcomes_.size());
      }
      outcomes_.push_back(problem.game().outcome_json(outcome));
    }
  }

  Json best() {
    for (SegmentTree::Id id = 0; id < tree_.size(); ++id) search_segment(id);
    Json prunings = Json::array();
    const double log_rounds = portable_log(std::max(1.0, static_cast<double>(outcomes_.size())));
    // Penalties per leaf: none, one loss, and ln T, the size of a usual cost of learning.
    for (const double penalty : {0.0, 1.0, log_rounds}) prunings.push_back(pruning_json(penalty));
    Json segments = Json::array();
    visit_in_order(tree_, SegmentTree::kRoot, [&](SegmentTree::Id id) {
      segments.push_back(Json::object({{"segment", Json(tree_.path_of(id))},
                                       {"rounds", tree_.at(id).seen},
                                       {"value", least_[id].value},
                                       {"proven", found_[id].at("proven")},
                                       {"action", found_[id].at("action")}}));
      return true;
    });
    return Json::object({{"rounds", outcomes_.size()},
                         {"proven", proven_},
                         {"action", found_[0].at("action")},
                         {"value", least_[0].value},
                         {"per_segment", finest_json()},
                         {"prunings", std::move(prunings)},
                         {"segments", std::move(segments)}});
  }
  std::size_t rounds() const { return outcomes_.size(); }

 private:
  // In the order of ids, which found_ and least_ rely on. A search that ran out of budget has a floor below its value.
  void search_segment(SegmentTree::Id id) {
    Json data = Json::array();
    for (const std::size_t t : rounds_[id]) data.push_back(Json::object({{"weight", 1}, {"outcome", outcomes_[t]}}));
    found_.push_back(problem_.best({.data = data, .oracle = search_.oracle}));
    const bool proven = found_.back().at("proven").as_bool();
    proven_ = proven_ && proven;
    const double value = found_.back().at("value").as_number();
    least_.push_back({.value = value, .floor = proven ? value : found_.back().at("floor").as_number(), .known = true});
  }

  // Each tree's finest segments cut the rounds into disjoint parts, so their least losses add up; the best tree is
  // stated.
  Json finest_json() const {
    std::vector<std::size_t> leaves(tree_.trees(), 0);
    std::vector<double> losses(tree_.trees(), 0.0);
    for (SegmentTree::Id id = 1; id < tree_.size(); ++id) {
      const SegmentTree::Segment& segment = tree_.at(id);
      if (segment.depth != search_.depths[segment.tree]) continue;
      ++leaves[segment.tree];
      losses[segment.tree] += least_[id].value;
    }
    const auto least = std::min_element(losses.begin(), losses.end());
    return Json::object({{"leaves", leaves[static_cast<std::size_t>(least - losses.begin())]}, {"loss", *least}});
  }

  Json pruning_json(double penalty) const {
    const Pruning pruning = best_pruning(tree_, least_, penalty);
    Json json = Json::object({{"penalty", penalty}, {"leaves", pruning.leaves.size()}, {"loss", pruning.loss}});
    if (pruning.leaves.size() > kMostLeaves) return json;
    Json list = Json::array();
    for (const SegmentTree::Id id : pruning.leaves)
      list.push_back(Json::object({{"segment", Json(tree_.path_of(id))}, {"action", found_[id].at("action")}}));
    return json.set("segments", std::move(list));
  }

  const AnyProblem& problem_;
  const SegmentSearch& search_;
  SegmentTree tree_;
  std::vector<Json> outcomes_;
  std::vector<std::vector<std::size_t>> rounds_;  // by segment
  std::vector<LeastLoss> least_;                  // likewise
  std::vector<Json> found_;                       // likewise: what the searches answered
  bool proven_ = true;
};

}  // namespace

Json best_by_segment(const AnyProblem& problem, Source& source, const SegmentSearch& search) {
  SegmentedData data(problem, source, search);
  if (data.rounds() == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", "-d");
  return data.best();
}

}  // namespace hannan::detail
