// The perturbations and oracles of threshold-bidding.
#include <memory>
#include <utility>
#include <vector>

#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"
#include "hannan/perturbations/outcome_columns.hpp"
#include "hannan/problems/threshold_bidding/threshold_bidding.hpp"
#include "hannan/problems/threshold_bidding/threshold_search.hpp"

namespace hannan::detail {

std::vector<std::shared_ptr<const Perturbation<ThresholdBidding>>> ThresholdBidding::perturbations(
    std::shared_ptr<const ThresholdBidding> p) {
  const auto count = p->action_count();
  OutcomeColumns<ThresholdBidding>::Parts outcomes{.problem = p,
                                                   .columns = {},
                                                   .gamma = count == 1.0 ? 0.0 : 1.0,
                                                   .hedge_sign = HedgeSign::kNonNegative,
                                                   .negative = nullptr};
  for (const Outcome y : p->outcomes()) outcomes.columns.push_back({{1.0, y}});
  std::vector<std::shared_ptr<const Perturbation<ThresholdBidding>>> all{
      std::make_shared<OutcomeColumns<ThresholdBidding>>(std::move(outcomes))};
  if (!count || *count > kMaxCoded) return all;
  for (auto& code :
       explicit_columns<ThresholdBidding>({.problem = p, .matrix = {}, .form = Form::kLoss, .data = nullptr})) {
    all.push_back(std::move(code));
  }
  return all;
}

std::vector<std::shared_ptr<const AnyOracle<ThresholdBidding>>> ThresholdBidding::oracles(
    std::shared_ptr<const ThresholdBidding> p) {
  // The first oracle is the default; a given list of actions can only be tabulated.
  constexpr double kQuickToList = 65536;  // up to here a table of all actions is the faster oracle
  std::vector<std::shared_ptr<const AnyOracle<ThresholdBidding>>> all;
  if (!p->parts_.actions.given()) all.push_back(make_oracle("branch_bound", p, ThresholdSearch{}));
  const auto count = p->action_count();
  if (all.empty() || (count && *count <= kMaxListed)) {
    all.insert(count && *count <= kQuickToList ? all.begin() : all.end(),
               make_oracle("tabulate", p, Tabulate<ThresholdBidding>{}));
  }
  return all;
}

}  // namespace hannan::detail
