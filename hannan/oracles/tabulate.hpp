// The oracle for actions that can be listed: one number per action, argmin by scanning.
//
// History = the summed loss of every action, so a round costs O(K) however many rounds there were.
// Exact, any sign; noise comes as tables and is spread over the actions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/core/interruption.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/oracles/listed_answer.hpp"

namespace hannan {

// A problem whose actions are all combinations of coordinate values, the first coordinate slowest,
// says so by a member kFullProduct = true.
template <class P>
concept FullProduct = Coordinated<P> && requires { requires P::kFullProduct; };

template <Enumerable P>  // the oracle that keeps one number an action
class Tabulate {
 public:
  static constexpr bool kSigned = true;

  struct History {
    LongSums totals;
    void scale(double factor) { totals.scale(factor); }
    void clear() { totals.clear(); }
    void archive(Archive& a) { totals.archive(a, "totals", "carries"); }
  };

  History empty(const P& p) const { return {LongSums(p.size())}; }

  void add(const P& p, History& h, const typename P::Outcome& y, double weight) const {
    if constexpr (requires { p.losses(y); }) {  // an outcome that is the list of its losses
      h.totals.add(p.losses(y), weight);
      return;
    }
    h.totals.add([&](std::span<double> terms) {
      if constexpr (Accumulating<P>) {
        p.accumulate(y, weight, terms);
      } else {
        for (std::size_t k = 0; k < terms.size(); ++k) {
          if (k % kActionsBetweenPoints == 0) detail::interruption_point();  // the terms are not part of the sums yet
          terms[k] = weight * p.loss(p.action(k), y);
        }
      }
    });
  }

  // Adds values[position of action k in this coordinate] to every action k: by blocks where actions are a full product,
  // by asking for positions else. Plain additions: noise is poured into an empty history.
  void add_table(const P& p, History& h, std::size_t coordinate, std::span<const double> values) const
    requires Coordinated<P>
  {
    const std::span<double> totals = h.totals.plain();
    if (p.coordinates() == 1) {
      for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += values[k];
    } else if constexpr (FullProduct<P>) {
      add_strided(p, totals, coordinate, values);
    } else if constexpr (requires { p.position_at(std::uint64_t{}, coordinate); }) {
      for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += values[p.position_at(k, coordinate)];
    } else {
      for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += values[p.position(p.action(k), coordinate)];
    }
  }

  Answer<typename P::Action> best(const P& p, Evidence<History> e, std::size_t keep) const {
    return listed_answer(p, {e.data.totals.values(), e.noise.totals.values(), e.scale}, keep);
  }
  void choose(const P& p, Evidence<History> e, Answer<typename P::Action>& answer) const {
    choose_listed(p, {e.data.totals.values(), e.noise.totals.values(), e.scale}, answer);
  }

 private:
  static constexpr std::size_t kActionsBetweenPoints = 4096;  // where the call can be left

  // In order, coordinate c keeps its position for `block` actions in a row: the product of the
  // domains behind it.
  static void add_strided(const P& p, std::span<double> totals, std::size_t coordinate,
                          std::span<const double> values) {
    std::size_t block = 1;
    for (std::size_t c = coordinate + 1; c < p.coordinates(); ++c) block *= p.domain(c);
    double* at = totals.data();
    double* const end = at + totals.size();
    while (at != end) {
      for (const double value : values) {
        for (std::size_t k = 0; k < block; ++k) *at++ += value;
      }
    }
  }
};

}  // namespace hannan
