// The perturbations of vcg-reserves in money: codes of positions, and lone bids that make their columns.
//
// A lone bid p_h of bidder i pays p_z [z <= h]: with W(z) = (phi(z) - phi(0)) / p_z, W(m) = 0, weights W(h) - W(h+1) on
// them, h = 1..m-1, make phi - phi(0), of any sign. Without negative weights: s others at x = p_1/2 let a bid of x, or
// of p_h, pay e_z [z <= h], h = 0..m-1, with e_0 = x + c0, e_z = p_z + c0, c0 = (s-1) x (lazy: 0, and a constant),
// which rises from above 0: then W(z) = (phi(z) + c) / e_z falls for a large c.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {

namespace {

using MoneyRequest = Perturbation<VcgReserves>::ColumnRequest;

// Column h = 1..m-1 is (p_z / p_h) [z <= h].
class PriceShares final : public CoordinateCode {
 public:
  explicit PriceShares(std::vector<double> prices) : prices_(std::move(prices)) {}
  std::size_t values() const override { return prices_.size(); }
  std::size_t columns() const override { return prices_.size() - 1; }
  double entry(std::size_t position, std::size_t column) const override {
    return position <= column + 1 ? prices_[position] / prices_[column + 1] : 0.0;
  }
  void table(std::span<const double> alpha, std::span<double> out) const override {
    double reached = 0;  // noise of the columns that position z reaches, over their prices
    for (std::size_t z = prices_.size(); z-- > 0;) {
      if (z > 0) reached += alpha[z - 1] / prices_[z];
      out[z] = prices_[z] * reached;
    }
  }
  CoordinateShape shape() const override { return {CoordinateShape::Kind::kOther, prices_.size()}; }

 private:
  std::vector<double> prices_;
};

// Heights W(first..m-1) to weights on the bids at those positions.
Dataset<VcgReserves::Outcome> steps_of(const std::vector<double>& heights, std::size_t first,
                                       const std::function<VcgReserves::Outcome(std::size_t)>& bid_at) {
  Dataset<VcgReserves::Outcome> set;
  for (std::size_t h = first; h < heights.size(); ++h) {
    // 1e-14: about a hundred roundings of the larger height.
    const double above = h + 1 < heights.size() ? heights[h + 1] : 0.0, weight = heights[h] - above;
    // Two equal heights computed apart differ by a rounding; that is no weight.
    if (std::abs(weight) > 1e-14 * std::abs(above)) set.push_back({weight, bid_at(h)});
  }
  return set;
}

Dataset<VcgReserves::Outcome> money_data(const VcgReserves& p, std::size_t bidder, std::vector<double> phi,
                                         Weights weights) {
  const ReserveMoney& money = *p.money();
  const std::vector<double> prices = money.lone_prices(bidder);
  const double unit = money.lone_scale(bidder);
  const std::size_t m = prices.size();
  std::vector<double> heights(m, 0.0);
  if (weights == Weights::kAnySign) {
    for (std::size_t z = 1; z < m; ++z) heights[z] = (phi[z] - phi[0]) / (prices[z] * unit);
    return steps_of(heights, 1,
                    [&](std::size_t h) { return money.lone_outcome({.bidder = bidder, .bid = prices[h]}); });
  }
  const double other = prices[1] / 2;
  const auto units = static_cast<std::size_t>(p.units());
  std::vector<double> bids = prices, pays = prices;
  bids[0] = pays[0] = other;
  if (p.rule() == VcgReserves::Rule::kEager) {
    for (double& paid : pays) paid += static_cast<double>(units - 1) * other;
  }
  // The least c for which W(z) = (phi(z) + c) / e_z is not negative at the end and never rises: W(z) >= W(z+1) solved
  // for c, with e_z < e_(z+1).
  double raised = -phi[m - 1];
  for (std::size_t z = 0; z + 1 < m; ++z)
    raised = std::max(raised, (pays[z] * phi[z + 1] - pays[z + 1] * phi[z]) / (pays[z + 1] - pays[z]));
  for (std::size_t z = 0; z < m; ++z) heights[z] = (phi[z] + raised) / (pays[z] * unit);
  auto set = steps_of(heights, 0, [&](std::size_t h) {
    return money.lone_outcome({.bidder = bidder, .bid = bids[h], .count = units, .other = other});
  });
  // By the choice of c no weight is negative, but rounding.
  for (auto& point : set) point.weight = std::max(point.weight, 0.0);
  return set;
}

}  // namespace

std::optional<double> VcgReserves::gamma_at(std::string_view perturbation, const Outcome& y) const {
  if (money_) return money_->gamma(perturbation, prepare(y));
  return std::nullopt;
}

std::vector<std::shared_ptr<const Perturbation<VcgReserves>>> VcgReserves::money_perturbations(
    const std::shared_ptr<const VcgReserves>& p) {
  const ReserveMoney& money = *p->money();
  std::vector<std::shared_ptr<const Perturbation<VcgReserves>>> all;
  const auto add = [&](const std::string& name, HedgeSign sign, auto&& code_of) {
    std::vector<CodePtr> codes;
    for (std::size_t i = 0; i < p->coordinates(); ++i) codes.push_back(code_of(i));
    const auto data = [p, codes](MoneyRequest request) -> std::optional<Dataset<Outcome>> {
      std::size_t bidder = 0, column = request.column;
      // Columns are numbered bidder after bidder. The caller's column is below their total, so bidder stays in range.
      while (column >= codes[bidder]->columns()) column -= codes[bidder++]->columns();
      // Data sets of reverse auctions are of costs, which fall where money rises.
      const double factor = p->form() == Form::kLoss ? -request.sign : request.sign;
      std::vector<double> phi;
      for (std::size_t z = 0; z < p->domain(bidder); ++z) phi.push_back(factor * codes[bidder]->entry(z, column));
      // Beyond so many bids an outcome has no space for as many others as there are units.
      if (request.weights == Weights::kNonNegative && p->units() >= kMostRanked) return std::nullopt;
      return money_data(*p, bidder, std::move(phi), request.weights);
    };
    all.push_back(
        std::make_shared<CodedColumns<VcgReserves>>(CodedColumns<VcgReserves>::Parts{.name = name,
                                                                                     .problem = p,
                                                                                     .codes = codes,
                                                                                     .gamma = money.gamma(name),
                                                                                     .hedge_sign = sign,
                                                                                     .actions = Actions::kFullProduct,
                                                                                     .form = p->form(),
                                                                                     .data = data}));
  };
  add("one-hot", HedgeSign::kNonNegative, [&](std::size_t i) -> CodePtr { return one_hot_code(p->domain(i)); });
  add("bits", HedgeSign::kMixed, [&](std::size_t i) { return bits_code(p->domain(i)); });
  add("thermometer", HedgeSign::kMixed, [&](std::size_t i) { return thermometer_code(p->domain(i)); });
  if (money.parts().scale != ReserveMoney::Scale::kCeilings)
    add("direct", HedgeSign::kMixed,
        [&](std::size_t i) -> CodePtr { return std::make_shared<const PriceShares>(money.lone_prices(i)); });
  return all;
}

}  // namespace hannan::detail
