// The perturbations of item-pricing and the data sets that make them.
#include <cassert>
#include <utility>

#include "hannan/oracles/separable.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/revenue_code.hpp"
#include "hannan/problems/item_pricing/item_pricing.hpp"
#include "hannan/problems/item_pricing/price_list_columns.hpp"
#include "hannan/problems/item_pricing/price_list_search.hpp"
#include "hannan/problems/item_pricing/pricing_search.hpp"

namespace hannan::detail {

namespace {

// One buyer who wants item j alone, at h/m, and no other buyer.
ItemPricing::Outcome lone_buyer(const ItemPricing& p, std::size_t item, std::size_t h) {
  Buyer buyer;
  const double value = static_cast<double>(h) / p.levels();
  if (p.demand() == ItemPricing::Demand::kSingleMinded) {
    buyer.bundle = std::uint32_t{1} << item;
    buyer.value = value;
  } else {
    buyer.values.assign(p.coordinates(), 0.0);
    buyer.values[item] = value;
  }
  return {std::move(buyer)};
}

// Rewards code.entry(d, column) times the sign, as weighted lone buyers; lone_sales finds the weights.
Dataset<ItemPricing::Outcome> lone_data(const ItemPricing& p, const CoordinateCode& code,
                                        Perturbation<ItemPricing>::ColumnRequest request) {
  // All items have the same code, so a column is item * columns + column of the code.
  const std::size_t item = request.column / code.columns();
  LoneTarget target{.phi = {}, .normaliser = p.normaliser(), .weights = request.weights};
  for (std::size_t d = 0; d < code.values(); ++d) {
    target.phi.push_back(request.sign * code.entry(d, request.column % code.columns()));
  }
  Dataset<ItemPricing::Outcome> set;
  for (const auto& [level, weight] : lone_sales(target)) set.push_back({weight, lone_buyer(p, item, level)});
  return set;
}

}  // namespace

// A gamma of one item times the number of items, because columns of different items add up. With m = 1 there is one
// action and no noise is needed. The first is the default.
std::vector<std::shared_ptr<const Perturbation<ItemPricing>>> ItemPricing::perturbations(
    std::shared_ptr<const ItemPricing> p) {
  if (p->in_money()) return price_list_columns(p);
  const std::size_t m = p->domain(0);
  std::vector<std::shared_ptr<const Perturbation<ItemPricing>>> all;
  const auto add = [&](std::string name, CodePtr code, double gamma_per_item, HedgeSign sign) {
    all.push_back(std::make_shared<CodedColumns<ItemPricing>>(
        CodedColumns<ItemPricing>::Parts{.name = std::move(name),
                                         .problem = p,
                                         .codes = std::vector<CodePtr>(p->coordinates(), code),
                                         .gamma = m > 1 ? p->items() * gamma_per_item : 0.0,
                                         .hedge_sign = sign,
                                         .actions = Actions::kFullProduct,
                                         .form = Form::kReward,
                                         .data = [p, code](Perturbation<ItemPricing>::ColumnRequest request) {
                                           return lone_data(*p, *code, request);
                                         }}));
  };
  const auto bits = bits_code(m);
  add("bits", bits, static_cast<double>(bits->columns()), HedgeSign::kMixed);
  add("one-hot", one_hot_code(m), 1, HedgeSign::kNonNegative);
  add("thermometer", thermometer_code(m), m > 2 ? 2 : 1, HedgeSign::kMixed);
  add("direct", revenue_code(m), static_cast<double>(m), HedgeSign::kNonNegative);
  return all;
}

// For the separable oracle, which exists for one item only: its curve is the loss at every price.
void ItemPricing::add_curves(const Outcome& y, double weight, CurveSums& sums) const {
  assert(parts_.items == 1);
  for (std::size_t z = 0; z < domain(0); ++z) sums.curves[0][z] += weight * loss({static_cast<int>(z) + lowest()}, y);
}

void ItemPricing::action_at(const std::vector<int>& positions, Action& x) const {
  x = positions;
  for (int& price : x) price += lowest();
}

std::vector<std::shared_ptr<const AnyOracle<ItemPricing>>> ItemPricing::oracles(std::shared_ptr<const ItemPricing> p) {
  // The first oracle is the default.
  constexpr double kQuickToList = 65536;  // up to here a table of all actions is the faster oracle
  std::vector<std::shared_ptr<const AnyOracle<ItemPricing>>> all;
  if (p->in_money()) {
    all.push_back(make_oracle("branch_bound", p, PriceListSearch{}));
  } else if (p->demand() == Demand::kSingleMinded) {
    all.push_back(make_oracle("branch_bound", p, BundleSearch{}));
  } else {
    all.push_back(make_oracle("branch_bound", p, UnitDemandSearch{}));
  }
  if (p->items() == 1) all.insert(all.begin(), make_oracle("separable", p, Separable<ItemPricing>{}));
  const auto count = p->action_count();
  if (count && *count <= kMaxListed) {
    all.insert(*count <= kQuickToList ? all.begin() : all.end(), make_oracle("tabulate", p, Tabulate<ItemPricing>{}));
  }
  return all;
}

}  // namespace hannan::detail
