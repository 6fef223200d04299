// The perturbations of a level auction and their data sets; formulas and claims are in level_columns.hpp. A column is
// addressed by coordinate c = bidder * s + j - 1 and k - 1 in 0..m-s: column = c * (m-s+1) + k - 1. The gammas are
// argued in level_auction.hpp; threshold_data is the constructive proof that every table has a data set.
#include "hannan/problems/level_auction/level_columns.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "hannan/core/tally.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {
namespace {

struct ProfileName {
  std::size_t bidder;
  std::size_t j, k;  // from 1
};

// The fake outcome (i, j, k) of the header: bidder i reaches h = k + j - 1 and the phantom j - 1.
BidReach profile(const LevelRule& rule, const ProfileName& name) {
  BidReach y{std::vector<int>(rule.n() + 1, 0)};
  y.units[name.bidder] = static_cast<int>(name.k + name.j - 1);
  y.units.back() = static_cast<int>(name.j - 1);
  return y;
}

// The paper's matrix: one column per profile.
class DirectColumns final : public Perturbation<LevelAuction> {
 public:
  explicit DirectColumns(std::shared_ptr<const LevelAuction> p) : problem_(std::move(p)) {}

  const std::string& name() const override { return name_; }
  std::size_t columns() const override { return k_max() <= 1 ? 0 : problem_->coordinates() * k_max(); }
  std::optional<double> gamma() const override {
    const auto& rule = problem_->rule();
    return k_max() <= 1 ? 0.0 : static_cast<double>(rule.bidders) * rule.thresholds * rule.levels;
  }
  HedgeSign hedge_sign() const override { return HedgeSign::kNonNegative; }
  bool unit_entries() const override { return true; }

  // A column is an outcome, so its entry is the raw reward of that outcome, in [0,1].
  void row(const LevelAuction::Action& x, std::span<double> out) const override {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = problem_->raw(x, outcome(c));
  }

  void pour(std::span<const double> alpha, AnyHistory<LevelAuction>& into) const override {
    if (alpha.empty()) return;
    const auto& rule = problem_->rule();
    // Direct columns as one table per threshold, O(n s m) instead of one outcome per column. Thresholds are handled
    // from the last to the first, because a column (i, j, k) touches thresholds 2..j of bidder i only. reach has s +
    // size + 1 entries and is read at h = d + j <= size - 1 + s.
    const std::size_t s = rule.s(), size = k_max();
    std::vector<double> table(size), reach(rule.s() + size + 1);
    for (std::size_t i = 0; i < rule.n(); ++i) {
      // reach[h] = the noise of the columns of later thresholds that a threshold z <= h meets.
      std::fill(reach.begin(), reach.end(), 0.0);
      for (std::size_t j = s; j >= 1; --j) {
        const double* own = alpha.data() + (i * s + j - 1) * size;
        double met = 0, cross = 0;
        for (std::size_t h = j + size; h < reach.size(); ++h) cross += reach[h];
        for (std::size_t d = size; d-- > 0;) {  // z = d + j, met by the profiles with h >= z
          met += own[d];
          cross += reach[d + j];
          table[d] = (static_cast<double>(d + 1) * met + (j >= 2 ? cross : 0.0)) / rule.levels;
        }
        into.add_table(i * s + j - 1, table);
        for (std::size_t d = 0; d < size; ++d) reach[d + j] += own[d];
      }
    }
  }

  bool pour_data(std::span<const double> alpha, AnyHistory<LevelAuction>& into, Weights weights) const override {
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      if (alpha[j] == 0) continue;
      // A data set makes rewards; losses take them with the other sign.
      const int sign = weights == Weights::kNonNegative && alpha[j] > 0 ? -1 : 1;
      const auto set = data({.column = j, .sign = sign, .weights = weights});
      for (const auto& [weight, y] : *set) into.add(y, -sign * alpha[j] * weight);
    }
    return true;
  }

  void project(std::span<const double> alpha, NoiseTable& into) const override {
    project_tables(*problem_, *this, alpha, into);
  }
  double noise(const LevelAuction::Action& x, NoiseTable& table) const override {
    return noise_from_tables(*problem_, x, table);
  }
  bool quick() const override { return true; }

  std::optional<Dataset<BidReach>> data(ColumnRequest request) const override {
    if (request.sign > 0 || request.weights == Weights::kAnySign) {
      return Dataset<BidReach>{{static_cast<double>(request.sign), outcome(request.column)}};
    }
    const auto& rule = problem_->rule();
    // The negative of a column with non-negative weights: its reward as targets of thresholds l <= j, each negated.
    const std::size_t size = k_max(), c = request.column / size, j = c % rule.s() + 1;
    const std::size_t h = request.column % size + j;
    ThresholdTargets wanted{
        .bidder = c / rule.s(), .targets = std::vector<std::vector<double>>(rule.s()), .weights = request.weights};
    for (std::size_t l = j == 1 ? 1 : 2; l <= j; ++l) {
      auto& target = wanted.targets[l - 1];
      target.assign(size, 0.0);
      for (std::size_t d = 0; d < size && d + l <= h; ++d) {
        target[d] = -(l == j ? static_cast<double>(d + 1) : 1.0) / rule.levels;
      }
    }
    return threshold_data(rule, std::move(wanted));
  }

 private:
  std::size_t k_max() const { return problem_->rule().choices(); }
  BidReach outcome(std::size_t column) const {
    const std::size_t c = column / k_max();
    const auto& rule = problem_->rule();
    return profile(rule, {.bidder = c / rule.s(), .j = c % rule.s() + 1, .k = column % k_max() + 1});
  }

  std::string name_ = "direct";
  std::shared_ptr<const LevelAuction> problem_;
};

struct Claim {
  std::string_view code;
  double gamma;
  HedgeSign sign;
};

// One code for every threshold. A column of it is a target function of one threshold, for which threshold_data makes
// the outcomes. Thresholds of one bidder rise, so with two or more of them the actions are not a full product.
std::shared_ptr<const Perturbation<LevelAuction>> coded(std::shared_ptr<const LevelAuction> p, const Claim& claim) {
  const LevelRule rule = p->rule();
  const CodePtr code = named_code(claim.code, rule.choices());
  const auto data = [rule,
                     code](Perturbation<LevelAuction>::ColumnRequest request) -> std::optional<Dataset<BidReach>> {
    const std::size_t c = request.column / code->columns();
    ThresholdTargets wanted{
        .bidder = c / rule.s(), .targets = std::vector<std::vector<double>>(rule.s()), .weights = request.weights};
    auto& target = wanted.targets[c % rule.s()];
    for (std::size_t d = 0; d < code->values(); ++d) {
      target.push_back(request.sign * code->entry(d, request.column % code->columns()));
    }
    return threshold_data(rule, std::move(wanted));
  };
  const std::size_t coordinates = p->coordinates();
  return std::make_shared<CodedColumns<LevelAuction>>(
      CodedColumns<LevelAuction>::Parts{.name = std::string(claim.code),
                                        .problem = std::move(p),
                                        .codes = std::vector<CodePtr>(coordinates, code),
                                        .gamma = rule.choices() == 1 ? 0.0 : claim.gamma,
                                        .hedge_sign = claim.sign,
                                        .actions = rule.thresholds == 1 ? Actions::kFullProduct : Actions::kRestricted,
                                        .form = Form::kReward,
                                        .data = data});
}

}  // namespace

// Thresholds from the last to the first: making phi_j also changes the targets of l = 2..j-1, which come later, and
// never those of later thresholds. A constant target needs no outcomes: it is the same for every action.
Dataset<BidReach> threshold_data(const LevelRule& rule, ThresholdTargets wanted) {
  const std::size_t size = rule.choices();
  const double m = rule.levels;
  Tally<BidReach> points;
  for (std::size_t j = rule.s(); j >= 1; --j) {
    auto& target = wanted.targets[j - 1];
    if (target.empty() || std::all_of(target.begin(), target.end(), [&](double v) { return v == target[0]; })) continue;
    double constant = 0;
    if (wanted.weights == Weights::kNonNegative) {
      // W(z) >= W(z+1) with u = z - j + 1: (phi(z) + c)(u + 1) >= (phi(z+1) + c) u; and W >= 0 at the end.
      constant = -target[size - 1];
      for (std::size_t d = 0; d + 1 < size; ++d) {
        const double u = static_cast<double>(d) + 1;
        constant = std::max(constant, u * target[d + 1] - (u + 1) * target[d]);
      }
    }
    // w[d] = W(z) of threshold value z = d + j, and w[size] = 0 beyond the last value.
    std::vector<double> w(size + 1, 0.0);
    for (std::size_t d = 0; d < size; ++d) w[d] = m * (target[d] + constant) / static_cast<double>(d + 1);
    for (std::size_t d = 0; d < size; ++d) {
      const double weight = w[d] - w[d + 1];
      // 1e-12: a few thousand roundings of the two numbers.
      // What rounding leaves of an exact zero is none.
      if (std::abs(weight) <= 1e-12 * (std::abs(w[d]) + std::abs(w[d + 1]))) continue;
      points.add(profile(rule, {.bidder = wanted.bidder, .j = j, .k = d + 1}), weight);
    }
    for (std::size_t l = 2; l < j; ++l) {
      auto& earlier = wanted.targets[l - 1];
      earlier.resize(size, 0.0);
      // z = d + l meets the profiles with h >= max(z, j), h = position + j.
      // d + l - j <= size - 1 since l < j; a value below j meets all profiles, like position 0.
      for (std::size_t d = 0; d < size; ++d) earlier[d] -= w[d + l > j ? d + l - j : 0] / m;
    }
  }
  Dataset<BidReach> set;
  for (const auto& [y, weight] : points) set.push_back({weight, y});
  return set;
}

// The first is the default of the problem.
std::vector<std::shared_ptr<const Perturbation<LevelAuction>>> level_columns(std::shared_ptr<const LevelAuction> p) {
  const double all = static_cast<double>(p->coordinates());
  const std::size_t size = p->rule().choices();
  const double bits = all * static_cast<double>(bits_code(size)->columns());
  return {std::make_shared<DirectColumns>(p),
          coded(p, {.code = "one-hot", .gamma = all, .sign = HedgeSign::kNonNegative}),
          coded(p, {.code = "thermometer", .gamma = size > 2 ? 2 * all : all, .sign = HedgeSign::kMixed}),
          coded(p, {.code = "bits", .gamma = bits, .sign = HedgeSign::kMixed})};
}

}  // namespace hannan::detail
