// `hannan run forecasts`: combines a table, or goes on with further rows: actuals that have come, forecasts to combine.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "command.hpp"
#include "forecast_flags.hpp"
#include "hannan/compare/earlier_record.hpp"
#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/compare/forecast_record.hpp"
#include "hannan/core/error.hpp"
#include "hannan/forecasts/certificate.hpp"
#include "hannan/io/amount_text.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {
namespace {

struct RunForecastFlags : ForecastFlags {
  std::string resume, record;
};

// Of all that has settled, earlier tables included.
Json forecast_run_json(const ForecastRun& run) {
  Json streams = Json::array();
  for (const ForecastStream& stream : run.streams()) {
    const Combiner& combiner = *stream.combiner;
    Json one = Json::object({{"rounds", combiner.rounds()},
                             {"settled", combiner.settled()},
                             {"rows", combiner.rows()},
                             {"never", combiner.never()},
                             {"too_late", combiner.too_late()},
                             {"total", combiner.total()},
                             {"certificate", certificate_json(certificate_of(combiner), combiner.plan())}});
    if (stream.horizon) one.set("horizon", stream.horizon);
    if (!run.table().levels.empty()) one.set("level", run.table().levels[stream.level]);
    streams.push_back(std::move(one));
  }
  return Json::object({{"forecasts", 1}, {"known_before", run.known_before}, {"streams", std::move(streams)}});
}

void show_forecast_run(const ForecastRun& run, const ForecastFlags& flags) {
  double rows = 0, total = 0, rounds = 0, open = 0;
  for (const ForecastStream& stream : run.streams()) {
    rows += static_cast<double>(stream.combiner->rows());
    total += stream.combiner->total();
    rounds = std::max(rounds, static_cast<double>(stream.combiner->settled()));
    open = std::max(open, static_cast<double>(stream.combiner->rounds() - stream.combiner->settled()));
  }
  const ForecastLoss loss =
      run.table().levels.empty() ? flags.terms().loss : ForecastLoss{.kind = ForecastLoss::Kind::kAbsolute};
  if (rows > 0) {
    fmt::print("combined forecast: {} over {} rounds, {} rows{}\n",
               with_unit(shown(shown_error(loss, total / rows)), flags.unit, {}), shown(rounds, 0), shown(rows, 0),
               loss.kind == ForecastLoss::Kind::kSquared ? " (root mean squared error)" : " (mean loss)");
  }
  if (open > 0) fmt::print("open: {} rounds wait for their actuals\n", shown(open, 0));
  if (!flags.predictions.empty()) fmt::print("forecasts: {}\n", flags.predictions);
}

int run_forecasts(const RunForecastFlags& flags) {
  const bool quiet = check_forecast_outputs(flags, flags.record, flags.resume);
  const ForecastTerms terms = flags.terms();
  const ForecastTable table = read_forecasts(flags.data, flags.read_columns());
  const Json state = flags.resume.empty() ? Json() : read_json_file(flags.resume);
  auto run = flags.resume.empty() ? std::make_unique<ForecastRun>(table, terms)
                                  : std::make_unique<ForecastRun>(table, terms, state);
  if (!flags.record.empty() && flags.resume.empty()) run->record_rounds();
  if (!flags.record.empty() && !flags.resume.empty()) run->record_lines(earlier_lines(flags.record, state, *run));
  run->play(flags.weights.empty() ? ForecastRun::Weights::kSome : ForecastRun::Weights::kAll);
  const Json saved = flags.save.empty() ? Json() : run->state();
  if (!flags.record.empty()) {
    run->finish();  // the record ends with what the table knows
    write_whole_file(flags.record, forecast_record(*run, terms));
  }
  write_forecast_files(flags, *run, saved);
  if (flags.json) {
    std::puts(dump(forecast_run_json(*run)).c_str());
  } else if (!quiet) {
    show_forecast_run(*run, flags);
  }
  return 0;
}

}  // namespace

void define_run_forecasts(Command& command) {
  auto flags = std::make_shared<RunForecastFlags>();
  add_forecast_flags(command, *flags);
  command.add("--resume", &flags->resume,
              "go on from the state that --save wrote: rows with the keys of open ones bring "
              "their actuals, others are forecast");
  add_forecast_outputs(command, *flags);
  command.add("--record", &flags->record,
              "write everything that was said, published and certified, for hannan verify; with --resume the record of "
              "the saved run is read there and goes on");
  command.notes = "Rows without an actual at the end are the future: they are forecast, and wait in the saved state.";
  command.examples = {"hannan run forecasts -d load.csv --actual actual -p combined.csv --save load.state",
                      "hannan run forecasts -d load.csv --actual actual --record run.jsonl && hannan verify run.jsonl",
                      "hannan run forecasts --resume load.state -d new.csv -p combined.csv --save load.state"};
  command.run = [flags] { return run_forecasts(*flags); };
}

}  // namespace hannan::detail::cli
