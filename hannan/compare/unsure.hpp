// What a log leaves open: outcomes that are known only within limits.
//
// A player is played on the outcome that earns least; where the log allows more, a second outcome earns most. The gain
// of a player lies between its gains on the two, so that "deploy" is said of the gains on the first alone, and "keep"
// only where those on the second rule a gain out (judgement.hpp).
//
//   winner's bid hidden   of the highest bid the log shows only what was paid. A reserve up to the shown bid is
//   reached;
//                         above it the winner may have reached it or not: between 0 and the reserve. Most is earned
//                         where it would have paid any price of its list. (Monotone in that bid, eager and lazy.)
//   posted prices         who bought at q buys at every price up to q, and perhaps above; who declined at q buys at no
//                         price from q up, and perhaps below.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "hannan/core/any_value.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/game/game.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {

// The outcome of the same round that earns most.
using MostOutcome = std::function<AnyOutcome(const AnyOutcome&)>;

// For reserves that are prices in money (Money::hidden_top); empty for all other problems.
MostOutcome most_of_hidden_top(const AnyProblem& problem);

// One reserve for all on auctions of one unit: what is shown of the highest bid, and the second or the opening bid.
struct ShownAuction {
  double top = 0;
  double second = 0;
};
Interval hidden_top_money(std::span<const ShownAuction> auctions, double reserve);

// One price on offers at posted prices.
struct PostedOffer {
  double price = 0;
  double quantity = 1;
  enum class Answer { kBought, kDeclined } answer = Answer::kBought;
};
Interval posted_money(std::span<const PostedOffer> offers, double price);

}  // namespace hannan::detail
