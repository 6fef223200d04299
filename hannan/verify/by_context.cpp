// A record of a run with contexts (docs/record.md, "Runs with contexts"): a line has the decisions of all open segments
// of its context. Each learner is followed by its rule (segment_check.hpp), the mixture of them by the verifier's own
// tree (recomputed_tree.hpp). Cost of a line: what the decision of each of its nodes costs, and memory for the totals
// of all actions a segment, while these are at most kMostCells, and for the outcomes of segments that may still open.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/context_end.hpp"
#include "hannan/verify/driver.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostValueSize = 1024;  // bytes of a value of a context
constexpr double kPickSlack = 1e-12;          // sums of weights that were made in another order

class ByContext final : public Turn {
 public:
  explicit ByContext(RecordState& record)
      : record_(record), s_(record.setting), claims_(record.claims), tree_(*s_.contexts) {
    learners_.push_back(learner(0));
  }

  std::uint64_t lines() const override { return tree_.at(0).seen; }
  std::uint64_t rounds() const override { return tree_.at(0).seen; }

  void line(Fields& in) override {
    read_context(in.list("context"));
    record_.read_outcome(in);
    const auto& nodes = in.list("nodes");
    if (nodes.size() != tree_.nodes().size())
      claims_.reject("nodes", "found " + std::to_string(nodes.size()) + " nodes, expected " +
                                  std::to_string(tree_.nodes().size()) + ", the open segments of the context");
    limit_work();
    const auto losses = record_.losses_of(record_.outcome);
    std::vector<double> own;
    for (std::size_t d = 0; d < nodes.size(); ++d) {
      claims_.within("nodes[" + std::to_string(d) + "].");
      own.push_back(check_node(nodes[d], *learners_[tree_.nodes()[d]], losses));
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

  EndFacts end(Fields& end, Verification& said) override {
    const EndFacts facts = check_context_end(end, {.record = record_,
                                                   .tree = tree_,
                                                   .learners = learners_,
                                                   .watched = [this](std::size_t id) { return watched_totals(id); },
                                                   .total = total_.value(),
                                                   .realised = realised_.value()});
    said.total = total_.value();
    said.checked.push_back("which segments are open, and the loss of every learner in every round of its segment");
    said.checked.push_back("the weights of the mixture, its loss, and the action that was picked");
    if (const std::string rate = rate_words(s_); !rate.empty()) said.checked.push_back(rate + " of every segment");
    return facts;
  }

 private:
  // Where there are too many actions for so many rounds, or for so many segments, choices are searched for from here
  // on.
  void limit_work() {
    node_rounds_ += static_cast<double>(tree_.nodes().size());
    record_.limit_work(node_rounds_);
    const auto size = static_cast<double>(record_.list.size());
    if (size * static_cast<double>(tree_.opened_in_all()) > RecordState::kMostCells) record_.list.give_up();
  }

  std::unique_ptr<SegmentCheck> learner(std::size_t id, std::uint64_t watched = 0) {
    DrawnNoise::Segment noise{.key = {s_.key.seed, s_.key.run + tree_.run_of(id)}, .once = s_.noise.once};
    if (s_.noise.alpha) {
      std::string name;
      const std::vector<std::string> path = tree_.path(id);
      for (std::size_t i = 0; i < path.size(); ++i) name += (i > 0 ? "/" : "") + path[i];
      const auto given = s_.contexts->alpha.find(name);
      noise.given = given == s_.contexts->alpha.end() ? &no_noise_ : &given->second.draws;
      noise.once = given != s_.contexts->alpha.end() && given->second.once;
    }
    return std::make_unique<SegmentCheck>(record_, noise, watched);
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
  double check_node(const Json& node, SegmentCheck& learner, std::span<const double> losses) {
    Fields in(node, "node");
    RecordedRound r{.action = in.need("action"), .outcome = &record_.outcome, .losses = losses};
    learner.read(in);
    in.done();
    record_.score(r, record_.outcome);
    r.loss = r.action_loss;
    learner.round(r);
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
      outcomes.push_back(record_.outcome);
      learners_[id] = learner(id, outcomes.size());
      for (const AnyOutcome& y : outcomes) learners_[id]->watch(y, record_.losses_of(y));
    }
    if (tree_.full()) {
      kept_.clear();
      return;
    }
    for (const std::size_t id : tree_.closed()) kept_[id].push_back(record_.outcome);
  }

  std::unique_ptr<RecomputedTotals> watched_totals(std::size_t id) {
    const auto kept = kept_.find(id);
    if (kept == kept_.end()) return nullptr;
    auto totals = std::make_unique<RecomputedTotals>(*s_.problem, record_.list, record_.totals());
    for (const AnyOutcome& y : kept->second) totals->add(y, record_.losses_of(y));
    return totals;
  }

  RecordState& record_;
  const RecordedSetting& s_;
  Claims& claims_;
  RecomputedTree tree_;
  std::vector<std::unique_ptr<SegmentCheck>> learners_;  // by segment
  std::unordered_map<std::size_t, std::vector<AnyOutcome>> kept_;
  const std::vector<std::vector<double>> no_noise_;
  ExactTotal total_, realised_;
  double node_rounds_ = 0;
};

}  // namespace

std::unique_ptr<Turn> turn_by_context(RecordState& record) { return std::make_unique<ByContext>(record); }

}  // namespace hannan::detail
