// The scale of a round and whether gains are judged as shares of it (round_scale.hpp).
#include "hannan/compare/round_scale.hpp"

#include <algorithm>
#include <memory>

#include "hannan/problems/first_price_bidding/first_price_bidding_codec.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

namespace hannan::detail {
namespace {

double least_of(const Json& list) {
  double least = 1;
  for (const Json& item : list.as_array()) least = std::min(least, item.is_array() ? least_of(item) : item.as_number());
  return least;
}

}  // namespace

RoundScale round_scale(const AnyProblem& problem) {
  const Json params = problem.params();
  if (problem.kind() == Codec<FirstPriceBidding>::kKind && params.find("mode") && params.at("mode") == Json("shade")) {
    return [](const AnyOutcome& y) {
      double value = 0;
      for (const BidOffer& offer : y.get<FirstPriceBidding::Outcome>()) value += offer.for_sale ? offer.value : 0;
      return value;
    };
  }
  if (problem.kind() != Codec<VcgReserves>::kKind || !params.find("shares")) return {};
  Fields fields(params, "params");
  const std::shared_ptr<const VcgReserves> typed = Codec<VcgReserves>::parse(fields);
  if (!typed->money() || !typed->money()->reverse()) return {};
  return [typed](const AnyOutcome& y) { return typed->money()->round_of(y.get<VcgReserves::Outcome>()).outside; };
}

bool judged_by_shares(const AnyProblem& problem, std::span<const double> scales, std::span<const double> base) {
  if (scales.empty()) return false;
  const auto [least, most] = std::minmax_element(scales.begin(), scales.end());
  if (!(*least > 0 && *least < *most)) return false;
  if (problem.params().find("shares")) return true;
  // What sums of a few prices may differ by.
  constexpr double kRounding = 1e-9;
  for (std::size_t t = 0; t < scales.size(); ++t) {
    if (base[t] > kRounding * scales[t]) return false;  // a loss: more was paid than it was worth
  }
  return true;
}

double most_share(const AnyProblem& problem) {
  const Json params = problem.params();
  const Json* shares = params.find("shares");
  return shares ? params.at("units").as_number() * (1 - least_of(*shares)) : 1;
}

}  // namespace hannan::detail
