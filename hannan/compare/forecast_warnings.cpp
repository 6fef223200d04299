// One pass over the rows for each warning; the shares that make one are in the header.
#include "hannan/compare/forecast_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace hannan::detail {
namespace {

// A model that knows the actual: it was most likely made afterwards.
void warn_of_copies(Json& warnings, const ForecastTable& table) {
  const double low = *std::ranges::min_element(
      table.y, {}, [](double y) { return std::isnan(y) ? std::numeric_limits<double>::infinity() : y; });
  const double high = *std::ranges::max_element(
      table.y, {}, [](double y) { return std::isnan(y) ? -std::numeric_limits<double>::infinity() : y; });
  if (!table.levels.empty() || !(high > low)) return;
  for (std::size_t k = 0; k < table.models.size(); ++k) {
    double close = 0, all = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const double off = table.forecasts(i, 0)[k] - table.y[i];
      if (std::isnan(off)) continue;
      all += 1;
      close += std::abs(off) <= 1e-12 * (high - low) ? 1 : 0;
    }
    if (all > 0 && close >= 0.99 * all)
      warnings.push_back(table.models[k] + " equals the actual: was it made afterwards?");
  }
}

// Numeric columns are taken as models unless it is said which are: identifiers and prices too. Their nonsense makes the
// plain mean bad, and everything beside it good.
void warn_of_strangers(Json& warnings, const ForecastTable& table) {
  constexpr std::size_t kLeastRows = 10;
  if (!table.levels.empty()) return;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < table.models.size(); ++k) {
    double low = kInfinity, high = -kInfinity, least = kInfinity, most = -kInfinity;
    std::size_t rows = 0, steps = 0;  // steps: by 1 from the row before
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const double x = table.forecasts(i, 0)[k], y = table.y[i];
      steps += i > 0 && x - table.forecasts(i - 1, 0)[k] == 1 ? 1 : 0;
      if (std::isnan(x) || std::isnan(y)) continue;
      ++rows;
      low = std::min(low, x);
      high = std::max(high, x);
      least = std::min(least, y);
      most = std::max(most, y);
    }
    if (rows < kLeastRows) continue;
    const std::string& name = table.models[k];
    if (steps + 1 == table.rows()) {
      warnings.push_back(name + " counts the rows: is it a forecast? --drop " + name + " leaves it out");
    } else if (high < least || low > most) {
      warnings.push_back(fmt::format(
          "{} lies from {:.6g} to {:.6g}, the actual from {:.6g} to {:.6g}: is it a forecast of it, in the same unit? "
          "--drop {} leaves it out",
          name, low, high, least, most, name));
    }
  }
}

// An actual in another unit or with a digit too many: then every figure is about this row.
void warn_of_one_row(Json& warnings, const ForecastRun& run, const JudgedForecasts& judged) {
  constexpr std::uint64_t kLeastRows = 20;
  constexpr double kLargeShare = 0.5;
  const ForecastTable& table = run.table();
  double sum = 0, most = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (std::isnan(judged.row_losses[i])) continue;
    const double loss = judged.row_losses[i] * (table.weight.empty() ? 1 : table.weight[i]);
    sum += loss;
    if (loss <= most) continue;
    most = loss;
    at = i;
  }
  if (judged.counted < kLeastRows || !(most > kLargeShare * sum)) return;
  warnings.push_back(fmt::format(
      "one row of {} makes {:.0f} % of the summed error: {}, actual {:.6g}, combined {:.6g}; is it right?",
      judged.counted, 100 * most / sum, table.key_text(at), table.y[at], run.published[at * table.depth()]));
}

// Rounds with a value of the column, the middle one of all values.
void warn_of_few_rounds(Json& warnings, const ForecastTable& table) {
  for (std::size_t b = 0; b < table.by.size(); ++b) {
    struct Seen {
      std::size_t rounds = 0, last = 0;  // last: the round plus 1
    };
    std::map<std::string, Seen> values;
    std::vector<std::size_t> order(table.rows());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return table.round[i]; });
    for (const std::size_t i : order) {
      Seen& seen = values[table.values[i * table.by.size() + b]];
      if (std::isnan(table.y[i]) || seen.last == table.round[i] + 1) continue;
      seen.last = table.round[i] + 1;
      ++seen.rounds;
    }
    std::vector<std::size_t> counts;
    for (const auto& [value, seen] : values) counts.push_back(seen.rounds);
    std::ranges::nth_element(counts, counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2));
    const std::size_t middle = counts[counts.size() / 2];
    if (middle >= 2 * table.models.size()) continue;
    warnings.push_back("--by " + table.by[b] + " has " + std::to_string(counts.size()) + " values with " +
                       std::to_string(middle) + " rounds in the median, below two for each of the " +
                       std::to_string(table.models.size()) +
                       " models: weights of their own are hardly learned from so few");
  }
}

// Rounds at the end of the table whose actuals have not come.
void warn_of_patience(Json& warnings, const ForecastRun& run) {
  const ForecastTable& table = run.table();
  std::size_t given = 0;  // the last round with an actual, plus 1
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!std::isnan(table.y[i])) given = std::max(given, table.round[i] + 1);
  }
  const std::size_t open = table.round_names.size() - given;
  if (open <= run.plan().patience) return;
  warnings.push_back(std::to_string(open) + " rounds at the end have no actual, and one is waited for " +
                     std::to_string(run.plan().patience) +
                     " rounds: the first of them are settled without theirs; --patience waits longer");
}

}  // namespace

Json forecast_warnings(const ForecastRun& run, const JudgedForecasts& judged) {
  Json warnings = Json::array();
  if (run.table().models.size() == 1)
    warnings.push_back("there is one model, " + run.table().models.front() + ": nothing is combined");
  warn_of_copies(warnings, run.table());
  const std::size_t before = warnings.size();
  warn_of_strangers(warnings, run.table());
  if (warnings.size() == before) warn_of_one_row(warnings, run, judged);  // else it may be their doing
  if (judged.zero_actual * 100 > judged.counted)
    warnings.push_back(std::to_string(judged.zero_actual) +
                       " rows have the actual 0 and no percentage: they are left out");
  warn_of_few_rounds(warnings, run.table());
  warn_of_patience(warnings, run);
  return warnings;
}

}  // namespace hannan::detail
