// The oracle for separable rewards over the words of an automaton: exact, any sign, flat in T.
//
// The problem's loss is 1 - (1/R) sum_c gain_c(x_c, y), and its actions are the words of a finite
// automaton over the coordinates' positions. The history is one table of summed gains per coordinate
// (kept in raw units and divided by R last, so that equal sums stay equal) plus the noise tables:
// its size does not depend on the number of rounds. The argmin is chain_program.hpp, which also
// yields the pool: best, rest and floor are all exact.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "hannan/core/long_sums.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/oracles/chain_program.hpp"

namespace hannan::detail {

template <class P>
concept Chained =
    Coordinated<P> && requires(const P& p, const typename P::Outcome& y, std::size_t c, std::span<double> gains,
                               const std::vector<int>& word, typename P::Action& x) {
      requires Automaton<std::remove_cvref_t<decltype(p.chain())>>;
      p.gains(y, c, gains);  // gains[d] = gain_c(d, y), in raw units
      { p.normaliser() } -> std::convertible_to<double>;
      p.action_at(word, x);  // the action at these positions, order kept
    };

template <Chained P>
class DynamicProgram {
 public:
  static constexpr bool kSigned = true;

  struct History {
    double weight = 0;           // of all outcomes: each loses 1 before its gains
    LongSums gains;              // coordinate after coordinate
    std::vector<double> tables;  // likewise
    // Buffers of a search: the program and its choice.
    struct Search {
      ChainProgram<std::remove_cvref_t<decltype(std::declval<const P&>().chain())>> program;
      std::vector<int> choice;
    };
    mutable std::optional<Search> search;

    void scale(double factor) {
      weight *= factor;
      gains.scale(factor);
      for (double& value : tables) value *= factor;
    }
    void clear() {
      weight = 0;
      gains.clear();
      std::fill(tables.begin(), tables.end(), 0.0);
    }
    void archive(Archive& a) {
      a.field("weight", weight);
      gains.archive(a, "gains", "carries");
      a.field("tables", tables);
    }
  };

  History empty(const P& p) const {
    const std::size_t size = offset(p, p.coordinates());
    return {0, LongSums(size), std::vector<double>(size, 0.0), std::nullopt};
  }

  void add(const P& p, History& h, const typename P::Outcome& y, double weight) const {
    h.weight += weight;
    h.gains.add([&](std::span<double> terms) {
      std::size_t at = 0;
      for (std::size_t c = 0; c < p.coordinates(); ++c) {
        const auto gains = terms.subspan(at, p.domain(c));
        p.gains(y, c, gains);
        for (double& gain : gains) gain *= weight;
        at += gains.size();
      }
    });
  }

  void add_table(const P& p, History& h, std::size_t coordinate, std::span<const double> values) const {
    const std::size_t at = offset(p, coordinate);
    for (std::size_t d = 0; d < values.size(); ++d) h.tables[at + d] += values[d];
  }

  // Of keep + 1 words at least keep are not the choice: keep - 1 of them fill the pool, and the next one is the proven
  // rest.
  Answer<typename P::Action> best(const P& p, Evidence<History> e, std::size_t keep) const {
    Answer<typename P::Action> answer;
    choose(p, e, answer);
    if (keep == 0) return answer;
    answer.pool.push_back({answer.action, answer.value});
    answer.rest = std::numeric_limits<double>::infinity();
    for (const auto& [word, value] : e.data.search->program.best(keep + 1)) {
      if (word == e.data.search->choice) continue;
      if (answer.pool.size() == keep) {
        answer.rest = constant(e) + value;
        break;
      }
      answer.pool.push_back({{}, constant(e) + value});
      p.action_at(word, answer.pool.back().action);
    }
    return answer;
  }
  void choose(const P& p, Evidence<History> e, Answer<typename P::Action>& answer) const {
    if (!e.data.search) e.data.search.emplace(typename History::Search{ChainProgram(p.chain()), {}});
    auto& [program, choice] = *e.data.search;
    fill_costs(p, e, program.costs());
    program.solve();
    answer.floor = answer.rest = constant(e) + program.least();
    program.first_within(program.least() + tie_window(answer.floor), choice);
    answer.value = constant(e) + program.value(choice);
    p.action_at(choice, answer.action);
  }

 private:
  // Where the numbers of a coordinate begin in gains and tables; of coordinates() itself the length of both.
  static std::size_t offset(const P& p, std::size_t coordinate) {
    std::size_t at = 0;
    for (std::size_t c = 0; c < coordinate; ++c) at += p.domain(c);
    return at;
  }

  static double constant(const Evidence<History>& e) {
    return e.scale == 0 ? e.data.weight : e.data.weight + e.scale * e.noise.weight;
  }
  // cost_c(d) = table - gain/R, with noise added by its scale; `at` runs over all numbers once, in the order of
  // offset().
  static void fill_costs(const P& p, const Evidence<History>& e, std::vector<std::vector<double>>& all) {
    all.resize(p.coordinates());
    std::size_t at = 0;
    for (std::size_t c = 0; c < all.size(); ++c) {
      all[c].resize(p.domain(c));
      for (double& cost : all[c]) {
        cost = e.data.tables[at] - e.data.gains[at] / p.normaliser();
        if (e.scale != 0) cost += e.scale * (e.noise.tables[at] - e.noise.gains[at] / p.normaliser());
        ++at;
      }
    }
  }
};

}  // namespace hannan::detail
