#include "hannan/verify/context_end.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "hannan/core/elementary.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/context_bounds.hpp"
#include "hannan/verify/end_fields.hpp"
#include "hannan/verify/noise_size_check.hpp"
#include "hannan/verify/recomputed_prunings.hpp"
#include "hannan/verify/run_certificates.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostLeavesListed = 1000;
constexpr const char* kData = "oblivious for the least of several prunings; any for one that is named before the run";

class ContextEnd {
 public:
  ContextEnd(const Json& end, const ContextEndInput& in)
      : in_(in), s_(in.shared.setting), tree_(in.tree), end_(end, "end"), least_(in.tree.size()) {}

  ContextEndFacts run() {
    check_identity(end_, s_, claims(), tree_.at(0).seen);
    gap_ = end_.number("oracle_gap", kNonnegative);
    check_nodes(end_.list("nodes"));
    check_totals();
    check_calls(end_, s_, claims(),
                {.gap = gap_, .most = most_calls(), .spread = static_cast<double>(tree_.at(0).seen)}, recorded_);
    if (gap_ == 0 && proven_) claims().settle();
    check_raw();
    check_watched();
    check_counts();
    check_orders();
    Fields certificate = end_.fields("certificate");
    check_assumptions(certificate.fields("assumptions"));
    const ContextBoundsInput bounds{s_, tree_, least_, claims(), M_, gap_, end_.number("total")};
    bounds_ = check_context_bounds(certificate.list("bounds"), end_.number("mixing"), bounds);
    certificate.done();
    check_prunings(end_.list("prunings"));
    check_map(end_.list("map"));
    end_.done();
    return {.best = known_best_, .gap = gap_, .bounds = bounds_, .on_trust = on_trust_, .recorded = recorded_};
  }

 private:
  Claims& claims() const { return in_.shared.claims; }
  const ListedActions& list() const { return in_.shared.list; }

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
    if (&totals == &in_.learners[0]->totals()) known_best_ = {known.floor, std::min(found.value, known.best)};
  }
  KnownBest searched(const RecomputedTotals& totals) const {
    const auto& found = totals.search(RecomputedTotals::Effort::kEnd);
    if (!found.proven) ++claims().taken_over().best;
    return {found.proven ? found.value : found.floor, found.value};
  }

  // The action that an oracle found loses `value`.
  void check_leader(const RecomputedTotals& totals, const Json& action, double value, const std::string& at) {
    if (!list().listed()) return claims().expect_of_oracle(at, totals.total_of(action), value);
    const auto index = list().index(action);
    if (!index) claims().reject(at, "found " + dump(action) + ", which is no action of the problem");
    claims().expect_of_oracle(at, totals.totals()[*index], value);
    if (may_be_chosen(totals.totals(), *index, totals.unit())) return;
    const auto facts =
        facts_of_choice(list().size(), *index, [&](std::size_t k) { return totals.totals()[k]; }, totals.unit());
    if (facts.best && s_.external) return;
    claims().suspect(at, "found " + dump(action) + ", expected the smallest of the best, " +
                             dump(list().action(totals.smallest_leader())));
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

  void check_raw() {
    Fields raw = end_.fields("raw");
    const bool reward = raw.choice("unit", {"reward", "loss"}) == "reward";
    if (in_.reward && *in_.reward != reward)
      claims().reject("end.raw.unit", "found \"" + raw.word("unit") + "\", expected the other");
    const auto rounds = static_cast<double>(tree_.at(0).seen);
    const auto in_units = [&](double loss) { return s_.normaliser * (reward ? rounds - loss : loss); };
    claims().expect("end.raw.total", raw.number("total"), in_units(in_.total));
    claims().expect("end.raw.realised", raw.number("realised"), in_units(in_.realised));
    claims().expect("end.raw.best", raw.number("best"), in_units(best_));
    raw.done();
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
      claims().expect("end.oracle_gap", gap_, 0);
    if (s_.perturbation.empty() || s_.columns == 0) return in.done();
    claims().expect_plain(in.at("columns"), static_cast<double>(in.integer("columns", kNatural)), s_.columns);
    const Json& gamma = in.need("gamma");
    if (gamma.is_null() == s_.gamma.has_value())
      claims().reject(in.at("gamma"), "found " + dump(gamma) + ", expected that of the header");
    if (s_.gamma) claims().expect_plain(in.at("gamma"), to_number(gamma, "gamma"), *s_.gamma);
    M_ = in.number("M", kExtended);
    check_upper_noise_size({s_, *M_}, claims(), on_trust_);
    const auto left_out = expected_left_out(s_);
    if (!left_out.empty() && in.words("left_out") != left_out)
      claims().reject(in.at("left_out"), "found other sentences than those for what is left out");
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
  Fields end_;
  std::vector<SegmentLoss> least_;       // by segment
  std::map<std::size_t, Json> actions_;  // the leaders of open segments
  double best_ = 0, gap_ = 0;
  bool proven_ = true;  // L* of every segment
  std::optional<double> M_;
  KnownBest known_best_;  // of everything
  std::vector<std::string> bounds_, on_trust_, recorded_;
};

}  // namespace

ContextEndFacts check_context_end(const Json& end, const ContextEndInput& in) { return ContextEnd(end, in).run(); }

}  // namespace hannan::detail
