// Outcomes of an auction problem, made from a simulated market.
//
//   vcg-reserves, level-auction   a bid per bidder
//   second-price-bidding          a price per item
//   item-pricing                  n buyers; single-minded ones want one to three items and value each
//   multi-unit                    per bidder a valuation of up to three steps
//
// "adversarial" looks at what the learner played last and picks, of 16 uniform candidates, the outcome
// on which that would have lost most.
#pragma once

#include <cstdint>
#include <memory>

#include "hannan/engine/source.hpp"
#include "hannan/game/market.hpp"

namespace hannan {

inline constexpr std::string_view kAdversarial = "adversarial";

struct MarketSourceSpec {
  MarketSpec market;  // or the name "adversarial"
  std::uint64_t rounds = 1000;
};

// Throws kUnavailable for problems without bids and prices. The problem must outlive the source.
std::unique_ptr<Source> market_source(const ProblemFace& problem, const MarketSourceSpec& spec);

}  // namespace hannan
