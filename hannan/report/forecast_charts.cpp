// Charts of a combined forecast as data (forecast_charts.hpp): numbers are those of the result, rounded once.
#include "hannan/report/forecast_charts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "hannan/core/text.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/page_text.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostBands = 8;
constexpr std::size_t kMostFaint = 4;  // models beside the combined forecast
constexpr std::size_t kMostSeriesNumbers = 50'000;

double figure_of(const Json& of, const char* name) { return of.at(name).as_number(); }

}  // namespace

std::string forecast_state(const ForecastWords& words) {
  const std::string& verdict = words.result.at("judgement").at("verdict").as_string();
  if (verdict == "deploy") return "better";
  if (verdict == "keep") return words.avoided < 0 ? "worse" : "keep";
  return "unsure";
}

// Summed where the loss has the unit; of roots the difference so far, which ends on the headline.
Json avoided_chart(const ForecastWords& words) {
  const auto& curve = words.result.at("curve").as_array();
  const bool time = words.result.at("has_times") == Json(true);
  const bool summed = words.result.at("loss") == Json("absolute") && words.result.at("levels").size() == 0;
  Json at = Json::array(), values = Json::array(), rounds = Json::array();
  double low = 0, high = 0, last = 0;
  // The first rounds of a root jump: they are left out.
  const std::size_t from = summed || curve.size() < 30 ? 0 : curve.size() / 16;
  for (std::size_t i = from; i < curve.size(); ++i) {
    last = summed ? figure_of(curve[i], "summed") : figure_of(curve[i], "today") - figure_of(curve[i], "combined");
    if (words.percent) last *= 100;
    at.push_back(time ? curve[i].at("seconds") : curve[i].at("round"));
    rounds.push_back(curve[i].at("round"));
    values.push_back(rounded(last));
    low = std::min(low, last);
    high = std::max(high, last);
  }
  const std::string what = summed ? "Sum of the errors of " : "Error of ";
  Json series =
      Json::object({{"name", "combined"},
                    {"ink", 0},
                    {"values", std::move(values)},
                    {"end", summed ? with_unit(shown(std::abs(last), 0, kPageLetters), words.unit, kPageLetters) +
                                         (last >= 0 ? " less" : " more")
                                   : words.side(words.avoided)}});
  Json chart = Json::object(
      {{"block", "gains"},
       {"title", "Error avoided compared with " + words.today + (summed ? ", summed" : ", over all rounds so far")},
       {"about",
        what + words.today + " less that of the combined forecast" + words.in_unit() + ". Above the line is better."},
       {"alt", "Error avoided over time; at the end " + words.side(words.avoided)},
       {"unit", words.percent ? std::string("%") : words.unit},
       {"currency", words.percent ? std::string("%") : words.unit},
       {"round", words.round},
       {"zero", "0 = " + words.today},
       {"state", forecast_state(words)},
       {"at", std::move(at)},
       {"places", summed ? 0 : words.places},
       {"sides", Json::array({Json("less"), Json("more")})},
       {"scale", Json::array({low, high})},
       {"series", Json::array({std::move(series)})},
       {"off", Json::array()}});
  if (time) chart.set("time", true).set("rounds", std::move(rounds));
  return chart;
}

// One chart of the series with most rows; further series in a closed part.
void write_actuals(Json& blocks, const ForecastWords& words) {
  std::map<std::string, std::vector<const Json*>> series;
  for (const Json& row : words.result.at("last").as_array()) series[row.at("series").as_string()].push_back(&row);
  std::vector<std::pair<std::string, std::vector<const Json*>>> list(series.begin(), series.end());
  std::ranges::sort(list, [](const auto& a, const auto& b) {
    return a.second.size() != b.second.size() ? a.second.size() > b.second.size() : a.first < b.first;
  });
  const bool time = words.result.at("has_times") == Json(true);
  const auto chart_of = [&](const std::string& name, const std::vector<const Json*>& rows) {
    PageChart chart{.title = name.empty() ? std::string() : name,
                    .x_name = time ? "" : words.round,
                    .y_name = words.percent ? std::string() : words.unit};
    chart.x_axis = time ? PageChart::Axis::kTime : PageChart::Axis::kLinear;
    chart.axis_start = PageChart::AxisStart::kData;
    chart.alt = "Combined forecast and actual" + (name.empty() ? "" : " of " + name);
    PageSeries combined{.name = "combined forecast", .ink = 0}, actual{.name = "actual", .ink = 3};
    actual.look = PageSeries::Look::kPoints;
    PageSeries low{.name = "lowest level", .ink = 6}, high{.name = "highest level", .ink = 6};
    const auto& names = words.result.at("models").as_array();
    std::vector<PageSeries> models;
    for (std::size_t k = 0; k < std::min(kMostFaint, names.size()); ++k)
      models.push_back({.name = names[k].as_string(), .ink = 7 + k, .look = PageSeries::Look::kFaint});
    const auto value = [](const Json& of) {
      return of.is_number() ? std::optional(rounded(of.as_number())) : std::nullopt;
    };
    for (const Json* row : rows) {
      chart.at.push_back(figure_of(*row, time ? "seconds" : "round"));
      combined.values.push_back(value(row->at("combined")));
      actual.values.push_back(value(row->at("actual")));
      for (std::size_t k = 0; k < models.size(); ++k) models[k].values.push_back(value(row->at("models")[k]));
      if (row->find("low")) {
        low.values.push_back(value(row->at("low")));
        high.values.push_back(value(row->at("high")));
      }
    }
    chart.series = {actual, combined};
    if (!low.values.empty()) {
      chart.series.push_back(low);
      chart.series.push_back(high);
    } else {
      for (PageSeries& model : models) chart.series.push_back(std::move(model));
    }
    return chart;
  };
  if (list.empty()) return;
  PageChart first = chart_of(list.front().first, list.front().second);
  first.title = "Combined against actual" + (list.front().first.empty() ? "" : ": " + list.front().first);
  first.about = "The last " + words.rounds(static_cast<double>(first.at.size())) + words.in_unit() +
                ". Rounds without an actual are the future.";
  blocks.push_back(chart_block(first));
  if (list.size() == 1) return;
  std::vector<PageChart> more;
  std::size_t numbers = 0;
  for (std::size_t i = 1; i < list.size() && i < 50 && numbers < kMostSeriesNumbers; ++i) {
    more.push_back(chart_of(list[i].first, list[i].second));
    numbers += more.back().at.size() * more.back().series.size();
  }
  Json inside = Json::array();
  inside.push_back(charts_block("", "", more));
  blocks.push_back(fold_block("The other series", "Combined against actual, one chart each.", std::move(inside)));
}

Json weights_bands(const ForecastWords& words) {
  const Json& weights = words.result.at("weights");
  const auto& rounds = weights.at("rounds").as_array();
  const std::size_t names = weights.at("names").size();
  std::vector<double> sums(names, 0.0);
  for (const Json& round : rounds) {
    for (std::size_t k = 0; k < names; ++k) sums[k] += round.at("weights")[k].as_number();
  }
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k + 1 < names; ++k) order.push_back(k);
  std::ranges::sort(order,
                    [&](std::size_t a, std::size_t b) { return sums[a] != sums[b] ? sums[a] > sums[b] : a < b; });
  const bool time = words.result.at("has_times") == Json(true);
  Json at = Json::array();
  for (const Json& round : rounds) at.push_back(time ? round.at("seconds") : round.at("round"));
  Json series = Json::array();
  const auto band = [&](const std::string& name, std::size_t ink, const std::vector<std::size_t>& parts) {
    Json values = Json::array();
    for (const Json& round : rounds) {
      double sum = 0;
      for (const std::size_t k : parts) sum += round.at("weights")[k].as_number();
      values.push_back(rounded(sum));
    }
    series.push_back(Json::object({{"name", name}, {"ink", ink}, {"values", std::move(values)}}));
  };
  for (std::size_t i = 0; i < order.size() && i < kMostBands; ++i)
    band(weights.at("names")[order[i]].as_string(), i, {order[i]});
  if (order.size() > kMostBands)
    band("others", kMostBands, {order.begin() + static_cast<std::ptrdiff_t>(kMostBands), order.end()});
  if (sums.back() > 0) band("median", kMostBands + 1, {names - 1});
  return Json::object({{"block", "bands"},
                       {"title", "Weights over time"},
                       {"about", "How much of the combined forecast each model makes up; at the right: now."},
                       {"alt", "Shares of the models in the combined forecast over time, summing to 100 %"},
                       {"x_name", words.round},
                       {"time", time},
                       {"at", std::move(at)},
                       {"series", std::move(series)}});
}

void write_groups(Json& blocks, const ForecastWords& words) {
  bool first = true;
  Json folded = Json::array();
  for (const Json& group : words.result.at("groups").as_array()) {
    const std::string& by = group.at("by").as_string();
    PageTable table{.title = "Error by " + by,
                    .about = words.kind + words.in_unit(),
                    .header = {by, "combined", words.today, "error avoided", "rows"},
                    .rows = {}};
    PageChart chart{.title = "Error by " + by,
                    .about = words.kind + words.in_unit() + ". Lower is better.",
                    .x_name = by,
                    .y_name = words.percent ? "%" : words.unit};
    PageSeries combined{.name = "combined forecast", .ink = 0}, today{.name = words.today, .ink = 3};
    PageSeries best{.name = words.result.at("hindsight").at("best_model").as_string() + ", known only afterwards",
                    .ink = 5};
    // The first grouping is by time; results of earlier versions do not say it.
    const bool time = first && std::ranges::all_of(group.at("rows").as_array(), [](const Json& row) {
                        return row.find_number("seconds").has_value();
                      });
    if (time) {
      chart.x_axis = PageChart::Axis::kTime;
      chart.x_name.clear();
    }
    for (const Json& row : group.at("rows").as_array()) {
      const double ours = figure_of(row, "combined"), theirs = figure_of(row, "today"), scale = words.percent ? 100 : 1;
      table.rows.push_back({row.at("name").as_string(), words.bare(ours), words.bare(theirs),
                            words.signed_bare(theirs - ours),
                            page_count(static_cast<std::uint64_t>(figure_of(row, "rows")))});
      chart.at.push_back(time ? figure_of(row, "seconds") : static_cast<double>(chart.at.size() + 1));
      const Json* alone = row.find("best");  // results of before have none
      best.values.push_back(alone && alone->is_number() ? std::optional(rounded(scale * alone->as_number()))
                                                        : std::nullopt);
      combined.values.emplace_back(rounded(scale * ours));
      today.values.emplace_back(rounded(scale * theirs));
    }
    // The last stretch reaches to the last round, so that it is as wide as it was.
    const Json& curve = words.result.at("curve");
    if (time && curve.size() > 0 && figure_of(curve[curve.size() - 1], "seconds") > chart.at.back()) {
      chart.at.push_back(figure_of(curve[curve.size() - 1], "seconds"));
      for (PageSeries* series : {&combined, &today, &best}) series->values.push_back(series->values.back());
    }
    const auto better = std::ranges::count_if(group.at("rows").as_array(), [](const Json& row) {
      return figure_of(row, "combined") < figure_of(row, "today");
    });
    table.about += ". The combined forecast was closer in " + std::to_string(better) + " of " +
                   std::to_string(table.rows.size()) + ".";
    chart.series = {combined, today, best};
    chart.line = PageChart::Line::kStep;
    if (first) {
      blocks.push_back(chart_block(chart));
      table.title.clear();
      blocks.push_back(table_block(table));
    } else {
      folded.push_back(table_block(table));
    }
    first = false;
  }
  if (folded.size() > 0)
    blocks.push_back(
        fold_block("Errors by series, horizon and hour", "Where it is better, and where not.", std::move(folded)));
}

void write_coverage(Json& blocks, const ForecastWords& words) {
  const Json* coverage = words.result.find("coverage");
  if (!coverage) return;
  PageTable table{
      .title = "Quantiles",
      .about =
          "How often the actual was at or below each quantile, beside how often it should be, and the score by level" +
          words.in_unit() + ".",
      .header = {"level", "should be below", "was below", "score"},
      .rows = {}};
  for (const Json& level : coverage->as_array()) {
    const auto share = [&](const char* name) {
      return shown(100 * figure_of(level, name), 1, kPageLetters) + "\u00a0%";
    };
    table.rows.push_back({number_text(figure_of(level, "level")), share("level"), share("share"),
                          words.bare(figure_of(level, "score"))});
  }
  blocks.push_back(table_block(table));
}

}  // namespace hannan::detail
