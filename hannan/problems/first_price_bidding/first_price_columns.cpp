// The perturbations of first-price-bidding, and the data sets that make their columns (docs/theory.md, first price).
//
// Both signs with non-negative weights, by one item at a time, the others not for sale. phi = sign * column.
//   shade     value 1; rival at k_(t-1), or no rival for t = 0: earns (1 - k_z) [z >= t]. With W(z) = (phi(z) + c) /
//             (1 - k_z) and weights W(t) - W(t-1) the sum is phi + c; c is the least that leaves no weight negative
//   absolute  rival at b_(t-1), weight u for every t >= 1, value v_t: earns (v_t - b_z) [z >= t]. With
//             u v_t = phi(t) - phi(t-1) + u (t b_t - (t-1) b_(t-1)) the sum is phi - phi(0); u is the least that leaves
//             every value non-negative, for either sign
#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/oracles/tabulate.hpp"
#include "hannan/problems/first_price_bidding/first_price_bidding.hpp"
#include "hannan/problems/first_price_bidding/first_price_search.hpp"

namespace hannan::detail {
namespace {

using Data = Dataset<FirstPriceBidding::Outcome>;

struct ItemColumn {
  const FirstPriceBidding& problem;
  std::size_t item;
  std::vector<double> phi;

  const PriceList& grid() const { return problem.parts().grids[item]; }
  FirstPriceBidding::Outcome lone(const BidOffer& offer) const {
    FirstPriceBidding::Outcome y(problem.items());
    y[item] = offer;
    return y;
  }
};

Data shaded_data(const ItemColumn& column) {
  const std::vector<double>& phi = column.phi;
  const PriceList& k = column.grid();
  double shift = -phi[0];
  // The least c for which W never falls: W(t) >= W(t-1) solved for c, with 1 - k_t < 1 - k_(t-1).
  for (std::size_t t = 1; t < k.size(); ++t)
    shift = std::max(shift, (phi[t - 1] * (1 - k[t]) - phi[t] * (1 - k[t - 1])) / (k[t] - k[t - 1]));
  Data set;
  double before = 0;
  for (std::size_t t = 0; t < k.size(); ++t) {
    const double height = (phi[t] + shift) / (1 - k[t]), weight = height - before;
    BidOffer offer{.for_sale = true, .value = 1};
    if (t > 0) {
      offer.rival = BidOffer::Rival::kOther;
      offer.price = k[t - 1];
    }
    // Two equal heights computed apart differ by a rounding; that is no weight.
    if (weight > 1e-14 * std::abs(before)) set.push_back({weight, column.lone(offer)});
    before = height;
  }
  return set;
}

Data absolute_data(const ItemColumn& column) {
  const std::vector<double>& phi = column.phi;
  const PriceList& bids = column.grid();
  const auto step = [&](std::size_t t) {
    return static_cast<double>(t) * bids[t] - static_cast<double>(t - 1) * bids[t - 1];
  };
  double weight = 0;
  for (std::size_t t = 1; t < bids.size(); ++t) weight = std::max(weight, std::abs(phi[t] - phi[t - 1]) / step(t));
  Data set;
  for (std::size_t t = 1; t < bids.size() && weight > 0; ++t) {
    const double value = std::max(0.0, (phi[t] - phi[t - 1]) / weight + step(t));
    set.push_back(
        {weight,
         column.lone({.for_sale = true, .value = value, .rival = BidOffer::Rival::kOther, .price = bids[t - 1]})});
  }
  return set;
}

Data column_data(const FirstPriceBidding& p, const std::vector<CodePtr>& codes,
                 Perturbation<FirstPriceBidding>::ColumnRequest request) {
  std::size_t item = 0, column = request.column;
  // Columns are numbered item after item; the caller's is below their total.
  while (column >= codes[item]->columns()) column -= codes[item++]->columns();
  ItemColumn wanted{p, item, {}};
  for (std::size_t z = 0; z < p.domain(item); ++z) wanted.phi.push_back(request.sign * codes[item]->entry(z, column));
  return p.parts().mode == FirstPriceBidding::Mode::kShade ? shaded_data(wanted) : absolute_data(wanted);
}

}  // namespace

std::vector<std::shared_ptr<const Perturbation<FirstPriceBidding>>> FirstPriceBidding::perturbations(
    std::shared_ptr<const FirstPriceBidding> p) {
  std::vector<std::shared_ptr<const Perturbation<FirstPriceBidding>>> all;
  for (const char* name : {"one-hot", "thermometer", "bits"}) {
    std::vector<CodePtr> codes;
    double widest = 0;  // columns of an item
    for (std::size_t j = 0; j < p->items(); ++j) {
      codes.push_back(named_code(name, p->domain(j)));
      widest = std::max(widest, static_cast<double>(codes.back()->columns()));
    }
    const std::string_view word = name;
    all.push_back(std::make_shared<CodedColumns<FirstPriceBidding>>(CodedColumns<FirstPriceBidding>::Parts{
        .name = name,
        .problem = p,
        .codes = codes,
        .gamma = word == "bits" ? widest : std::min(widest, 1.0),
        .hedge_sign = word == "one-hot" ? HedgeSign::kNonNegative : HedgeSign::kMixed,
        .actions = p->chain().all() ? Actions::kFullProduct : Actions::kRestricted,
        .form = Form::kReward,
        .data = [p, codes](Perturbation<FirstPriceBidding>::ColumnRequest request) {
          return std::optional(column_data(*p, codes, request));
        }}));
  }
  return all;
}

std::vector<std::shared_ptr<const AnyOracle<FirstPriceBidding>>> FirstPriceBidding::oracles(
    std::shared_ptr<const FirstPriceBidding> p) {
  // Curves cost the sum of positions, a table their product.
  constexpr double kMostListed = 65'536;  // beyond, a table is slower than the curves by far
  std::vector<std::shared_ptr<const AnyOracle<FirstPriceBidding>>> all{
      make_oracle(p->chain().all() ? "separable" : "knapsack", p, FirstPriceSearch{})};
  if (p->chain().count() <= kMostListed) all.push_back(make_oracle("tabulate", p, Tabulate<FirstPriceBidding>{}));
  return all;
}

}  // namespace hannan::detail
