// What a forecast p costs when y comes: convex in p, with a slope (a subgradient, 0 at a kink).
//
//   squared      (p - y)^2               2 (p - y)
//   absolute     |p - y|                 sign
//   percentage   |p - y| / |y|           sign / |y|; a row with y = 0 has no such loss and is left out
//   pinball      T (y - p) or (1 - T) (p - y)       -T, 0, 1 - T
//   brier        (p - y)^2               2 (p - y); p in [0,1], y is 0 or 1
//   log          -ln of the probability of what came; p is brought into [clip, 1 - clip]
//   own          a function of the user that gives both
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace hannan::detail {

struct ValueAndSlope {
  double value = 0;
  double slope = 0;
};

struct ForecastLoss {
  enum class Kind { kSquared, kAbsolute, kPercentage, kPinball, kBrier, kLog, kOwn };
  Kind kind = Kind::kSquared;
  double level = 0.5;   // of pinball
  double clip = 0.001;  // of log
  std::function<ValueAndSlope(double, double)> own;

  double value(double p, double y) const;
  ValueAndSlope at(double p, double y) const;
  // value() of each forecast, bit for bit; 0 where one is NaN.
  void values(std::span<const double> forecasts, double y, std::span<double> made) const;

  // Losses of probabilities, whose outcomes are 0 and 1.
  bool of_probabilities() const { return kind == Kind::kBrier || kind == Kind::kLog; }
  // Piecewise linear in p: their best mixture is a linear programme.
  bool linear() const { return kind == Kind::kAbsolute || kind == Kind::kPercentage || kind == Kind::kPinball; }
  // Least at p = y, so that a forecast within rounding of y has slope 0 (docs/theory-forecasts.md, rounding).
  bool least_at_actual() const { return kind != Kind::kLog && kind != Kind::kOwn; }
  // A forecast as it is used: probabilities of log loss are brought into [clip, 1 - clip]; NaN stays.
  double taken(double x) const { return kind == Kind::kLog && !std::isnan(x) ? std::clamp(x, clip, 1 - clip) : x; }
  // A row with this actual has a finite loss.
  bool counts(double y) const { return kind != Kind::kPercentage || y != 0; }
  // A linear loss is `above` (p - y) over the actual and `below` (y - p) under it.
  struct Sides {
    double below, above;
  };
  Sides sides(double y) const;

  // "squared", "pinball:0.9", ...
  std::string name() const;
};

// Throws kUnknownName for other names and kOutOfRange for a level outside (0,1).
ForecastLoss forecast_loss(std::string_view name, const std::string& at);

}  // namespace hannan::detail
