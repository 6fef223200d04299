// A price test: every offer was made at a price that was drawn at random, and the means of what prices earned are
// compared (docs/judgement.md#price-tests).
//
// An offer is a round: one person, one price for each good, and what the round earned in all, so that a buyer who turns
// to another good counts. Let n_k offers with mean m_k and sample variance v_k have been made at price k of a good, and
// the baseline be today's price 0, or the log as it was run, with mean m over all n offers.
//   against today       d = m_k - m_0
//   against the log     d = m_k - m = (1 - n_k/n) (m_k - m_rest), `rest` the offers at all other prices
//   range               d -+ t * sqrt(v_k/n_k + v_0/n_0), of the rest likewise, t the Student quantile of tail
//                       delta / (2 K) with Welch's degrees of freedom, K the number of prices that are judged
// v is that of the offers and two more, one that earned nothing and one that earned the most of its price: where all
// offers, or none, were sold it is not 0. With probability 1 - delta all K ranges hold at once (Bonferroni), as far as
// means of so many offers are normal: that is why a price needs kLeastOffers offers and kLeastSales of them sold.
// Nothing else is assumed, neither of demand nor of how prices follow each other: because a price is drawn at random,
// who saw it does not depend on it.
//
// Costs O(log prices) an offer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hannan/compare/judgement.hpp"

namespace hannan::detail {

// Offers at one price: their number, mean and spread, one pass.
class OfferMean {
 public:
  void add(double earned, double own);  // by the round, and by this good
  void merge(const OfferMean& other);
  std::uint64_t offers() const { return offers_; }
  std::uint64_t sales() const { return sales_; }
  double mean() const { return mean_; }
  double variance_of_mean() const;  // v/n
  double degrees() const { return static_cast<double>(offers_) + 1; }

 private:
  std::uint64_t offers_ = 0, sales_ = 0;
  double mean_ = 0, squares_ = 0;  // of the deviations from the mean
  double most_ = 0;
};

struct TestedPrice {
  std::size_t good = 0;
  double price = 0;
  std::uint64_t offers = 0, sales = 0;
  double mean = 0;                  // earned an offer
  bool today = false;               // it is the baseline
  Interval range{};                 // of the mean's difference from the baseline, an offer; where it is judged
  std::optional<Judgement> judged;  // none: too few offers, or today's price
};

class PriceTest {
 public:
  static constexpr std::uint64_t kLeastOffers = 40, kLeastSales = 10;
  struct Offer {
    std::size_t good;
    double price;
    double own;  // what this good earned
  };
  void add(const std::vector<Offer>& round);

  struct Terms {
    std::optional<double> today;  // of the only good; none: the log as it was run
    double delta = 0.05;
    LogDoubts doubts;  // of the log; that it shows some answers only is no doubt of a test
  };
  // Throws kOutOfRange where today's price was not offered often enough, or there are several goods.
  std::vector<TestedPrice> results(const Terms& terms) const;
  std::uint64_t rounds() const { return all_.offers(); }
  double mean() const { return all_.mean(); }

 private:
  std::vector<std::map<double, OfferMean>> goods_;
  OfferMean all_;
};

}  // namespace hannan::detail
