// One profile of bids, ranked, and what it pays under eager reserves as a function of one of them.
//
// Bidders whose bid misses their reserve leave; the s highest of the others win and each pays the
// greater of its own reserve and the highest losing bid that stayed. With all reserves but bidder
// i's given, revenue is a function of its reserve z alone:
//   excluded                  if z is above i's level,
//   base + max(z/m, price)    otherwise (a loser's z does not matter: price is then at least its bid).
// Adding a bidder never lowers revenue: a newcomer who wins pays at least the bid it displaces, and
// a newcomer who loses can only raise the price.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace hannan {

inline constexpr int kMostBids = 64;

struct RankedBid {
  double bid;
  int level;  // the highest reserve it reaches, in 1..m
  int bidder;
};

// A few ranked bids in place, so that scoring an auction allocates nothing.
class RankedBids {
 public:
  void push_back(const RankedBid& bid) { bids_[size_++] = bid; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  RankedBid* begin() { return bids_.data(); }
  RankedBid* end() { return bids_.data() + size_; }
  const RankedBid* begin() const { return bids_.data(); }
  const RankedBid* end() const { return bids_.data() + size_; }
  const RankedBid& operator[](std::size_t k) const { return bids_[k]; }

 private:
  std::array<RankedBid, kMostBids> bids_;
  std::size_t size_ = 0;
};

// The bids that reach any reserve at all, highest first, equal bids in the order of the bidders.
RankedBids rank_bids(std::span<const double> bids, int levels);

struct Auction {
  int levels;
  int units;
};

// Reserves that stand for no number: one that every bid passes and one that none does.
inline constexpr int kPresent = 0;
inline constexpr int kAbsent = std::numeric_limits<int>::max();

struct Response {
  double excluded = 0;
  double base = 0;
  double price = 0;
  int price_level = 0;  // z/m exceeds the price exactly for z above this
  int own_level = 0;    // excluded for z above this

  double at(int z, int levels) const {
    if (z > own_level) return excluded;
    return base + (z > price_level ? static_cast<double>(z) / levels : price);
  }
};

// In money; reserves by bidder.
double revenue(std::span<const RankedBid> ranked, std::span<const int> reserves, const Auction& auction);
// reserves[bidder] itself is not looked at.
Response respond(std::span<const RankedBid> ranked, std::span<const int> reserves, const Auction& auction, int bidder);

// A sum of weighted responses of one bidder, as differences: O(1) to add one, O(m) to read all.
class ResponseCurve {
 public:
  explicit ResponseCurve(int levels) : flat_(static_cast<std::size_t>(levels) + 2), slope_(flat_.size()) {}
  void clear();
  void add(const Response& r, double weight);
  // out[z-1] = the sum at reserve z.
  void read(std::span<double> out) const;

 private:
  std::vector<double> flat_, slope_;  // steps of the constant and of the coefficient of z/m
};

}  // namespace hannan
