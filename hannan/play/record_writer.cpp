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

void RecordWriter::begin(const AnyProblem& problem, const AnyLearner& learner) {
  line(dump(Json::object({{"record", 1},
                          {"program", std::string("hannan ") + kVersion},
                          {"problem", Json::object({{"kind", problem.kind()}, {"params", problem.params()}})},
                          {"learner", Json::object({{"kind", learner.kind()}, {"params", learner.params()}})}})));
}

namespace {

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

void set_stability(Json& json, const Stability& stability) {
  if (stability.parts == 1) json.set("stability", stability.value[0]);
  if (stability.parts == 2) json.set("stability", Json::array({Json(stability.value[0]), Json(stability.value[1])}));
}

void set_estimates(Json& json, const Estimates& estimates) {
  json.set("estimates", Json::object({{"leader", estimates.leader}, {"gftpl", estimates.gftpl}}));
}

Json context_round(const PlayedRound& played, const PlayedContext& round) {
  Json nodes = Json::array();
  for (std::size_t d = 0; d < round.acts.size(); ++d) {
    const ActView& act = round.acts[d];
    const auto& settled = round.observed.nodes[d];
    Json node = Json::object({{"action", round.actions[d]}});
    if (round.learner.adapts_multiplier()) {
      node.set("multiplier", number(act.multiplier));
    } else {
      node.set("eta", number(act.eta));
    }
    if (!act.regime.empty()) node.set("regime", act.regime);
    if (settled.has_after) node.set("after", round.learner.node_after(d));
    set_stability(node, settled.stability);
    if (settled.estimates) set_estimates(node, *settled.estimates);
    nodes.push_back(std::move(node));
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
  Json json = Json::object({{"t", played.act.round}, {"action", played.action}});
  if (played.learner.adapts_multiplier()) {
    json.set("multiplier", number(played.act.multiplier));
  } else {
    json.set("eta", number(played.act.eta));
  }
  if (!played.act.regime.empty()) json.set("regime", played.act.regime);
  json.set("outcome", played.learner.game().outcome_json(played.outcome));
  json.set("loss", seen.loss);
  json.set("best", number(seen.best));
  if (seen.has_after) json.set("after", played.learner.after());
  set_stability(json, seen.stability);
  if (played.learner.records_gap()) json.set("gap", number(seen.gap));
  if (seen.estimates) set_estimates(json, *seen.estimates);
  if (played.learner.switches()) json.set("switched", seen.switched);
  return json;
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
