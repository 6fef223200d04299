// See forecast_comparison.hpp. Sums of the loss stay sums; what people read is a mean per row, for squared loss its
// root.
#include "hannan/compare/forecast_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "hannan/compare/forecast_groups.hpp"
#include "hannan/compare/forecast_warnings.hpp"
#include "hannan/compare/judgement.hpp"
#include "hannan/compare/relative_gains.hpp"
#include "hannan/core/error.hpp"
#include "hannan/forecasts/best_mixture.hpp"
#include "hannan/forecasts/certificate.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostPoints = 400;  // of a curve
constexpr std::size_t kLastRounds = 200;  // of which every row is shown
constexpr std::size_t kMostShown = 2000;  // rows of them, and models
constexpr std::size_t kMostModels = 20;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json player_json(const ForecastPlayer& player, const ForecastLoss& loss) {
  const double gain = player.today_total - player.total;
  Json made = Json::object(
      {{"name", player.name},
       {"role", player.role},
       {"rows", player.rows},
       {"total", player.total},
       {"error", player.weight > 0 ? Json(shown_error(loss, player.total / player.weight)) : Json()},
       {"today_error", player.weight > 0 ? Json(shown_error(loss, player.today_total / player.weight)) : Json()},
       {"avoided", error_avoided(loss, player, gain)}});
  const RelativeGains gains = relative_gains(player.today, player.losses);
  const Judgement judged =
      judge(gains.gains,
            {.doubts = {.log = doubts_of_log(Json()), .best = BestRange::exact(), .most = std::optional<double>()},
             .baseline = player.today_total});
  if (std::isfinite(judged.blocks.lo))
    made.set("range", Json::array({error_avoided(loss, player, judged.blocks.lo),
                                   error_avoided(loss, player, judged.blocks.hi)}));
  return made;
}

// The combined forecast against today's, decided where all verdicts are.
Json judgement_json(const ForecastPlayer& combined, const ForecastLoss& loss, const std::string& today) {
  const RelativeGains gains = relative_gains(combined.today, combined.losses);
  const Judgement judged = judge(
      gains.gains, {.doubts = {.log = doubts_of_log(Json()), .best = BestRange::exact(), .most = std::optional(1.0)},
                    .baseline = combined.today_total,
                    .relative = gains.shares});
  Json made =
      Json::object({{"verdict", recommendation_name(judged.advice)},
                    {"reason", judged.reason},
                    {"against", today},
                    {"gain", judged.gain},
                    {"anytime", Json::array({number_or_null(judged.anytime.lo), number_or_null(judged.anytime.hi)})},
                    {"blocks", Json::array({number_or_null(judged.blocks.lo), number_or_null(judged.blocks.hi)})},
                    {"avoided", error_avoided(loss, combined, judged.gain)}});
  if (std::isfinite(judged.blocks.lo))
    made.set("range", Json::array({error_avoided(loss, combined, judged.blocks.lo),
                                   error_avoided(loss, combined, judged.blocks.hi)}));
  return made;
}

Json curve_json(const ForecastTable& table, const JudgedForecasts& judged, const ForecastLoss& loss) {
  Json points = Json::array();
  const ForecastPlayer& ours = judged.players.front();
  double combined = 0, today = 0;
  std::vector<double> weights(judged.rounds.size(), 0.0);
  std::vector<std::size_t> place(table.round_names.size(), 0);
  for (std::size_t r = 0; r < judged.rounds.size(); ++r) place[judged.rounds[r]] = r + 1;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!std::isnan(judged.row_losses[i]))
      weights[place[table.round[i]] - 1] += table.weight.empty() ? 1 : table.weight[i];
  }
  double weight = 0;
  const std::size_t n = judged.rounds.size(), step = std::max<std::size_t>(1, n / kMostPoints);
  for (std::size_t r = 0; r < n; ++r) {
    combined += ours.losses[r];
    today += ours.today[r];
    weight += weights[r];
    if (r % step != 0 && r + 1 != n) continue;
    Json point = Json::object({{"round", judged.rounds[r] + 1},
                               {"name", table.round_names[judged.rounds[r]]},
                               {"combined", shown_error(loss, combined / weight)},
                               {"today", shown_error(loss, today / weight)},
                               {"summed", today - combined}});
    if (!table.round_seconds.empty()) point.set("seconds", table.round_seconds[judged.rounds[r]]);
    points.push_back(std::move(point));
  }
  return points;
}

// Rows of the last rounds with everything that was forecast for them.
Json last_json(const ForecastRun& run) {
  const ForecastTable& table = run.table();
  const std::size_t rounds = table.round_names.size(), from = rounds > kLastRounds ? rounds - kLastRounds : 0;
  const std::size_t shown = std::min(kMostModels, table.models.size()), depth = table.depth(), middle = depth / 2;
  Json rows = Json::array();
  for (std::size_t i = 0; i < table.rows() && rows.size() < kMostShown; ++i) {
    if (table.round[i] < from || !run.forecast[i]) continue;
    Json models = Json::array();
    for (std::size_t k = 0; k < shown; ++k) models.push_back(number_or_null(table.forecasts(i, middle)[k]));
    std::string series;
    for (std::size_t c = 1; c < table.key_names.size(); ++c)
      series += (series.empty() ? "" : ", ") + table.keys[i * table.key_names.size() + c];
    Json one = Json::object({{"round", table.round[i] + 1},
                             {"name", table.round_names[table.round[i]]},
                             {"series", series},
                             {"actual", number_or_null(table.y[i])},
                             {"combined", number_or_null(run.published[i * depth + middle])},
                             {"models", std::move(models)}});
    if (depth > 1)
      one.set("low", number_or_null(run.published[i * depth]))
          .set("high", number_or_null(run.published[i * depth + depth - 1]));
    if (!table.round_seconds.empty()) one.set("seconds", table.round_seconds[table.round[i]]);
    rows.push_back(std::move(one));
  }
  return rows;
}

Json weights_json(const ForecastRun& run) {
  const ForecastTable& table = run.table();
  Json names = Json::array(table.models);
  for (const std::string& column : table.columns) names.push_back(column);
  names.push_back("median");
  Json rounds = Json::array();
  for (const auto& one : run.weights) {
    Json row = Json::object({{"round", one.round + 1}, {"name", table.round_names[one.round]}, {"weights", one.total}});
    if (!table.round_seconds.empty()) row.set("seconds", table.round_seconds[one.round]);
    rounds.push_back(std::move(row));
  }
  return Json::object({{"names", std::move(names)}, {"rounds", std::move(rounds)}});
}

// Shares of actuals at or below each quantile, and the score by level.
Json coverage_json(const ForecastRun& run, const JudgedForecasts& judged) {
  const ForecastTable& table = run.table();
  Json levels = Json::array();
  for (std::size_t q = 0; q < table.levels.size(); ++q) {
    const ForecastLoss loss{.kind = ForecastLoss::Kind::kPinball, .level = table.levels[q]};
    double below = 0, count = 0, score = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (std::isnan(judged.row_losses[i])) continue;
      const double p = run.published[i * table.depth() + q];
      below += table.y[i] <= p ? 1 : 0;
      score += 2 * loss.value(p, table.y[i]);
      count += 1;
    }
    levels.push_back(Json::object({{"level", table.levels[q]}, {"share", below / count}, {"score", score / count}}));
  }
  return levels;
}

}  // namespace

FilledRows filled_rows(const ForecastRun& run, const ForecastStream& stream) {
  const ForecastTable& table = run.table();
  const CombinerPlan& plan = run.plan();
  const ForecastMember* fill = plan.member(ForecastMember::Kind::kMixture);
  const std::size_t m = plan.members.size(), j = fill ? static_cast<std::size_t>(fill - plan.members.data()) : 0;
  FilledRows made;
  // In the order of rounds, as a record has them.
  std::vector<std::size_t> order(table.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(table.round[i], i); });
  for (const std::size_t i : order) {
    if (!run.forecast[i] || (stream.horizon && table.horizon[i] != stream.horizon)) continue;
    if (std::isnan(table.y[i]) || !stream.combiner->plan().loss.counts(table.y[i])) continue;
    const std::size_t at = i * table.depth() + stream.level;
    const double instead = run.members[at * m + j];
    if (std::isnan(instead)) continue;
    const ForecastLoss& loss = stream.combiner->plan().loss;
    for (const double x : table.forecasts(i, stream.level).first(table.models.size())) {
      const double clipped = loss.kind == ForecastLoss::Kind::kLog ? std::clamp(x, loss.clip, 1 - loss.clip) : x;
      made.x.push_back(std::isnan(x) ? instead : clipped);
    }
    made.y.push_back(table.y[i]);
    if (!table.weight.empty()) made.weight.push_back(table.weight[i]);
  }
  return made;
}

Json forecast_hindsight(const ForecastRun& run, const ForecastTerms& terms) {
  const ForecastTable& table = run.table();
  Json streams = Json::array();
  double value = 0, floor = 0, weight = 0;
  bool proven = true;
  std::vector<double> models(table.models.size(), 0.0);
  for (const ForecastStream& stream : run.streams()) {
    const FilledRows rows = filled_rows(run, stream);
    if (rows.y.empty()) continue;
    const ForecastLoss& loss = stream.combiner->plan().loss;
    const MixtureProblem problem{
        .x = rows.x, .y = rows.y, .weight = rows.weight, .models = table.models.size(), .loss = loss};
    const BestMixture best = best_mixture(problem);
    Json weights = Json::object();
    for (std::size_t k = 0; k < best.weights.size(); ++k) weights.set(table.models[k], best.weights[k]);
    Json one = Json::object(
        {{"weights", std::move(weights)}, {"value", best.value}, {"floor", best.floor}, {"rows", rows.y.size()}});
    if (best.every > 1) one.set("every", best.every);
    if (stream.horizon) one.set("horizon", stream.horizon);
    if (!table.levels.empty()) one.set("level", table.levels[stream.level]);
    streams.push_back(std::move(one));
    value += best.value;
    proven = proven && best.floor.has_value();
    floor += best.floor.value_or(0);
    for (std::size_t i = 0; i < rows.y.size(); ++i) {
      const double w = rows.weight.empty() ? 1 : rows.weight[i];
      weight += stream.level == 0 ? w : 0;
      for (std::size_t k = 0; k < models.size(); ++k)
        models[k] += w * loss.value(rows.x[i * models.size() + k], rows.y[i]);
    }
  }
  if (streams.size() == 0) throw Error(Code::kEmpty, "found no row with a forecast and an actual, expected some");
  // Quantiles: the score of a row is twice the mean over the levels.
  const double scale = table.levels.empty() ? 1 : 2 / static_cast<double>(table.levels.size());
  const auto best_model = static_cast<std::size_t>(std::ranges::min_element(models) - models.begin());
  const auto error = [&](double sum) {
    return shown_error(table.levels.empty() ? terms.loss : ForecastLoss{.kind = ForecastLoss::Kind::kAbsolute},
                       scale * sum / weight);
  };
  Json made = Json::object({{"best_model", table.models[best_model]},
                            {"best_model_total", scale * models[best_model]},
                            {"best_model_error", error(models[best_model])},
                            {"value", scale * value},
                            {"floor", proven ? Json(scale * floor) : Json()},
                            {"error", error(value)},
                            {"floor_error", proven ? Json(error(floor)) : Json()},
                            {"streams", std::move(streams)}});
  return made;
}

Json forecast_comparison(const ForecastComparison& of) {
  const ForecastRun& run = of.run;
  const ForecastTable& table = run.table();
  const JudgedForecasts judged = judged_forecasts(run, of.terms, of.warm);
  if (judged.counted == 0)
    throw Error(Code::kEmpty, "found no row with a forecast and an actual, expected some: nothing can be judged",
                of.source);
  const ForecastLoss shown = table.levels.empty() ? of.terms.loss : ForecastLoss{.kind = ForecastLoss::Kind::kAbsolute};
  Json players = Json::array();
  for (const ForecastPlayer& player : judged.players) players.push_back(player_json(player, shown));
  Json members = Json::array(), top = Json::array();
  for (std::size_t j = 0; j < run.plan().members.size(); ++j) members.push_back(run.plan().members[j].name);
  Json streams = Json::array();
  double measured = 0, proven = 0, closed = 0, settled = 0;
  for (const ForecastStream& stream : run.streams()) {
    const Combiner& combiner = *stream.combiner;
    const ForecastCertificate certificate = certificate_of(combiner);
    Json one = Json::object({{"total", combiner.total()},
                             {"rows", combiner.rows()},
                             {"rounds", combiner.settled()},
                             {"delay", combiner.longest_delay()},
                             {"never", combiner.never()},
                             {"gap_top", combiner.top().gap()},
                             {"certificate", certificate_json(certificate, combiner.plan())}});
    if (stream.horizon) one.set("horizon", stream.horizon);
    if (!table.levels.empty()) one.set("level", table.levels[stream.level]);
    if (certificate.convex) {
      measured += certificate.convex->measured;
      proven += certificate.convex->proven;
      closed += certificate.convex->closed;
    }
    settled += combiner.total();
    streams.push_back(std::move(one));
  }
  Json hindsight = forecast_hindsight(run, of.terms);
  const std::string best_model = hindsight.at("best_model").as_string();
  const double scale = table.levels.empty() ? 1 : 2 / static_cast<double>(table.levels.size());
  const ForecastPlayer& ours = judged.players.front();
  const auto limit = [&](double certificate) {
    return number_or_null(shown_error(shown, (hindsight.at("value").as_number() + scale * certificate) / ours.weight));
  };
  Json convex = Json::object(
      {{"measured", scale * measured},
       {"proven", scale * proven},
       {"closed", scale * closed},
       // No fixed mixture is below the total less what was measured.
       {"least", number_or_null(shown_error(shown, std::max(0.0, scale * (settled - measured)) / ours.weight))},
       {"measured_error", limit(measured)},
       {"proven_error", limit(proven)},
       {"closed_error", limit(closed)}});
  Json rows = Json::object({{"all", table.rows()},
                            {"judged", judged.counted},
                            {"no_actual", judged.no_actual},
                            {"no_forecast", judged.no_forecast},
                            {"zero_actual", judged.zero_actual},
                            {"future", judged.future},
                            {"too_late", run.too_late},
                            {"known_before", run.known_before},
                            {"crossed", run.crossed},
                            {"clipped", run.clipped}});
  Json result = Json::object({{"forecast_comparison", 1},
                              {"source", of.source},
                              {"loss", table.levels.empty() ? of.terms.loss.name() : std::string("quantiles")},
                              {"unit", of.unit},
                              {"models", table.models},
                              {"levels", table.levels},
                              {"members", std::move(members)},
                              {"today", judged.today},
                              {"today_named", !of.terms.today.empty()},
                              {"rounds", judged.rounds.size()},
                              {"has_times", !table.round_seconds.empty()},
                              {"time_column", table.key_names.empty() ? Json() : Json(table.key_names.front())},
                              {"rows", std::move(rows)},
                              {"missing", judged.missing},
                              {"judgement", judgement_json(ours, shown, judged.today)},
                              {"players", std::move(players)},
                              {"hindsight", std::move(hindsight)},
                              {"convex", std::move(convex)},
                              {"streams", std::move(streams)},
                              {"curve", curve_json(table, judged, shown)},
                              {"last", last_json(run)},
                              {"weights", weights_json(run)}});
  if (!table.levels.empty()) result.set("coverage", coverage_json(run, judged));
  result.set("groups", forecast_groups(run, judged, shown, best_model));
  result.set("notes", table.notes).set("warnings", forecast_warnings(run, judged));
  return result;
}

}  // namespace hannan::detail
