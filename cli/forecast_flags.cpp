// From flags to the terms of a combination and the columns of its table, and from a run to the files that were asked
// for. Two outputs with one name are refused before anything is written.
#include "forecast_flags.hpp"

#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/contexts/column_orders.hpp"
#include "hannan/core/error.hpp"
#include "live_input.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {
namespace {

std::vector<std::string> member_names(const std::string& list) {
  return list.empty() ? std::vector<std::string>() : split_columns(list);
}

}  // namespace

ForecastColumns ForecastFlags::read_columns() const {
  ForecastColumns made = columns;
  made.format = format == "long" ? ForecastColumns::Format::kLong : ForecastColumns::Format::kWide;
  if (decimal == "point") made.decimal = DecimalMark::kPoint;
  if (decimal == "comma") made.decimal = DecimalMark::kComma;
  for (const std::string& member : member_names(members)) {
    if (member.starts_with("own:")) made.own.push_back(member.substr(4));
  }
  if (read_once(data))
    throw Error(Code::kUsage, "found a pipe or standard input, which is read once, expected a file", "-d");
  return made;
}

ForecastTerms ForecastFlags::terms() const {
  ForecastTerms made{.loss = forecast_loss(loss, "--loss"),
                     .lag = lag,
                     .patience = patience,
                     .members = member_names(members),
                     .today = columns.today};
  if (!(clip > 0 && clip < 0.5)) throw Error(Code::kOutOfRange, "found a clip outside (0, 0.5)", "--clip");
  made.loss.clip = clip;
  return made;
}

void add_forecast_flags(Command& command, ForecastFlags& flags) {
  ForecastColumns& columns = flags.columns;
  command.add("-d,--data", &flags.data, "the table: CSV with a header, JSON lines or .npy, plain or gzipped")
      .required();
  command.add("--actual", &columns.actual,
              "the column of what came; left out: the one that is called actual, target, "
              "observed, ...");
  command.add("--timestamp", &columns.timestamp,
              "the column of times; rows of one time are one round. Left out: the one "
              "called date, time, timestamp, datetime or ds, else a row is a round");
  command.add("--series", &columns.series, "further columns that name a row, such as the place it is about")
      .split_at(',');
  command
      .add("--models", &columns.models,
           "the columns of forecasts, such as a,b or 'model_*'; left out: all other "
           "columns of numbers")
      .split_at(',');
  command.add("--drop", &columns.drop, "columns that are left out").split_at(',');
  command.add("--as-logged", &columns.today,
              "the column of the forecast in use today; left out: the plain mean stands for "
              "it");
  command.add("--loss", &flags.loss, "squared, absolute, percentage, pinball:LEVEL, brier or log").show_default();
  command.add("--unit", &flags.unit, "the unit of the numbers, for texts");
  command.add("--members", &flags.members,
              "what is combined: mean,median,single,mixture and own:COLUMN, parted by commas");
  command.add("--by", &columns.by, "columns with weights of their own, @hour and @weekday of the times: a member each")
      .split_at(',');
  command.add("--weight", &columns.weight, "the column of how much a row counts");
  command.add("--lag", &flags.lag, "actuals of a round are known before so many rounds after it")
      .range(1, 100'000)
      .show_default();
  command.add("--patience", &flags.patience, "rounds that an actual is waited for; left out: 100, or the lag")
      .range(1, 100'000);
  command.add("--clip", &flags.clip, "log loss: probabilities are kept so far from 0 and 1").positive().show_default();
  const std::string reading = "Reading other tables";
  command.add("--format", &flags.format, "wide: a column for each model; long: a row for each forecast")
      .one_of({"wide", "long"})
      .in_group(reading);
  command.add("--model", &columns.model, "long: the column of the model's name").in_group(reading);
  command.add("--forecast", &columns.forecast, "long: the column of the forecast").in_group(reading);
  command.add("--level", &columns.level, "long: the column of the level of a quantile").in_group(reading);
  command
      .add("--levels-after", &columns.levels_after,
           "wide: what stands between a model's name and its level, as in "
           "gam@0.9")
      .in_group(reading);
  command.add("--horizon", &columns.horizon, "the column of how many rounds ahead a forecast is").in_group(reading);
  command.add("--issued", &columns.issued, "the column of the time at which a forecast was made").in_group(reading);
  command.add("--truth", &columns.truth, "a table of its own with the same keys and the actuals").in_group(reading);
  command.add("--round", &columns.round, "the column that says which rows are one round").in_group(reading);
  command.add("--sort", &columns.sort, "put rows in order of time").in_group(reading);
  command.add("--decimal", &flags.decimal, "how decimals are written, where the table does not show it")
      .one_of({"point", "comma"})
      .in_group(reading);
  command.add("--zone", &columns.zone, "the zone of times without one, such as UTC or +02:00").in_group(reading);
  command.see = "docs/forecasts.md";
}

void add_forecast_outputs(Command& command, ForecastFlags& flags) {
  command.add("-p,--predictions", &flags.predictions,
              "write the combined forecast of every row as CSV, those without an "
              "actual too");
  command.add("--weights", &flags.weights, "write the weights of every round as CSV");
  command.add("--save", &flags.save, "write the state, to go on with --resume of hannan run forecasts");
  command.add("--json", &flags.json, "print the result as JSON");
  command.add("-q,--quiet", &flags.quiet, "print nothing");
}

bool check_forecast_outputs(const ForecastFlags& flags, const std::string& out, const std::string& resume) {
  for (const auto* path : {&out, &flags.predictions, &flags.weights, &flags.save}) {
    const bool state = path == &flags.save && same_file(*path, resume);  // a state may replace the one it goes on from
    if (same_file(*path, flags.data) || same_file(*path, flags.columns.truth) || (!state && same_file(*path, resume)))
      throw Error(Code::kUsage, "found the same file twice, expected another: it would be overwritten", *path);
  }
  return takes_standard_output({{"--json", flags.json ? "-" : ""},
                                {"-o", out},
                                {"-p", flags.predictions},
                                {"--weights", flags.weights},
                                {"--save", flags.save}}) ||
         flags.quiet;
}

void write_forecast_files(const ForecastFlags& flags, const ForecastRun& run, const Json& state) {
  if (!flags.predictions.empty()) write_whole_file(flags.predictions, predictions_csv(run));
  if (!flags.weights.empty()) write_whole_file(flags.weights, weights_csv(run));
  if (!flags.save.empty()) write_whole_file(flags.save, dump(state) + "\n");
}

}  // namespace hannan::detail::cli
