// The oracle for actions that can be listed: one number per action, argmin by scanning.
//
// History = the summed loss of every action, so a round costs O(K) however many rounds there were.
// Exact, any sign; noise comes as tables and is spread over the actions. The problem numbers its actions (Enumerable)
// in their own order. The oracle is a value without state; several threads may ask it, each with histories of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hannan/core/long_sums.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/problem.hpp"

namespace hannan {

namespace detail {

// The value of every listed action: data[k] + scale * noise[k]. noise may be empty: then scale is ignored.
struct ListedValues {
  std::span<const double> data, noise;
  double scale;

  double operator[](std::size_t k) const { return scale == 0 ? data[k] : data[k] + scale * noise[k]; }
};

// The smallest, ties within the tie window to the lowest place (oracles/argmin.hpp); data must not be empty.
struct ListedLeast {
  std::size_t index;
  double value;  // of that index
  double floor;  // the least value of all
};
ListedLeast least_listed(const ListedValues& values);
// The places of the few smallest, by value, then by place; fewer than `few` only where there are fewer.
std::vector<std::size_t> few_listed(const ListedValues& values, std::size_t few);
// A place where a long pass over a list can be left (core/interruption.hpp).
void listed_point();

// Writes the choice alone and says which it is.
template <Enumerable P>
std::size_t choose_listed(const P& p, const ListedValues& values, Answer<typename P::Action>& answer) {
  const ListedLeast least = least_listed(values);
  answer.value = least.value;
  answer.floor = answer.rest = least.floor;
  set_action(p, least.index, answer.action);
  return least.index;
}

// The answer of an oracle that knows the value of every action, with the `keep` best.
template <Enumerable P>
Answer<typename P::Action> listed_answer(const P& p, const ListedValues& values, std::size_t keep) {
  Answer<typename P::Action> answer;
  const std::size_t choice = choose_listed(p, values, answer);
  if (keep == 0) return answer;
  // The choice first, then by value and index; rest is the least value left outside.
  auto others = few_listed(values, keep + 1);
  std::erase(others, choice);
  answer.pool.reserve(std::min(keep, others.size() + 1));
  answer.pool.push_back({answer.action, answer.value});
  // There are keep + 1 places, or all: without the choice the one behind those of the pool is the rest. Where ties left
  // the choice out of them, one more is left over and the same index is right.
  const std::size_t inside = std::min(keep - 1, others.size());
  for (std::size_t i = 0; i < inside; ++i) answer.pool.push_back({p.action(others[i]), values[others[i]]});
  answer.rest = inside < others.size() ? values[others[inside]] : std::numeric_limits<double>::infinity();
  return answer;
}

}  // namespace detail

// A problem whose actions are all combinations of coordinate values, the first coordinate slowest,
// says so by a member kFullProduct = true.
template <class P>
concept FullProduct = Coordinated<P> && requires { requires P::kFullProduct; };

template <Enumerable P>  // the oracle that keeps one number an action
class Tabulate {
 public:
  static constexpr bool kSigned = true;  // takes weights of any sign

  // The total of every action.
  struct History {
    LongSums totals;  // in the order of the actions
    // As every history: times a factor, back to 0, without buffers, saved or read back.
    void scale(double factor) { totals.scale(factor); }
    void clear() { totals.clear(); }
    void shrink() { totals.shrink(); }
    void archive(Archive& a) { totals.archive(a, "totals", "carries"); }
  };

  // What an oracle has (core/oracle.hpp): the history of no outcome, and one outcome more. O(K) each.
  History empty(const P& p) const { return {LongSums(p.size())}; }

  // Adds weight * loss(., y).
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
          if (k % kActionsBetweenPoints == 0) detail::listed_point();  // the terms are not part of the sums yet
          terms[k] = weight * p.loss(p.action(k), y);
        }
      }
    });
  }

  // Adds values[position of action k in this coordinate] to every action k: by blocks where actions are a full product,
  // by asking for positions else, of a run of actions that have the same where the problem knows how long these are.
  // Plain additions: noise is poured into an empty history.
  void add_table(const P& p, History& h, std::size_t coordinate, std::span<const double> values) const
    requires Coordinated<P>
  {
    const std::span<double> totals = h.totals.plain();
    if (p.coordinates() == 1) {
      for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += values[k];
    } else if constexpr (FullProduct<P>) {
      add_strided(p, totals, coordinate, values);
    } else if constexpr (requires { p.position_at(std::uint64_t{}, coordinate); }) {
      std::size_t run = 1;
      if constexpr (requires { p.run_length(coordinate); }) run = p.run_length(coordinate);
      for (std::size_t k = 0; k < totals.size(); k += run) {
        const double value = values[p.position_at(k, coordinate)];
        for (double& total : totals.subspan(k, run)) total += value;
      }
    } else {
      for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += values[p.position(p.action(k), coordinate)];
    }
  }

  // The exact minimum by one pass, with the `keep` best; and the choice alone, written over an older answer.
  Answer<typename P::Action> best(const P& p, Evidence<History> e, std::size_t keep) const {
    return detail::listed_answer(p, {e.data.totals.values(), e.noise.totals.values(), e.scale}, keep);
  }
  void choose(const P& p, Evidence<History> e, Answer<typename P::Action>& answer) const {
    detail::choose_listed(p, {e.data.totals.values(), e.noise.totals.values(), e.scale}, answer);
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
