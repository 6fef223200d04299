// The perturbations of second-price-bidding and the data sets that make them.
#include <utility>

#include "hannan/oracles/tabulate.hpp"
#include "hannan/problems/second_price_bidding/bidding_search.hpp"
#include "hannan/problems/second_price_bidding/second_price_bidding.hpp"

namespace hannan::detail {
namespace {

using P = SecondPriceBidding;

// phi(b) - phi(0) = sum over l of (phi(l) - phi(l-1)) 1[b >= l], each step made by one price vector.
std::optional<Dataset<P::Outcome>> step_data(const P& p, const std::vector<CodePtr>& codes,
                                             Perturbation<P>::ColumnRequest request) {
  std::size_t item = 0, column = request.column;
  // Columns are numbered item after item; the caller's is below their total.
  while (column >= codes[item]->columns()) column -= codes[item++]->columns();
  const CoordinateCode& code = *codes[item];
  const double worth = static_cast<double>(p.domain(item) - 1);
  Dataset<P::Outcome> set;
  for (std::size_t l = 1; l < code.values(); ++l) {
    const double step = request.sign * (code.entry(l, column) - code.entry(l - 1, column));
    if (step == 0) continue;
    if (step < 0 && request.weights == Weights::kNonNegative) return std::nullopt;
    // At price 1 level m is not exceeded by any bid: the other items are lost. worth - (l - 1) >= 1 because l <= m
    // v(e_j).
    P::Outcome prices(p.coordinates(), 1.0);
    prices[item] = static_cast<double>(l - 1) / p.levels();
    // Written so that a difference of whole levels is divided once.
    set.push_back({step * p.levels() / (worth - static_cast<double>(l - 1)), std::move(prices)});
  }
  return set;
}

}  // namespace

std::vector<std::shared_ptr<const Perturbation<P>>> SecondPriceBidding::perturbations(
    std::shared_ptr<const SecondPriceBidding> p) {
  std::vector<std::shared_ptr<const Perturbation<P>>> all;
  double wanted_items = 0, product = 1;
  for (std::size_t c = 0; c < p->coordinates(); ++c) {
    wanted_items += p->domain(c) > 1 ? 1 : 0;
    product *= static_cast<double>(p->domain(c));
  }
  // For additive valuations (and one item) no overbidding binds on single items only.
  const auto actions = p->action_count() == product ? Actions::kFullProduct : Actions::kRestricted;
  for (const char* name : {"thermometer", "one-hot", "bits"}) {
    std::vector<CodePtr> codes;
    std::size_t columns = 0;
    for (std::size_t c = 0; c < p->coordinates(); ++c) {
      codes.push_back(named_code(name, p->domain(c)));
      columns += codes.back()->columns();
    }
    const bool one_hot = std::string_view(name) == "one-hot";
    all.push_back(std::make_shared<CodedColumns<P>>(CodedColumns<P>::Parts{
        .name = name,
        .problem = p,
        .codes = codes,
        .gamma = one_hot ? wanted_items : static_cast<double>(columns),
        .hedge_sign = one_hot ? HedgeSign::kNonNegative : HedgeSign::kMixed,
        .actions = actions,
        .form = Form::kReward,
        .data = [p, codes](Perturbation<P>::ColumnRequest request) { return step_data(*p, codes, request); }}));
  }
  return all;
}

std::vector<std::shared_ptr<const AnyOracle<P>>> SecondPriceBidding::oracles(
    std::shared_ptr<const SecondPriceBidding> p) {
  constexpr double kQuickToList = 65536;  // up to here a table of all actions is the faster oracle
  std::vector<std::shared_ptr<const AnyOracle<P>>> all{make_oracle("branch_bound", p, BiddingSearch{})};
  const auto count = p->action_count();
  if (count && *count <= kMaxListed) {
    all.insert(*count <= kQuickToList ? all.begin() : all.end(), make_oracle("tabulate", p, Tabulate<P>{}));
  }
  return all;
}

}  // namespace hannan::detail
