// M, the size of the noise: E max over x of <row(x), -alpha>, what the perturbation can distort.
//
// Exact where a formula exists (Laplace noise on a full product of coordinates: the coordinates'
// values add up), otherwise Monte Carlo: one oracle call a draw on an empty history, with a normal
// confidence interval of level 99.9 %. For symmetric noise the sign inside does not matter.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hannan/certify/bounds.hpp"
#include "hannan/game/perturber.hpp"

namespace hannan::detail {

// The exact value under Laplace noise, where the shape has one.
inline std::optional<double> exact_laplace_size(std::span<const CoordinateShape> shape) {
  if (shape.empty()) return std::nullopt;
  double sum = 0;
  for (const auto& [kind, values] : shape) {
    switch (kind) {
      case CoordinateShape::Kind::kBits:
        sum += bounds::emax_bits(std::log2(static_cast<double>(values)));
        break;
      case CoordinateShape::Kind::kPrefix:
        sum += bounds::emax_prefix(static_cast<double>(values - 1));
        break;
      case CoordinateShape::Kind::kIdentity:
        sum += bounds::emax_identity(static_cast<double>(values));
        break;
      case CoordinateShape::Kind::kOther:
        return std::nullopt;
    }
  }
  return sum;
}

// 2000: chosen; the interval is then about 3.3 / sqrt(2000) = 7 % of a standard deviation to each side.
inline constexpr std::uint64_t kNoiseSizeDraws = 2000;

// The mean of independent draws, with its confidence interval.
class MeanOfDraws {
 public:
  // Welford's recurrence: mean_ and the sum of squared deviations without cancellation.
  void add(double value) {
    const double step = value - mean_;
    draws_ += 1;
    mean_ += step / draws_;
    squares_ += step * (value - mean_);
  }
  // After two draws or more: one has no deviation, and the interval would be no number.
  NoiseSize size(std::string_view method) const {
    assert(draws_ > 1);
    constexpr double kNormal999 = 3.2905;  // the 99.95 % quantile of the normal law
    const double error = kNormal999 * std::sqrt(squares_ / (draws_ - 1) / draws_);
    return {mean_, mean_ - error, mean_ + error, method};
  }

 private:
  double draws_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

struct NoiseSizeInput {
  std::shared_ptr<const GameOracle> oracle;
  std::shared_ptr<const GameMatrix> matrix;
  // Draw i = 1, 2, ... of the noise.
  std::function<void(std::uint64_t, std::span<double>)> draw;
  std::uint64_t draws = kNoiseSizeDraws;  // at least 2
};

NoiseSize monte_carlo_noise_size(const NoiseSizeInput& in);

}  // namespace hannan::detail
