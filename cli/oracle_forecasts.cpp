// `hannan oracle forecasts`: the best model and the best fixed mixture in hindsight, with a floor that no mixture is
// below.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "forecast_flags.hpp"
#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"

namespace hannan::detail::cli {
namespace {

int oracle_forecasts(const ForecastFlags& flags) {
  const ForecastTerms terms = flags.terms();
  const ForecastTable table = read_forecasts(flags.data, flags.read_columns());
  ForecastRun run(table, terms);
  run.play(ForecastRun::Weights::kSome);
  run.finish();
  const Json found = forecast_hindsight(run, terms);
  if (flags.json) {
    std::puts(dump(found).c_str());
    return 0;
  }
  const auto amount = [&](const Json& error) { return with_unit(shown(error.as_number()), flags.unit, {}); };
  fmt::print("best model: {}: {}\n", printable(found.at("best_model").as_string()),
             amount(found.at("best_model_error")));
  fmt::print("best fixed mixture: {}{}\n", amount(found.at("error")),
             found.at("floor_error").is_number() ? "; no mixture is below " + amount(found.at("floor_error"))
                                                 : std::string("; found on a part of the rows, no floor"));
  for (const Json& stream : found.at("streams").as_array()) {
    if (const auto level = stream.find_number("level")) fmt::print("  level {}\n", *level);
    if (const auto horizon = stream.find_number("horizon")) fmt::print("  horizon {}\n", *horizon);
    for (const auto& [name, weight] : stream.at("weights").as_object()) {
      if (weight.as_number() > 0) fmt::print("  {:.4f} {}\n", weight.as_number(), printable(name));
    }
  }
  return 0;
}

}  // namespace

void define_oracle_forecasts(Command& command) {
  auto flags = std::make_shared<ForecastFlags>();
  add_forecast_flags(command, *flags);
  command.add("--json", &flags->json, "print the result as JSON");
  command.examples = {"hannan oracle forecasts -d load.csv --actual actual"};
  command.run = [flags] { return oracle_forecasts(*flags); };
}

}  // namespace hannan::detail::cli
