// What is combined without learning, or with a rule of thumb: the rivals of a combined forecast.
//
//   trimmed         the mean without 10 % of the models at each end, at least one from 3 models on
//   last best       the model of least mean loss so far; before any is known, the plain mean
//   inverse error   weights 1 / mean squared error so far; a model without one gets the mean weight of the others
//
// All over the models that delivered in the row. The two that learn are told the actuals that the combiner knew.
// Cost: O(K log K) a row.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/forecasts/loss.hpp"

namespace hannan::detail {

class ForecastBaselines {
 public:
  ForecastBaselines(std::size_t models, const ForecastLoss& loss)
      : loss_(&loss), losses_(models, 0.0), squares_(models, 0.0), counts_(models, 0.0) {}

  struct Forecasts {
    double trimmed, last_best, inverse_error;
  };
  // x: NaN where a model is missing; at least one is not.
  Forecasts forecast(std::span<const double> x);
  void tell(std::span<const double> x, double y, double weight);

 private:
  const ForecastLoss* loss_;
  std::vector<double> losses_, squares_, counts_;  // weighted sums over the rows that a model delivered
  std::vector<double> sorted_;
};

}  // namespace hannan::detail
