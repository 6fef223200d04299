// What a log of posted prices shows of demand: its offers, one good at one price to one person.
//
// With a row for every offer, sold or not, and one unit each, who bought at q would have bought at every price below,
// and who declined at q at no price above: what another price would have earned has limits (compare/unsure.hpp). The
// rows do not say that much
//   where a good has one price throughout        nothing is known of another
//   where rows are purchases only                how many saw a price and did not buy is not known, so that a lower
//                                                price may have sold any number more
//   where a row is several units                 the same, and a buyer may take more units at a lower price
//   where a row is a choice between goods        a buyer may turn to another good when prices change
// and then nothing is said but what was sold. A price that was drawn at random needs none of this: the means of what
// each price earned are compared (compare/price_means.hpp).
//
// Costs O(1) an offer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct LoggedOffer {
  std::size_t good = 0;  // its slot
  double price = 0;
  double sold = 0;  // units
};

class PostedDemand {
 public:
  // The offers of one round; rows that are a choice between goods are one round each.
  void add(std::span<const LoggedOffer> round);

  std::uint64_t offers() const { return offers_; }
  std::uint64_t declined() const { return declined_; }  // without a sale
  std::uint64_t several() const { return several_; }    // of more than one unit
  // Why the log says nothing of other prices, one sentence; empty: it has limits. `goods` are their names;
  // kChoice: a round is one buyer's choice between its offers.
  enum class Rounds : std::uint8_t { kOffers, kChoice };
  std::string doubt(std::span<const std::string> goods, Rounds rounds) const;

 private:
  struct Good {
    std::optional<double> price;  // the first
    bool varies = false;
  };
  std::vector<Good> goods_;
  std::uint64_t offers_ = 0, declined_ = 0, several_ = 0;
  std::uint64_t rounds_unsold_ = 0, rounds_of_several_ = 0;  // rounds without a sale, and with more than one good
};

}  // namespace hannan::detail
