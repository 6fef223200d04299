// See best_mixture.hpp. Steps of Frank-Wolfe move weight from the worst model in use to the best one; both are known
// from the gradient, whose least and mean also give the floor of F11 at every step.
#include "hannan/forecasts/best_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/certify/linear_program.hpp"
#include "hannan/core/sum.hpp"

namespace hannan::detail {
namespace {

constexpr double kGap = 1e-9;  // of the value: then the mixture is as good as the best
constexpr std::uint64_t kMostSteps = 20'000;
constexpr double kMostWork = 4e9, kMostOwnCalls = 1e6;  // numbers read by steps on rows
constexpr double kMostNumbers = 2e8;                    // rows times models; more: every n-th row
constexpr double kMostProgramme = 4e6;                  // the same of a linear programme
constexpr int kBisections = 60;                         // of a line search: 2^-60 of the step

double weight_of(const MixtureProblem& problem, std::size_t i) {
  return problem.weight.empty() ? 1 : problem.weight[i];
}

double mixed(const MixtureProblem& problem, std::size_t i, std::span<const double> u) {
  double sum = 0;
  for (std::size_t k = 0; k < u.size(); ++k) sum += u[k] * problem.x[i * problem.models + k];
  return sum;
}

double value_of(const MixtureProblem& problem, std::span<const double> u) {
  Sum sum;
  for (std::size_t i = 0; i < problem.y.size(); ++i)
    sum.add(weight_of(problem, i) * problem.loss.value(mixed(problem, i, u), problem.y[i]));
  return sum.value();
}

// F11 at the point u, from the rows: sum (w l(a) - g (a - y)) + min_k sum g (x_k - y); y is taken off both parts, so
// that they are as small as errors and not as forecasts.
double floor_at(const MixtureProblem& problem, std::span<const double> u) {
  Sum base;
  std::vector<Sum> pulls(problem.models);
  for (std::size_t i = 0; i < problem.y.size(); ++i) {
    const double a = mixed(problem, i, u), y = problem.y[i];
    const ValueAndSlope at = problem.loss.at(a, y);
    const double w = weight_of(problem, i), g = w * at.slope;
    base.add(w * at.value - g * (a - y));
    for (std::size_t k = 0; k < problem.models; ++k) pulls[k].add(g * (problem.x[i * problem.models + k] - y));
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Sum& pull : pulls) least = std::min(least, pull.value());
  return base.value() + least;
}

struct Pair {
  std::size_t to, from;  // the least slope, and the largest one among those in use
};
Pair pair_of(std::span<const double> slopes, std::span<const double> u) {
  Pair found{0, 0};
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    if (slopes[k] < slopes[found.to]) found.to = k;
    if (u[k] > 0 && slopes[k] > most) {
      most = slopes[k];
      found.from = k;
    }
  }
  return found;
}

// G = sum w (x - y)(x - y)': F(u) = u'Gu, since the weights sum to 1.
std::vector<double> by_gram(const MixtureProblem& problem) {
  const std::size_t K = problem.models;
  std::vector<double> gram(K * K, 0.0), off(K), u(K, 0.0), slopes(K);
  for (std::size_t i = 0; i < problem.y.size(); ++i) {
    const double w = weight_of(problem, i);
    for (std::size_t k = 0; k < K; ++k) off[k] = problem.x[i * K + k] - problem.y[i];
    for (std::size_t a = 0; a < K; ++a) {
      const double scaled = w * off[a];
      for (std::size_t b = a; b < K; ++b) gram[a * K + b] += scaled * off[b];
    }
  }
  std::size_t first = 0;
  for (std::size_t a = 0; a < K; ++a) {
    for (std::size_t b = 0; b < a; ++b) gram[a * K + b] = gram[b * K + a];
    if (gram[a * K + a] < gram[first * K + first]) first = a;
  }
  u[first] = 1;
  for (std::size_t k = 0; k < K; ++k) slopes[k] = 2 * gram[first * K + k];
  for (std::uint64_t step = 0; step < kMostSteps; ++step) {
    double value = 0;  // F = u'Gu = (1/2) slopes u
    for (std::size_t k = 0; k < K; ++k) value += u[k] * slopes[k] / 2;
    const auto [to, from] = pair_of(slopes, u);
    const double gap = 2 * value - slopes[to];
    if (!(gap > kGap * value)) break;
    const double curve = gram[to * K + to] - 2 * gram[to * K + from] + gram[from * K + from];
    const double wish = curve > 0 ? (slopes[from] - slopes[to]) / (2 * curve) : u[from];
    const bool drops = wish >= u[from];
    const double moved = drops ? u[from] : wish;
    if (!(moved > 0)) break;
    u[to] += moved;
    u[from] = drops ? 0 : u[from] - moved;
    for (std::size_t k = 0; k < K; ++k) slopes[k] += 2 * moved * (gram[k * K + to] - gram[k * K + from]);
  }
  return u;
}

struct Point {
  std::vector<double> u;
  double floor = -std::numeric_limits<double>::infinity();  // the largest seen
};

Point by_rows(const MixtureProblem& problem) {
  const std::size_t K = problem.models, rows = problem.y.size();
  Point found{.u = std::vector<double>(K, 1 / static_cast<double>(K))};
  const double count = static_cast<double>(rows);
  const double steps = problem.loss.kind == ForecastLoss::Kind::kOwn
                           ? kMostOwnCalls / (count * (kBisections + 2))  // a call of the user's code may be slow
                           : kMostWork / (count * static_cast<double>(K));
  const auto most = static_cast<std::uint64_t>(std::max(1.0, std::min<double>(kMostSteps, steps)));
  std::vector<double> at(rows), slopes(K);
  for (std::uint64_t step = 0; step < most; ++step) {
    std::ranges::fill(slopes, 0.0);
    double value = 0, here = 0;  // F, and its slope along u
    for (std::size_t i = 0; i < rows; ++i) {
      at[i] = mixed(problem, i, found.u);
      const ValueAndSlope loss = problem.loss.at(at[i], problem.y[i]);
      const double w = weight_of(problem, i), g = w * loss.slope;
      value += w * loss.value;
      here += g * (at[i] - problem.y[i]);
      for (std::size_t k = 0; k < K; ++k) slopes[k] += g * (problem.x[i * K + k] - problem.y[i]);
    }
    const auto [to, from] = pair_of(slopes, found.u);
    const double gap = here - slopes[to];
    found.floor = std::max(found.floor, value - gap);
    if (!(gap > kGap * std::abs(value))) break;
    const auto slope_at = [&](double moved) {
      double sum = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        const double along = problem.x[i * K + to] - problem.x[i * K + from];
        sum += weight_of(problem, i) * problem.loss.at(at[i] + moved * along, problem.y[i]).slope * along;
      }
      return sum;
    };
    double low = 0, high = found.u[from];
    const bool drops = slope_at(high) <= 0;
    for (int half = 0; !drops && half < kBisections && low < high; ++half) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) break;
      (slope_at(middle) > 0 ? high : low) = middle;
    }
    const double moved = drops ? found.u[from] : low;
    if (!(moved > 0)) break;
    found.u[to] += moved;
    found.u[from] = drops ? 0 : found.u[from] - moved;
  }
  return found;
}

// max mu with sum_i g_i (x_ik - y_i) >= mu for all k, -w below <= g_i <= w above; errors in units of the largest one.
BestMixture by_programme(const MixtureProblem& problem) {
  const std::size_t K = problem.models, rows = problem.y.size();
  double error = 0, side = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto sides = problem.loss.sides(problem.y[i]);
    side = std::max(side, weight_of(problem, i) * std::max(sides.below, sides.above));
    for (std::size_t k = 0; k < K; ++k) error = std::max(error, std::abs(problem.x[i * K + k] - problem.y[i]));
  }
  BestMixture found;
  found.weights.assign(K, 1 / static_cast<double>(K));
  found.slopes.assign(rows, 0.0);
  if (!(error > 0 && side > 0)) return found;
  Programme programme;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto sides = problem.loss.sides(problem.y[i]);
    const double w = weight_of(problem, i) / side;
    programme.costs.push_back(0);
    programme.column_low.push_back(-w * sides.below);
    programme.column_high.push_back(w * sides.above);
    for (std::size_t k = 0; k < K; ++k) {
      const double off = (problem.x[i * K + k] - problem.y[i]) / error;
      if (off != 0) programme.entries.push_back({.row = k, .column = i, .value = off});
    }
  }
  programme.costs.push_back(-1);
  programme.column_low.push_back(-kNoBound);
  programme.column_high.push_back(kNoBound);
  for (std::size_t k = 0; k < K; ++k) programme.entries.push_back({.row = k, .column = rows, .value = -1});
  programme.row_low.assign(K, 0.0);
  programme.row_high.assign(K, kNoBound);
  const Solution solved = LinearProgram(programme).solve();
  if (solved.status != Solution::Status::kOptimal) return found;
  double sum = 0;
  for (std::size_t k = 0; k < K; ++k) {
    found.weights[k] = std::max(0.0, solved.row_duals[k]);
    sum += found.weights[k];
  }
  for (double& u : found.weights) u = sum > 0 ? u / sum : 1 / static_cast<double>(K);
  for (std::size_t i = 0; i < rows; ++i)
    found.slopes[i] = side * std::clamp(solved.x[i], programme.column_low[i], programme.column_high[i]);
  return found;
}

// The floor that slopes in their boxes prove: l(a) - g a = -g y at the kinks.
double floor_of_slopes(const MixtureProblem& problem, std::span<const double> slopes) {
  std::vector<Sum> pulls(problem.models);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    for (std::size_t k = 0; k < problem.models; ++k)
      pulls[k].add(slopes[i] * (problem.x[i * problem.models + k] - problem.y[i]));
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Sum& pull : pulls) least = std::min(least, pull.value());
  return least;
}

}  // namespace

BestMixture best_mixture(const MixtureProblem& problem) {
  const std::size_t K = problem.models, rows = problem.y.size();
  const double numbers = static_cast<double>(rows) * static_cast<double>(K);
  const double most = problem.loss.linear() ? kMostProgramme : kMostNumbers;
  if (numbers > most) {
    const auto every = static_cast<std::size_t>(std::ceil(numbers / most));
    std::vector<double> x, y, weight;
    for (std::size_t i = 0; i < rows; i += every) {
      x.insert(x.end(), problem.x.begin() + static_cast<std::ptrdiff_t>(i * K),
               problem.x.begin() + static_cast<std::ptrdiff_t>((i + 1) * K));
      y.push_back(problem.y[i]);
      weight.push_back(weight_of(problem, i));
    }
    BestMixture found = best_mixture({.x = x, .y = y, .weight = weight, .models = K, .loss = problem.loss});
    found.value = value_of(problem, found.weights);
    found.floor.reset();
    found.slopes.clear();
    found.every = every;
    return found;
  }
  BestMixture found;
  if (problem.loss.linear()) {
    found = by_programme(problem);
    found.floor = floor_of_slopes(problem, found.slopes);
  } else if (problem.loss.kind == ForecastLoss::Kind::kSquared || problem.loss.kind == ForecastLoss::Kind::kBrier) {
    found.weights = by_gram(problem);
    found.floor = floor_at(problem, found.weights);
  } else {
    Point at = by_rows(problem);
    found.weights = std::move(at.u);
    found.floor = std::max(at.floor, floor_at(problem, found.weights));
  }
  found.value = value_of(problem, found.weights);
  // Rounding of two sums of the same rows may cross.
  found.floor = std::min(*found.floor, found.value);
  return found;
}

}  // namespace hannan::detail
