// Writes what a run of forecasts has kept; certificates and the best mixture are computed here, for the end. The order
// of fields is part of the format. Cost: the text of all rounds in memory, and the search for the best mixture.
#include "hannan/compare/forecast_record.hpp"

#include <algorithm>

#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/forecasts/best_mixture.hpp"
#include "hannan/forecasts/certificate.hpp"

namespace hannan::detail {
namespace {

Json recorded_hedge(const RegretHedge& hedge) {
  Json regrets = Json::array();
  for (std::size_t k = 0; k < hedge.size(); ++k) regrets.push_back(hedge.regret(k));
  return Json::object({{"R", std::move(regrets)}, {"Delta", hedge.gap()}});
}

Json recorded_header(const ForecastRun& run, const ForecastTerms& terms, const ForecastStream& stream) {
  const CombinerPlan& plan = stream.combiner->plan();
  Json members = Json::array();
  std::size_t today = 0;
  for (const ForecastMember& member : plan.members) {
    members.push_back(member.name);
    if (member.name == "today") today = member.place;
  }
  const bool pinball = plan.loss.kind == ForecastLoss::Kind::kPinball;
  return Json::object({{"record", 1},
                       {"forecasts", Json::object({{"models", plan.models},
                                                   {"columns", plan.columns},
                                                   {"members", std::move(members)},
                                                   {"today", today},
                                                   {"by", plan.by},
                                                   {"loss", pinball ? std::string("pinball") : plan.loss.name()},
                                                   {"level", plan.loss.level},
                                                   {"clip", plan.loss.clip},
                                                   {"lag", stream.horizon ? stream.horizon : terms.lag},
                                                   {"patience", plan.patience}})},
                       {"of", run.table().levels.empty() ? Json() : Json(run.table().levels[stream.level])}});
}

Json recorded_end(const ForecastRun& run, const ForecastStream& stream) {
  const Combiner& combiner = *stream.combiner;
  Json members = Json::array(), segments = Json::array();
  for (std::size_t j = 0; j < combiner.plan().members.size(); ++j) members.push_back(combiner.member_total(j));
  for (const Combiner::Segment& segment : combiner.segments()) {
    Json one = recorded_hedge(combiner.hedge(segment.hedge));
    segments.push_back(one.set("column", segment.column).set("value", segment.value));
  }
  const ForecastCertificate certificate = certificate_of(combiner);
  const auto limits = [](const Proven& of) { return Json::array({of.measured, of.proven, of.closed}); };
  Json end = Json::object({{"rounds", combiner.settled()},
                           {"rows", combiner.rows()},
                           {"models", combiner.plan().models},
                           {"total", combiner.total()},
                           {"members", std::move(members)},
                           {"top", recorded_hedge(combiner.top())}});
  if (const RegretHedge* single = combiner.single())
    end.set("single", recorded_hedge(*single)).set("single_limits", limits(*certificate.single_limits));
  if (const RegretHedge* mixture = combiner.mixture())
    end.set("mixture", recorded_hedge(*mixture)).set("convex", limits(*certificate.convex));
  end.set("segments", std::move(segments));
  const FilledRows rows = filled_rows(run, stream);
  if (!rows.y.empty()) {
    const BestMixture best = best_mixture({.x = rows.x,
                                           .y = rows.y,
                                           .weight = rows.weight,
                                           .models = combiner.plan().models.size(),
                                           .loss = combiner.plan().loss});
    Json hindsight = Json::object({{"u", best.weights}, {"value", best.value}, {"floor", best.floor}});
    if (!best.slopes.empty()) hindsight.set("dual", best.slopes);
    end.set("hindsight", std::move(hindsight));
  }
  return Json::object({{"end", std::move(end)}});
}

}  // namespace

std::string forecast_record(const ForecastRun& run, const ForecastTerms& terms) {
  std::string text;
  for (const ForecastStream& stream : run.streams()) {
    text += dump(recorded_header(run, terms, stream)) + "\n";
    for (const std::string& line : stream.record) text += line + "\n";
    text += dump(recorded_end(run, stream)) + "\n";
  }
  return text;
}

}  // namespace hannan::detail
