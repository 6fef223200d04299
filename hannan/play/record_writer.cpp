// Lines of a record and its digest: every line, its end included, enters the digest in order, and the last line states
// it (docs/record.md). Names and order of fields are part of the format.
#include "hannan/play/record_writer.hpp"

#include <utility>

#include "hannan/runtime/version.hpp"

namespace hannan::detail {

void RecordWriter::line(std::string text) {
  text += '\n';
  digest_.add(text);
  sink_(text);
}

void RecordWriter::seen(std::string_view line) {
  digest_.add(line);
  digest_.add("\n");
}

void RecordWriter::begin(const AnyProblem& problem, const AnyLearner& learner, const Json& data) {
  line(dump(Json::object({{"record", 1},
                          {"program", std::string("hannan ") + kVersion},
                          {"problem", Json::object({{"kind", problem.kind()}, {"params", problem.params()}})},
                          {"learner", Json::object({{"kind", learner.kind()}, {"params", learner.params()}})},
                          {"data", data}})));
}

namespace {

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

// The fields of a round or of a node of it: none twice, so that none is looked for.
class LineFields {
 public:
  LineFields() { fields_.reserve(12); }
  void add(std::string_view name, Json value) { fields_.emplace_back(name, std::move(value)); }
  void add_stability(const Stability& stability) {
    if (stability.parts == 1) add("stability", stability.value[0]);
    if (stability.parts == 2) add("stability", Json::array({Json(stability.value[0]), Json(stability.value[1])}));
  }
  void add_estimates(const Estimates& estimates) {
    add("estimates", Json::object({{"leader", estimates.leader}, {"gftpl", estimates.gftpl}}));
  }
  Json json() { return Json::of_fields(std::move(fields_)); }

 private:
  Json::Object fields_;
};

Json context_round(const PlayedRound& played, const PlayedContext& round) {
  Json nodes = Json::array();
  for (std::size_t d = 0; d < round.acts.size(); ++d) {
    const ActView& act = round.acts[d];
    const auto& settled = round.observed.nodes[d];
    LineFields node;
    node.add("action", round.actions[d]);
    if (round.learner.adapts_multiplier()) {
      node.add("multiplier", number(act.multiplier));
    } else {
      node.add("eta", number(act.eta));
    }
    if (!act.regime.empty()) node.add("regime", act.regime);
    if (settled.has_after) node.add("after", round.learner.node_after(d));
    node.add_stability(settled.stability);
    if (settled.estimates) node.add_estimates(*settled.estimates);
    nodes.push_back(node.json());
  }
  return Json::object({{"t", played.act.round},
                       {"context", Json(round.context)},
                       {"nodes", std::move(nodes)},
                       {"weights", Json(round.weights)},
                       {"pick", round.observed.pick},
                       {"outcome", round.learner.game().outcome_json(played.outcome)},
                       {"loss", round.observed.loss},
                       {"realised", round.observed.realised}});
}

Json plain_round(const PlayedRound& played) {
  const ObserveView& seen = played.observed;
  LineFields line;
  line.add("t", played.act.round);
  line.add("action", played.action);
  if (played.learner.adapts_multiplier()) {
    line.add("multiplier", number(played.act.multiplier));
  } else {
    line.add("eta", number(played.act.eta));
  }
  if (!played.act.regime.empty()) line.add("regime", played.act.regime);
  line.add("outcome", played.learner.game().outcome_json(played.outcome));
  line.add("loss", seen.loss);
  line.add("best", number(seen.best));
  if (seen.has_after) line.add("after", played.learner.after());
  line.add_stability(seen.stability);
  if (played.learner.records_gap()) line.add("gap", number(seen.gap));
  if (seen.estimates) line.add_estimates(*seen.estimates);
  if (played.learner.switches()) line.add("switched", seen.switched);
  return line.json();
}

}  // namespace

std::string record_line(const PlayedRound& played) {
  return dump(played.by_context ? context_round(played, *played.by_context) : plain_round(played));
}

void RecordWriter::end(AnyLearner& learner) {
  const Json report = learner.report();
  digest_.add(dump(report));
  sink_(dump(Json::object({{"end", report}, {"digest", digest_.hex()}})) + "\n");
}

}  // namespace hannan::detail
