// Outcomes of a problem, made from a simulated market.
//
//   vcg-reserves, level-auction   a bid per bidder
//   second-price-bidding          a price per item
//   item-pricing                  n buyers; single-minded ones want one to three items and value each
//   multi-unit                    per bidder a valuation of up to three steps
//   routing                       a cost per edge: the market's value times a factor in [0.2,1] that stays
//                                 with the edge (each of two switching markets has its own factors)
//   security-game                 the type v*d, rounded down, for a value v and d types
//   threshold-bidding             likewise the price vector: a cheap market brings low numbers, a dear one high
//
// "adversarial" looks at what the learner played last and picks, of 16 uniform candidates, the outcome
// on which that would have lost most.
#pragma once

#include <cstdint>
#include <memory>

#include "hannan/streams/market.hpp"
#include "hannan/streams/source.hpp"

namespace hannan {

inline constexpr std::string_view kAdversarial = "adversarial";

struct MarketSourceSpec {
  MarketSpec market;  // or the name "adversarial"
  std::uint64_t rounds = 1000;
};

// Throws kUnavailable for problems whose outcomes no market makes. The problem must outlive the source.
std::unique_ptr<Source> market_source(const AnyProblem& problem, const MarketSourceSpec& spec);

}  // namespace hannan
