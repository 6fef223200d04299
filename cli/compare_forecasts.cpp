// `hannan compare forecasts`: a table of forecasts and actuals to one combined forecast, held against what is done
// today. Files are written after the result is complete.
#include <cstdio>
#include <memory>

#include "forecast_flags.hpp"
#include "hannan/compare/forecast_comparison.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {
namespace {

struct CompareForecastFlags : ForecastFlags {
  std::string out;
  std::uint64_t warm = 0;
};

int compare_forecasts(const CompareForecastFlags& flags) {
  const bool quiet = check_forecast_outputs(flags, flags.out, "");
  const ForecastTerms terms = flags.terms();
  const ForecastTable table = read_forecasts(flags.data, flags.read_columns());
  ForecastRun run(table, terms);
  run.play(flags.weights.empty() ? ForecastRun::Weights::kSome : ForecastRun::Weights::kAll);
  const Json state = flags.save.empty() ? Json() : run.state();
  run.finish();
  const Json result =
      forecast_comparison({.run = run, .terms = terms, .unit = flags.unit, .warm = flags.warm, .source = flags.data});
  write_forecast_files(flags, run, state);
  if (!flags.out.empty()) write_whole_file(flags.out, dump(result) + "\n");
  if (flags.json) {
    std::puts(dump(result).c_str());
  } else if (!quiet) {
    std::fputs(forecast_text(result, flags.predictions).c_str(), stdout);
  }
  return 0;
}

}  // namespace

void define_compare_forecasts(Command& command) {
  auto flags = std::make_shared<CompareForecastFlags>();
  add_forecast_flags(command, *flags);
  command.add("-o,--out", &flags->out, "write the result as JSON, for hannan report");
  add_forecast_outputs(command, *flags);
  command.add("--warm", &flags->warm, "the first so many rounds are learned from and not judged").show_default();
  command.notes =
      "Nothing is drawn: every certificate holds for this very run. Models may be missing, actuals late; no rate,\n"
      "range or horizon is asked for.";
  command.examples = {"hannan compare forecasts -d load.csv --actual actual --unit MW -o load.json -p combined.csv",
                      "hannan report load.json -o load.html"};
  command.run = [flags] { return compare_forecasts(*flags); };
}

}  // namespace hannan::detail::cli
