// Data sets of one item j with prices p_0 = 0 < ... < p_(m-1), phi = sign * column, in money:
//   any sign       W(0) = W(m) = 0, W(z) = (phi(z) - phi(0)) / p_z; weight W(h) - W(h+1) on a lone buyer at p_h, h >=
//   1,
//                  who pays p_z [z <= h]: the sum is phi(z) - phi(0)
//   non-negative   the buyer has the value p_h + x and the fee x = p_1, and pays e_z [z <= h], e_z = p_z + x, h >= 0;
//                  W(z) = (phi(z) + c) / e_z with the least c that leaves no weight negative: the sum is phi(z) + c
#include "hannan/problems/item_pricing/price_list_columns.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {
namespace {

// `direct`: column h = 1..m-1 is what a lone buyer at p_h pays, (p_z / p_h) [z <= h].
class ListedPaymentCode final : public CoordinateCode {
 public:
  explicit ListedPaymentCode(PriceList prices) : prices_(std::move(prices)) {}
  std::size_t values() const override { return prices_.size(); }
  std::size_t columns() const override { return prices_.size() - 1; }
  double entry(std::size_t position, std::size_t column) const override {
    return position <= column + 1 ? prices_[position] / prices_[column + 1] : 0.0;
  }
  void table(std::span<const double> alpha, std::span<double> out) const override {
    double reached = 0;  // noise of the columns that the price reaches, each by its own price
    for (std::size_t z = prices_.size(); z-- > 1;) {
      reached += alpha[z - 1] / prices_[z];
      out[z] = reached * prices_[z];
    }
    out[0] = 0;
  }
  CoordinateShape shape() const override { return {CoordinateShape::Kind::kOther, prices_.size()}; }

 private:
  PriceList prices_;
};

using PriceListData = Dataset<ItemPricing::Outcome>;

// One buyer who wants item j alone.
ItemPricing::Outcome lone_buyer_of(const ItemPricing& p, std::size_t item, double value, double fee) {
  Buyer buyer;
  buyer.fee = fee;
  if (p.demand() == ItemPricing::Demand::kSingleMinded) {
    buyer.bundle = std::uint32_t{1} << item;
    buyer.value = value;
  } else {
    buyer.values.assign(p.coordinates(), 0.0);
    buyer.values[item] = value;
  }
  return {std::move(buyer)};
}

PriceListData lone_buyers(const ItemPricing& p, const std::vector<CodePtr>& codes,
                          Perturbation<ItemPricing>::ColumnRequest request) {
  std::size_t item = 0, column = request.column;
  // Columns are numbered item after item; the caller's is below their total.
  while (column >= codes[item]->columns()) column -= codes[item++]->columns();
  const PriceList& prices = p.prices()[item];
  const std::size_t m = prices.size();
  std::vector<double> phi;
  for (std::size_t z = 0; z < m; ++z) phi.push_back(request.sign * codes[item]->entry(z, column));
  const bool any = request.weights == Weights::kAnySign;
  const double fee = any ? 0.0 : prices[1];
  double shift = any ? -phi[0] : -phi[m - 1];
  // The least c with height(z) >= height(z + 1) for all z, and height(m - 1) >= 0: heights are (phi + c) / (price +
  // fee).
  for (std::size_t z = 0; !any && z + 1 < m; ++z) {
    const double low = prices[z] + fee, high = prices[z + 1] + fee;
    shift = std::max(shift, (low * phi[z + 1] - high * phi[z]) / (high - low));
  }
  const auto height = [&](std::size_t z) { return z >= m ? 0.0 : (phi[z] + shift) / (prices[z] + fee); };
  PriceListData set;
  for (std::size_t h = any ? 1 : 0; h < m; ++h) {
    const double above = height(h + 1), weight = height(h) - above;
    // 1e-14: about a hundred roundings.
    // Two equal heights computed apart differ by a rounding; that is no weight.
    if (std::abs(weight) > 1e-14 * std::abs(above))
      set.push_back({weight, lone_buyer_of(p, item, prices[h] + fee, fee)});
  }
  return set;
}

}  // namespace

std::vector<std::shared_ptr<const Perturbation<ItemPricing>>> price_list_columns(
    const std::shared_ptr<const ItemPricing>& p) {
  std::vector<std::shared_ptr<const Perturbation<ItemPricing>>> all;
  const auto add = [&](const std::string& name, HedgeSign sign) {
    std::vector<CodePtr> codes;
    for (const PriceList& list : p->prices()) {
      codes.push_back(name == "direct" ? std::make_shared<ListedPaymentCode>(list) : named_code(name, list.size()));
    }
    all.push_back(std::make_shared<CodedColumns<ItemPricing>>(
        CodedColumns<ItemPricing>::Parts{.name = name,
                                         .problem = p,
                                         .codes = codes,
                                         .gamma = p->items() * p->gamma_per_item(name),
                                         .hedge_sign = sign,
                                         .actions = Actions::kFullProduct,
                                         .form = Form::kReward,
                                         .data = [p, codes](Perturbation<ItemPricing>::ColumnRequest request) {
                                           return lone_buyers(*p, codes, request);
                                         }}));
  };
  add("one-hot", HedgeSign::kNonNegative);
  add("bits", HedgeSign::kMixed);
  add("thermometer", HedgeSign::kMixed);
  add("direct", HedgeSign::kMixed);
  return all;
}

}  // namespace hannan::detail
