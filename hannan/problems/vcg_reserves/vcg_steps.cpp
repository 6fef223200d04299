// The loss of one profile of bids over all reserves, as steps on the grid.
//
// With one unit the winner a is the first in rank who stays: those before it have reserves above their
// levels, a box of the grid. Within it the price is set by the next who stays, b; passing from "b stays" to "b
// leaves and the next, c, sets the price" the payment falls from max(z/m, b) to max(z/m, c), a function of
// a's own reserve z that is zero beyond b's level. So a profile has n (n + 1) / 2 corners, each with the steps of
// one such function: O(n^2 + n m) in the worst case, however many actions there are. A bidder with several bids takes
// all of them along when the highest leaves; bids without a reserve never leave.
// Where reserves do not touch each other (lazy, or a unit for everyone) every winner has one such function.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {

namespace {

struct Price {
  double value = 0;
  int level = 0;  // of the bid that sets it
};

Price price_of(const RankedBid& r) { return {r.bid, r.level}; }

// Payments of one bid over the reserves of its bidder, the z-th for z = 1, 2, ..., written from one corner on.
class Payments {
 public:
  struct Place {
    std::size_t corner;
    std::size_t stride;
    int bidder;
  };
  Payments(GridSteps& steps, const VcgReserves& problem, const RankedBids& profile, double factor)
      : steps_(steps), problem_(problem), shift_(profile.shift), factor_(factor) {}

  // max(reserve, price) up to z = top, then nothing.
  void rise(Place at, Price price, int top) const {
    if (at.bidder == kNoReserve) {
      steps_.add(at.corner, factor_ * price.value);
      return;
    }
    // z up to `turn`: the price; above it, up to `top`: the reserve itself. A step at every z where the payment
    // changes.
    const int turn = level_of(at.bidder, price);
    double before = 0;
    for (int z = 1; z <= top; z = next(z, turn)) before = step(at, z, paid(at.bidder, z, price, turn), before);
    if (top < levels(at.bidder)) step(at, top + 1, 0.0, before);
  }
  // max(reserve, to) - max(reserve, from), to the lower one: nothing beyond from's level.
  void fall(Place at, Price from, Price to) const {
    if (at.bidder == kNoReserve) {
      steps_.add(at.corner, factor_ * (to.value - from.value));
      return;
    }
    const int top = level_of(at.bidder, from), turn = level_of(at.bidder, to);
    double before = 0;
    for (int z = 1; z <= top; z = next(z, turn))
      before = step(at, z, paid(at.bidder, z, to, turn) - from.value, before);
    if (top < levels(at.bidder)) step(at, top + 1, 0.0, before);
  }

 private:
  int levels(int bidder) const { return static_cast<int>(problem_.domain(static_cast<std::size_t>(bidder))); }
  int level_of(int bidder, Price price) const {
    return problem_.auction().level_of(bidder, price.value, shift_, price.level);
  }
  // Up to the price's level the payment is the price: no step before the end of that.
  static int next(int z, int level) { return z < level ? level + 1 : z + 1; }
  double paid(int bidder, int z, Price price, int turn) const {
    return z > turn ? problem_.reserve_price(bidder, z - 1) + shift_ : price.value;
  }
  double step(Place at, int z, double now, double before) const {
    steps_.add(at.corner + at.stride * static_cast<std::size_t>(z - 1), factor_ * (now - before));
    return now;
  }

  GridSteps& steps_;
  const VcgReserves& problem_;
  double shift_;
  double factor_;
};

}  // namespace

void VcgReserves::add_steps(const Outcome& y, double weight, GridSteps& steps) const {
  assert(has_few_steps());
  const auto ranked = prepare(y);
  steps.add(0, weight * ranked.offset);
  const Payments payments(steps, *this, ranked, -weight * ranked.scale / normaliser());
  const auto place = [&](std::size_t corner, std::size_t k) {
    const int bidder = ranked[k].bidder;
    return Payments::Place{corner, bidder == kNoReserve ? 0 : steps.stride(static_cast<std::size_t>(bidder)), bidder};
  };
  const auto price_at = [&](std::size_t k) { return k < ranked.size() ? price_of(ranked[k]) : Price{ranked.floor, 0}; };
  if (is_separable()) {
    const auto units = static_cast<std::size_t>(parts_.units);
    for (std::size_t k = 0; k < std::min(units, ranked.size()); ++k)
      payments.rise(place(0, k), price_at(units), ranked[k].level);
    return;
  }
  // Where whoever stands before k has left: the corner, and whether there are such reserves at all.
  // A corner beyond the grid is never used: if level equals the domain there is no reserve at which k leaves, and false
  // ends the loops before the corner is written to.
  const auto leave = [&](std::size_t k, std::size_t& corner) {
    const Payments::Place own = place(0, k);
    if (own.bidder == kNoReserve) return false;
    corner += own.stride * static_cast<std::size_t>(ranked[k].level);
    return ranked[k].level < static_cast<int>(domain(static_cast<std::size_t>(own.bidder)));
  };
  // The next bid of a bidder who has not left: whoever leaves takes all its bids along.
  std::vector<int> left;
  const auto next = [&](std::size_t k) {
    while (++k < ranked.size() && ranked.several &&
           std::find(left.begin(), left.end(), ranked[k].bidder) != left.end()) {
    }
    return k;
  };
  const auto gone = [&](std::size_t k) {
    if (ranked.several) left.push_back(ranked[k].bidder);
  };
  std::size_t corner = 0;
  for (std::size_t a = 0; a < ranked.size(); a = next(a)) {
    const std::size_t left_before = left.size();
    std::size_t b = next(a), at = corner;
    payments.rise(place(at, a), price_at(b), ranked[a].level);
    // A second bid of the winner's own leaves only at reserves above it, where it does not matter.
    while (b < ranked.size() && ranked[b].bidder != ranked[a].bidder && leave(b, at)) {
      gone(b);
      const std::size_t after = next(b);
      payments.fall(place(at, a), price_at(b), price_at(after));
      b = after;
    }
    left.resize(left_before);
    if (!leave(a, corner)) break;
    gone(a);
  }
}

}  // namespace hannan::detail
