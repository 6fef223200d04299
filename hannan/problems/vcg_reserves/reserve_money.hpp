// Reserves in money: outcomes of vcg-reserves with a price list or ceilings, and what they are as ranked profiles.
//
// An auction with a price list, forward: bidder i's reserve is p_i(z), p_i(0) = 0. A bidder may have several bids,
// which share its reserve; `others` have none; with an opening bid o bids below it are none and every reserve is at
// least o. Only the s+1 highest bids of a bidder, and of the others, can matter: the rest is dropped when an outcome is
// made.
//
// Reverse (procurement): the lowest asks win, a unit that is not bought costs V (`outside`), and asks above V are none.
// With shares the ceiling is share(z) V, and the auction is the forward one with bids 1 - c/V, prices 1 - share and
// weight V: cost = s V - V money. With ceilings in money it is min(ceiling(z), V), and every round has its own forward
// prices V - ceiling(z), with bids V - c: cost = s V - money. A reserve below 0 is one at 0, as all winners pay 0 or
// more. (docs/theory.md, money)
//
// Snapping: a bid within 1e-9 (relative) of a price that it misses counts as that price, an ask likewise.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/problems/price_list.hpp"
#include "hannan/problems/vcg_reserves/vcg_profile.hpp"

namespace hannan::detail {

// One round as it is given.
struct ReserveBids {
  std::vector<std::vector<double>> bids;  // by bidder; none: absent. Reverse: asks
  std::vector<double> others;             // without a reserve or ceiling
  double opening = 0;                     // forward only
  double outside = 0;                     // reverse only: V > 0
  bool operator==(const ReserveBids&) const = default;
};

class ReserveMoney {
 public:
  enum class Scale { kPrices, kShares, kCeilings };
  struct Parts {
    std::vector<PriceList> prices;             // forward: by bidder
    std::vector<std::vector<double>> falling;  // reverse: shares from 1 downwards, or ceilings in money
    Scale scale = Scale::kPrices;
    int units = 1;
    bool lazy = false;
    std::optional<double> cap;  // on bids, or on V
  };
  explicit ReserveMoney(Parts parts);  // throws kOutOfRange

  const Parts& parts() const { return parts_; }
  bool reverse() const { return parts_.scale != Scale::kPrices; }
  // By bidder, rising; with ceilings to be shifted by V.
  const ReservePrices& reserves() const { return reserves_; }
  std::size_t bidders() const { return reserves_.size(); }

  // An outcome as a list of numbers: the bids of a round with one bid (or 0) a bidder and nothing else, forward; or
  //   opening or outside, then for every bidder, and for the others, their number and the bids, best first.
  // Throws kBadOutcome with the place of what is wrong.
  std::vector<double> outcome(const ReserveBids& round) const;
  ReserveBids round_of(const std::vector<double>& outcome) const;
  bool allows(const std::vector<double>& outcome) const;  // is it what outcome() makes of some round?

  RankedBids ranked(const std::vector<double>& outcome) const;
  // The loss is offset - scale * money / normaliser (RankedBids); offset is 0, or 1 with a cap on bids, or the cost of
  // buying nothing.
  double normaliser() const { return parts_.cap ? parts_.units * *parts_.cap : 1.0; }

  // Limits of the money over all reserves (docs/theory.md, money): exact in the lazy rule; in the eager one `most` with
  // one bid a bidder, both with one price list for all besides.
  struct Limits {
    double most = 0;
    double least = 0;
  };
  Limits limits(const RankedBids& ranked) const;
  // Bidders whose reserve may change the money, in order.
  std::vector<std::size_t> active(const RankedBids& ranked) const;
  // The norm that the code named needs on this outcome, over the range of its money; none where the code is not for it.
  std::optional<double> gamma(std::string_view code, const RankedBids& ranked) const;
  // The same whatever the outcome.
  std::optional<double> gamma(std::string_view code) const;
  // Forward prices of a bidder alone, from 0 on: what `direct` and data sets are made of.
  std::vector<double> lone_prices(std::size_t bidder) const;
  // The outcome in which the bidder alone bids so much (forward money), with `count` others at `other`.
  struct LoneBid {
    std::size_t bidder;
    double bid;
    std::size_t count = 0;
    double other = 0;
  };
  std::vector<double> lone_outcome(const LoneBid& lone) const;
  double lone_scale(std::size_t bidder) const;  // of its loss against its money

 private:
  void check_round(const ReserveBids& round) const;
  std::vector<double> kept(const std::vector<double>& bids, const ReserveBids& round) const;
  RankedBid ranked_bid(double bid, int bidder, double limit) const;
  double lone_outside(std::size_t bidder) const;

  Parts parts_;
  ReservePrices reserves_;
};

}  // namespace hannan::detail
