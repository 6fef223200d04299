// The losses of loss.hpp. Logarithms are portable, so that totals have the same bits on every machine.
#include "hannan/forecasts/loss.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/core/text.hpp"
#include "hannan/io/csv.hpp"

namespace hannan::detail {
namespace {

using LossKind = ForecastLoss::Kind;

constexpr std::array<std::pair<std::string_view, LossKind>, 5> kPlain{{{"squared", LossKind::kSquared},
                                                                       {"absolute", LossKind::kAbsolute},
                                                                       {"percentage", LossKind::kPercentage},
                                                                       {"brier", LossKind::kBrier},
                                                                       {"log", LossKind::kLog}}};

}  // namespace

ForecastLoss::Sides ForecastLoss::sides(double y) const {
  if (kind == Kind::kPinball) return {level, 1 - level};
  const double side = kind == Kind::kPercentage ? 1 / std::abs(y) : 1;
  return {side, side};
}

double ForecastLoss::value(double p, double y) const { return at(p, y).value; }

ValueAndSlope ForecastLoss::at(double p, double y) const {
  const double off = p - y;
  switch (kind) {
    case Kind::kSquared:
    case Kind::kBrier:
      return {off * off, 2 * off};
    case Kind::kAbsolute:
    case Kind::kPercentage:
    case Kind::kPinball: {
      const Sides side = sides(y);
      return off > 0 ? ValueAndSlope{side.above * off, side.above}
                     : ValueAndSlope{-side.below * off, off < 0 ? -side.below : 0};
    }
    case Kind::kLog:
      return y > 0.5 ? ValueAndSlope{-portable_log(p), -1 / p} : ValueAndSlope{-portable_log(1 - p), 1 / (1 - p)};
    case Kind::kOwn:
      return own(p, y);
  }
  return {};
}

// The kind is asked once, so that the common losses become vectors.
void ForecastLoss::values(std::span<const double> forecasts, double y, std::span<double> made) const {
  if (kind == Kind::kSquared || kind == Kind::kBrier) {
    for (std::size_t k = 0; k < forecasts.size(); ++k) {
      const double off = forecasts[k] - y, loss = off * off;
      made[k] = loss == loss ? loss : 0;
    }
  } else if (linear()) {
    const Sides side = sides(y);
    for (std::size_t k = 0; k < forecasts.size(); ++k) {
      const double off = forecasts[k] - y, loss = (off > 0 ? side.above : -side.below) * off;
      made[k] = loss == loss ? loss : 0;
    }
  } else {
    for (std::size_t k = 0; k < forecasts.size(); ++k) made[k] = std::isnan(forecasts[k]) ? 0 : value(forecasts[k], y);
  }
}

std::string ForecastLoss::name() const {
  if (kind == Kind::kOwn) return "own";
  if (kind == Kind::kPinball) return "pinball:" + number_text(level);
  for (const auto& [name, plain] : kPlain) {
    if (plain == kind) return std::string(name);
  }
  return {};
}

ForecastLoss forecast_loss(std::string_view name, const std::string& at) {
  for (const auto& [known, kind] : kPlain) {
    if (name == known) return {.kind = kind};
  }
  if (name.starts_with("pinball:")) {
    const double level = parse_number(name.substr(8), at);
    if (!(level > 0 && level < 1))
      throw Error(Code::kOutOfRange,
                  "found the level " + std::string(name.substr(8)) + ", expected one between 0 and 1", at);
    return {.kind = LossKind::kPinball, .level = level};
  }
  const std::vector<std::string> names{"squared", "absolute", "percentage", "pinball:LEVEL", "brier", "log"};
  throw Error(Code::kUnknownName,
              "found the loss \"" + std::string(name) +
                  "\", expected squared, absolute, percentage, pinball:LEVEL, brier or log" +
                  near_hint(std::string(name), names),
              at);
}

}  // namespace hannan::detail
