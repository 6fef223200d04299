// Welch's intervals of the means of prices, Bonferroni over those that are judged; the formulas are in the header.
#include "hannan/compare/price_means.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/compare/student.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

bool is_enough(const OfferMean& mean) {
  return mean.offers() >= PriceTest::kLeastOffers && mean.sales() >= PriceTest::kLeastSales;
}

// Welch's interval of the difference of two means.
Interval welch(const OfferMean& a, const OfferMean& b, double tail) {
  const double va = a.variance_of_mean(), vb = b.variance_of_mean(), difference = a.mean() - b.mean();
  if (!(va + vb > 0)) return {difference, difference};
  // Welch and Satterthwaite. degrees() is offers + 1, because two made-up offers join each sample.
  const double degrees = (va + vb) * (va + vb) / (va * va / a.degrees() + vb * vb / b.degrees());
  const double half = student_quantile(tail, std::max(1.0, degrees)) * std::sqrt(va + vb);
  return {difference - half, difference + half};
}

}  // namespace

void OfferMean::add(double earned, double own) {
  ++offers_;
  sales_ += own > 0 ? 1 : 0;
  // Welford's recurrence; merge() is Chan's form of it for two samples.
  const double before = earned - mean_;
  mean_ += before / static_cast<double>(offers_);
  squares_ += before * (earned - mean_);
  most_ = std::max(most_, earned);
}

void OfferMean::merge(const OfferMean& other) {
  const auto n = static_cast<double>(offers_), m = static_cast<double>(other.offers_);
  if (m == 0) return;
  const double apart = other.mean_ - mean_;
  squares_ += other.squares_ + apart * apart * n * m / (n + m);
  mean_ += apart * m / (n + m);
  offers_ += other.offers_;
  sales_ += other.sales_;
  most_ = std::max(most_, other.most_);
}

// With one offer of 0 and one of the most added.
double OfferMean::variance_of_mean() const {
  OfferMean more = *this;
  more.add(0, 0);
  more.add(most_, most_);
  const auto n = static_cast<double>(more.offers_);
  return more.squares_ / (n - 1) / n;
}

void PriceTest::add(const std::vector<Offer>& round) {
  double earned = 0;
  for (const Offer& offer : round) earned += offer.own;
  for (const Offer& offer : round) {
    if (goods_.size() <= offer.good) goods_.resize(offer.good + 1);
    goods_[offer.good][offer.price].add(earned, offer.own);
  }
  all_.add(earned, earned);
}

std::vector<TestedPrice> PriceTest::results(const Terms& terms) const {
  const OfferMean* today = nullptr;
  if (terms.today) {
    if (goods_.size() != 1)
      throw Error(Code::kOutOfRange, "found several goods, expected one: each has a price of its own", "--today");
    const auto found = goods_.front().find(*terms.today);
    if (found == goods_.front().end() || !is_enough(found->second))
      throw Error(Code::kOutOfRange,
                  "found a price with fewer than 40 offers or 10 sales, expected one that was tested: leave it out to "
                  "compare with the log as it was run",
                  "--today");
    today = &found->second;
  }
  // What each price is held against: today's, or all offers of the good at other prices.
  struct Pair {
    std::size_t place;
    const OfferMean* own;
    OfferMean other;
    double factor;  // of the difference
    double offers;  // of the good, at any price
  };
  std::vector<TestedPrice> prices;
  std::vector<Pair> pairs;
  for (std::size_t good = 0; good < goods_.size(); ++good) {
    for (const auto& [price, mean] : goods_[good]) {
      prices.push_back({.good = good,
                        .price = price,
                        .offers = mean.offers(),
                        .sales = mean.sales(),
                        .mean = mean.mean(),
                        .today = &mean == today,
                        .range = {},
                        .judged = {}});
      if (&mean == today || !is_enough(mean)) continue;
      Pair pair{.place = prices.size() - 1, .own = &mean, .other = {}, .factor = 1, .offers = 0};
      OfferMean offered = mean;
      for (const auto& [other_price, other] : goods_[good]) {
        if (&other == &mean) continue;
        offered.merge(other);
        if (!today) pair.other.merge(other);
      }
      if (today) pair.other = *today;
      pair.offers = static_cast<double>(offered.offers());
      if (!today) pair.factor = static_cast<double>(pair.other.offers()) / pair.offers;
      if (is_enough(pair.other)) pairs.push_back(pair);
    }
  }
  const double base = static_cast<double>(all_.offers()) * (today ? today->mean() : all_.mean());
  Doubts doubts{.log = terms.doubts, .best = BestRange::exact(), .most = std::optional(1.0)};  // none is needed
  doubts.log.censored = std::string();
  for (const Pair& pair : pairs) {
    const Interval range = welch(*pair.own, pair.other, terms.delta / 2 / static_cast<double>(pairs.size()));
    TestedPrice& price = prices[pair.place];
    price.range = {pair.factor * range.lo, pair.factor * range.hi};
    price.judged = judge_range({.gain = pair.offers * pair.factor * (pair.own->mean() - pair.other.mean()),
                                .range = {pair.offers * price.range.lo, pair.offers * price.range.hi},
                                .offers = static_cast<std::size_t>(all_.offers())},
                               {.doubts = doubts, .baseline = base, .delta = terms.delta, .players = pairs.size()});
  }
  return prices;
}

}  // namespace hannan::detail
