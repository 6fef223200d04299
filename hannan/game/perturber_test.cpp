// Noise that an oracle cannot take is refused, never left out.
#include "hannan/game/perturber.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hannan/core/tally.hpp"
#include "hannan/game/game_of.hpp"
#include "hannan/perturbations/outcome_columns.hpp"

namespace hannan::detail {
namespace perturber_test {

// Two actions; outcome y is the one that loses.
struct Coin {
  using Action = int;
  using Outcome = int;
  double loss(int x, int y) const { return x == y ? 1 : 0; }
  double ln_size() const { return std::log(2.0); }
};

template <bool signed_weights>
struct BestSide {
  using History = Tally<int>;
  static constexpr bool kSigned = signed_weights;
  History empty(const Coin&) const { return {}; }
  void add(const Coin&, History& h, int y, double weight) const { h.add(y, weight); }
  Answer<int> best(const Coin& coin, Evidence<History> e, std::size_t) const {
    double value[2] = {0, 0};
    for (int x = 0; x < 2; ++x) {
      for (const auto& [y, weight] : e.data) value[x] += weight * coin.loss(x, y);
      for (const auto& [y, weight] : e.noise) value[x] += e.scale * weight * coin.loss(x, y);
    }
    const int x = value[1] < value[0] ? 1 : 0;
    return {.action = x, .value = value[x], .floor = value[x], .pool = {}, .rest = value[x]};
  }
};

enum class Negative { kKnown, kUnknown };

std::shared_ptr<const GameMatrix> columns(const std::shared_ptr<const Coin>& coin, Negative negative) {
  OutcomeColumns<Coin>::Parts parts{.problem = coin, .columns = {{{1.0, 0}}, {{1.0, 1}}}, .gamma = 1.0};
  // Minus "0 loses" is "1 loses", up to a constant.
  if (negative == Negative::kKnown)
    parts.negative = [](std::size_t column) { return Dataset<int>{{1.0, column == 0 ? 1 : 0}}; };
  return erased<Coin>(std::make_shared<const OutcomeColumns<Coin>>(std::move(parts)));
}

Draw constant(double value, DrawSigns signs = DrawSigns::kBoth) {
  return {.fill = [value](std::uint64_t, std::span<double> alpha) { std::fill(alpha.begin(), alpha.end(), value); },
          .freshness = Freshness::kFresh,
          .signs = signs};
}

Code code_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& e) {
    return e.code();
  }
  return Code::kInternal;
}

const auto kCoin = std::make_shared<const Coin>();

template <bool signed_weights>
std::shared_ptr<const GameOracle> best_side() {
  return erased<Coin>(erased(kCoin), make_oracle("best side", kCoin, BestSide<signed_weights>{}));
}

TEST(Perturber, RefusesAnOracleThatCannotTakeNoiseOfBothSigns) {
  const auto oracle = best_side<false>();
  EXPECT_EQ(code_of([&] { Perturber(oracle, columns(kCoin, Negative::kUnknown), constant(1)); }), Code::kUnavailable);
}

TEST(Perturber, TakesItWhereDataSetsOfBothSignsAreKnownOrWeightsMayBeNegative) {
  const auto plain = best_side<false>();
  EXPECT_NO_THROW(Perturber(plain, columns(kCoin, Negative::kKnown), constant(1)));
  const auto any = best_side<true>();
  EXPECT_NO_THROW(Perturber(any, columns(kCoin, Negative::kUnknown), constant(1)));
}

TEST(Perturber, RefusesADrawThatBreaksItsWordAboutSigns) {
  const auto oracle = best_side<false>();
  const auto matrix = columns(kCoin, Negative::kUnknown);
  Perturber sound(oracle, matrix, constant(2, DrawSigns::kNonNegative));
  EXPECT_NO_THROW(sound.at(1).history());
  Perturber broken(oracle, matrix, constant(-2, DrawSigns::kNonNegative));
  EXPECT_EQ(code_of([&] { broken.at(1).history(); }), Code::kUnavailable);
}

TEST(Perturber, ThoseThatShareABufferHaveTheirOwnNoise) {
  const auto oracle = best_side<true>();
  const auto matrix = columns(kCoin, Negative::kUnknown);
  const auto buffer = std::make_shared<RoundNoise>(oracle, matrix);
  Perturber one({buffer, 1}, matrix, constant(2)), other({buffer, 2}, matrix, constant(5));
  // Action 0 loses in column 0 alone, so its noise is the draw. Both are asked about the same round in turns.
  for (const std::uint64_t round : {1U, 1U, 2U}) {
    EXPECT_EQ(one.at(round).exact(AnyAction::of(0)), 2);
    EXPECT_EQ(other.at(round).exact(AnyAction::of(0)), 5);
    EXPECT_EQ(one.at(round).exact(AnyAction::of(0)), 2);
  }
}

}  // namespace perturber_test
}  // namespace hannan::detail
