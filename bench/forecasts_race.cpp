// What combined forecasts cost: a table of 20 models read, combined and written, beside MLpol of the R package opera as
// a NumPy loop (rivals/mlpol.py) over the same file; and the combiner alone, over a budget of 1 microsecond a row.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "bench/rival.hpp"
#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/forecasts/run.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::size_t kForecastModels = 20;
constexpr double kRowBudget = 1;     // microseconds
constexpr double kTableBudget = 10;  // seconds, of a million rows

// Numbers in (-1/2, 1/2) that look drawn.
double spread_number(std::uint64_t i) {
  const std::uint64_t b = (i * 2'654'435'761U) % (std::uint64_t{1} << 32) * 48'271 % 2'147'483'647;
  return static_cast<double>(b) / 2'147'483'647 - 0.5;
}

// A load that rises and falls; model k is off by its own share.
struct MadeRow {
  double y;
  double x[kForecastModels];
};
MadeRow made_row(std::uint64_t t) {
  const auto place = static_cast<double>(t % 1000);
  MadeRow row{};
  row.y = 60'000 + place * (1000 - place) / 50 + 500 * spread_number(31 * t);
  for (std::size_t k = 0; k < kForecastModels; ++k) {
    const auto size = static_cast<double>(k % 7 + 1);
    row.x[k] = row.y + 400 * size * (spread_number(31 * t + k + 1) + 0.02 * (size - 4));
  }
  return row;
}

void write_table(const std::string& path, std::uint64_t rows) {
  std::ofstream file(path);
  file << "t,actual";
  for (std::size_t k = 0; k < kForecastModels; ++k) file << ",m" << k;
  file << '\n';
  std::string text;
  for (std::uint64_t t = 0; t < rows; ++t) {
    const MadeRow row = made_row(t);
    text = fmt::format("{},{:.2f}", t + 1, row.y);
    for (const double x : row.x) fmt::format_to(std::back_inserter(text), ",{:.2f}", x);
    file << text << '\n';
  }
}

// Read, combined, written; the mean squared error of what was published in the first `judged` rows.
double combine_table(const std::string& path, const std::string& out, std::uint64_t judged) {
  const ForecastTable table = read_forecasts(path, {.actual = "actual", .timestamp = "t"});
  ForecastRun run(table, {});
  run.play(ForecastRun::Weights::kSome);
  std::ofstream(out) << predictions_csv(run);
  double sum = 0;
  for (std::uint64_t t = 0; t < judged; ++t) sum += std::pow(run.published[t] - table.y[t], 2);
  return sum / static_cast<double>(judged);
}

double combine_alone(const std::vector<MadeRow>& rows) {
  CombinerPlan plan;
  for (std::size_t k = 0; k < kForecastModels; ++k) plan.models.push_back("m" + std::to_string(k));
  set_members(plan, default_members(), "members");
  Combiner combiner(std::move(plan));
  for (const MadeRow& row : rows) {
    const ForecastRow asked{.x = row.x};
    combiner.tell(combiner.forecast({&asked, 1}).id, 0, row.y);
  }
  return combiner.total();
}

}  // namespace

std::vector<Row> forecasts_race(const Setting& setting) {
  setting.say("forecasts");
  const auto rows = setting.pick<std::uint64_t>(1'000'000, 300), few = setting.pick<std::uint64_t>(100'000, 300);
  const int times = setting.pick(3, 1);
  const std::string table = setting.scratch + "/forecasts.csv", out = setting.scratch + "/combined.csv";
  write_table(table, rows);
  double error = 0;
  const double seconds = least_seconds(times, [&] { error = combine_table(table, out, few); });
  // Rows of MLpol all cost the same: a tenth of them is enough.
  const Json answer =
      ask_rival(setting, {.program = "mlpol.py",
                          .question = Json::object({{"table", table}, {"rows", few}, {"out", out}, {"times", times}})});
  std::remove(table.c_str());
  std::remove(out.c_str());
  std::vector<MadeRow> deck;
  for (std::uint64_t t = 0; t < few; ++t) deck.push_back(made_row(t));
  double total = 0;
  const double alone = least_seconds(times, [&] { total = combine_alone(deck); });
  Row race{.name = "forecasts/mlpol",
           .unit = "us/row",
           .ours = 1e6 * seconds / static_cast<double>(rows),
           .rival = {},
           .goal = {},
           .note = {}};
  if (const Json* failed = answer.find("error")) {
    race.note = failed->as_string();
  } else {
    race.rival = 1e6 * answer.at("seconds").as_number() / static_cast<double>(few);
    race.note = fmt::format(
        "{} rows of {} models read, combined and written, over MLpol of opera in NumPy on {}; mean squared error "
        "{:.0f} "
        "there, ours {:.0f}",
        rows, kForecastModels, few, answer.at("mean_square").as_number(), error);
  }
  return {
      std::move(race),
      {.name = "forecasts/table",
       .unit = "s",
       .ours = seconds * 1e6 / static_cast<double>(rows),
       .rival = kTableBudget,
       .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 1},
       .note = fmt::format("the same for a million rows; the second figure is the most that it may cost")},
      {.name = "forecasts/row",
       .unit = "us/row",
       .ours = 1e6 * alone / static_cast<double>(few),
       .rival = kRowBudget,
       .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 1},
       .note = fmt::format("forecast and actual of a row of {} models, no file; mean squared error {:.0f}; the second "
                           "figure is the most that it may cost",
                           kForecastModels, total / static_cast<double>(few))}};
}

}  // namespace hannan::detail::bench
