// M for closed shapes is one sum of at most N or K terms. Otherwise it is a mean over keyed draws, of the largest noise
// of each, found by a pass over listed rows where there are any and by the oracle of the run where there are none. What
// a search may have missed is added, so that `high` stays an upper limit.
#include "hannan/verify/noise_forms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <vector>

#include "hannan/core/elementary.hpp"
#include "hannan/verify/drawn_noise.hpp"
#include "hannan/verify/noise_rows.hpp"

namespace hannan::detail {
namespace forms {

double emax_bits(double columns) { return columns / 2; }

// The sum of u_k = (2k over k) 4^-k, u_k = u_(k-1) - u_(k-1)/(2k): a step's rounding is 1/(2k) of that of a product,
// and those of all N steps together about ln N / 2 roundings of u.
double emax_prefix(double columns) {
  ExactTotal term, sum;
  term += 1;
  for (double k = 1; k <= columns; ++k) {
    term += -term.value() / (2 * k);
    sum += term.value();
  }
  return sum.value();
}

// H_K - sum of 2^-j/j - 2^-K/K.
double emax_identity(double actions) {
  ExactTotal sum;
  double power = 1;
  for (double j = 1; j <= actions; ++j) {
    power /= 2;
    sum += (1 - power) / j;
  }
  return sum.value() - power / actions;
}

std::optional<double> emax_of(std::span<const CoordinateShape> shape) {
  ExactTotal sum;
  for (const auto& [kind, values] : shape) {
    const auto size = static_cast<double>(values);
    switch (kind) {
      case CoordinateShape::Kind::kBits:
        if (!std::has_single_bit(values)) return std::nullopt;  // some 0/1 rows are missing
        sum += emax_bits(std::countr_zero(values));
        break;
      case CoordinateShape::Kind::kPrefix:
        sum += emax_prefix(size - 1);
        break;
      case CoordinateShape::Kind::kIdentity:
        sum += emax_identity(size);
        break;
      case CoordinateShape::Kind::kOther:
        return std::nullopt;
    }
  }
  return shape.empty() ? std::nullopt : std::optional(sum.value());
}

}  // namespace forms

namespace {

// Of M, where it is exact: five times what the program's form and the verifier's can differ by in one coordinate (see
// the header), and for each of the coordinates, which the program adds up one by one, half a unit in the last place.
constexpr double kFormRounding = 5e-15, kSumRounding = 0x1p-53;
constexpr double kErrors = 3.2905;  // standard errors: 99.95 % to one side, by the normal approximation
// As docs/record.md ("How M is measured") states them: the count of draws is part of the record's meaning, and a
// different one would measure another number.
constexpr double kMostDraws = 2000, kLeastDraws = 50;
constexpr double kMostWork = 2e8;  // actions looked at, where the oracle of the run looks at every one

class NoiseMean {
 public:
  void add(double value) {
    ++count_;
    const double step = value - mean_;  // Welford: no difference of large sums
    mean_ += step / count_;
    squares_ += step * (value - mean_);
  }
  RecomputedSize size(bool certain) const {
    const double error = count_ > 1 ? kErrors * std::sqrt(squares_ / (count_ - 1) / count_) : 0;
    return {.low = mean_ - error, .mean = mean_, .high = mean_ + error, .certain = certain, .precision = {}};
  }

 private:
  double count_ = 0, mean_ = 0, squares_ = 0;
};

class Measure {
 public:
  // Noise of one sign has the sign under which its density may be shifted by the hedge vectors: -1 where these are
  // never positive (one_sided).
  explicit Measure(const RecordedSetting& s)
      : s_(s), game_(*s.problem), alpha_(s.noise.matrix->columns()), oracle_(oracle_of(game_, s.oracle)) {
    if (s.noise.matrix->hedge_sign() == HedgeSign::kNonPositive) sign_ = -1;
  }

  // exp(30) is above 10^13, past every limit here: the minimum only keeps the size finite. The table is made where it
  // may be passed `draws` times within kMostWork; the hundredth more allows for ln_size being a rounded logarithm.
  RecomputedSize run() {
    const std::uint64_t draws = count();
    const double size = portable_exp(std::min(30.0, s_.ln_size));
    const auto table = size * static_cast<double>(draws) <= kMostWork * 1.01
                           ? game_.action_table(static_cast<std::uint64_t>(kMostWork))
                           : nullptr;
    if (table) {
      rows_ = NoiseRows(
          *table, alpha_.size(), [&](const AnyAction& x, std::span<double> row) { s_.noise.matrix->row(x, row); },
          s_.noise.matrix->shape());
      on_actions_.resize(table->size());
    }
    NoiseMean mean;
    for (std::uint64_t i = 1; i <= draws; ++i) {
      s_.noise.law->draw(RoundWords({}, DrawPurpose::kNoiseSize, i), alpha_, sign_);
      mean.add(table && rows_.known() ? most_of_listed() : most_found());
    }
    return mean.size(certain_);
  }

 private:
  // Fewer draws where the oracle of the run looks at every action, and there are many.
  std::uint64_t count() const {
    const double cost = oracle_->name() == "tabulate" ? portable_exp(std::min(20.0, s_.ln_size)) : 1.0;
    return static_cast<std::uint64_t>(std::clamp(kMostWork / cost, kLeastDraws, kMostDraws));
  }

  double most_of_listed() {
    rows_.products(alpha_, on_actions_);
    return -least_value_of(on_actions_.size(), [&](std::size_t k) { return on_actions_[k]; });
  }

  // The action that a search without data finds, and its noise by its row.
  double most_found() {
    const auto nothing = oracle_->empty(), noise = oracle_->empty();
    pour_noise(*s_.noise.matrix, alpha_, *oracle_, *noise);
    const auto answer = oracle_->best({*nothing, *noise, 1.0}, 1);
    certain_ = certain_ && answer.floor >= answer.value - tie_slack(answer.value);
    row_.resize(alpha_.size());
    s_.noise.matrix->row(answer.action, row_);
    // What the search may have missed counts as noise.
    return -exact_product(row_, alpha_) + std::max(0.0, answer.value - answer.floor);
  }

  const RecordedSetting& s_;
  const Game& game_;
  std::vector<double> alpha_, row_, on_actions_;
  std::shared_ptr<const GameOracle> oracle_;
  NoiseRows rows_;
  int sign_ = 1;
  bool certain_ = true;
};

// Where the only oracle is the user's own and does not claim to be exact: no action is looked for. Entries of a column
// that is a data set lie between the sum of its negative and that of its positive weights, and a column adds at most
// the larger one of -alpha times either.
std::optional<RecomputedSize> upper_limit(const RecordedSetting& s) {
  std::vector<double> low(s.noise.matrix->columns(), 0.0), high(low), alpha(low);
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    const auto set = s.noise.matrix->data({.column = j});
    if (!set) return std::nullopt;
    for (const auto& point : *set) (point.weight < 0 ? low : high)[j] += point.weight;
  }
  const int sign = s.noise.matrix->hedge_sign() == HedgeSign::kNonPositive ? -1 : 1;
  NoiseMean mean;
  for (std::uint64_t i = 1; i <= static_cast<std::uint64_t>(kMostDraws); ++i) {
    s.noise.law->draw(RoundWords({}, DrawPurpose::kNoiseSize, i), alpha, sign);
    double most = 0;
    for (std::size_t j = 0; j < alpha.size(); ++j) most += std::max(-alpha[j] * low[j], -alpha[j] * high[j]);
    mean.add(most);
  }
  return mean.size(true);
}

}  // namespace

std::optional<RecomputedSize> noise_size_again(const RecordedSetting& s) {
  const bool one_sided = s.noise.name.starts_with("exponential");
  if (!s.noise.law || !s.noise.matrix || (one_sided && s.noise.matrix->hedge_sign() == HedgeSign::kMixed))
    return std::nullopt;
  const std::string_view claims = s.problem->oracles().front()->claims();
  if (!claims.empty() && claims != "claimed exact") return upper_limit(s);
  if (s.noise.name == "laplace") {
    const auto shape = s.noise.matrix->shape();
    if (const auto M = forms::emax_of(shape)) {
      const double rounding = kFormRounding + kSumRounding * static_cast<double>(shape.size());
      return RecomputedSize{
          .low = *M, .mean = *M, .high = *M, .certain = true, .precision = {.unit = 0, .relative = rounding}};
    }
  }
  return Measure(s).run();
}

}  // namespace hannan::detail
