// The loss of asking for nothing, by the rule of the auction itself where no action of the problem stands for it.
#include "hannan/compare/no_reserve.hpp"

#include <memory>
#include <vector>

#include "hannan/bidlog/logged_money.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

namespace hannan::detail {
namespace {

std::shared_ptr<const VcgReserves> typed_of(const AnyProblem& problem) {
  const Json params = problem.params();
  Fields fields(params, "params");
  return Codec<VcgReserves>::parse(fields);
}

}  // namespace

// Lists of prices begin with 0 and shares with 1: their first entry asks for nothing. Levels begin with 1/m of the cap,
// ceilings with the highest one.
bool lowest_is_no_reserve(const AnyProblem& problem) {
  const Json params = problem.params();
  return params.find("prices") || params.find("shares");
}

std::function<double(const AnyOutcome&)> no_reserve_loss(const AnyProblem& problem) {
  if (problem.kind() != Codec<VcgReserves>::kKind) return {};
  const auto typed = typed_of(problem);
  if (lowest_is_no_reserve(problem)) {
    return [typed, lowest = VcgReserves::Action(typed->coordinates(), typed->lowest())](const AnyOutcome& y) {
      return typed->loss(lowest, y.get<VcgReserves::Outcome>());
    };
  }
  const auto units = static_cast<std::uint64_t>(typed->units());
  const double normaliser = typed->normaliser();
  if (typed->money()) {  // ceilings
    return [typed, units, normaliser](const AnyOutcome& y) {
      const ReserveBids round = typed->money()->round_of(y.get<VcgReserves::Outcome>());
      std::vector<double> asks = round.others;
      for (const auto& own : round.bids) asks.insert(asks.end(), own.begin(), own.end());
      return rule_cost(asks, units, round.outside) / normaliser;
    };
  }
  return [units, normaliser](const AnyOutcome& y) {
    return 1 - rule_money(y.get<VcgReserves::Outcome>(), units, 0) / normaliser;
  };
}

}  // namespace hannan::detail
