#include "hannan/play/record_writer.hpp"

#include <utility>

#include "hannan/runtime/version.hpp"

namespace hannan::detail {

void RecordWriter::line(const Json& json) {
  const std::string text = dump(json) + "\n";
  digest_.add(text);
  sink_(text);
}

void RecordWriter::seen(std::string_view line) {
  digest_.add(line);
  digest_.add("\n");
}

void RecordWriter::begin(const AnyProblem& problem, const AnyLearner& learner) {
  line(Json::object({{"record", 1},
                     {"program", std::string("hannan ") + kVersion},
                     {"problem", Json::object({{"kind", problem.kind()}, {"params", problem.params()}})},
                     {"learner", Json::object({{"kind", learner.kind()}, {"params", learner.params()}})}}));
}

void RecordWriter::round(const PlayedRound& played) {
  const ObserveView& seen = played.observed;
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
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
  if (seen.stability.parts == 1) json.set("stability", seen.stability.value[0]);
  if (seen.stability.parts == 2) {
    json.set("stability", Json::array({Json(seen.stability.value[0]), Json(seen.stability.value[1])}));
  }
  if (played.learner.records_gap()) json.set("gap", number(seen.gap));
  if (seen.estimates) {
    json.set("estimates", Json::object({{"leader", seen.estimates->leader}, {"gftpl", seen.estimates->gftpl}}));
  }
  if (played.learner.switches()) json.set("switched", seen.switched);
  line(json);
}

void RecordWriter::end(AnyLearner& learner) {
  const Json report = learner.report();
  digest_.add(dump(report));
  sink_(dump(Json::object({{"end", report}, {"digest", digest_.hex()}})) + "\n");
}

}  // namespace hannan::detail
