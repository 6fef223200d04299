#include "hannan/problems/vcg_reserves/vcg_profile.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/core/tolerance.hpp"

namespace hannan {

RankedBids rank_bids(std::span<const double> bids, int levels) {
  RankedBids ranked;
  for (std::size_t i = 0; i < bids.size(); ++i) {
    const int level = std::min(levels, static_cast<int>(std::floor(levels * bids[i] + kGridSlack)));
    if (level >= 1) ranked.push_back({bids[i], level, static_cast<int>(i)});
  }
  std::sort(ranked.begin(), ranked.end(), [](const RankedBid& a, const RankedBid& b) {
    return a.bid != b.bid ? a.bid > b.bid : a.bidder < b.bidder;
  });
  return ranked;
}

namespace {

// Bidders who stay, in order: at most as many as there are.
struct Stayed {
  const RankedBid* at[kMostBids];
  double reserve[kMostBids];
  std::size_t size = 0;

  double bid(std::size_t k) const { return k < size ? at[k]->bid : 0.0; }
  // What the first `winners` pay in all at a common price.
  double paid(std::size_t winners, double price) const {
    double sum = 0;
    for (std::size_t k = 0; k < winners; ++k) sum += std::max(reserve[k], price);
    return sum;
  }
};

// respond() for one unit, where most of the time goes.
Response respond_single(std::span<const RankedBid> ranked, std::span<const int> reserves, const Auction& auction,
                        int bidder) {
  const RankedBid* first = nullptr;
  const RankedBid* own = nullptr;
  double next = 0;
  bool own_leads = false;
  for (const auto& r : ranked) {
    if (r.bidder == bidder) {
      own = &r;
      own_leads = first == nullptr;
    } else if (reserves[static_cast<std::size_t>(r.bidder)] <= r.level) {
      if (first) {
        next = r.bid;
        break;
      }
      first = &r;
    }
  }
  const double reserve =
      first ? static_cast<double>(reserves[static_cast<std::size_t>(first->bidder)]) / auction.levels : 0.0;
  Response out{.excluded = first ? std::max(reserve, next) : 0.0};
  if (!own) return out;
  out.own_level = own->level;
  if (own_leads) {
    if (first) {
      out.price = first->bid;
      out.price_level = first->level;
    }
  } else {
    out.price = std::max(reserve, std::max(own->bid, next));
    out.price_level = auction.levels;
  }
  return out;
}

}  // namespace

double revenue(std::span<const RankedBid> ranked, std::span<const int> reserves, const Auction& auction) {
  const auto units = static_cast<std::size_t>(auction.units);
  // Winners are met before the price they pay is known; their reserves wait here.
  double waiting[kMostBids];
  std::size_t stayed = 0;
  double price = 0;
  for (const auto& r : ranked) {
    const int reserve = reserves[static_cast<std::size_t>(r.bidder)];
    if (reserve > r.level) continue;
    if (stayed == units) {
      price = r.bid;
      break;
    }
    waiting[stayed++] = static_cast<double>(reserve) / auction.levels;
  }
  double sum = 0;
  for (std::size_t k = 0; k < stayed; ++k) sum += std::max(waiting[k], price);
  return sum;
}

Response respond(std::span<const RankedBid> ranked, std::span<const int> reserves, const Auction& auction, int bidder) {
  if (auction.units == 1) return respond_single(ranked, reserves, auction, bidder);
  const auto units = static_cast<std::size_t>(auction.units);
  Stayed stayed;
  const RankedBid* own = nullptr;
  std::size_t ahead = 0;  // others who stay and stand before the bidder
  for (const auto& r : ranked) {
    const int reserve = reserves[static_cast<std::size_t>(r.bidder)];
    if (r.bidder == bidder) {
      own = &r;
      ahead = stayed.size;
    } else if (reserve <= r.level) {
      stayed.at[stayed.size] = &r;
      stayed.reserve[stayed.size++] = static_cast<double>(reserve) / auction.levels;
      if (stayed.size > units) break;
    }
  }
  const std::size_t winners = std::min(units, stayed.size);
  const double runner_up = stayed.bid(units);
  Response out{.excluded = stayed.paid(winners, runner_up)};
  if (!own) return out;  // absent, or below a loser: its bid does not matter
  out.own_level = own->level;
  if (ahead < units) {
    out.price = stayed.bid(units - 1);
    out.price_level = stayed.size >= units ? stayed.at[units - 1]->level : 0;
    out.base = stayed.paid(std::min(units - 1, stayed.size), out.price);
  } else {
    out.price = stayed.paid(winners, std::max(own->bid, runner_up));
    out.price_level = auction.levels;
  }
  return out;
}

void ResponseCurve::clear() {
  std::fill(flat_.begin(), flat_.end(), 0.0);
  std::fill(slope_.begin(), slope_.end(), 0.0);
}

void ResponseCurve::add(const Response& r, double weight) {
  const auto end = static_cast<std::size_t>(r.own_level) + 1;
  const auto turn = static_cast<std::size_t>(std::min(r.price_level, r.own_level)) + 1;
  flat_[1] += weight * (r.base + r.price);
  flat_[turn] -= weight * r.price;
  flat_[end] += weight * (r.excluded - r.base);
  slope_[turn] += weight;  // turn = end: never above the price, and the two cancel
  slope_[end] -= weight;
}

void ResponseCurve::read(std::span<double> out) const {
  const auto levels = static_cast<double>(out.size());
  double flat = 0, slope = 0;
  for (std::size_t z = 1; z <= out.size(); ++z) {
    flat += flat_[z];
    slope += slope_[z];
    out[z - 1] = flat + slope * static_cast<double>(z) / levels;
  }
}

}  // namespace hannan
