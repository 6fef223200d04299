// The rounds of a record of a run with contexts (docs/record.md, "Runs with contexts").
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/context_end.hpp"
#include "hannan/verify/record_check.hpp"
#include "hannan/verify/recorded_choice.hpp"
#include "hannan/verify/standing.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostValueSize = 1024;  // bytes of a value of a context
constexpr double kMostCells = 5e7;            // totals of actions, all segments together: about a gigabyte
constexpr double kPickSlack = 1e-12;          // sums of weights that were made in another order

class ContextCheck final : public RecordCheck {
 public:
  ContextCheck(RecordedSetting setting, Claims& claims, const VerifyLimits& limits)
      : s_(std::move(setting)),
        claims_(claims),
        limits_(limits),
        list_(*s_.problem, limits_.most),
        noise_(s_, list_, claims_),
        tree_(*s_.contexts),
        losses_(list_.size()) {
    claims_.trust_no_gap(s_.exact);
    learners_.push_back(learner(0));
  }

  void round(const Json& line) override {
    Fields in(line, "");
    claims_.expect_count("t", in.integer("t"), tree_.at(0).seen + 1);
    read_context(in.list("context"));
    s_.problem->read_outcome(in.need("outcome"), "outcome", outcome_);
    const auto& nodes = in.list("nodes");
    if (nodes.size() != tree_.nodes().size())
      claims_.reject("nodes", "found " + std::to_string(nodes.size()) + " nodes, expected " +
                                  std::to_string(tree_.nodes().size()) + ", the open segments of the context");
    limit_work();
    if (list_.listed()) list_.table().losses(outcome_, losses_);
    std::vector<double> own;
    for (std::size_t d = 0; d < nodes.size(); ++d) {
      claims_.within("nodes[" + std::to_string(d) + "].");
      own.push_back(check_node(nodes[d], tree_.nodes()[d]));
    }
    claims_.within("");
    const std::vector<double> weights = tree_.weights();
    check_weights(in.numbers("weights"), weights);
    const std::size_t pick = check_pick(in.integer("pick", kNatural), weights);
    const double loss = in.number("loss");
    claims_.expect("loss", loss, tree_.charge(own));
    claims_.expect("realised", in.number("realised"), own[pick]);
    in.done();
    total_ += loss;
    realised_ += own[pick];
    tree_.count();
    open_segments();
  }

  Verification end(const Json& report) override {
    const ContextEndFacts facts =
        check_context_end(report, {.shared = shared_,
                                   .tree = tree_,
                                   .learners = learners_,
                                   .watched = [this](std::size_t id) { return watched_totals(id); },
                                   .total = total_.value(),
                                   .realised = realised_.value(),
                                   .reward = score_.reward()});
    Verification v;
    v.rounds = tree_.at(0).seen;
    v.total = total_.value();
    v.checked.push_back("which segments are open, and the loss of every learner in every round of its segment");
    v.checked.push_back("the weights of the mixture, its loss, and the action that was picked");
    if (const std::string rate = rate_words(s_); !rate.empty()) v.checked.push_back(rate + " of every segment");
    add_choices({.setting = s_, .claims = claims_, .gap = facts.gap, .of = " of every segment"}, v);
    add_best(facts.best, learners_[0]->totals().slack(facts.best.best), v);
    v.checked.push_back("L* of every segment, C(root) and the prunings");
    trust_own_oracle(s_, v);
    add_end({facts.on_trust, facts.recorded, facts.bounds}, v);
    return v;
  }

 private:
  bool many_cells() const {
    return static_cast<double>(list_.size()) * static_cast<double>(s_.contexts->most) > kMostCells;
  }
  KeepOutcomes keep() const {
    const bool searched = noise_.exists() && !noise_.of_all_actions();
    return list_.size() > limits_.always || many_cells() || searched ? KeepOutcomes::kAlways
                                                                     : KeepOutcomes::kWhereNotListed;
  }
  // Where there are too many actions for so many rounds, or for so many segments, choices are searched for from here
  // on.
  void limit_work() {
    if (!list_.listed()) return;
    node_rounds_ += static_cast<double>(tree_.nodes().size());
    const auto size = static_cast<double>(list_.size());
    const bool work = list_.size() > limits_.always && size * node_rounds_ > limits_.work;
    const bool cells = size * static_cast<double>(tree_.opened_in_all()) > kMostCells;
    if (work || cells) list_.give_up();
  }

  std::unique_ptr<SegmentCheck> learner(std::size_t id, std::uint64_t watched = 0) {
    DrawnNoise::Segment noise{.key = {s_.key.seed, s_.key.run + tree_.run_of(id)}, .once = s_.once};
    if (s_.alpha) {
      std::string name;
      const std::vector<std::string> path = tree_.path(id);
      for (std::size_t i = 0; i < path.size(); ++i) name += (i > 0 ? "/" : "") + path[i];
      const auto given = s_.contexts->alpha.find(name);
      noise.given = given == s_.contexts->alpha.end() ? &no_noise_ : &given->second.draws;
      noise.once = given != s_.contexts->alpha.end() && given->second.once;
    }
    return std::make_unique<SegmentCheck>(shared_, noise, watched);
  }

  void read_context(const Json::Array& values) {
    const auto& depths = s_.contexts->depths;
    std::size_t wanted = 0;
    for (const std::size_t depth : depths) wanted += depth;
    if (values.size() != wanted)
      claims_.reject("context", "found " + std::to_string(values.size()) + " values, expected " +
                                    std::to_string(wanted) + ", one a column");
    std::vector<std::string> context;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string path = path_of("context", i);
      context.push_back(to_word(values[i], path));
      if (context.back().size() > kMostValueSize || context.back().find('\0') != std::string::npos)
        claims_.reject(path, "found a value of more than 1024 bytes, or with NUL");
    }
    tree_.go(context);
  }

  // Says what its learner lost.
  double check_node(const Json& node, std::size_t id) {
    Fields in(node, "node");
    RecordedRound r = read_choice(in, s_, claims_);
    in.done();
    r.outcome = &outcome_;
    if (list_.listed()) r.losses = losses_;
    score_.score(r, outcome_);
    r.loss = r.action_loss;
    learners_[id]->round(r);
    return r.action_loss;
  }

  void check_weights(const std::vector<double>& found, const std::vector<double>& expected) const {
    if (found.size() != expected.size())
      claims_.reject("weights", "found " + std::to_string(found.size()) + " weights, expected " +
                                    std::to_string(expected.size()) + ", one a node");
    for (std::size_t d = 0; d < found.size(); ++d) claims_.expect(path_of("weights", d), found[d], expected[d]);
  }

  // The first node whose weights up to it are above the number of the round; the last one where there is none.
  std::size_t check_pick(std::int64_t found, const std::vector<double>& weights) const {
    const double u = RoundWords(s_.key, DrawPurpose::kMixture, tree_.at(0).seen + 1).uniform(0);
    double below = 0;
    for (std::size_t d = 0; d < weights.size(); ++d) {
      const double above = below + weights[d];
      const bool last = d + 1 == weights.size();
      if (std::cmp_equal(found, d) && u >= below - kPickSlack && (last || u < above + kPickSlack)) return d;
      below = above;
    }
    claims_.reject("pick", "found " + std::to_string(found) + ", which is not the node that the number " +
                               number_text(u) + " of the round picks");
  }

  void open_segments() {
    for (const std::size_t id : tree_.opened()) {
      if (learners_.size() <= id) learners_.resize(id + 1);
      std::vector<AnyOutcome> outcomes;
      if (const auto kept = kept_.find(id); kept != kept_.end()) {
        outcomes = std::move(kept->second);
        kept_.erase(kept);
      }
      outcomes.push_back(outcome_);
      learners_[id] = learner(id, outcomes.size());
      for (const AnyOutcome& y : outcomes) learners_[id]->watch(y, losses_of(y));
    }
    if (tree_.full()) {
      kept_.clear();
      return;
    }
    for (const std::size_t id : tree_.closed()) kept_[id].push_back(outcome_);
  }

  std::span<const double> losses_of(const AnyOutcome& y) {
    if (!list_.listed()) return {};
    watched_losses_.resize(list_.size());
    list_.table().losses(y, watched_losses_);
    return watched_losses_;
  }

  std::unique_ptr<RecomputedTotals> watched_totals(std::size_t id) {
    const auto kept = kept_.find(id);
    if (kept == kept_.end()) return nullptr;
    auto totals = std::make_unique<RecomputedTotals>(
        *s_.problem, list_, RecomputedTotals::Setting{.oracle = s_.oracle, .keep = keep(), .budget = &budget_});
    for (const AnyOutcome& y : kept->second) totals->add(y, losses_of(y));
    return totals;
  }

  RecordedSetting s_;
  Claims& claims_;
  VerifyLimits limits_;
  ListedActions list_;
  DrawnNoise noise_;
  SearchBudget budget_{limits_.search_work};
  RecomputedTree tree_;
  std::vector<double> losses_, watched_losses_;  // of all actions
  SegmentsInput shared_{s_, list_, noise_, claims_, keep(), limits_.work, &budget_};
  std::vector<std::unique_ptr<SegmentCheck>> learners_;  // by segment
  std::unordered_map<std::size_t, std::vector<AnyOutcome>> kept_;
  const std::vector<std::vector<double>> no_noise_;
  AnyOutcome outcome_;
  ExactTotal total_, realised_;
  double node_rounds_ = 0;
  ChoiceScore score_{s_, list_, claims_};
};

}  // namespace

std::unique_ptr<RecordCheck> make_context_check(RecordedSetting setting, Claims& claims, const VerifyLimits& limits) {
  return std::make_unique<ContextCheck>(std::move(setting), claims, limits);
}

}  // namespace hannan::detail
