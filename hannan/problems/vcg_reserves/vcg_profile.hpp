// One profile of bids, ranked, and what it pays under eager reserves as a function of one of them.
//
// Bidders whose bid misses their reserve leave; the s highest of the others win and each pays the
// greater of its own reserve and the highest losing bid that stayed. With all reserves but bidder
// i's given, revenue is a function of its reserve alone, here the z-th one, p_z:
//   excluded                  if z is above i's level,
//   base + max(p_z, price)    otherwise (a loser's z does not matter: price is then at least its bid).
// With one unit this holds for several bids of one bidder too: if the highest of them wins, the second sets a price as
// if it always stayed, since it only leaves at reserves above itself.
// Adding a bidder never lowers revenue: a newcomer who wins pays at least the bid it displaces, and
// a newcomer who loses can only raise the price.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace hannan::detail {

inline constexpr int kMostBids = 64;      // bidders
inline constexpr int kMostRanked = 1024;  // bids of a profile

// The bidder of a bid that no reserve is for: it always stays. As an unsigned number it comes after all others.
inline constexpr int kNoReserve = -1;

struct RankedBid {
  double bid;
  int level;  // how many of its bidder's reserves it reaches, at least one
  int bidder;
};

// A profile for those who look at it: its bids, highest first, and what is particular to it.
struct BidProfile {
  BidProfile(std::span<const RankedBid> ranked) : bids(ranked) {}
  BidProfile(std::span<const RankedBid> ranked, double least_price, double moved, bool repeats)
      : bids(ranked), floor(least_price), shift(moved), several(repeats) {}

  std::span<const RankedBid> bids;
  double floor = 0;      // the price that all winners pay at least: an opening bid
  double shift = 0;      // added to every reserve
  bool several = false;  // has a bidder more than one bid?
};

// A profile of ranked bids, up to 64 of them in place, so that scoring an auction allocates nothing. The loss of an
// action is offset - scale * money / normaliser of the problem.
class RankedBids {
 public:
  void push_back(const RankedBid& bid) {
    if (size_ == kMostBids && more_.empty()) more_.assign(bids_.begin(), bids_.end());
    if (size_ < kMostBids) {
      bids_[size_] = bid;
    } else {
      more_.push_back(bid);
    }
    ++size_;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  RankedBid* begin() { return more_.empty() ? bids_.data() : more_.data(); }
  RankedBid* end() { return begin() + size_; }
  const RankedBid* begin() const { return more_.empty() ? bids_.data() : more_.data(); }
  const RankedBid* end() const { return begin() + size_; }
  const RankedBid& operator[](std::size_t k) const { return begin()[k]; }
  operator BidProfile() const { return {{begin(), size_}, floor, shift, several}; }

  double floor = 0, shift = 0;
  bool several = false;
  double offset = 1, scale = 1;

 private:
  std::array<RankedBid, kMostBids> bids_;
  std::size_t size_ = 0;
  std::vector<RankedBid> more_;  // all of them, where they are too many for the array
};

// Highest first, equal bids in the order of the bidders, those without a reserve last.
void sort_bids(RankedBids& bids);
// The bids in [0,1] that reach any of m equally spaced reserves.
RankedBids rank_bids(std::span<const double> bids, int levels);

using ReservePrices = std::vector<std::vector<double>>;  // by bidder, rising

struct Auction {
  int levels;  // the most reserves of any bidder
  int units;
  const ReservePrices* prices = nullptr;  // null: z/m, z = 1..m, for every bidder
  int first = 1;                          // the number of the lowest reserve

  bool stays(const RankedBid& bid, std::span<const int> reserves) const {
    return bid.bidder == kNoReserve || reserves[static_cast<std::size_t>(bid.bidder)] - first < bid.level;
  }
  // A reserve in money.
  double price(int bidder, int reserve, double shift) const {
    if (!prices) return static_cast<double>(reserve) / levels;
    return (*prices)[static_cast<std::size_t>(bidder)][static_cast<std::size_t>(reserve - first)] + shift;
  }
  double price(const RankedBid& bid, std::span<const int> reserves, double shift) const {
    const int reserve = bid.bidder == kNoReserve ? first - 1 : reserves[static_cast<std::size_t>(bid.bidder)];
    if (reserve < first) return -std::numeric_limits<double>::infinity();  // kPresent stands for no number
    return price(bid.bidder, reserve, shift);
  }
  // No reserve that the bid reaches exceeds this: equally spaced ones may exceed the bid by their slack.
  double reach(const RankedBid& bid) const { return prices ? bid.bid : static_cast<double>(bid.level) / levels; }
  // How many of the bidder's reserves do not exceed a price; `level` is that of the bid that sets it, 0 where none
  // does.
  int level_of(int bidder, double price, double shift, int level) const;
};

// Reserves that stand for no number: one that every bid passes and one that none does. (Where first = 1.)
inline constexpr int kPresent = 0;
inline constexpr int kAbsent = std::numeric_limits<int>::max();

struct Response {
  double excluded = 0;
  double base = 0;
  double price = 0;
  int price_level = 0;  // the z-th reserve exceeds the price exactly for z above this
  int own_level = 0;    // excluded for z above this
  double shift = 0;     // of the reserves

  // At the z-th reserve, which is this in money.
  double at(int z, double reserve) const {
    if (z > own_level) return excluded;
    return base + (z > price_level ? reserve : price);
  }
};

// In money; reserves by bidder.
double revenue(const BidProfile& profile, std::span<const int> reserves, const Auction& auction);
// reserves[bidder] itself is not looked at. Where the bidder has several bids and there are several units it is the
// response without all but the highest of them, which is never above the true one; otherwise it is exact.
Response respond(const BidProfile& profile, std::span<const int> reserves, const Auction& auction, int bidder);
inline bool has_response(const BidProfile& profile, const Auction& auction) {
  return !profile.several || auction.units == 1;
}

// A sum of weighted responses of one bidder, as differences: O(1) to add one, O(m) to read all.
class ResponseCurve {
 public:
  // `prices` of the bidder's reserves; null: z/m.
  explicit ResponseCurve(int levels, const std::vector<double>* prices = nullptr)
      : flat_(static_cast<std::size_t>(levels) + 2), slope_(flat_.size()), prices_(prices) {}
  void clear();
  void add(const Response& r, double weight);
  // out[z-1] = the sum at reserve z.
  void read(std::span<double> out) const;

 private:
  std::vector<double> flat_, slope_;  // steps of the constant and of the coefficient of the reserve
  const std::vector<double>* prices_;
};

}  // namespace hannan::detail
