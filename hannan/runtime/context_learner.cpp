// A learner with a decision for every segment: a tree of segments over learners of one kind, mixed by AdaHedge from the
// finest to the root (contexts/segment_tree.cpp). A round: find the path of the context, ask each open segment's
// learner, pick one by weight, then charge all of them, settle the tree, open segments that have seen enough.
// Invariant: learners_ has a learner exactly for the open segments. Cost: one learner's round for each open segment of
// the path.
#include "hannan/runtime/context_learner.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <set>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/io/json_archive.hpp"

namespace hannan::detail {
namespace {

constexpr double kKnownBytes = 256;  // of a known segment: its place in the tree and its name

std::vector<std::size_t> depths_of(const ColumnOrders& orders) {
  std::vector<std::size_t> depths;
  for (const auto& order : orders) depths.push_back(order.size());
  return depths;
}

}  // namespace

ContextLearner::ContextLearner(std::shared_ptr<const Game> game, LearnerParams params)
    : AnyLearner(
          std::move(game), params.kind->name,
          {.tree = &tree_, .adapts_multiplier = params.kind->adapts_multiplier, .switches = params.kind->switches}),
      asked_(std::move(params)),
      learners_(shared_game(), asked_),
      tree_({.depths = depths_of(asked_.segments.orders), .open = asked_.segments.open, .most = asked_.segments.most}) {
  open_learner(SegmentTree::kRoot);
  bytes_of_one_ = learners_.bytes(SegmentTree::kRoot);
  params_ = learners_.params();
}

double ContextLearner::segment_bytes() const {
  return kKnownBytes * static_cast<double>(tree_.size()) + bytes_of_one_ * static_cast<double>(tree_.opened());
}

double ContextLearner::segment_bytes_after(std::span<const Context> contexts) const {
  std::set<std::uint64_t> closed;
  for (const Context& context : contexts) tree_.add_closed(context, closed);
  const auto more = static_cast<double>(std::min<std::uint64_t>(closed.size(), tree_.limits().most - tree_.opened()));
  return segment_bytes() + kKnownBytes * static_cast<double>(closed.size()) + bytes_of_one_ * more;
}

void ContextLearner::refuse(std::string_view path) {
  throw Error(Code::kUnavailable,
              "a learner with columns needs a context before every round, and there is none here; use `hannan run` "
              "with --by, or `hannan pipe`",
              path_of(path, "by"));
}

// The hash of the segment's path is its run: segments draw independent noise, whatever the order in which they open.
void ContextLearner::open_learner(Id id) {
  const std::uint64_t run = id == SegmentTree::kRoot ? 0 : tree_.at(id).hash;
  learners_.open({.id = id, .place = tree_.place(id), .run = run, .name = joined(tree_.path_of(id))});
}

// Prefetched first and asked afterwards: a path of learners that no cache holds costs one wait for memory and not
// several.
const Round& ContextLearner::act(Context context) {
  tree_.find(context, path_);
  for (const Id id : path_.nodes) learners_.fetch(id);
  nodes_.resize(path_.nodes.size());
  for (std::size_t d = 0; d < nodes_.size(); ++d) nodes_[d].take(learners_.act(path_.nodes[d]));
  tree_.weights(path_, weights_);
  for (std::size_t d = 0; d < nodes_.size(); ++d) {
    nodes_[d].of = &setting_;
    nodes_[d].segment = path_.nodes[d];
    nodes_[d].weight = weights_[d];
  }
  round_.number = tree_.rounds() + 1;
  round_.context = context;
  round_.first_node = nodes_.data();
  round_.node_count = nodes_.size();
  round_.weights = weights_;
  const double u = KeyedRandom(asked_.key, Purpose::kMixture, round_.number).uniform(0);
  round_.pick = SegmentTree::pick(weights_, u);
  const Round& played = nodes_[round_.pick];
  round_.action = played.action;
  round_.eta = played.eta;
  round_.multiplier = played.multiplier;
  round_.regime = played.regime;
  round_.segment = played.segment;
  return round_;
}

// Where an oracle can fail, all learners of the path go back to where they were. L* is looked for here too, where it is
// tracked: asked again it is known.
void ContextLearner::settle_learners(const AnyOutcome& outcome) {
  const bool can_fail = !learners_.claims().empty();
  std::vector<Json> before;
  for (std::size_t d = 0; can_fail && d < path_.nodes.size(); ++d) {
    JsonWriter writer;
    learners_.archive(path_.nodes[d], writer);
    before.push_back(writer.take());
  }
  try {
    for (std::size_t d = 0; d < nodes_.size(); ++d) nodes_[d].take(learners_.observe(path_.nodes[d], outcome));
    if (can_fail && asked_.track != Track::kEnd) learners_.least(SegmentTree::kRoot);
  } catch (const Error&) {
    for (std::size_t d = 0; d < before.size(); ++d) {
      JsonReader reader(before[d], "state");
      learners_.archive(path_.nodes[d], reader);
    }
    throw;
  }
}

// The segments that open now watch what was kept for them; those that stay closed keep the outcome, as long as they
// can open at all.
void ContextLearner::open_segments(const AnyOutcome& outcome) {
  for (const Id id : counted_.opened) {
    open_learner(id);
    if (const auto kept = watched_.find(id); kept != watched_.end()) {
      for (const AnyOutcome& y : kept->second) learners_.watch(id, y);
      watched_.erase(kept);
    }
    learners_.watch(id, outcome);
  }
  if (tree_.full()) {
    watched_.clear();
    return;
  }
  for (const Id id : counted_.closed) watched_[id].push_back(outcome);
}

const Round& ContextLearner::observe(Context context, const AnyOutcome& outcome) {
  act(context);
  std::uint64_t calls = oracle_calls_;
  // oracle_calls_ stays the sum over all open segments: those of the path leave it before the round and join it after.
  for (const Id id : path_.nodes) calls -= learners_.counts(id).oracle_calls;
  settle_learners(outcome);
  round_.outcome = &outcome;
  round_.finest = path_.branches.front().open;
  own_.clear();
  for (std::size_t d = 0; d < nodes_.size(); ++d) {
    own_.push_back(nodes_[d].loss);
    calls += learners_.counts(path_.nodes[d]).oracle_calls;
  }
  oracle_calls_ = calls;
  round_.loss = tree_.settle(path_, own_);
  round_.realised = own_[round_.pick];
  total_.add(round_.loss);
  realised_.add(*round_.realised);
  gaps_.clear();
  for (const Id id : path_.nodes) gaps_.push_back(tree_.gap(id));
  tree_.count(context, path_, counted_);
  open_segments(outcome);
  round_.total = total_.value();
  round_.best.reset();
  round_.regret.reset();
  if (asked_.track == Track::kEvery || (asked_.track == Track::kPowers && std::has_single_bit(tree_.rounds()))) {
    round_.best = learners_.least(SegmentTree::kRoot).value;
    round_.regret = round_.total - *round_.best;
  }
  round_.oracle_calls = oracle_calls_;
  round_.gaps = gaps_;
  round_.opened = counted_.opened;
  return round_;
}

// The tree first: it says which segments are open, and so which learners there are to read.
void ContextLearner::archive(Archive& a) {
  a.open("ledger");
  total_.archive(a, "total", "total_carry");
  realised_.archive(a, "realised", "realised_carry");
  a.close();
  a.open("tree");
  tree_.archive(a);
  a.close();
  if (a.reading()) {
    learners_.clear();
    oracle_calls_ = 0;
  }
  a.open_shaped_list("learners", tree_.opened());
  for (Id id = 0; id < tree_.size(); ++id) {
    if (!tree_.at(id).open) continue;
    a.item();
    if (a.reading()) open_learner(id);
    learners_.archive(id, a);
    const auto counts = learners_.counts(id);
    if (a.reading() && counts.rounds != tree_.at(id).seen)
      a.refuse("rounds", "found another number of rounds than its segment has");
    if (a.reading()) oracle_calls_ += counts.oracle_calls;
  }
  a.close_list();
  archive_watched(a);
}

// Outcomes of closed segments, as the text of their JSON, which every problem can read.
void ContextLearner::archive_watched(Archive& a) {
  if (tree_.limits().open == 1) return;
  if (a.reading()) watched_.clear();
  a.open_list("watched", tree_.size() - tree_.opened());
  for (Id id = 0; id < tree_.size(); ++id) {
    if (tree_.at(id).open) continue;
    a.item();
    std::vector<AnyOutcome>& kept = watched_[id];
    const std::uint64_t size = a.open_list("outcomes", kept.size());
    if (a.reading() && size != (tree_.full() ? 0 : tree_.at(id).seen))
      a.refuse("", "found another number of outcomes than the segment has seen");
    kept.resize(size);
    for (AnyOutcome& y : kept) {
      a.item();
      std::string text = a.reading() ? std::string() : dump(game().outcome_json(y));
      a.field("json", text);
      if (!a.reading()) continue;
      try {
        game().read_outcome(parse_json(text), "outcome", y);
      } catch (const Error& e) {
        a.refuse("json", e.message());
      }
    }
    a.close_list();
    if (kept.empty()) watched_.erase(id);
  }
  a.close_list();
}

}  // namespace hannan::detail
