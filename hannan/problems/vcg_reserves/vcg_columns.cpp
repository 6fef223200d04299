// The perturbations of vcg-reserves with what they claim (proofs: vcg_reserves.hpp), and its oracles.
#include <string>
#include <utility>

#include "hannan/oracles/separable.hpp"
#include "hannan/oracles/tabulate_steps.hpp"
#include "hannan/perturbations/revenue_code.hpp"
#include "hannan/problems/vcg_reserves/vcg_oracle.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {

namespace {

using Request = Perturbation<VcgReserves>::ColumnRequest;

// Bidder i alone at h/m, the others at 0, where they reach no reserve.
Dataset<VcgReserves::Outcome> lone_data(const VcgReserves& p, const CoordinateCode& code, const Request& request) {
  const std::size_t bidder = request.column / code.columns();
  LoneTarget target{.phi = {}, .normaliser = p.normaliser(), .weights = request.weights};
  for (std::size_t d = 0; d < code.values(); ++d) {
    target.phi.push_back(request.sign * code.entry(d, request.column % code.columns()));
  }
  Dataset<VcgReserves::Outcome> set;
  for (const auto& [level, weight] : lone_sales(target)) {
    VcgReserves::Outcome bids(p.coordinates(), 0.0);
    bids[bidder] = static_cast<double>(level) / p.levels();
    set.push_back({weight, std::move(bids)});
  }
  return set;
}

}  // namespace

// Gammas by rule: eager reserves are hedged together, so norms of n bidders add up; lazy ones, and eager ones with a
// unit for every bidder, are sums over bidders, of which the largest norm serves. The first is the default.
std::vector<std::shared_ptr<const Perturbation<VcgReserves>>> VcgReserves::perturbations(
    std::shared_ptr<const VcgReserves> p) {
  if (p->money()) return money_perturbations(p);
  const double n = p->bidders(), m = p->levels();
  const bool eager = p->rule() == Rule::kEager;
  const bool own_price = eager && p->is_separable();  // s >= n: every bidder pays its own reserve
  std::vector<std::shared_ptr<const Perturbation<VcgReserves>>> all;
  const auto add = [&](std::string name, CodePtr code, double gamma, HedgeSign sign) {
    all.push_back(std::make_shared<CodedColumns<VcgReserves>>(CodedColumns<VcgReserves>::Parts{
        .name = std::move(name),
        .problem = p,
        .codes = std::vector<CodePtr>(p->coordinates(), code),
        .gamma = m > 1 ? gamma : 0.0,
        .hedge_sign = sign,
        .actions = Actions::kFullProduct,
        .form = Form::kReward,
        .data = [p, code](Request request) { return lone_data(*p, *code, request); }}));
  };
  const auto bits = bits_code(p->domain(0));
  const auto width = static_cast<double>(bits->columns());
  const double own = eager ? (m - 1) / m * (own_price ? 1 : n) : 1;  // one-hot, thermometer
  add("bits", bits, eager ? n * width : width, HedgeSign::kMixed);
  add("one-hot", one_hot_code(p->domain(0)), own, HedgeSign::kNonNegative);
  add("thermometer", thermometer_code(p->domain(0)), own, HedgeSign::kMixed);
  add("direct", revenue_code(p->domain(0)),
      own_price ? 1
      : eager   ? n * (m - 1)
                : m,
      own_price ? HedgeSign::kNonPositive : HedgeSign::kNonNegative);
  return all;
}

std::vector<std::shared_ptr<const AnyOracle<VcgReserves>>> VcgReserves::oracles(std::shared_ptr<const VcgReserves> p) {
  std::vector<std::shared_ptr<const AnyOracle<VcgReserves>>> all;
  const auto count = p->action_count();
  const bool listed = count && *count <= kMaxListed;
  if (p->is_separable()) all.push_back(make_oracle("separable", p, Separable<VcgReserves>{}));
  const auto table = [&] {
    return p->has_few_steps() ? make_oracle("tabulate", p, TabulateSteps<VcgReserves>{})
                              : make_oracle("tabulate", p, Tabulate<VcgReserves>{});
  };
  // The first oracle in the list is the default.
  const bool quick = listed && *count <= (p->has_few_steps() ? kQuickToStep : kQuickToList);
  if (quick) all.push_back(table());
  if (p->rule() == Rule::kEager) all.push_back(make_oracle("branch_bound", p, ReserveSearch{}));
  if (listed && !quick) all.push_back(table());
  return all;
}

}  // namespace hannan::detail
