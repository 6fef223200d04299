// One pass over the judged rows for each grouping: losses of the combined forecast and of today's are added to the
// group of the row. Of months, quarters, weeks, days and years the first that gives 6 to 36 groups is taken, otherwise
// twelve stretches of rounds. Cost: an access to a map for each row and grouping.
#include "hannan/compare/forecast_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "hannan/io/written_time.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kFewestGroups = 6, kMostGroups = 36, kMostGroupNames = 50, kStretches = 12;
constexpr double kSecondsOfDay = 86'400;

struct GroupSums {
  double weight = 0, combined = 0, today = 0;
  double best_weight = 0, best = 0;  // of the rows that the best model delivered
  double seconds = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t rows = 0;
};

using Named = std::function<std::string(std::size_t)>;  // of a row; empty: it has none

// Losses of one model, as those of the other players; NaN where it did not deliver.
std::vector<double> losses_of_model(const ForecastRun& run, const std::string& name) {
  const ForecastTable& table = run.table();
  const auto k = static_cast<std::size_t>(std::ranges::find(table.models, name) - table.models.begin());
  std::vector<double> losses(table.rows(), 0.0);
  const double scale = table.levels.empty() ? 1 : 2 / static_cast<double>(table.levels.size());
  for (const ForecastStream& stream : run.streams()) {
    const ForecastLoss& loss = stream.combiner->plan().loss;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (stream.horizon && table.horizon[i] != stream.horizon) continue;
      const double x = table.forecasts(i, stream.level)[k];
      losses[i] += std::isnan(x) || std::isnan(table.y[i]) ? std::numeric_limits<double>::quiet_NaN()
                                                           : scale * loss.value(loss.taken(x), table.y[i]);
    }
  }
  return losses;
}

struct GroupedLosses {
  const ForecastTable& table;
  const JudgedForecasts& judged;
  std::vector<double> best;
};

std::map<std::string, GroupSums> summed(const GroupedLosses& of, const Named& name_of) {
  const auto& [table, judged, judged_best] = of;
  std::map<std::string, GroupSums> groups;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (std::isnan(judged.row_losses[i])) continue;
    const std::string name = name_of(i);
    if (name.empty()) continue;
    GroupSums& group = groups[name];
    const double weight = table.weight.empty() ? 1 : table.weight[i];
    group.weight += weight;
    group.combined += weight * judged.row_losses[i];
    group.today += weight * judged.today_losses[i];
    if (!std::isnan(judged_best[i])) {
      group.best_weight += weight;
      group.best += weight * judged_best[i];
    }
    if (group.rows == 0 && !table.round_seconds.empty()) group.seconds = table.round_seconds[table.round[i]];
    ++group.rows;
  }
  return groups;
}

enum class GroupOrder { kByName, kByRows };
Json group_json(const std::string& by, const std::map<std::string, GroupSums>& groups, const ForecastLoss& loss,
                GroupOrder order) {
  std::vector<std::pair<std::string, GroupSums>> list(groups.begin(), groups.end());
  if (order == GroupOrder::kByRows)
    std::ranges::sort(list, [](const auto& a, const auto& b) {
      return a.second.rows != b.second.rows ? a.second.rows > b.second.rows : a.first < b.first;
    });
  Json rows = Json::array();
  for (const auto& [name, group] : list) {
    if (rows.size() == kMostGroupNames) break;
    rows.push_back(Json::object(
        {{"name", name},
         {"rows", group.rows},
         {"combined", shown_error(loss, group.combined / group.weight)},
         {"today", shown_error(loss, group.today / group.weight)},
         {"best", group.best_weight > 0 ? Json(shown_error(loss, group.best / group.best_weight)) : Json()},
         {"seconds", std::isnan(group.seconds) ? Json() : Json(group.seconds)}}));
  }
  return Json::object({{"by", by}, {"rows", std::move(rows)}});
}

// "2026-03-01" of the first second of a day; the texts sort as the days do.
std::string day_text(double seconds) {
  return clock_text({.seconds = static_cast<std::int64_t>(std::floor(seconds))}, false);
}

}  // namespace

Json forecast_groups(const ForecastRun& run, const JudgedForecasts& judged, const ForecastLoss& loss,
                     const std::string& best_model) {
  const ForecastTable& table = run.table();
  const GroupedLosses losses{table, judged, losses_of_model(run, best_model)};
  Json made = Json::array();
  if (!table.round_seconds.empty()) {
    const auto seconds = [&](std::size_t i) { return table.round_seconds[table.round[i]]; };
    const std::array<std::pair<const char*, Named>, 5> stretches{{
        {"month", [&](std::size_t i) { return day_text(seconds(i)).substr(0, 7); }},
        {"quarter",
         [&](std::size_t i) {
           const std::string day = day_text(seconds(i));  // 2026-07-31
           return day.substr(0, 4) + " Q" + std::to_string((std::stoi(day.substr(5, 2)) + 2) / 3);
         }},
        {"week",
         [&](std::size_t i) {  // from Monday on: day 4 since 1970 was one
           return "week of " + day_text(kSecondsOfDay * (std::floor((seconds(i) / kSecondsOfDay - 4) / 7) * 7 + 4));
         }},
        {"day", [&](std::size_t i) { return day_text(seconds(i)); }},
        {"year", [&](std::size_t i) { return day_text(seconds(i)).substr(0, 4); }},
    }};
    for (const auto& [by, name_of] : stretches) {
      const auto groups = summed(losses, name_of);
      if (groups.size() < kFewestGroups || groups.size() > kMostGroups) continue;
      made.push_back(group_json(by, groups, loss, GroupOrder::kByName));
      break;
    }
  }
  if (made.size() == 0 && judged.rounds.size() >= kStretches) {
    const auto groups = summed(losses, [&](std::size_t i) {
      const auto at =
          static_cast<std::size_t>(std::ranges::lower_bound(judged.rounds, table.round[i]) - judged.rounds.begin());
      const std::size_t part = at * kStretches / judged.rounds.size();
      const auto first = [&](std::size_t p) { return (p * judged.rounds.size() + kStretches - 1) / kStretches; };
      std::string from = std::to_string(judged.rounds[first(part)] + 1);
      from.insert(0, from.size() < 9 ? 9 - from.size() : 0, ' ');  // so that they sort as numbers
      return from + " to " + std::to_string(judged.rounds[first(part + 1) - 1] + 1);
    });
    made.push_back(group_json("stretch", groups, loss, GroupOrder::kByName));
  }
  for (std::size_t c = table.round_seconds.empty() && table.round_times.empty() ? 0 : 1; c < table.key_names.size();
       ++c) {
    const auto groups = summed(losses, [&](std::size_t i) { return table.keys[i * table.key_names.size() + c]; });
    if (groups.size() > 1 && groups.size() < table.rows())
      made.push_back(group_json(table.key_names[c], groups, loss, GroupOrder::kByRows));
  }
  for (std::size_t b = 0; b < table.by.size(); ++b) {
    const auto groups = summed(losses, [&](std::size_t i) { return table.values[i * table.by.size() + b]; });
    if (groups.size() > 1) made.push_back(group_json(table.by[b], groups, loss, GroupOrder::kByName));
  }
  return made;
}

}  // namespace hannan::detail
