// The loss of one profile of bids over all reserves, as steps on the grid.
//
// With one unit the winner a is the first in rank who stays: those before it have reserves above their
// levels, a box of the grid. Within it the price is set by the next who stays, b; passing from "b stays" to "b
// leaves and the next, c, sets the price" the payment falls from max(z/m, b) to max(z/m, c), a function of
// a's own reserve z that is zero beyond b's level. So a profile has n (n + 1) / 2 corners, each with the steps of
// one such function: O(n^2 + n m) in the worst case, however many actions there are.
// Where reserves do not touch each other (lazy, or a unit for everyone) every winner has one such function.
#include <cassert>
#include <cstddef>

#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan {

namespace {

struct Price {
  double value = 0;
  int level = 0;  // z/m exceeds the value exactly for z above this
};

Price price_of(const RankedBid& r) { return {r.bid, r.level}; }

// Payments of one bidder over its own reserve z = 1, 2, ..., written from one corner on.
class Payments {
 public:
  Payments(GridSteps& steps, int levels, double factor) : steps_(steps), levels_(levels), factor_(factor) {}

  // max(z/m, price) up to z = top, then nothing.
  void rise(std::size_t corner, std::size_t stride, Price price, int top) const {
    double before = 0;
    for (int z = 1; z <= top; z = next(z, price.level)) before = step(corner, stride, z, paid(z, price), before);
    if (top < levels_) step(corner, stride, top + 1, 0.0, before);
  }
  // max(z/m, to) - max(z/m, from), to the lower one: nothing beyond from's level.
  void fall(std::size_t corner, std::size_t stride, Price from, Price to) const {
    double before = 0;
    for (int z = 1; z <= from.level; z = next(z, to.level))
      before = step(corner, stride, z, paid(z, to) - from.value, before);
    if (from.level < levels_) step(corner, stride, from.level + 1, 0.0, before);
  }

 private:
  // Up to the price's level the payment is the price: no step before the end of that.
  static int next(int z, int level) { return z < level ? level + 1 : z + 1; }
  double paid(int z, Price price) const { return z > price.level ? static_cast<double>(z) / levels_ : price.value; }
  double step(std::size_t corner, std::size_t stride, int z, double now, double before) const {
    steps_.add(corner + stride * static_cast<std::size_t>(z - 1), factor_ * (now - before));
    return now;
  }

  GridSteps& steps_;
  int levels_;
  double factor_;
};

}  // namespace

void VcgReserves::add_steps(const Outcome& y, double weight, GridSteps& steps) const {
  assert(has_few_steps());
  steps.add(0, weight);  // the loss is 1 - revenue
  const auto ranked = prepare(y);
  const Payments payments(steps, parts_.levels, -weight / normaliser());
  const auto stride = [&](std::size_t k) { return steps.stride(static_cast<std::size_t>(ranked[k].bidder)); };
  if (is_separable()) {
    const auto units = static_cast<std::size_t>(parts_.units);
    const Price price = units < ranked.size() ? price_of(ranked[units]) : Price{};
    for (std::size_t k = 0; k < std::min(units, ranked.size()); ++k)
      payments.rise(0, stride(k), price, ranked[k].level);
    return;
  }
  // Where whoever stands before k has left: the corner, and whether there are such reserves at all.
  const auto leave = [&](std::size_t k, std::size_t& corner) {
    corner += stride(k) * static_cast<std::size_t>(ranked[k].level);
    return ranked[k].level < parts_.levels;
  };
  std::size_t corner = 0;
  for (std::size_t a = 0; a < ranked.size(); ++a) {
    std::size_t b = a + 1, at = corner;
    payments.rise(at, stride(a), b < ranked.size() ? price_of(ranked[b]) : Price{}, ranked[a].level);
    for (; b < ranked.size() && leave(b, at); ++b) {
      payments.fall(at, stride(a), price_of(ranked[b]), b + 1 < ranked.size() ? price_of(ranked[b + 1]) : Price{});
    }
    if (!leave(a, corner)) break;
  }
}

}  // namespace hannan
