// The report of a learner per segment: its segments, what the run is held against, and its certificates.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "hannan/certify/segment_bounds.hpp"
#include "hannan/core/elementary.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/runtime/ask_aside.hpp"
#include "hannan/runtime/best_known.hpp"
#include "hannan/runtime/context_learner.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostListedLeaves = 1000;  // of a pruning; more are counted only

Json segment_list(const std::vector<std::string>& path) { return Json(path); }

}  // namespace

// A closed segment has been counted and nothing else; an open one has its learner's figures. "floor" stands only where
// it is below "best" by more than ties, so that its absence says proven.
Json ContextLearner::segment_json(Id id) {
  const SegmentTree::Segment& segment = tree_.at(id);
  Json json = Json::object(
      {{"segment", segment_list(tree_.path_of(id))}, {"rounds", segment.seen}, {"open", Json(segment.open)}});
  if (!segment.open) return json;
  const LeastLoss least = learners_.least(id);
  json.set("own", segment.own.value()).set("best", least.value);
  if (least.floor < least.value - tie_window(least.value)) json.set("floor", least.floor);
  json.set("hedge_gap", tree_.gap(id));
  if (id == SegmentTree::kRoot && tree_.trees() > 1) {
    Json waited = Json::array();
    for (std::size_t j = 0; j < tree_.trees(); ++j) waited.push_back(tree_.waited(id, j));
    json.set("waited", std::move(waited));
  } else {
    json.set("waited", tree_.waited(id));
  }
  return json.set("weight", tree_.own_weight(id)).set("action", learners_.leader(id));
}

ContextLearner::Listing ContextLearner::segments(Context under, std::uint64_t limit) {
  // The number of a tree alone is no segment: its first segments are those of the root in this tree.
  std::vector<Id> from{tree_.at_path(under)};
  if (from.front() == SegmentTree::kNone) {
    from.clear();
    for (const Id c : tree_.children(SegmentTree::kRoot)) {
      if (under.size() == 1 && tree_.trees() > 1 && tree_.path_of(c).front() == under.front()) from.push_back(c);
    }
  }
  Listing listing;
  std::uint64_t listed = 0;
  const auto list = [&](Id id) {
    if (listed == limit) return false;
    ++listed;
    listing.list.push_back(segment_json(id));
    return true;
  };
  for (const Id id : from) listing.complete = listing.complete && visit_in_order(tree_, id, list);
  return listing;
}

// The decision of every segment that has been visited, as the leader of its learner: what a user would deploy.
Json ContextLearner::map() {
  Json list = Json::array();
  for (const Id id : visited(tree_))
    list.push_back(Json::object({{"segment", segment_list(tree_.path_of(id))}, {"action", learners_.leader(id)}}));
  return list;
}

// By id. Open segments have their histories; closed ones are searched over the outcomes kept for them, and one that can
// never open (the tree is full) keeps none and stays unknown.
std::vector<LeastLoss> ContextLearner::least_losses() {
  std::vector<LeastLoss> least(tree_.size());
  for (Id id = 0; id < tree_.size(); ++id) {
    if (tree_.at(id).open) least[id] = learners_.least(id);
  }
  for (const auto& [id, outcomes] : watched_) least[id] = learners_.watched(outcomes).least;
  return least;
}

// Counts and gaps are sums over the learners of all open segments; best and floor are those of the root, which has seen
// every round.
RunFacts ContextLearner::facts() {
  RunFacts run;
  run.rounds = tree_.rounds();
  run.total = total_.value();
  const LeastLoss least = learners_.least(SegmentTree::kRoot);
  run.best = least.value;
  run.floor = least.floor;
  for (Id id = 0; id < tree_.size(); ++id) {
    if (!tree_.at(id).open) continue;
    const auto counts = learners_.counts(id);
    run.oracle_calls += counts.oracle_calls;
    run.search_nodes += counts.search_nodes;
    run.gap += counts.gap;
  }
  run.gap = left_unproven(run);
  return run;
}

Json ContextLearner::best_action(Id leaf) {
  return tree_.at(leaf).open ? learners_.leader(leaf) : learners_.watched(watched_.at(leaf)).leader;
}

Json ContextLearner::pruning_json(const Pruning& pruning, double penalty) {
  Json json = Json::object({{"penalty", penalty}, {"leaves", pruning.leaves.size()}, {"loss", pruning.loss}});
  if (pruning.floor < pruning.loss - tie_window(pruning.loss)) json.set("floor", pruning.floor);
  if (pruning.leaves.size() > kMostListedLeaves) return json;
  Json list = Json::array();
  for (const Id id : pruning.leaves)
    list.push_back(Json::object({{"segment", segment_list(tree_.path_of(id))}, {"action", best_action(id)}}));
  return json.set("segments", std::move(list));
}

// mixing holds on every path; segments in the mean, for the prunings that depend on the data alone: the root, the
// finest, and the best ones with a penalty of 1, 2, 4, ... a leaf. The least is the first.
Json ContextLearner::certificate_json(const std::vector<LeastLoss>& least, double open_gap) {
  const MixingBound mixing = mixing_bound(tree_);
  const double total = total_.value();
  Json bounds = Json::array();
  bounds.push_back(Json::object({{"name", "mixing"},
                                 {"value", mixing.value},
                                 {"side", "upper"},
                                 {"holds", total <= mixing.value + 1e-9 * std::max(1.0, mixing.value)},
                                 {"leaves", mixing.leaves.size()},
                                 {"says", "on every path: the total loss is at most this"}}));
  Json assumptions = Json::object();
  const auto constants = learners_.constants();
  if (constants.columns > 0) {
    assumptions.set("columns", constants.columns);
    assumptions.set("gamma", constants.gamma);
    assumptions.set("M", constants.noise_size);
  }
  assumptions.set("data", "oblivious for the least of several prunings; any for one that is named before the run");
  Json missing = Json::array();
  RunFacts gammas;
  gammas.gamma = constants.gamma;
  gammas.claimed = constants.claimed;
  for (std::string& why : left_out(gammas)) missing.push_back(std::move(why));
  const bool gamma_serves = missing.size() == 0;
  if (!gamma_serves) assumptions.set("left_out", std::move(missing));
  const bool proven = gamma_serves && (asked_.kind->proof == Proof::kAda || asked_.kind->proof == Proof::kFlipFlop);
  const bool fresh = asked_.draw == Freshness::kFresh;
  if (proven && fresh && constants.gamma && constants.noise_size) {
    std::vector<std::pair<std::string, Pruning>> prunings;
    prunings.emplace_back("root", root_pruning(tree_, least));
    for (std::size_t j = 0; j < tree_.trees(); ++j)
      prunings.emplace_back(tree_.trees() == 1 ? "finest" : "finest " + std::to_string(j + 1),
                            finest_pruning(tree_, least, j));
    for (double penalty = 1; penalty <= 0x1p52; penalty *= 2) {
      // Ends at the first pruning that is the root alone: more of a penalty cannot make it coarser.
      prunings.emplace_back("penalty " + number_text(penalty), best_pruning(tree_, least, penalty));
      if (prunings.back().second.leaves.size() == 1) break;
    }
    std::vector<Json> rows;
    for (const auto& [name, pruning] : prunings) {
      if (!pruning.open) continue;
      const auto n = static_cast<double>(pruning.leaves.size());
      const bool root = pruning.leaves.front() == SegmentTree::kRoot;
      // Rounds that a leaf of the pruning watched before it opened, at most `open` each; the root is open from the
      // start.
      const double wait = static_cast<double>(tree_.limits().open) * (root ? n - 1 : n);
      const auto learner =
          asked_.kind->proof == Proof::kAda ? SegmentTerms::Learner::kAda : SegmentTerms::Learner::kFlipFlop;
      const double value = pruning.loss + segments_bound({.learner = learner,
                                                          .n = n,
                                                          .k = static_cast<double>(pruning.mixing),
                                                          .levels = static_cast<double>(pruning.levels),
                                                          .orders = static_cast<double>(tree_.trees()),
                                                          .gamma = *constants.gamma,
                                                          .M = *constants.noise_size,
                                                          .best = pruning.loss,
                                                          .wait = wait,
                                                          .open_gap = open_gap});
      rows.push_back(Json::object({{"name", "segments"},
                                   {"value", value},
                                   {"side", "upper"},
                                   {"holds", nullptr},  // it is about the mean
                                   {"pruning", name},
                                   {"best", pruning.loss},
                                   {"n", n},
                                   {"k", pruning.mixing},
                                   {"levels", pruning.levels},
                                   {"wait", wait},
                                   {"says", "in the mean over the learners' noise the total loss is at most this"}}));
    }
    const auto value = [&rows](std::size_t i) { return rows[i].at("value").as_number(); };
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::pair(value(a), a) < std::pair(value(b), b); });
    for (const std::size_t i : order) bounds.push_back(std::move(rows[i]));
  }
  if (!learners_.claims().empty()) assumptions.set("oracle", learners_.claims());
  return Json::object({{"bounds", std::move(bounds)}, {"assumptions", std::move(assumptions)}});
}

Json ContextLearner::report() {
  Json json;
  ask_aside(*this, [&] {
    const RunFacts run = facts();
    const std::vector<LeastLoss> least = least_losses();
    json = Json::object({{"problem", game().kind()},
                         {"learner", kind()},
                         {"params", params()},
                         {"rounds", run.rounds},
                         {"total", run.total},
                         {"realised", realised()},
                         {"best", run.best},
                         {"floor", run.floor},
                         {"regret", run.total - run.best},
                         {"best_action", learners_.leader(SegmentTree::kRoot)},
                         {"oracle_calls", run.oracle_calls},
                         {"search_nodes", run.search_nodes},
                         {"oracle_gap", run.gap}});
    const bool reward = game().form() == Form::kReward;
    const auto raw = [&](double loss) {
      return game().normaliser() * (reward ? static_cast<double>(run.rounds) - loss : loss);
    };
    json.set("raw", Json::object({{"unit", reward ? "reward" : "loss"},
                                  {"total", raw(run.total)},
                                  {"realised", raw(realised())},
                                  {"best", raw(run.best)}}));
    json.set("segments",
             Json::object(
                 {{"open", tree_.opened()}, {"watched", tree_.size() - tree_.opened()}, {"refused", tree_.refused()}}));
    if (tree_.trees() > 1) {
      Json list = Json::array();
      const std::vector<double> weights = tree_.root_weights();
      for (std::size_t j = 0; j < tree_.trees(); ++j)
        list.push_back(Json::object({{"by", Json(orders()[j])}, {"weight", weights[1 + j]}}));
      json.set("orders", std::move(list));
    }
    json.set("certificate", certificate_json(least, run.gap));
    json.set("mixing", json.at("certificate").at("bounds")[0].at("value"));
    Json prunings = Json::array();
    const double log_rounds = portable_log(std::max(1.0, static_cast<double>(run.rounds)));
    for (const double penalty : {0.0, 1.0, log_rounds})
      prunings.push_back(pruning_json(best_pruning(tree_, least, penalty), penalty));
    json.set("prunings", std::move(prunings));
    json.set("map", map());
    Json nodes = Json::array();
    visit_in_order(tree_, SegmentTree::kRoot, [&](Id id) {
      if (tree_.at(id).open) nodes.push_back(segment_json(id));
      return true;
    });
    json.set("nodes", std::move(nodes));
    add_rehearsed(json);
  });
  return json;
}

}  // namespace hannan::detail
