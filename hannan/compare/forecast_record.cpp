// Writes what a run of forecasts has kept; certificates and the best mixture are computed here, for the end. The order
// of fields is part of the format. Cost: the text of all rounds in memory, and the search for the best mixture.
#include "hannan/compare/forecast_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/compare/earlier_record.hpp"
#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/forecasts/best_mixture.hpp"
#include "hannan/forecasts/certificate.hpp"
#include "hannan/forecasts/record_line.hpp"

namespace hannan::detail {
namespace {

Json recorded_hedge(const RegretHedge& hedge) {
  Json regrets = Json::array();
  for (std::size_t k = 0; k < hedge.size(); ++k) regrets.push_back(hedge.regret(k));
  return Json::object({{"R", std::move(regrets)}, {"Delta", hedge.gap()}});
}

Json recorded_header(const CombinerPlan& plan, std::uint64_t lag) {
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
                                                   {"lag", lag},
                                                   {"patience", plan.patience}})}});
}

Json recorded_end(const Combiner& combiner, const FilledRows& rows) {
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
    const auto& levels = run.table().levels;
    Json header = recorded_header(stream.combiner->plan(), stream.horizon ? stream.horizon : terms.lag);
    header.set("of", levels.empty() ? Json() : Json(levels[stream.level]));
    if (run.recorded_as_lines()) header.set("told", "lines");
    text += dump(header) + "\n";
    for (const std::string& line : stream.record) text += line + "\n";
    const FilledRows rows =
        run.recorded_as_lines() ? filled_rows_of(stream.record, stream.combiner->plan()) : filled_rows(run, stream);
    text += dump(recorded_end(*stream.combiner, rows)) + "\n";
  }
  return text;
}

ForecastLog::ForecastLog(CombinerPlan plan) : combiner_(std::move(plan)) {
  lines_ = dump(recorded_header(combiner_.plan(), 1).set("of", Json()).set("told", "lines")) + "\n";
}

const CombinerRound& ForecastLog::forecast(std::span<const ForecastRow> rows) {
  const CombinerPlan& plan = combiner_.plan();
  const ForecastMember* const mixture = plan.member(ForecastMember::Kind::kMixture);
  const auto at = mixture ? static_cast<std::size_t>(mixture - plan.members.data()) : 0;
  const CombinerRound& made = combiner_.forecast(rows);
  std::vector<RecordedRow> facts(rows.size());
  first_of_.push_back(rows_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    facts[i].by = rows[i].by;
    if (made.rows[i] == CombinerRound::Row::kEmpty) continue;
    Filled filled{.round = made.id, .row = i, .x = {}, .y = kNotDelivered, .weight = rows[i].weight};
    const double* const x = made.x.data() + i * plan.width();
    for (std::size_t k = 0; k < plan.models.size(); ++k)
      filled.x.push_back(std::isnan(x[k]) ? made.members[i * plan.members.size() + at] : x[k]);
    rows_.push_back(std::move(filled));
  }
  lines_ += dump(recorded_round(combiner_, made, made.id - 1, facts)) + "\n";
  return made;
}

void ForecastLog::tell(std::uint64_t round, std::size_t row, double y) {
  combiner_.tell(round, row, y);
  lines_ += dump(Json::object({{"come", round}, {"row", row}, {"y", std::isnan(y) ? Json() : Json(y)}})) + "\n";
  for (std::size_t n = first_of_[round - 1]; n < rows_.size() && rows_[n].round == round; ++n) {
    if (rows_[n].row == row) rows_[n].y = y;
  }
}

std::string ForecastLog::record() const {
  Combiner ended = combiner_;
  ended.close_all();
  FilledRows filled;
  const bool weighted = std::ranges::any_of(rows_, [](const Filled& row) { return row.weight != 1; });
  for (const Filled& row : rows_) {
    if (std::isnan(row.y) || !ended.plan().loss.counts(row.y)) continue;
    filled.x.insert(filled.x.end(), row.x.begin(), row.x.end());
    filled.y.push_back(row.y);
    if (weighted) filled.weight.push_back(row.weight);
  }
  return lines_ + dump(recorded_end(ended, filled)) + "\n";
}

}  // namespace hannan::detail
