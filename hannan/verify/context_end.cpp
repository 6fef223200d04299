// The report of a run with contexts, derived again: of every segment its rounds, losses, L*, leader and weight; then
// the totals, C(root) and the bounds of prunings (context_bounds.hpp), the best prunings by the verifier's own
// programme (recomputed_prunings.hpp) and the map. Cost: a pass over the listed actions, or a search, a segment.
#include "hannan/verify/context_end.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "hannan/core/elementary.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/context_bounds.hpp"
#include "hannan/verify/end_fields.hpp"
#include "hannan/verify/recomputed_prunings.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostLeavesListed = 1000;
constexpr const char* kData = "oblivious for the least of several prunings; any for one that is named before the run";

class ContextEnd {
 public:
  ContextEnd(Fields& end, const ContextEndInput& in)
      : in_(in), s_(in.record.setting), tree_(in.tree), end_(end), least_(in.tree.size()) {}

  EndFacts run() {
    out_.gap = end_.number("oracle_gap", kNonnegative);
    check_nodes(end_.list("nodes"));
    check_totals();
    check_calls(end_, s_, claims(),
                {.gap = out_.gap, .most = most_calls(), .spread = static_cast<double>(tree_.at(0).seen)},
                out_.recorded);
    if (out_.gap == 0 && proven_) claims().settle();
    check_raw(end_.fields("raw"), s_, claims(),
              {.total = in_.total,
               .best = best_,
               .realised = in_.realised,
               .rounds = tree_.at(0).seen,
               .reward = in_.record.reward});
    check_watched();
    check_counts();
    check_orders();
    Fields certificate = end_.fields("certificate");
    check_assumptions(certificate.fields("assumptions"));
    const ContextBoundsInput bounds{s_, tree_, least_, claims(), M_, out_.gap, end_.number("total")};
    out_.bounds = check_context_bounds(certificate.list("bounds"), end_.number("mixing"), bounds);
    certificate.done();
    check_prunings(end_.list("prunings"));
    check_map(end_.list("map"));
    out_.slack = in_.learners[0]->totals().slack(out_.best->best);
    out_.choices_of = " of every segment";
    out_.bounds.insert(out_.bounds.begin(), "L* of every segment, C(root) and the prunings");
    return out_;
  }

 private:
  Claims& claims() const { return in_.record.claims; }
  const ListedActions& list() const { return in_.record.list; }

  void check_path(const Json& found, std::size_t id, const std::string& at) const {
    const Json expected(tree_.path(id));
    if (!(found == expected)) claims().reject(at, "found " + dump(found) + ", expected " + dump(expected));
  }

  // L* and the leader of a segment, as an oracle found them.
  void check_best(const RecomputedTotals& totals, const SegmentLoss& found, const std::string& at) {
    if (found.floor > found.value + totals.slack(found.value)) claims().expect(at + ".floor", found.floor, found.value);
    const KnownBest known = list().listed() ? KnownBest{totals.least(), totals.least()} : searched(totals);
    if (found.value < known.floor) claims().expect(at + ".best", found.value, known.floor);
    if (found.floor > known.best) claims().expect(at + ".floor", found.floor, known.best);
    claims().expect_best(at + ".best", found.value, {known.best, known.floor == known.best});
    if (&totals == &in_.learners[0]->totals()) out_.best = KnownBest{known.floor, std::min(found.value, known.best)};
  }
  KnownBest searched(const RecomputedTotals& totals) const {
    const auto& found = totals.search(RecomputedTotals::Effort::kEnd);
    if (!found.proven) ++claims().taken_over().best;
    return {found.proven ? found.value : found.floor, found.value};
  }

  // The action that an oracle found loses `value`.
  void check_leader(const RecomputedTotals& totals, const Json& action, double value, const std::string& at) {
    if (!list().listed()) return claims().expect_of_oracle(at, totals.total_of(action), value);
    const auto index = place_of(list(), action, at, claims());
    claims().expect_of_oracle(at, totals.totals()[*index], value);
    check_smallest(*index, totals, at, in_.record);
  }

  void check_nodes(const Json::Array& nodes) {
    std::vector<std::size_t> open;
    for (const std::size_t id : tree_.in_order()) {
      if (tree_.at(id).open) open.push_back(id);
    }
    if (nodes.size() != open.size())
      claims().reject("end.nodes", "found " + std::to_string(nodes.size()) + " segments, expected " +
                                       std::to_string(open.size()) + " that are open");
    for (std::size_t i = 0; i < nodes.size(); ++i) check_node(nodes[i], open[i], path_of("end.nodes", i));
  }

  void check_node(const Json& node, std::size_t id, const std::string& at) {
    Fields in(node, at);
    const RecomputedSegment& segment = tree_.at(id);
    check_path(in.need("segment"), id, in.at("segment"));
    claims().expect_count(in.at("rounds"), in.integer("rounds"), segment.seen);
    if (!in.flag("open")) claims().reject(in.at("open"), "found false, expected true");
    claims().expect(in.at("own"), in.number("own"), segment.own.value());
    const RecomputedTotals& totals = in_.learners[id]->totals();
    SegmentLoss found{.value = in.number("best"), .floor = 0, .known = true};
    found.floor = in.has("floor") ? in.number("floor") : found.value;
    // Stated where it says more than L* itself.
    if (in.has("floor") && (s_.exact || found.floor >= found.value - totals.slack(found.value)))
      claims().reject(in.at("floor"), "found " + number_text(found.floor) + ", expected none: L* is proven");
    proven_ = proven_ && !in.has("floor");
    check_best(totals, found, at);
    least_[id] = found;
    claims().expect(in.at("hedge_gap"), in.number("hedge_gap"), segment.hedge.gap());
    check_waited(in, segment);
    claims().expect(in.at("weight"), in.number("weight"), segment.mixes ? segment.hedge.weights()[0] : 1.0);
    actions_[id] = in.need("action");
    check_leader(totals, actions_[id], found.value, in.at("action"));
    in.done();
  }

  void check_waited(Fields& in, const RecomputedSegment& segment) {
    if (segment.waited.size() == 1)
      return claims().expect(in.at("waited"), in.number("waited"), segment.waited[0].value());
    const std::vector<double> found = in.numbers("waited");
    if (found.size() != segment.waited.size())
      claims().reject(in.at("waited"), "expected a number for each order of columns");
    for (std::size_t j = 0; j < found.size(); ++j)
      claims().expect(path_of(in.at("waited"), j), found[j], segment.waited[j].value());
  }

  void check_totals() {
    best_ = end_.number("best");
    claims().expect("end.total", end_.number("total"), in_.total);
    claims().expect("end.realised", end_.number("realised"), in_.realised);
    claims().expect("end.best", best_, least_[0].value);
    claims().expect("end.regret", end_.number("regret"), in_.total - best_);
    const double floor = end_.number("floor");
    // A node shows it where it is below L* by more than a tie.
    if (proven_ && !s_.exact) {
      const RecomputedTotals& totals = in_.learners[0]->totals();
      if (floor > best_ + totals.slack(best_) || floor < best_ - 2 * totals.slack(best_))
        claims().expect("end.floor", floor, best_);
    } else {
      claims().expect("end.floor", floor, least_[0].floor);
    }
    const Json& action = end_.need("best_action");
    if (!(action == actions_[0])) claims().reject("end.best_action", "found another action than that of the root");
  }

  std::uint64_t most_calls() const {
    std::uint64_t most = 0;
    for (const auto& learner : in_.learners) most += learner ? learner->oracle_calls() : 0;
    return most;
  }

  // Segments that are not open may be leaves in hindsight: their L* is looked for here.
  void check_watched() {
    for (std::size_t id = 0; id < tree_.size(); ++id) {
      if (tree_.at(id).open) continue;
      auto totals = in_.watched(id);
      if (!totals) continue;
      if (list().listed()) {
        least_[id] = {totals->least(), totals->least(), true};
      } else {
        const auto found = totals->search();
        least_[id] = {found.value, found.floor, true};
      }
    }
  }

  void check_counts() {
    Fields in = end_.fields("segments");
    claims().expect_count("end.segments.open", in.integer("open"), tree_.opened_in_all());
    claims().expect_count("end.segments.watched", in.integer("watched"), tree_.size() - tree_.opened_in_all());
    claims().expect_count("end.segments.refused", in.integer("refused"), tree_.refused());
    in.done();
  }

  void check_orders() {
    if (tree_.orders() == 1) return;
    const auto& found = end_.list("orders");
    const Json& by = s_.learner_params.at("by");
    if (found.size() != tree_.orders()) claims().reject("end.orders", "expected one for each order of columns");
    const std::vector<double> weights = tree_.at(0).hedge.weights();
    for (std::size_t j = 0; j < found.size(); ++j) {
      Fields in(found[j], path_of("end.orders", j));
      if (!(in.need("by") == by[j])) claims().reject(in.at("by"), "found other columns than the header's");
      claims().expect(in.at("weight"), in.number("weight"), weights[1 + j]);
      in.done();
    }
  }

  void check_assumptions(Fields in) {
    if (in.word("data") != kData)
      claims().reject(in.at("data"), "found another sentence, expected: " + std::string(kData));
    if (s_.external && in.choice("oracle", {"claimed exact", "claimed floors"}) == "claimed exact")
      claims().expect("end.oracle_gap", out_.gap, 0);
    if (s_.noise.columns > 0) M_ = check_noise(in, s_, claims(), out_.on_trust);
    in.done();
  }

  void check_prunings(const Json::Array& found) {
    const double rounds = std::max(1.0, static_cast<double>(tree_.at(0).seen));
    const double penalties[] = {0, 1, portable_log(rounds)};
    if (found.size() != std::size(penalties)) claims().reject("end.prunings", "expected three");
    for (std::size_t i = 0; i < found.size(); ++i) {
      Fields in(found[i], path_of("end.prunings", i));
      claims().expect_plain(in.at("penalty"), in.number("penalty"), penalties[i]);
      const RecomputedPruning pruning = best_pruning_again(tree_, least_, penalties[i]);
      claims().expect_count(in.at("leaves"), in.integer("leaves"), pruning.leaves.size());
      claims().expect_of_oracle(in.at("loss"), in.number("loss"), pruning.loss);
      if (in.has("floor")) {
        if (s_.exact) claims().reject(in.at("floor"), "expected none: L* is proven");
        if (const double floor = in.number("floor"); floor > pruning.loss)
          claims().expect(in.at("floor"), floor, pruning.loss);
      }
      if (pruning.leaves.size() <= kMostLeavesListed) check_leaves(in, pruning);
      in.done();
    }
  }

  void check_leaves(Fields& in, const RecomputedPruning& pruning) {
    const auto& leaves = in.list("segments");
    if (leaves.size() != pruning.leaves.size())
      claims().reject(in.at("segments"), "expected " + std::to_string(pruning.leaves.size()) + " of them");
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      Fields leaf(leaves[k], path_of(in.at("segments"), k));
      const std::size_t id = pruning.leaves[k];
      check_path(leaf.need("segment"), id, leaf.at("segment"));
      check_action(leaf, id);
      leaf.done();
    }
  }

  void check_action(Fields& in, std::size_t id) {
    const Json& action = in.need("action");
    if (const auto known = actions_.find(id); known != actions_.end()) {
      if (!(action == known->second))
        claims().reject(in.at("action"),
                        "found " + dump(action) + ", expected that of the segment, " + dump(known->second));
      return;
    }
    check_leader(*in_.watched(id), action, least_[id].value, in.at("action"));
  }

  // From the root down while more weight lies below.
  void check_map(const Json::Array& found) {
    const std::size_t order = tree_.at(0).hedge.leading(1) - 1;
    std::vector<std::size_t> visited;
    std::vector<bool> reached(tree_.size(), false);
    for (const std::size_t id : tree_.in_order()) {
      const RecomputedSegment& segment = tree_.at(id);
      if (!segment.open) continue;
      const bool in_map = segment.parent != 0 || segment.order == order;
      reached[id] = id == 0 || (in_map && reached[segment.parent] && goes_below(segment.parent));
      if (reached[id]) visited.push_back(id);
    }
    if (found.size() != visited.size())
      claims().reject(
          "end.map", "found " + std::to_string(found.size()) + " segments, expected " + std::to_string(visited.size()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      Fields in(found[i], path_of("end.map", i));
      check_path(in.need("segment"), visited[i], in.at("segment"));
      check_action(in, visited[i]);
      in.done();
    }
  }
  bool goes_below(std::size_t id) const { return tree_.at(id).mixes && tree_.at(id).hedge.leading(0) > 0; }

  const ContextEndInput& in_;
  const RecordedSetting& s_;
  const RecomputedTree& tree_;
  Fields& end_;
  std::vector<SegmentLoss> least_;       // by segment
  std::map<std::size_t, Json> actions_;  // the leaders of open segments
  double best_ = 0;
  bool proven_ = true;  // L* of every segment
  std::optional<double> M_;
  EndFacts out_;
};

}  // namespace

EndFacts check_context_end(Fields& end, const ContextEndInput& in) { return ContextEnd(end, in).run(); }

}  // namespace hannan::detail
