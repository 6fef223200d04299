// What a game is: actions, outcomes, and the loss of one against the other.
//
// K, the number of actions, may be 10^30, so a problem states ln K and never lists them; whoever
// can (an enumerable problem) also hands out the k-th action in order.
//
// A problem is a plain class of your own. It does not change while it is played; any number of threads may ask it. Its
// functions are given only actions and outcomes of its own and throw nothing. A round costs at least one loss().
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

namespace hannan {

// What a class must have to be a problem; everything else here is asked only where it is offered.
template <class P>
concept Problem = requires(const P& p, const typename P::Action& x, const typename P::Outcome& y) {
  requires std::totally_ordered<typename P::Action>;  // ties go to the smallest
  { p.loss(x, y) } -> std::convertible_to<double>;    // in [0,1]
  { p.ln_size() } -> std::convertible_to<double>;     // ln K
};

// K fits in memory and action k (in order, from 0) can be named.
template <class P>
concept Enumerable = Problem<P> && requires(const P& p, std::uint64_t k) {
  { p.size() } -> std::convertible_to<std::uint64_t>;
  { p.action(k) } -> std::convertible_to<typename P::Action>;
};

// Action k, written over another where the problem can.
template <Enumerable P>
void set_action(const P& p, std::uint64_t k, typename P::Action& x) {
  if constexpr (requires { p.action(k, x); }) {
    p.action(k, x);
  } else {
    x = p.action(k);
  }
}

// Some problems add weight * loss(., y) to one number per action faster than action by action.
template <class P>
concept Accumulating = Enumerable<P> && requires(const P& p, const typename P::Outcome& y, std::span<double> totals) {
  p.accumulate(y, 1.0, totals);
};

// Separable noise is one table per coordinate; a problem with coordinates says where an action stands.
template <class P>
concept Coordinated = Problem<P> && requires(const P& p, const typename P::Action& x, std::size_t c) {
  { p.coordinates() } -> std::convertible_to<std::size_t>;
  { p.domain(c) } -> std::convertible_to<std::size_t>;       // number of values of coordinate c
  { p.position(x, c) } -> std::convertible_to<std::size_t>;  // 0-based place of x's value in it
};

// No action loses less than this against y; better than 0 where the problem knows it.
template <Problem P>
double least_loss(const P& p, const typename P::Outcome& y) {
  if constexpr (requires { p.least_loss(y); }) {
    return p.least_loss(y);
  } else {
    return 0;
  }
}

// What the problem's own unit measures. In reward problems the weighted *rewards* of a data set make a column of a
// perturbation, so its losses make minus it. kLoss: less is better; kReward: more is.
enum class Form { kLoss, kReward };

// Losses lie in [0,1] unless the problem has a member loss_range() that says otherwise: then they are any numbers
// within kAnyLoss (1e30 in absolute value), of any unit and origin, and it has a member spread(y) too. kUnitInterval,
// or kUnknown.
enum class LossRange { kUnitInterval, kUnknown };

template <Problem P>  // whether loss_range() says so
bool has_unknown_range(const P& p) {
  if constexpr (requires { p.loss_range(); }) {
    return p.loss_range() == LossRange::kUnknown;
  } else {
    return false;
  }
}

// The least and the largest loss of all actions against one outcome.
struct LossSpread {
  double least = 0;                              // of all actions
  double most = 1;                               // likewise
  double range() const { return most - least; }  // what two of them differ by at most
};
template <Problem P>
LossSpread loss_spread(const P& p, const typename P::Outcome& y) {
  if constexpr (requires { p.spread(y); }) {
    return p.spread(y);
  } else {
    return {};
  }
}

// Is x one of the problem's actions? Asked of what comes from a saved state. A problem says so itself by a member
// allows(x), unless its actions are the numbers 0..K-1.
template <Problem P>
bool allows(const P& p, const typename P::Action& x) {
  if constexpr (requires {
                  { p.allows(x) } -> std::convertible_to<bool>;
                }) {
    return p.allows(x);
  } else if constexpr (Enumerable<P> && std::unsigned_integral<typename P::Action>) {
    return x < p.size();
  } else {
    return true;
  }
}

// Some problems look at an outcome once (sort its numbers, say) and then at many actions against it.
template <class P>
concept Preparing = Problem<P> && requires(const P& p, const typename P::Action& x, const typename P::Outcome& y) {
  { p.loss_prepared(x, p.prepare(y)) } -> std::convertible_to<double>;  // = loss(x, y), bit for bit
};

// A weighted outcome (weight, which may be negative, and outcome); a list of them is a data set.
template <class Outcome>
struct Weighted {
  double weight;
  Outcome outcome;
};
template <class Outcome>
using Dataset = std::vector<Weighted<Outcome>>;

}  // namespace hannan
