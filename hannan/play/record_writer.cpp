// Lines of a record and its digest: every line, its end included, enters the digest in order, and the last line states
// it (docs/record.md). Names and order of fields are part of the format.
#include "hannan/play/record_writer.hpp"

#include <utility>

#include "hannan/runtime/round_fields.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail {

void RecordWriter::line(std::string text) {
  text += '\n';
  digest_.add(text);
  sink_(text);
}

// For a record that is continued: a line that is in the file already enters the digest and is not written again.
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

Json context_round(const PlayedRound& played, const PlayedContext& round) {
  Json nodes = Json::array();
  for (std::size_t d = 0; d < round.acts.size(); ++d) {
    const auto& settled = round.observed.nodes[d];
    Json node = Json::object({{"action", round.actions[d]}});
    append_rate(node, round.learner, round.acts[d]);
    if (settled.has_after) node.append("after", round.learner.node_after(d));
    if (settled.stability.parts > 0) node.append("stability", stability_json(settled.stability));
    if (settled.estimates) node.append("estimates", estimates_json(*settled.estimates));
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

// Fields in the order of docs/record.md. Optional ones are there by kind of learner or by what the round did, so that a
// verifier knows from the header which to expect.
Json plain_round(const PlayedRound& played) {
  const ObserveView& seen = played.observed;
  Json line = Json::object({{"t", played.act.round}, {"action", played.action}});
  append_rate(line, played.learner, played.act);
  line.append("outcome", played.learner.game().outcome_json(played.outcome));
  line.append("loss", seen.loss);
  line.append("best", seen.best);
  if (seen.has_after) line.append("after", played.learner.after());
  if (seen.stability.parts > 0) line.append("stability", stability_json(seen.stability));
  if (played.learner.records_gap()) line.append("gap", seen.gap);
  if (seen.estimates) line.append("estimates", estimates_json(*seen.estimates));
  if (played.learner.switches()) line.append("switched", seen.switched);
  return line;
}

}  // namespace

std::string record_line(const PlayedRound& played) {
  return dump(played.by_context ? context_round(played, *played.by_context) : plain_round(played));
}

// The report is in the digest, the last line itself cannot be.
void RecordWriter::end(AnyLearner& learner) {
  const Json report = learner.report();
  digest_.add(dump(report));
  sink_(dump(Json::object({{"end", report}, {"digest", digest_.hex()}})) + "\n");
}

}  // namespace hannan::detail
