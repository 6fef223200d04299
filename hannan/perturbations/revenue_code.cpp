// The lone buyer's payments as a code and as data (formulas in revenue_code.hpp). Positions d = 0..m-1 are prices z = d
// + 1; heights W(z) are indexed from 1, with W(m + 1) = 0. Cost: O(m).
#include "hannan/perturbations/revenue_code.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace hannan::detail {
namespace {

class PaymentCode final : public CoordinateCode {
 public:
  explicit PaymentCode(std::size_t values) : values_(values) {}
  std::size_t values() const override { return values_; }
  std::size_t columns() const override { return values_ <= 1 ? 0 : values_; }
  double entry(std::size_t position, std::size_t column) const override {
    return position <= column ? static_cast<double>(position + 1) / static_cast<double>(values_) : 0.0;
  }
  void table(std::span<const double> alpha, std::span<double> out) const override {
    double reached = 0;  // noise of the columns that price d + 1 reaches
    for (std::size_t d = values_; d-- > 0;) {
      reached += alpha[d];
      out[d] = reached * static_cast<double>(d + 1) / static_cast<double>(values_);
    }
  }
  CoordinateShape shape() const override { return {CoordinateShape::Kind::kOther, values_}; }

 private:
  std::size_t values_;
};

}  // namespace

CodePtr revenue_code(std::size_t values) { return std::make_shared<PaymentCode>(values); }

// Weights W(h) - W(h + 1) on a lone buyer at level h, who pays z/m at every price z <= h: at price z they add up to
// W(z) z/m = R (phi(z) + shift). shift is the least that leaves no weight negative, 0 where any sign is allowed.
std::vector<LoneSale> lone_sales(const LoneTarget& target) {
  const auto& phi = target.phi;
  const std::size_t m = phi.size();
  double shift = 0;
  if (target.weights == Weights::kNonNegative) {
    shift = -phi[m - 1];
    for (std::size_t z = 1; z < m; ++z) {
      shift = std::max(shift, static_cast<double>(z) * phi[z] - static_cast<double>(z + 1) * phi[z - 1]);
    }
  }
  const double unit = static_cast<double>(m) * target.normaliser;
  const auto height = [&](std::size_t z) { return z > m ? 0.0 : unit * (phi[z - 1] + shift) / static_cast<double>(z); };
  std::vector<LoneSale> sales;
  for (std::size_t h = 1; h <= m; ++h) {
    const double above = height(h + 1), weight = height(h) - above;
    // 1e-14 is about a hundred roundings of the higher one.
    // Two equal heights computed apart differ by a rounding; that is no weight.
    if (std::abs(weight) > 1e-14 * std::abs(above)) sales.push_back({h, weight});
  }
  return sales;
}

}  // namespace hannan::detail
