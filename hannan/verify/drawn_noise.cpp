// drawn_ and multiplied_ name the round whose numbers numbers_ and on_actions_ hold, 0 for none, so that asking twice
// draws once; a draw for another purpose resets both. given[t-1] is the list of round t, as rounds count from 1.
#include "hannan/verify/drawn_noise.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

ColumnRanges::ColumnRanges(const ActionTable& actions, const GameMatrix& matrix)
    : low(matrix.columns(), kInfinity), high(matrix.columns(), -kInfinity) {
  std::vector<double> row(matrix.columns());
  actions.each([&](const AnyAction& x) {
    matrix.row(x, row);
    for (std::size_t j = 0; j < row.size(); ++j) {
      low[j] = std::min(low[j], row[j]);
      high[j] = std::max(high[j], row[j]);
    }
  });
}

double exact_product(std::span<const double> row, std::span<const double> alpha) {
  ExactTotal sum;
  for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * alpha[j];
  return sum.value();
}

bool pour_noise(const GameMatrix& matrix, std::span<const double> alpha, const GameOracle& oracle, GameHistory& into) {
  const bool any_sign = oracle.takes_negative_weights();
  if (!oracle.takes_tables() || !any_sign)
    return matrix.pour_data(alpha, into, any_sign ? Weights::kAnySign : Weights::kNonNegative);
  matrix.pour(alpha, into);
  return true;
}

DrawnNoise::DrawnNoise(const RecordedSetting& setting, const ListedActions& list, const Claims& claims)
    : setting_(setting), list_(list), claims_(claims) {
  const RecordedNoise& noise = setting.noise;
  of_ = {.key = setting.key, .given = noise.alpha ? &*noise.alpha : nullptr, .once = noise.once};
  if (!exists()) return;
  if (noise.matrix && noise.matrix->hedge_sign() == HedgeSign::kNonPositive) sign_ = -1;
  // fpl subtracts its exponentials, so that its noise is -q.
  if (drawn_on() == NoiseOn::kActions) sign_ = -1;
  if (drawn_on() == NoiseOn::kOutcomes) fake_ = setting_.problem->outcomes().value_or(std::vector<AnyOutcome>{});
  numbers_.resize(width());
  if (!list_.listed()) return;
  on_actions_.resize(list_.size());
  if (drawn_on() == NoiseOn::kActions) return;
  rows_ = NoiseRows(
      list_.table(), width(), [&](const AnyAction& x, std::span<double> row) { fill_row(x, row); },
      noise.matrix ? noise.matrix->shape() : std::vector<CoordinateShape>{});
}

void DrawnNoise::play(const Segment& segment) {
  of_ = segment;
  drawn_ = multiplied_ = 0;
}

std::size_t DrawnNoise::width() const {
  if (drawn_on() == NoiseOn::kActions) return list_.size();
  return drawn_on() == NoiseOn::kOutcomes ? fake_.size() : static_cast<std::size_t>(setting_.noise.columns);
}

void DrawnNoise::fill_row(const AnyAction& x, std::span<double> row) const {
  if (drawn_on() != NoiseOn::kOutcomes) return setting_.noise.matrix->row(x, row);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = setting_.problem->loss(x, fake_[j]);
}

std::span<const double> DrawnNoise::given(std::uint64_t t) const {
  const auto& draws = *of_.given;
  if (t > draws.size()) claims_.reject("t", "noise was given for " + std::to_string(draws.size()) + " rounds only");
  if (draws[t - 1].size() != width()) {
    claims_.reject("t", "its given noise has " + std::to_string(draws[t - 1].size()) + " numbers, expected " +
                            std::to_string(width()) + ", one a " +
                            (drawn_on() == NoiseOn::kActions ? "action" : "column"));
  }
  return draws[t - 1];
}

std::span<const double> DrawnNoise::numbers(std::uint64_t t) {
  const std::uint64_t wanted = of_.once ? 1 : t;
  if (wanted == drawn_) return numbers_;
  if (of_.given) {
    std::ranges::copy(given(wanted), numbers_.begin());
  } else {
    setting_.noise.law->draw(RoundWords(of_.key, DrawPurpose::kNoise, wanted), numbers_, sign_);
  }
  drawn_ = wanted;
  return numbers_;
}

void DrawnNoise::multiply() {
  if (drawn_on() == NoiseOn::kActions) {
    std::ranges::copy(numbers_, on_actions_.begin());
  } else {
    rows_.products(numbers_, on_actions_);
  }
}

std::span<const double> DrawnNoise::on_actions(std::uint64_t t) {
  assert(of_all_actions());
  numbers(t);
  if (multiplied_ != drawn_) multiply();
  multiplied_ = drawn_;
  return on_actions_;
}

std::span<const double> DrawnNoise::on_actions(DrawPurpose purpose, std::uint64_t place) {
  assert(of_all_actions());
  drawn_ = multiplied_ = 0;
  setting_.noise.law->draw(RoundWords(of_.key, purpose, place), numbers_, sign_);
  multiply();
  return on_actions_;
}

std::span<const double> DrawnNoise::on_actions(std::span<const double> given) {
  assert(of_all_actions() && given.size() == width());
  drawn_ = multiplied_ = 0;
  std::ranges::copy(given, numbers_.begin());
  multiply();
  return on_actions_;
}

double DrawnNoise::on_action(const AnyAction& x, std::span<const double> alpha) const {
  std::vector<double> row(alpha.size());
  fill_row(x, row);
  return exact_product(row, alpha);
}

// Columns that are made of outcomes reach as far as their weights, whose losses are in [0,1]; codes are 0 or 1; a dense
// matrix is looked at where actions are listed.
void DrawnNoise::measure_columns() {
  reach_.assign(width(), drawn_on() == NoiseOn::kOutcomes || setting_.noise.unit_entries ? 1.0 : kInfinity);
  if (!setting_.noise.matrix) return;
  if (!setting_.noise.unit_entries && list_.listed()) {
    const ColumnRanges ranges(list_.table(), *setting_.noise.matrix);
    for (std::size_t j = 0; j < reach_.size(); ++j)
      reach_[j] = std::max(0.0, ranges.high[j]) - std::min(0.0, ranges.low[j]);
  }
  for (std::size_t j = 0; j < reach_.size(); ++j) {
    for (const int sign : {1, -1}) {
      for (const Weights weights : {Weights::kAnySign, Weights::kNonNegative}) {
        const auto data = setting_.noise.matrix->data({.column = j, .sign = sign, .weights = weights});
        if (!data) continue;
        double weight = 0;
        for (const auto& point : *data) weight += std::abs(point.weight);
        reach_[j] = std::isinf(reach_[j]) ? weight : std::max(reach_[j], weight);
      }
    }
  }
}

double DrawnNoise::span(std::uint64_t t) {
  if (drawn_on() == NoiseOn::kActions) return kInfinity;  // no oracle is asked
  if (reach_.empty()) measure_columns();
  double sum = 0;
  const auto alpha = numbers(t);
  for (std::size_t j = 0; j < alpha.size(); ++j) sum += alpha[j] == 0 ? 0.0 : std::abs(alpha[j]) * reach_[j];
  return sum;
}

std::optional<DrawnNoise::Found> DrawnNoise::search(const RecomputedTotals& on, double scale,
                                                    std::span<const double> alpha) const {
  if (scale == 0) {
    const auto& found = on.search();
    return Found{found.action, found.proven};
  }
  const GameOracle& oracle = on.round_oracle();
  const auto noise = oracle.empty();
  if (drawn_on() == NoiseOn::kOutcomes) {
    for (std::size_t j = 0; j < fake_.size(); ++j) noise->add(fake_[j], alpha[j]);
  } else if (!pour_noise(*setting_.noise.matrix, alpha, oracle, *noise)) {
    return std::nullopt;
  }
  const auto answer = oracle.best({on.poured(), *noise, scale / on.unit()}, 0);
  on.searched(answer.nodes);
  return Found{answer.action, oracle.claims().empty() && answer.proven()};
}

}  // namespace hannan::detail
