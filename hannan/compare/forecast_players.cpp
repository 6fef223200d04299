// Losses of players on one table (forecast_players.hpp). A player without a forecast in a row has no loss there, and
// is held against today's forecast on the rows that it has.
#include "hannan/compare/forecast_players.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/forecasts/quantiles.hpp"

namespace hannan::detail {
namespace {

// The forecasts of one player in a row, one for each level; false where one is missing.
using RowForecasts = std::vector<double>;

class Players {
 public:
  Players(const ForecastRun& run, const ForecastTerms& terms)
      : run_(run), table_(run.table()), depth_(table_.depth()), loss_(terms.loss) {}

  // NaN: there is none.
  double loss(const RowForecasts& forecasts, double y) const {
    for (const double one : forecasts) {
      if (std::isnan(one)) return one;
    }
    if (!table_.levels.empty()) return interval_score(forecasts, table_.levels, y);
    const bool clip = loss_.kind == ForecastLoss::Kind::kLog;
    return loss_.value(clip ? std::clamp(forecasts[0], loss_.clip, 1 - loss_.clip) : forecasts[0], y);
  }

  void combined(std::size_t row, RowForecasts& into) const {
    for (std::size_t q = 0; q < depth_; ++q) into[q] = run_.published[row * depth_ + q];
  }
  void member(std::size_t row, std::size_t j, RowForecasts& into) const {
    const std::size_t m = run_.plan().members.size();
    for (std::size_t q = 0; q < depth_; ++q) into[q] = run_.members[(row * depth_ + q) * m + j];
    sort_levels(into);
  }
  void rule(std::size_t row, std::size_t which, RowForecasts& into) const {
    for (std::size_t q = 0; q < depth_; ++q) into[q] = run_.baselines[(row * depth_ + q) * 3 + which];
    if (std::ranges::none_of(into, [](double v) { return std::isnan(v); })) sort_levels(into);
  }
  void model(std::size_t row, std::size_t k, RowForecasts& into) const {
    for (std::size_t q = 0; q < depth_; ++q) into[q] = table_.forecasts(row, q)[k];
  }
  void mean(std::size_t row, RowForecasts& into) const {
    for (std::size_t q = 0; q < depth_; ++q) {
      double sum = 0, count = 0;
      for (const double x : table_.forecasts(row, q).first(table_.models.size())) {
        if (std::isnan(x)) continue;
        sum += x;
        count += 1;
      }
      into[q] = count > 0 ? sum / count : kNotDelivered;
    }
  }

 private:
  const ForecastRun& run_;
  const ForecastTable& table_;
  std::size_t depth_;
  const ForecastLoss& loss_;
};

}  // namespace

double shown_error(const ForecastLoss& loss, double mean) {
  return loss.kind == ForecastLoss::Kind::kSquared ? std::sqrt(std::max(0.0, mean)) : mean;
}

double error_avoided(const ForecastLoss& loss, const ForecastPlayer& player, double gain) {
  if (player.weight == 0) return 0;
  return shown_error(loss, player.today_total / player.weight) -
         shown_error(loss, (player.today_total - gain) / player.weight);
}

JudgedForecasts judged_forecasts(const ForecastRun& run, const ForecastTerms& terms, std::uint64_t warm) {
  const ForecastTable& table = run.table();
  const Players players(run, terms);
  JudgedForecasts made;
  const auto today_member = std::ranges::find(run.plan().members, "today", &ForecastMember::name);
  const bool named = today_member != run.plan().members.end();
  made.today = named ? terms.today : "plain mean";
  const std::size_t depth = table.depth(), rounds = table.round_names.size();
  // Which rows count.
  std::size_t last = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!std::isnan(table.y[i])) last = std::max(last, table.round[i] + 1);
  }
  std::vector<unsigned char> counts(table.rows(), 0);
  std::vector<std::size_t> place(rounds, 0);
  double missing = 0, all = 0;
  RowForecasts forecasts(depth);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!run.forecast[i]) continue;
    players.combined(i, forecasts);
    const bool forecast = std::ranges::none_of(forecasts, [](double v) { return std::isnan(v); });
    const bool actual = !std::isnan(table.y[i]);
    if (!actual)
      ++(table.round[i] + 1 >= last && table.round[i] >= (last ? last - 1 : 0) ? made.future : made.no_actual);
    if (actual && !forecast) ++made.no_forecast;
    if (!actual || !forecast) continue;
    if (table.levels.empty() && !terms.loss.counts(table.y[i])) {
      ++made.zero_actual;
      continue;
    }
    if (table.round[i] < warm) continue;
    counts[i] = 1;
    ++made.counted;
    place[table.round[i]] = 1;
    for (std::size_t q = 0; q < depth; ++q) {
      for (const double x : table.forecasts(i, q).first(table.models.size())) {
        missing += std::isnan(x) ? 1 : 0;
        all += 1;
      }
    }
  }
  made.missing = all > 0 ? missing / all : 0;
  for (std::size_t r = 0; r < rounds; ++r) {
    if (place[r] == 0) continue;
    made.rounds.push_back(r);
    place[r] = made.rounds.size();
  }
  made.row_losses.assign(table.rows(), kNotDelivered);
  made.today_losses.assign(table.rows(), kNotDelivered);
  const auto add = [&](const std::string& name, const char* role, const auto& fill) {
    ForecastPlayer player{.name = name, .role = role};
    player.losses.assign(made.rounds.size(), 0.0);
    player.today.assign(made.rounds.size(), 0.0);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (!counts[i]) continue;
      fill(i, forecasts);
      const double weight = table.weight.empty() ? 1 : table.weight[i];
      const double loss = players.loss(forecasts, table.y[i]);
      if (std::isnan(loss)) continue;
      const bool first = made.players.empty();
      if (first) made.row_losses[i] = loss;
      if (first) {
        if (named) {
          players.member(i, static_cast<std::size_t>(today_member - run.plan().members.begin()), forecasts);
        } else {
          players.mean(i, forecasts);
        }
        made.today_losses[i] = players.loss(forecasts, table.y[i]);
      }
      const std::size_t r = place[table.round[i]] - 1;
      player.losses[r] += weight * loss;
      player.today[r] += weight * made.today_losses[i];
      player.weight += weight;
      ++player.rows;
    }
    for (std::size_t r = 0; r < player.losses.size(); ++r) {
      player.total += player.losses[r];
      player.today_total += player.today[r];
    }
    made.players.push_back(std::move(player));
  };
  add("combined", "combined", [&](std::size_t i, RowForecasts& into) { players.combined(i, into); });
  const auto& members = run.plan().members;
  for (std::size_t j = 0; j < members.size(); ++j)
    add(members[j].name == "mean"    ? "plain mean"
        : members[j].name == "today" ? "today: " + terms.today
                                     : members[j].name,
        "member", [&](std::size_t i, RowForecasts& into) { players.member(i, j, into); });
  if (!run.plan().member(ForecastMember::Kind::kMean))
    add("plain mean", "rule", [&](std::size_t i, RowForecasts& into) { players.mean(i, into); });
  const char* const rules[] = {"trimmed", "last best", "inverse error"};
  for (std::size_t which = 0; which < 3; ++which)
    add(rules[which], "rule", [&](std::size_t i, RowForecasts& into) { players.rule(i, which, into); });
  for (std::size_t k = 0; k < table.width(); ++k)
    add(k < table.models.size() ? table.models[k] : table.columns[k - table.models.size()],
        k < table.models.size() ? "model" : "column",
        [&](std::size_t i, RowForecasts& into) { players.model(i, k, into); });
  return made;
}

}  // namespace hannan::detail
